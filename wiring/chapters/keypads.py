"""Keypads: ribbons to header pins or USB sockets, and `test keys`."""

from __future__ import annotations

from wiring.document.blocks import Block, Chapter, Commands, Figure, Heading, SeeNow, Table, Text
from wiring.plans.keypad import NUMBER_PAD_DIGITS, ribbon
from wiring.players import KEYS
from wiring.steps import FAULTS, KEYPADS, see
from wiring.subject import Subject

SHEET = "Keypad overlays"


def keypads(subject: Subject) -> Chapter:
    """Return the chapter."""
    blocks: list[Block] = [
        Heading("What the keys do"),
        Table(("Key", "Does"), tuple((f"`{key}`", words.sentence) for key, words in KEYS.items()), (15, 85)),
        Text(
            f"Print the page “{SHEET}” at 100 %, check its ruler, cut it out, and lay it over or beside the keys. Which wire serves which key is part of the kit: "
            "swapped rows are a change in the file, not of the wiring."
        ),
    ]
    if subject.matrices:
        board = "Pico" if any(keypad.driver == "pico" for keypad in subject.matrices) else "Pi"
        blocks += [
            Heading("Matrix keypads"),
            Text(
                f"A matrix keypad is wires and contacts alone: it needs no resistor, no ground and no supply. Its rows are pulled low one at a time and its columns are "
                f"read with the {board}'s own pull-up resistors, so two keys held together can never short two outputs. Switch everything off, then plug one wire after the other:"
            ),
            *(Figure(f"keypad-{keypad.seat}", ribbon(keypad, subject.board_of(keypad))) for keypad in subject.matrices),
            Text(
                "Ribbons differ from maker to maker. Before you plug yours in, check one key with the beeper: hold key 1 and find the two wires that beep. They are row 1 and column 1; the wires "
                "may also count from the other side. Wires in the wrong order break nothing: the wrong key answers, and `test keys` tells."
            ),
        ]
    if subject.number_pads:
        blocks += [
            Heading("USB number pads"),
            Text(
                "A USB number pad needs no wiring. Its USB socket tells which seat it serves, so always use the same socket. This kit says: "
                + "; ".join(f"seat {pad.seat}: `{pad.device}`" for pad in subject.number_pads)
                + ". `ls /dev/input/by-path` shows the names of what is plugged in; names that end in `-event-kbd` are keyboards."
            ),
            Text(f"{NUMBER_PAD_DIGITS} Four more keys stand for the letters:"),
            Table(
                ("On the pad", "Key"),
                (
                    ("0 to 9", "0 to 9, as printed"),
                    ("Enter", "#"),
                    ("*, Backspace", "*"),
                    ("/", "A"),
                    ("−", "B"),
                    ("+", "C"),
                    (". or ,", "D"),
                ),
                (30, 70),
            ),
        ]
    blocks += [
        Heading("test keys"),
        Commands((subject.command("test keys"),)),
        Text(
            "The test asks for one key after the other and finds rows and columns by itself: a ribbon in another order is a change of the kit file, which it offers to write."
        ),
        SeeNow(
            (
                "For each seat the test says that its keys are as the kit says, or it has written the order that it found.",
                f"In the game each press counts once, for its own seat. Two keys at once both count; three in a corner count for nothing, on purpose ({see(FAULTS)}).",
            )
        ),
    ]
    return Chapter(KEYPADS, tuple(blocks))
