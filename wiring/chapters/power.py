"""Power alone: the supply, the fuses and the wires, with what the meter must say."""

from __future__ import annotations

from wiring.document.blocks import Chapter, Danger, Figure, Heading, Items, SeeNow, Table, Text
from wiring.electrics import LENGTH_M, SHIFTER_FUSE_MA, amperes, drop_volts, wire_awg, wire_name
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
            Figure("power-and-data", power_and_data(subject.kit)),
            Danger(
                (
                    "The plug is out while you wire. Take every fuse out before you switch on for the first time.",
                    "A wire between supply and F0 has no fuse before it: keep it shorter than 20 cm, and where nothing can chafe it.",
                )
            ),
            Heading("Wire it"),
            Items(
                (
                    f"+V of the supply through the main fuse F0 ({amperes(electrics.main_fuse_ma)}) to the fuse block's input: {wire_name(electrics.trunk_awg)}.",
                    f"−V of the supply to the 0 V bar near the panels: {wire_name(electrics.trunk_awg)}. Supplies with several +V and −V screws have them joined inside.",
                    f"From each fuse a red wire, from the 0 V bar a black one beside it, one pair for each of the {feeds}: {wire_name(feed.awg)}, as short as the box allows. Label them.",
                    f"The pair for the shifter: red from its own {amperes(SHIFTER_FUSE_MA)} fuse, black from the supply's second −V: {wire_name(20)}.",
                    "Isolate all open ends for now.",
                ),
                numbered=True,
            ),
            Heading("Measure it"),
            Table(
                ("", "Meter", "Where", "Expect", "If not"),
                _readings(subject),
                (5, 13, 30, 25, 27),
            ),
            Heading("Longer wires"),
            Text(
                "The drawing's sizes are for 1 m from fuse to panel. For other lengths (same rule: no more than 0.25 V lost at the fuse's rating):"
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
        new_page=True,
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
            "mains earth pin to the supply's metal case",
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
            "4.9 to 5.2 V; turn V-ADJ to 5.0 to 5.1",
            "wrong supply; over 5.3 V damages LEDs (WS2812B data sheet)",
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
            awg = wire_awg(current, length)
            cells += [wire_name(awg), f"{drop_volts(awg, current, length):.2f} V"]
        rows.append(tuple(cells))
    return rows
