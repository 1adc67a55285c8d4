"""Parts list: what to buy, how many, what it must have, and what must not take its place."""

from __future__ import annotations

from hardware.header import MODEL_NAMES
from wiring.document.blocks import Chapter, Table, Text
from wiring.electrics import LENGTH_M, SHIFTER_AWG, SHIFTER_FUSE_MA, SUPPLY_VOLTS, amperes, wire_name
from wiring.parts import BUZZER_RESISTOR, BYPASS, CAPACITOR, RESISTOR
from wiring.pins import Use
from wiring.shifter import SHIFTER
from wiring.steps import ALL_PANELS, DANGERS, EXTRAS, KEYPADS, ONE_PANEL, PARTS, POWER, see, step
from wiring.subject import Subject

Row = tuple[str, str, str, str, str, str, str]


def parts(subject: Subject) -> Chapter:
    """Return the chapter."""
    rows = [*_computer(subject), *_power(subject), *_panels(subject), *_inputs(subject), *_wires(subject)]
    return Chapter(
        PARTS,
        (
            Text(
                "Quantities are computed from the kit. **Ref** is the name in the drawings, **step** the chapter in which the "
                "part is used. Buy one or two more of the small parts; a spare fuse of each size belongs in the box."
            ),
            Table(
                ("Ref", "Qty", "Part", "Must have", "May be replaced by", "Must not be", "Step"),
                tuple(rows),
                (8, 6, 17, 23, 20, 18, 8),
            ),
            Text(
                "Where the numbers come from: shifter, resistors and capacitors from the Adafruit NeoPixel Überguide and the "
                f"{SHIFTER} data sheets; fuses and wires from the currents in this kit, as told in the chapter on dangers."
            ),
        ),
    )


def _computer(subject: Subject) -> list[Row]:
    use = str(step(ONE_PANEL))
    if subject.on_any_computer:
        rows: list[Row] = [
            (
                "A1",
                "1",
                "Computer with USB",
                "Linux or macOS, Python 3.11 or newer",
                "any Raspberry Pi",
                "—",
                use,
            )
        ]
    else:
        model = MODEL_NAMES[subject.kit.model]
        pwm = subject.kit.leds.driver == "rpi_ws281x"
        others = "a Pi 3, Pi 4 or Zero 2 W (same header); write it as model in the kit" if pwm else "—"
        not_this = "Pi 5: its pins want the kit pi5" if pwm else "Pi 4 and older: they want the kit full"
        if subject.with_pico:
            others, not_this = "any other Pi; write it as model in the kit", "—"
        rows = [
            ("A1", "1", model, "40-pin header (soldered on)", others, not_this, use),
            (
                "A2",
                "1",
                "Power supply for it",
                "the one that its maker names: 5 V USB",
                "—",
                "the panels' supply: never through the 5 V pins",
                use,
            ),
            (
                "A3",
                "1",
                "microSD card",
                "8 GB or more, a new one of a known maker",
                "—",
                "an old card from a drawer",
                use,
            ),
        ]
    if subject.with_pico:
        rows += [
            (
                "A4",
                "1",
                "Raspberry Pi Pico",
                "RP2040, with pin headers",
                "Pico H; Pico W or WH",
                "Pico 2: other firmware file, untried here",
                use,
            ),
            ("A5", "1", "USB cable for it", "micro-USB that carries data", "—", "a cable for charging only", use),
        ]
    return rows


def _power(subject: Subject) -> list[Row]:
    electrics, power = subject.electrics, subject.kit.power
    feed = electrics.feeds[0]
    number = len(electrics.feeds)
    use = str(step(POWER))
    return [
        (
            "PS1",
            "1",
            f"5 V supply, {amperes(power.supply_ma)}",
            f"{'closed, a lead for the mains and one for 5 V; ' if electrics.closed_supply else ''}"
            f"{amperes(power.supply_ma)} all the time ({power.supply_ma * SUPPLY_VOLTS / 1000:g} W), short-circuit protection, safety mark (IEC 62368-1)",
            "5 V of more amperes; the fuses stay as they are"
            + (f"; one with screws: {see(POWER)} tells the difference" if electrics.closed_supply else ""),
            "12 V; two supplies in parallel; phone chargers; mains screws without a cover",
            use,
        ),
        *(
            (
                (
                    "T1",
                    "1",
                    "Terminal with two ways",
                    f"rated {amperes(electrics.main_fuse_ma)} or more; takes {wire_name(electrics.trunk_awg)}",
                    "two lever terminals of that rating",
                    "a barrel socket; twisted wire ends",
                    use,
                ),
            )
            if electrics.closed_supply
            else ()
        ),
        (
            "F0",
            "1",
            f"Blade fuse {amperes(electrics.main_fuse_ma)} with in-line holder",
            "ISO 8820-3; holder for the trunk's wire",
            "—",
            "a larger rating",
            use,
        ),
        (
            _range("F", number),
            str(number),
            f"Blade fuse {amperes(feed.fuse_ma)}",
            "ISO 8820-3",
            "—",
            "a larger rating, foil, wire; a smaller one (it blows in bright pictures)",
            use,
        ),
        (
            "FS",
            "1",
            f"Blade fuse {amperes(SHIFTER_FUSE_MA)}",
            "ISO 8820-3",
            "glass fuse of the same rating",
            "a panel's fuse shared",
            use,
        ),
        (
            "FB",
            "1",
            f"Fuse block, {number + 1} or more ways",
            f"one common input for {amperes(electrics.main_fuse_ma)} or more, a cover",
            f"{number + 1} in-line holders",
            "a block without a cover",
            use,
        ),
        (
            "GB",
            "1",
            f"0 V bar, {number + 2} or more screws",
            f"rated {amperes(electrics.main_fuse_ma)} or more",
            "lever terminals of that rating",
            "twisted wire ends",
            use,
        ),
    ]


def _range(letter: str, number: int) -> str:
    return f"{letter}1" if number == 1 else f"{letter}1–{letter}{number}"


def _panels(subject: Subject) -> list[Row]:
    number, lines = len(subject.panels), len(subject.chains)
    white = any("W" in chain.order for chain in subject.chains)
    kind = "SK6812 RGBW, four colours" if white else "WS2812B"
    other = (
        "SK6812 RGBW of another white; `test colours` finds the order"
        if white
        else 'SK6812; SK6812 RGBW with order = "GRBW" in the kit'
    )
    return [
        (
            _range("P", number),
            str(number),
            f"LED panel 10 × 10, {kind}",
            "100 LEDs, 5 V, one data line in (DIN) and out (DOUT)",
            f"ten pieces of LED strip, ten LEDs each, soldered in a row (60 LEDs a metre make a panel of 17 × 17 cm), fed at both ends ({see(ONE_PANEL)}); {other}",
            "12 V LEDs, APA102 or SK9822 (two data lines), 8 × 8 or 16 × 16",
            f"{step(ONE_PANEL)}, {step(ALL_PANELS)}",
        ),
        (
            _range("C", number),
            str(number),
            f"Electrolytic capacitor {CAPACITOR}",
            "6.3 V or more, one at each panel",
            "470 to 2200 µF",
            "put in the wrong way round",
            str(step(ONE_PANEL)),
        ),
        (
            "U1",
            "1",
            f"Level shifter {SHIFTER}, DIP-14",
            "AHCT, fed with 5 V; a socket",
            "SN74AHCT125N, 74AHCT125N of any maker",
            "74HC125, 74HCT125, BSS138 boards (too slow), nothing at all",
            str(step(ONE_PANEL)),
        ),
        ("C0", "1", f"Ceramic capacitor {BYPASS}", "at the shifter's pins", "47 to 220 nF", "—", str(step(ONE_PANEL))),
        (
            _range("R", lines),
            str(lines),
            f"Resistor {RESISTOR}",
            "¼ W",
            "300 to 500 Ω",
            "left out",
            str(step(ONE_PANEL)),
        ),
        (
            "PB",
            "1",
            "Prototyping board",
            "for U1, C0 and terminals",
            "solderless breadboard for trying out",
            "breadboard in the finished box",
            str(step(ONE_PANEL)),
        ),
    ]


def _inputs(subject: Subject) -> list[Row]:
    rows: list[Row] = []
    if subject.matrices:
        number = len(subject.matrices)
        first = subject.matrices[0]
        size = f"{len(first.rows)} × {len(first.columns)}"
        names = _range("K", number)
        rows.append(
            (
                names,
                str(number),
                f"Matrix keypad {size}",
                f"{len(first.rows) + len(first.columns)} wires: contacts alone",
                "membrane or real keys",
                "keypads with a common wire, I2C or LEDs",
                str(step(KEYPADS)),
            )
        )
    if subject.number_pads:
        number = len(subject.number_pads)
        rows.append(
            (
                _range("N", number),
                str(number),
                "USB number pad",
                "wired USB, with Enter, + − * / and .",
                "any of that kind, two alike are fine",
                "Bluetooth",
                str(step(KEYPADS)),
            )
        )
    use = str(step(EXTRAS))
    if subject.kit.buzzer:
        rows.append(
            (
                "BZ1",
                "1",
                "Piezo buzzer, passive",
                "2 wires, makes the tone that it is given",
                "a bare piezo disc",
                "an active buzzer (one tone), a loudspeaker (too much current)",
                use,
            )
        )
        rows.append(("RB", "1", f"Resistor {BUZZER_RESISTOR}", "¼ W", "220 Ω to 1 kΩ (quieter)", "left out", use))
    if subject.kit.power_button:
        rows.append(("S1", "1", "Push button", "normally open, springs back", "—", "a switch that stays in", use))
    return rows


def _wires(subject: Subject) -> list[Row]:
    electrics = subject.electrics
    feed, number = electrics.feeds[0], len(electrics.feeds)
    return [
        (
            "W1",
            f"{2 * LENGTH_M:g} m",
            f"Wire {wire_name(electrics.trunk_awg)}, red and black",
            "stranded copper; supply to fuses and to the 0 V bar",
            "thicker",
            "thinner; copper-clad aluminium",
            str(step(POWER)),
        ),
        (
            "W2",
            f"{2 * number * LENGTH_M:g} m",
            f"Wire {wire_name(feed.awg)}, red and black",
            f"stranded copper; {LENGTH_M:g} m a panel, each way; 0.5 m more of both for a panel of strips",
            "thicker, and then longer",
            "thinner; bell wire",
            str(step(POWER)),
        ),
        (
            "W3",
            f"{2 * LENGTH_M:g} m",
            f"Wire {wire_name(SHIFTER_AWG)}, red and black",
            "shifter's feed: from FS, and to the 0 V bar",
            "thicker",
            "—",
            str(step(POWER)),
        ),
        (
            "W4",
            f"{number * LENGTH_M:g} m",
            "Wire for data, AWG 22 to 26, not black",
            f"one wire a panel, {LENGTH_M:g} m or less, from the shifter or from the panel before it",
            "single wires out of a network cable",
            f"a cable that joins 0 V or +5 V as well ({see(DANGERS)})",
            f"{step(ONE_PANEL)}, {step(ALL_PANELS)}",
        ),
        *_jumpers(subject),
        (
            "X",
            "1 set",
            "Ferrules, ring terminals, heat-shrink",
            "to fit the wires",
            "—",
            "tinned ends under screws (they creep loose)",
            str(step(POWER)),
        ),
        (
            "BX",
            "1",
            "Box with a diffuser",
            "air for the supply, 3 mm opal acrylic some 10 mm above the LEDs, a cover over every terminal",
            "baking paper, for trying out",
            "a box without air holes; terminals that children can reach",
            str(step(ALL_PANELS)),
        ),
    ]


def _jumpers(subject: Subject) -> list[Row]:
    """The wires that plug onto a header: one for each wire of the pin map, by what their other end is."""
    uses = [use.use for board in subject.boards for use in board.pins if use.use is not Use.NONE]
    keys = sum(use in {Use.ROW, Use.COLUMN} for use in uses)
    rows: list[Row] = []
    if keys:
        rows.append(
            (
                "W5",
                str(keys),
                "Jumper wires, socket to pin",
                "socket for the header, pin for the keypad's ribbon, which ends in sockets",
                "socket to socket where the keypad has pins",
                "wires soldered to the header",
                str(step(KEYPADS)),
            )
        )
    steps = [ONE_PANEL, EXTRAS] if {Use.BUZZER, Use.BUTTON} & set(uses) else [ONE_PANEL]
    rows.append(
        (
            "W6",
            str(len(uses) - keys),
            "Jumper wires, one socket",
            "socket for the header; the other end is cut and soldered",
            "any with a socket, cut in two",
            "wires soldered to the header",
            ", ".join(str(step(title)) for title in steps),
        )
    )
    return rows
