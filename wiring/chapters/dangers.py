"""Dangers: mains, 5 V at many amperes, the order of switching on, and who limits what."""

from __future__ import annotations

from wiring.document.blocks import Chapter, Danger, Heading, Items, Table, Text
from wiring.electrics import SHIFTER_FUSE_MA, amperes, wire_name
from wiring.steps import DANGERS, POWER, see
from wiring.subject import Subject


def dangers(subject: Subject) -> Chapter:
    """Return the chapter."""
    electrics = subject.electrics
    power = subject.kit.power
    feed = electrics.feeds[0]
    board = "Pico" if subject.with_pico else "Pi"
    return Chapter(
        DANGERS,
        (
            Danger(
                (
                    "**Mains kills.** Use a closed supply with a moulded lead and a safety mark (IEC 62368-1). If yours has "
                    "open mains terminals, somebody who is qualified connects it: earth to the earth terminal, a strain "
                    "relief, a cover that needs a tool. Pull the plug before you open the box; never work on it live.",
                    f"**5 V does not shock, but {amperes(power.supply_ma)} burns.** A short across the supply makes a "
                    "wire glow and can start a fire. Take off rings and watch. Every +5 V wire but the short one to the main fuse starts at a fuse. No wire "
                    "is thinner than this guide says.",
                    "**Never join two +5 V rails.** The panels' supply and the computer's USB supply share ground (0 V) "
                    "and nothing else.",
                    f"**The panels are never fed from the {board}'s 5 V pins.** They stay empty in every drawing here.",
                    "**Capacitors** hold their charge for some seconds after switching off, and burst when they are put in "
                    "the wrong way round: long leg to +5 V, stripe to 0 V.",
                    "**Light:** LEDs at full power hurt the eyes from near by. Put a diffuser in front of them. The game "
                    "flashes no more than three times a second, and red never flashes (WCAG 2.3.1), and a setting turns "
                    "blinking off.",
                )
            ),
            Heading("Order of switching on"),
            Items(
                (
                    f"On: the panels' supply first, then the {'computer' if subject.on_any_computer else 'Pi'}. A data "
                    "line that is driven into unpowered LEDs feeds them through the data pin, which they are not made "
                    "for (Adafruit NeoPixel Überguide).",
                    f"Off: shut the {'program' if subject.on_any_computer else 'Pi'} down first, then switch the supply off.",
                    "One switched power strip for both is right too: the computer takes seconds to start, the supply "
                    "does not.",
                ),
                numbered=True,
            ),
            Heading("Who limits what"),
            Text(
                f"White on all {electrics.leds} LEDs would take {amperes(electrics.white_ma)} "
                f"({subject.kit.power.channel_ma:g} mA a channel and {subject.kit.power.idle_ma:g} mA dark, the usual rule "
                "of thumb for WS2812B). Two things stand before that, and neither may be left out:"
            ),
            Table(
                ("", "Limits", "To", "When it matters"),
                (
                    (
                        "The software",
                        "every single frame, by computing its current and dimming it",
                        f"{amperes(power.budget_ma)} in all, {amperes(feed.limit_ma)} a panel (from the kit)",
                        "Always, while the program runs. It cannot be switched off, and the kit check refuses a budget above the supply.",
                    ),
                    (
                        "The fuses",
                        "the current in a wire, whatever the software does",
                        f"main {amperes(electrics.main_fuse_ma)}, each panel {amperes(feed.fuse_ma)}, shifter {amperes(SHIFTER_FUSE_MA)}",
                        "A short, a chafed wire, a panel that shows garbage because its data line came off.",
                    ),
                    (
                        "The wires",
                        "nothing: they are chosen to carry more than their fuse",
                        f"main {wire_name(electrics.trunk_awg)}, each panel {wire_name(feed.awg)}",
                        f"Never put in a larger fuse than the drawing in {see(POWER)} says: the wire becomes the fuse.",
                    ),
                ),
                (15, 30, 27, 28),
            ),
            Text(
                "A fuse is the smallest one that carries the software's limit at 80 % of its rating (the usual rule for "
                "blade fuses, ISO 8820-3). A wire is the thinnest whose pair loses no more than 0.25 V over 1 m, out and "
                "back, at its fuse's rating (copper at 20 °C, ASTM B258)."
            ),
        ),
    )
