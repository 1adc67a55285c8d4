"""Tools."""

from __future__ import annotations

from wiring.document.blocks import Chapter, Items, Text
from wiring.steps import TOOLS
from wiring.subject import Subject


def tools(subject: Subject) -> Chapter:
    """Return the chapter."""
    items = [
        "Multimeter with volts DC, ohms and a beeper (continuity). It is used in nearly every step.",
        "Soldering iron, solder, side cutters, wire stripper.",
        "Crimping pliers for ferrules and terminals; screwdrivers that fit them.",
        "Labels or coloured tape: every wire gets the name that the drawings give it, at both ends.",
        "Wanted, not needed: a DC clamp meter, which reads currents without opening a wire.",
    ]
    if not subject.on_any_computer:
        items.append("A second computer with a card reader, to write the SD card, and to log in to the Pi (`ssh`).")
    return Chapter(
        TOOLS,
        (
            Items(tuple(items)),
            Text("An hour of sorting parts by their Ref before the first joint saves an evening later."),
        ),
    )
