"""All panels: the rest of the panels, `test leds`, `test colours`, `test layout` and `test power`."""

from __future__ import annotations

from wiring.chapters.one_panel import path_figures
from wiring.document.blocks import Chapter, Commands, Heading, Items, SeeNow, Table, Text
from wiring.electrics import (
    LED_US,
    LENGTH_M,
    SUPPLY_TOLERANCE_V,
    SUPPLY_VOLTS,
    amperes,
    drop_volts,
    panel_name,
)
from wiring.parts import CAPACITOR, RESISTOR
from wiring.shifter import GATES
from wiring.steps import ALL_PANELS, DANGERS, FAULTS, ONE_PANEL, POWER, see
from wiring.subject import Subject, listed


def all_panels(subject: Subject) -> Chapter:
    """Return the chapter."""
    electrics = subject.electrics
    feed = electrics.feeds[0]
    lost = drop_volts(feed.awg, feed.limit_ma) + drop_volts(electrics.trunk_awg, subject.kit.power.budget_ma)
    return Chapter(
        ALL_PANELS,
        (
            Text(
                "Switch off. Add one panel after the other in this order, and run `test leds` after each: a fault is then always in the newest joint. "
                f"Until the last one is there the test ends as in {see(ONE_PANEL)}: it names the panel that is missing next."
            ),
            Items(tuple(_joins(subject)), numbered=True),
            Text(
                "Each panel has its own pair from its own fuse and its own capacitor "
                f"({CAPACITOR}). Between two panels goes **the data wire alone**: neither +5 V nor ground is joined from panel to panel, so a data plug's other two wires stay cut and insulated ({see(DANGERS)}). "
                "Lay it the shortest way, or beside the two panels' black wires."
            ),
            *path_figures(subject, first=False),
            Heading("test leds"),
            Commands((subject.command("test leds"),)),
            SeeNow(
                (
                    "The light walks through " + "; ".join(_walks(subject)) + ", and you answer `yes`.",
                    "Then all LEDs glow faintly, and you answer `no`, for none is dark.",
                    f"It stops somewhere: the LED before or after that square, or the joint there ({see(FAULTS)}).",
                )
            ),
            Heading("test colours"),
            Commands((subject.command("test colours"),)),
            Text(
                "One raw channel after the other lights up, and you say which colour you see. "
                f"This kit says {_orders(subject)}; if your LEDs are made otherwise, the test shows the change to your kit file and writes it when you agree."
            ),
            SeeNow(
                (
                    "For every chain: the order is as the kit says, or it was corrected and the test passes the second time.",
                )
            ),
            Heading("test layout"),
            Commands((subject.command("test layout"),)),
            Text(
                "Two lights a panel, and you say on which panel and square you see them: that tells where the chain begins, how it runs, whether every "
                f"second row comes back, and which panel is which. A panel that was mounted turned or chained in another order needs no re-soldering: the kit follows. The corrected kit is kept {_kept(subject)} under its old name; program and service use it from then on, and `{_guide(subject)}` draws it."
            ),
            SeeNow(("Each panel shows its own name upright: the right seat, the right grid.",)),
            Heading("test power"),
            Commands((subject.command("test power"),)),
            Text(
                f"All LEDs turn white in steps up to the kit's budget of {amperes(subject.kit.power.budget_ma)}. It says what current to expect; "
                "a clamp meter around the red trunk wire tells the truth. Feel plugs, wires and fuses: warm is right, hot is not. "
                "Let the last question wait for ten minutes, and feel again."
            ),
            Table(
                ("Picture", "Current", "Source"),
                (
                    (
                        "all dark",
                        amperes(electrics.idle_ma),
                        f"{subject.kit.power.idle_ma:g} mA a LED, {electrics.led_currents_from}",
                    ),
                    (
                        "an evening's game",
                        f"about {amperes(electrics.usual_ma)}",
                        "the colours of a usual picture, computed",
                    ),
                    ("the most that the software allows", amperes(subject.kit.power.budget_ma), "budget_ma in the kit"),
                    (
                        "all white, if nothing limited it",
                        amperes(electrics.white_ma),
                        f"{subject.kit.power.channel_ma:g} mA a channel, {electrics.led_currents_from}",
                    ),
                ),
                (40, 20, 40),
            ),
            Table(
                ("Meter, at the last step of test power", "Expect", "If less"),
                (
                    (
                        f"+V to −V at {'T1' if electrics.closed_supply else 'the supply'}",
                        f"{SUPPLY_VOLTS - SUPPLY_TOLERANCE_V:.2f} V or more (5 % less than 5 V)",
                        "the supply is weaker than its label: lower budget_ma, or a better supply",
                    ),
                    (
                        "+5 V to 0 V at each panel",
                        f"at most {lost:.2f} V less than that with {LENGTH_M:g} m wires (what they lose at the limit)",
                        f"thicker or shorter wires ({see(POWER)}), a loose screw: find the place where the voltage drops",
                    ),
                    (
                        "your eyes, at the corner farthest from each panel's feed",
                        "as white as at the feed",
                        f"yellow there: the panel's own copper is too thin. Feed its other end as well, with W2 (AWG {feed.awg}) from the same feed ({see(ONE_PANEL)})",
                    ),
                ),
                (35, 35, 30),
            ),
            Heading("Into the box"),
            Items(
                (
                    "Number the panels on the back, and mount them so that square A1 is at the top left of its player.",
                    "The supply gets air on all sides and its own corner behind a cover; nothing that burns lies on it.",
                    "A wall of black card around each LED and opal acrylic some 10 mm above make round, separate lights; try the height with one panel before you cut.",
                    "Letters A to J above each panel, numbers 1 to 10 at its left.",
                    "Every wire is held by a clamp near both of its ends, so that no pull reaches a joint.",
                )
            ),
            SeeNow(
                (
                    "Calm, even white at every step; at the far corners as white as at the feed.",
                    f"A frame takes {max(electrics.frame_ms(chain) for chain in subject.chains):.1f} ms on the longest line ({LED_US:g} µs a LED and 280 µs of silence, WS2812B data sheet).",
                )
            ),
        ),
    )


def _joins(subject: Subject) -> list[str]:
    joins, number = [], 0
    for index, chain in enumerate(subject.chains):
        for place, panel in enumerate(chain.panels):
            number += 1
            if number == 1:
                continue
            if place == 0:
                gate = GATES[index]
                source = (
                    f"{subject.led_board.place(chain.pin)} to shifter pin {gate.input}; shifter pin {gate.output} through "
                    f"{RESISTOR} (R{index + 1}) to its DIN"
                )
            else:
                source = f"DOUT of {panel_name(chain.panels[place - 1])} to its DIN"
            joins.append(f"**{panel_name(panel)}**: the pair of fuse F{number} with capacitor C{number}; {source}.")
    return joins


def _walks(subject: Subject) -> list[str]:
    return [", then ".join(panel_name(panel) for panel in chain.panels) for chain in subject.chains]


def _orders(subject: Subject) -> str:
    orders = list(dict.fromkeys(chain.order for chain in subject.chains))
    if len(orders) == 1:
        return f"`{orders[0]}`" + (" for every chain" if len(subject.chains) > 1 else "")
    return listed([f"`{chain.order}`" for chain in subject.chains]) + ", chain by chain"


def _kept(subject: Subject) -> str:
    if subject.on_any_computer:
        return "in `~/.local/share/broadside/kits`" if not subject.is_file else "in its own file"
    return "in `/var/lib/broadside/kits`"


def _guide(subject: Subject) -> str:
    return subject.command("guide").removesuffix(" --board pico")
