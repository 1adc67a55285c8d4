"""Pin map: the header, and the same as a list."""

from __future__ import annotations

from wiring.document.blocks import Block, Chapter, Figure, SeeNow, Table, Text
from wiring.pins import HeaderUse, Use
from wiring.plans.header import header_map
from wiring.steps import CHANGING, PIN_MAP, see
from wiring.subject import Subject

_ORDER = (Use.DATA, Use.ROW, Use.COLUMN, Use.BUZZER, Use.BUTTON, Use.GROUND)


def pin_map(subject: Subject) -> Chapter:
    """Return the chapter."""
    blocks: list[Block] = [
        Text(
            "The plan of all wires on the header. Nothing is connected yet: you will come back to this page in each of the "
            "next steps. Print it and tick every wire off."
        )
    ]
    for board in subject.boards:
        blocks.append(Figure(_name(board), header_map(board)))
        blocks.append(Table(("Wire", "GPIO", "Header pin"), _rows(board), (50, 25, 25)))
    blocks.append(
        Text(
            "GPIO numbers are the chip's own (BCM) and stand in the kit file; pin numbers count the header's pins. They are "
            f"different things. Other pins are possible: {see(CHANGING)}."
        )
    )
    blocks.append(SeeNow(("A header without a single wire, and this page beside it turned the same way.",)))
    return Chapter(PIN_MAP, tuple(blocks), new_page=True)


def _name(board: HeaderUse) -> str:
    return "header-pico" if board.is_pico else "header"


def _rows(board: HeaderUse) -> tuple[tuple[str, ...], ...]:
    used = sorted(board.with_use(*_ORDER), key=lambda use: (_ORDER.index(use.use), use.label))
    return tuple((use.label, use.pin.name, str(use.pin.number)) for use in used)
