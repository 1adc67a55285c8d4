"""Dangers: mains, 5 V at many amperes, the order of switching on, and who limits what."""

from __future__ import annotations

from wiring.document.blocks import Chapter, Danger, Heading, Items, Table, Text
from wiring.electrics import (
    LENGTH_M,
    MOST_DROP_V,
    SHIFTER_FUSE_MA,
    SUPPLY_VOLTS,
    WIRES,
    amperes,
    wire_name,
)
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
                    f"**Mains kills.** {_mains(subject)} Pull the plug before you open the box; never work on it live.",
                    f"**5 V does not shock, but {amperes(power.supply_ma)} burns.** A short across the supply makes a "
                    "wire glow and can start a fire. Take off rings and watch. Every +5 V wire but the short one to the main fuse starts at a fuse. No wire "
                    "is thinner than this guide says.",
                    "**One way back for every panel.** A panel's current returns through its own black wire to the 0 V bar. A "
                    "second ground wire beside the data, or from panel to panel, would have no fuse: when the black "
                    f"wire's screw comes loose, {amperes(feed.limit_ma)} and more would flow through a wire that is far too "
                    "thin for it, and set it alight. So data goes alone, and the 0 V bar is joined to the supply's −V, the panels "
                    "and the shifter, and to nothing else: not to earth, not to a metal box.",
                    "**Never join two +5 V rails.** The panels' supply and the computer's USB supply share ground (0 V) "
                    "and nothing else.",
                    f"**The panels are never fed from the {board}'s 5 V pins.** They stay empty in every drawing here.",
                    "**Capacitors** hold their charge for some seconds after switching off, and burst when they are put in "
                    "the wrong way round: long leg to +5 V, stripe to 0 V.",
                    "**Heat.** In a closed box everything that the supply gives becomes warmth: "
                    f"{power.budget_ma * SUPPLY_VOLTS / 1000:.0f} W at the software's limit, and the supply's own "
                    "loss. Leave air holes low and high, keep the supply outside or in a corner of its own, cover nothing "
                    "with cloth, and feel the box after an hour of `test power` before you leave it alone.",
                    "**Soldering:** the iron is at 350 °C. It goes back into its stand, never onto the table; solder on a "
                    "board that does not burn, by an open window, with glasses on; wash your hands before you eat.",
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
                    f"Off: {_shut_down(subject)}, then switch the supply off.",
                    "One switched power strip for both is right too: the computer takes seconds to start, the supply "
                    "does not. Switching it off in the middle of a game costs no game, for every move is stored before "
                    "it is shown."
                    + (
                        ""
                        if subject.on_any_computer
                        else " The rest of the SD card likes a shutdown better: make the pulled plug the exception."
                    ),
                ),
                numbered=True,
            ),
            Heading("Who limits what"),
            Text(
                f"White on all {electrics.leds} LEDs would take {amperes(electrics.white_ma)} "
                f"({subject.kit.power.channel_ma:g} mA a channel and {subject.kit.power.idle_ma:g} mA dark, "
                f"{electrics.led_currents_from}). Two things stand before that, and neither may be left out:"
            ),
            Table(
                ("", "Limits", "To", "When it matters"),
                (
                    (
                        "The software",
                        "every single frame, by computing its current and dimming it",
                        f"{amperes(power.budget_ma)} in all, {amperes(feed.limit_ma)} a panel (the kit's budgets)",
                        "Always, while the program runs. It cannot be switched off, and the kit check refuses a budget that the supply or no fuse carries.",
                    ),
                    (
                        "The fuses",
                        "the current in a wire, whatever the software does",
                        f"main {amperes(electrics.main_fuse_ma)}, each panel {amperes(feed.fuse_ma)}, shifter {amperes(SHIFTER_FUSE_MA)}",
                        "A short, a chafed wire, a panel that shows garbage because its data line came off.",
                    ),
                    (
                        "The wires",
                        "nothing: each carries more than its fuse lets through",
                        f"main {wire_name(electrics.trunk_awg)}, each panel {wire_name(feed.awg)}",
                        f"Never put in a larger fuse than the drawing in {see(POWER)} says: the wire becomes the fuse.",
                    ),
                ),
                (15, 30, 27, 28),
            ),
            Text(
                "A fuse is the smallest one that carries the software's limit at 80 % of its rating (the usual rule for "
                "blade fuses, ISO 8820-3). A wire is the thinnest that does both: its fuse is no larger than this table "
                f"allows, and its pair loses no more than {MOST_DROP_V:g} V over {LENGTH_M:g} m, out and back, at the fuse's "
                "rating (copper at 20 °C, ASTM B258 and IEC 60228)."
            ),
            Table(
                ("Wire", *(wire_name(awg) for awg in WIRES)),
                (("Largest fuse", *(amperes(wire.largest_fuse_ma) for wire in WIRES.values())),),
            ),
            Text(
                "The largest fuses are those of NFPA 70 (the NEC), 240.4(D), for AWG 18 to 10, its 60 °C column (table 310.16) "
                "for AWG 8, and NFPA 79 for AWG 20: meant for wires that lie together in a closed space. Where a metric "
                "cable is named, it is at least as thick."
            ),
        ),
    )


def _mains(subject: Subject) -> str:
    screws = (
        "A supply with mains screws is connected by somebody who is qualified: earth to the earth screw, a strain relief, "
        "a cover over the screws that needs a tool."
    )
    if subject.electrics.closed_supply:
        return (
            "This guide takes a closed supply with a lead for the mains and one for 5 V, and a safety mark (IEC 62368-1): "
            f"with it there is no mains work at all. {screws}"
        )
    return (
        f"Supplies of {amperes(subject.kit.power.supply_ma)} are not sold closed with a lead; they have screws for the "
        f"mains. {screws} It needs a safety mark (IEC 62368-1)."
    )


def _shut_down(subject: Subject) -> str:
    if subject.on_any_computer:
        return "leave the program first (Ctrl-C)"
    button = "hold the power button for two seconds, or " if subject.kit.power_button else ""
    return f"shut the Pi down first ({button}`sudo poweroff`)"
