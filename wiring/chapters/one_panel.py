"""One panel: the program, the ground, the shifter, the first panel, and `broadside test leds`."""

from __future__ import annotations

from hardware.layout import wire_order
from hardware.machine_needs import FIRMWARE_DEFAULTS
from wiring.document.blocks import Block, Chapter, Commands, Figure, Heading, Items, SeeNow, Table, Text
from wiring.electrics import amperes, panel_name
from wiring.first_test import first_panel_talk
from wiring.parts import BYPASS, CAPACITOR, RESISTOR
from wiring.plans.feed import feed_close_up
from wiring.plans.panel import panel_path
from wiring.plans.shifter import shifter_close_up
from wiring.shifter import GATES, GROUND, SHIFTER, VCC
from wiring.steps import ALL_PANELS, DANGERS, FAULTS, ONE_PANEL, PIN_MAP, POWER, SERVICE, see
from wiring.subject import Subject, listed

COLUMNS = "ABCDEFGHIJ"


def one_panel(subject: Subject) -> Chapter:
    """Return the chapter."""
    board = "Pico" if subject.with_pico else "Pi"
    first = subject.panels[0]
    off = (
        "Unplug the Pico's cable and the supply."
        if subject.on_any_computer
        else "Shut the Pi down (`sudo poweroff`), and unplug it and the supply."
    )
    return Chapter(
        ONE_PANEL,
        (
            *_program(subject),
            Heading("The shifter"),
            Text(
                f"The {board} speaks 3.3 V; LEDs that are fed with 5 V want at least 3.5 V (0.7 × VDD, WS2812B data sheet). The "
                f"{SHIFTER} lifts the data to 5 V. Solder its socket, the {BYPASS} capacitor and the wires first, put the chip "
                "in last, notch as drawn. It sits near the board, for the 3.3 V side is the weak one."
            ),
            Figure("shifter", shifter_close_up(subject.kit)),
            Heading("Ground first"),
            Text(
                f"{off} Join the grounds before any data wire: the {board}'s ground pin "
                f"({_grounds(subject)}, {see(PIN_MAP)}) to the shifter's pin {GROUND}, and that to the 0 V bar (the shifter's black wire). Between {board} and shifter each data wire has its ground wire beside it. Data without a common ground is "
                "the most common fault of all: it looks like random colours."
            ),
            _ground_readings(subject, board),
            Heading("The panel"),
            Items(
                (
                    f"Solder the {CAPACITOR} capacitor across the panel's feed and the {RESISTOR} resistor into its data line, as drawn.",
                    f"Connect the pair of fuse F1 to panel **{panel_name(first)}**. Look at the path drawing for the corner with DIN; the arrow printed on the panel points away from DIN.",
                    "The data wire goes alone: beside the shifter's black wire to the 0 V bar, and from there beside the panel's black wire, loosely tied to them. "
                    f"Does the panel have a data plug with three wires? Use the one of DIN; cut the other two back and insulate each, at DOUT too ({see(DANGERS)}: one way back for every panel).",
                    f"Connect shifter pin {GATES[0].output} through the resistor to DIN, and the {board}'s {subject.led_board.place(subject.chains[0].pin)} to shifter pin {GATES[0].input}.",
                    f"Take F2 and the following panel fuses out; F0, F1 and FS are in. Check once more: red on +5 V, no stray strand, no wire on the {board}'s 5 V pins.",
                    f"Switch on: the supply, then the {'Pico' if subject.with_pico else 'Pi'}.",
                ),
                numbered=True,
            ),
            Figure("panel-feed", feed_close_up(subject.electrics)),
            Text(
                f"**A panel made of strips** is fed at both ends, for the strip's copper is thin: at {amperes(subject.electrics.feeds[0].limit_ma)} the far LEDs would turn yellow. Solder a second pair of "
                f"W2 (AWG {subject.electrics.feeds[0].awg}) from the panel's own feed, where the capacitor sits, to +5 V and 0 V at the end of the last strip. Never take it from another fuse: that would join two +5 V rails. "
                f"A ready-made panel whose far corner looks yellow in `test power` ({see(ALL_PANELS)}) gets the same."
            ),
            *path_figures(subject, first=True),
            _panel_readings(subject),
            Text(
                "Is DIN in another corner of your panel, or do its rows run differently? It fits all the same: `test layout` finds out how, writes it into your kit, "
                "and the next guide draws it."
            ),
            Heading("Test it"),
            *_stop_service(subject),
            Commands((subject.command("test leds"),)),
            *_first_test(subject),
            SeeNow(
                (
                    f"One light walking from {_square(subject, 0)} along the drawing's path, without flicker, and no other LED lit.",
                    "The last lines of the test, as above.",
                    f"On the meter: about {amperes(100 * subject.kit.power.idle_ma)} more from the supply than without the panel, dark "
                    f"({subject.kit.power.idle_ma:g} mA for each of 100 LEDs, rule of thumb).",
                    f"Anything else: {see(FAULTS)}.",
                )
            ),
        ),
    )


def path_figures(subject: Subject, *, first: bool) -> tuple[Block, ...]:
    """Return the path drawing of the first panel, or those of the panels that are wired differently from it."""
    groups = subject.panels_by_path()
    wanted = groups[:1] if first else groups[1:]
    figures: list[Block] = []
    for number, group in enumerate(wanted, start=1 if first else 2):
        everyone = len(group) == len(subject.panels) and len(group) > 1
        names = "all panels" if everyone else listed([panel_name(panel) for panel in group])
        figures.append(Figure(f"panel-path-{number}", panel_path(group[0], names)))
    return tuple(figures)


def _program(subject: Subject) -> tuple[Block, ...]:
    get = (
        "Get Broadside's source onto the {where}: `git clone ADDRESS broadside`, where ADDRESS is that of the project's page on which you found this guide, "
        "or download that page's archive and unpack it. Then go into its folder (`cd broadside`)."
    )
    if subject.on_any_computer:
        blocks: list[Block] = [
            Heading("The program"),
            Items(
                (
                    get.format(where="computer"),
                    "`make setup` makes a virtual environment in the folder `.venv` with all that is needed; `. .venv/bin/activate` makes `broadside` a command of this terminal.",
                    f"On a Raspberry Pi that is to start the game by itself, run `sudo make install KIT={subject.name}` instead, and write `sudo` before every `broadside` below.",
                ),
                numbered=True,
            ),
        ]
    else:
        boot = subject.needs.boot_lines if subject.needs else ()
        lines = f" {_boot_words(boot)}" if boot else ""
        blocks = [
            Heading("The program"),
            Text("The Pi lies beside the box for now, connected to nothing but its own power supply."),
            Items(
                (
                    "On another computer, write Raspberry Pi OS Lite (Bookworm or Trixie; 64-bit where the Imager offers it) to the SD card with Raspberry Pi Imager. Set a user, the Wi-Fi and SSH in its settings.",
                    "Put the card into the Pi, power it, and log in (`ssh USER@raspberrypi.local`). Install what fetches the rest: `sudo apt update && sudo apt install -y git make`.",
                    get.format(where="Pi"),
                    f"Look at what the installer would do, then let it: it shows every change and keeps a backup of config.txt.{lines}",
                ),
                numbered=True,
            ),
            Commands(
                (
                    f"sudo make install KIT={subject.name} DRY_RUN=1",
                    f"sudo make install KIT={subject.name}",
                    "sudo reboot",
                )
            ),
            Text(
                "The installer makes a virtual environment of its own under `/opt/broadside`; nothing is ever installed into the system's "
                f"Python. From now on the service starts the game at boot. Without panels and keypads that harms nothing; below it is switched off until {see(SERVICE)}."
            ),
        ]
    if subject.with_pico:
        blocks += [
            Heading("The Pico's firmware"),
            Items(
                (
                    "Hold BOOTSEL on the Pico while you plug its cable in: a drive RPI-RP2 appears. Copy CircuitPython's UF2 file for the Raspberry Pi Pico onto it (circuitpython.org, version 9.2.7 or newer). A drive CIRCUITPY appears.",
                    "`broadside pico install DRIVE` (where DRIVE is that drive's folder, such as `/media/you/CIRCUITPY`) copies the firmware.",
                    "`broadside pico status` shows the Pico and its firmware.",
                ),
                numbered=True,
            ),
        ]
    return tuple(blocks)


def _grounds(subject: Subject) -> str:
    numbers = [str(subject.led_board.ground_for(chain.pin)) for chain in subject.chains]
    return ("pin " if len(numbers) == 1 else "pins ") + listed(numbers)


def _ground_readings(subject: Subject, board: str) -> Block:
    five = "VBUS (pin 40)" if subject.with_pico else "5 V (pin 2)"
    return Table(
        ("Meter", "Where", "Expect", "If not"),
        (
            (
                "ohms, all off",
                f"{board} ground ({_grounds(subject)}) to 0 V bar",
                "under 1 Ω, it beeps",
                "no common ground: nothing else goes on before this",
            ),
            (
                "ohms, all off",
                f"{board} {five} to fuse block's output",
                "no beep",
                "two +5 V rails are joined: take that wire out",
            ),
        ),
        (15, 35, 20, 30),
    )


def _panel_readings(subject: Subject) -> Block:
    enables = ("pin " if len(subject.chains) == 1 else "pins ") + listed(
        [str(gate.enable) for gate in GATES[: len(subject.chains)]]
    )
    return Table(
        ("Meter", "Where", "Expect", "If not"),
        (
            (
                "ohms, off",
                "+5 V to 0 V at the panel",
                "a beep of a second at most (the capacitor fills), then none",
                "a short in the panel or the capacitor's legs swapped",
            ),
            (
                "volts DC, on",
                f"shifter pin {VCC} to pin {GROUND}",
                "4.9 to 5.2 V",
                f"fuse FS, the wiring of {see(POWER)}",
            ),
            (
                "volts DC, on",
                f"shifter {enables} to pin {GROUND}",
                "0 V",
                "the enable is not on ground: the gate is off",
            ),
            ("volts DC, on", "+5 V to 0 V at the panel", "4.9 to 5.2 V", "fuse F1, red and black"),
        ),
        (15, 30, 27, 28),
    )


def _first_test(subject: Subject) -> tuple[Block, ...]:
    """Say what the test asks, answers and tells while only the first panel is there."""
    talk = first_panel_talk(subject.kit)
    chain = subject.chains[0]
    more = len(chain.panels) > 1
    walk = (
        f"With one panel connected it walks through that panel and leaves at **{_last_square(subject)}**: that is the answer to the first question. "
        "It then lights single LEDs to find the very last one: `y` while you see one, `n` when not."
        if more
        else f"It walks to the last LED of the panel, **{_last_square(subject)}**: answer `yes`, and then `no`, for no square is dark."
    )
    never = " The other chains have no panel yet: answer `never`." if len(subject.chains) > 1 else ""
    whole = all(line.endswith("light up.") for line in talk.told)
    ends = "" if whole else ", and the exit code 1 with it: it names what is not there yet"
    return (
        Text(
            f"One lit LED walks along the chain, and you are asked where it stopped. {walk}{never} Other answers are `flicker` and `again`. `quit` leaves the test; so does Ctrl-C, and every LED goes dark."
        ),
        Table(("Asked for", "Answer"), tuple((name, f"`{answer}`") for name, answer in talk.answers), (60, 40)),
        Text(f"With one panel **this end is the right one**{ends}."),
        Commands(talk.told),
    )


def _stop_service(subject: Subject) -> tuple[Block, ...]:
    if subject.on_any_computer:
        return (
            Text(
                "On a Pi with the service installed, switch it off until the wiring is done (`sudo systemctl disable --now broadside`): one program at a time owns the LEDs."
            ),
        )
    return (
        Text(
            f"One program at a time owns the LEDs. Switch the service off for now, or it would start again each time you power the Pi; {see(SERVICE)} switches it on again:"
        ),
        Commands(("sudo systemctl disable --now broadside",)),
    )


def _boot_words(lines: tuple[str, ...]) -> str:
    """Say which lines the kit wants in config.txt, and which of them need not be written."""
    written = [f"`{line}`" for line in lines if line not in FIRMWARE_DEFAULTS]
    implied = [f"`{line}`" for line in lines if line in FIRMWARE_DEFAULTS]
    words = (
        f"This kit wants {listed(written)} in config.txt; the installer writes what is not there yet."
        if written
        else ""
    )
    if implied:
        holds = "holds" if len(implied) == 1 else "hold"
        also = "It also wants" if written else "This kit wants"
        words += f" {also} {listed(implied)}, which {holds} already where config.txt says nothing: written only if yours says otherwise."
    return words.strip()


def _square(subject: Subject, led: int) -> str:
    row, column = divmod(int(wire_order(subject.panels[0])[led]), 10)
    return f"{COLUMNS[column]}{row + 1}"


def _last_square(subject: Subject) -> str:
    return f"{panel_name(subject.panels[0])}, {_square(subject, -1)}"
