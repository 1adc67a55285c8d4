"""Power alone: the supply, the fuses and the wires, with what the meter must say."""

from __future__ import annotations

from wiring.document.blocks import Block, Chapter, Danger, Figure, Heading, Items, SeeNow, Table, Text
from wiring.electrics import (
    LENGTH_M,
    MOST_DROP_V,
    SHIFTER_AWG,
    SHIFTER_FUSE_MA,
    WIRES,
    amperes,
    drop_volts,
    fitting_awg,
    longest_m,
    wire_name,
)
from wiring.plans.power import power_and_data
from wiring.steps import POWER
from wiring.subject import Subject, count


def power(subject: Subject) -> Chapter:
    """Return the chapter."""
    electrics = subject.electrics
    feed = electrics.feeds[0]
    feeds = count(len(electrics.feeds), "panel")
    return Chapter(
        POWER,
        (
            Text(
                "Only supply, fuses, 0 V bar and the wires that will lead to the panels. No panel, no shifter, no "
                f"{'Pico' if subject.with_pico else 'Pi'} yet: what is not connected cannot break."
            ),
            Danger(
                (
                    "The plug is out while you wire. Take every fuse out before you switch on for the first time.",
                    f"The wire between {'T1' if electrics.closed_supply else 'the supply'} and F0 has no fuse before it: keep it shorter than 20 cm, and where nothing can chafe it.",
                )
            ),
            Heading("Wire it"),
            Items(
                (
                    *_supply_ends(subject),
                    f"+V through the main fuse F0 ({amperes(electrics.main_fuse_ma)}) to the fuse block's input: {wire_name(electrics.trunk_awg)}.",
                    f"−V to the 0 V bar near the panels: {wire_name(electrics.trunk_awg)}.",
                    f"From each fuse a red wire, from the 0 V bar a black one beside it, one pair for each of the {feeds}: {wire_name(feed.awg)}, as short as the box allows. Label them.",
                    f"The pair for the shifter: red from its own {amperes(SHIFTER_FUSE_MA)} fuse, black from the 0 V bar: {wire_name(SHIFTER_AWG)}.",
                    "Isolate all open ends for now.",
                ),
                numbered=True,
            ),
            Figure("power-and-data", power_and_data(subject.kit)),
            Heading("Measure it"),
            Table(
                ("", "Meter", "Where", "Expect", "If not"),
                _readings(subject),
                (5, 13, 30, 25, 27),
            ),
            *_other_supply(subject),
            Heading("Longer wires"),
            Text(
                f"The drawing's sizes are for {LENGTH_M:g} m from fuse to panel. For other lengths (the same two rules: the fuse guards the wire, and no more than {MOST_DROP_V:g} V is lost at its rating):"
            ),
            Table(
                (
                    "One way",
                    f"Panel, fuse {amperes(feed.fuse_ma)}",
                    "Lost at that current",
                    f"Trunk, fuse {amperes(electrics.main_fuse_ma)}",
                    "Lost at that current",
                ),
                tuple(_lengths(feed.fuse_ma, electrics.main_fuse_ma)),
            ),
            SeeNow(
                (
                    "5 V, the right way round, at every one of the labelled pairs, and nothing warm after ten minutes.",
                    "With F0 pulled everything is dead, with any other fuse its own pair alone.",
                )
            ),
        ),
    )


def _supply_ends(subject: Subject) -> tuple[str, ...]:
    if not subject.electrics.closed_supply:
        return (
            "+V and −V are the supply's screws; several of a kind are joined inside. Its mains side is done and covered before you begin.",
        )
    return (
        "+V and −V are the two wires of the supply's 5 V lead. Cut its plug off (a barrel plug is made for 5 A at most), strip both wires, put ferrules on, "
        "and screw them into the terminal T1. Which is which the meter tells in row 4; colours and stripes differ.",
    )


def _other_supply(subject: Subject) -> tuple[Block, ...]:
    """Say what changes with the kind of supply that this guide does not recommend."""
    screws = (
        "With a V-ADJ screw turn the voltage to 5.0 to 5.1 V in row 4, no fuse in. Row 2 is a must for a metal case."
    )
    if not subject.electrics.closed_supply:
        return (Text(screws),)
    return (
        Heading("A supply with screws instead"),
        Text(
            "Somebody who is qualified connects and covers its mains side. Then leave T1 out: F0's wire and the black trunk go to its +V and −V screws "
            f"(several of a kind are joined inside). {screws}"
        ),
    )


def _readings(subject: Subject) -> tuple[tuple[str, ...], ...]:
    electrics = subject.electrics
    count_of = len(electrics.feeds)
    return (
        (
            "1",
            "ohms, plug out",
            "+V to −V at the supply, no fuse in",
            "no beep; more than 100 Ω, or rising",
            "a short in the wiring before F0",
        ),
        (
            "2",
            "ohms, plug out",
            "the plug's earth pin to the supply's metal case; a closed plastic one has none: go on",
            "under 1 Ω",
            "stop: the earth is not connected",
        ),
        (
            "3",
            "ohms, plug out",
            "fuse block's output to 0 V bar, each way, no fuse in",
            "no beep; open (OL)",
            "red and black swapped or touching at an open end",
        ),
        (
            "4",
            "volts DC, on",
            "+V to −V at the supply, no fuse in",
            "4.9 to 5.2 V, with +; never −",
            "−5 V: you have the two ends the wrong way round. Another voltage: wrong supply; over 5.3 V damages LEDs (WS2812B data sheet)",
        ),
        ("5", "volts DC, on", "F0 in: fuse block's input to 0 V bar", "as in 4", "F0 blown, a loose screw"),
        (
            "6",
            "volts DC, on",
            f"F1 to F{count_of} in: red to black of each pair",
            "as in 4, with +; never −",
            "−5 V: red and black are swapped; mend it now",
        ),
        ("7", "volts DC, on", "shifter's fuse in: its pair", "as in 4, with +", "as in 6"),
        (
            "8",
            "volts DC, off",
            "+V to −V, ten seconds after switching off",
            "under 0.5 V",
            "wait: capacitors in the supply",
        ),
    )


def _lengths(feed_ma: int, trunk_ma: int) -> list[tuple[str, ...]]:
    rows = []
    for length in (0.5, LENGTH_M, 1.5, 2.0):
        cells = [f"{length:g} m"]
        for current in (feed_ma, trunk_ma):
            awg = fitting_awg(current, length)
            if awg is None:
                cells += [f"too long: at most {longest_m(current):g} m of {wire_name(min(WIRES))}", "—"]
            else:
                cells += [wire_name(awg), f"{drop_volts(awg, current, length):.2f} V"]
        rows.append(tuple(cells))
    return rows
