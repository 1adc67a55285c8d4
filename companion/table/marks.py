"""What each square is, as one character: the language between the table, its themes and its boards."""

from __future__ import annotations

from collections.abc import Iterable

from companion.game.fleet import Ship
from companion.game.squares import SIZE, SQUARES, Square
from companion.game.views import Grid, SeatView

WATER = "."
SHIP = "S"
MISS = "o"
HIT = "x"
SUNK = "#"
OPEN_WATER = "~"
GHOST_FITS = "?"
GHOST_REFUSED = "!"
CHOSEN = "*"

MARKS = (WATER, SHIP, MISS, HIT, SUNK, OPEN_WATER, GHOST_FITS, GHOST_REFUSED, CHOSEN)


class Sheet:
    """Marks for one panel, written square by square."""

    def __init__(self) -> None:
        self._marks = [WATER] * len(SQUARES)

    def put(self, mark: str, squares: Iterable[Square]) -> None:
        """Write one mark on squares, over what stood there."""
        for square in squares:
            self._marks[square.index] = mark

    def rows(self) -> tuple[str, ...]:
        """Return ten strings of ten marks, the top row first."""
        return tuple("".join(self._marks[start : start + SIZE]) for start in range(0, len(SQUARES), SIZE))


BLANK = Sheet().rows()
"""A panel of water."""


def _shots(sheet: Sheet, grid: Grid) -> None:
    sheet.put(OPEN_WATER, grid.water)
    sheet.put(MISS, grid.misses)
    sheet.put(HIT, grid.hits)
    sheet.put(SUNK, grid.sunk)


def ocean(view: SeatView) -> Sheet:
    """Return a seat's own sea."""
    sheet = Sheet()
    for ship in view.fleet:
        sheet.put(SHIP, ship.squares)
    _shots(sheet, view.ocean)
    return sheet


def target(view: SeatView) -> Sheet:
    """Return what a seat knows of the other sea; after the end also the ships that survived there."""
    sheet = Sheet()
    for ship in view.enemy_survivors:
        sheet.put(SHIP, ship.squares)
    _shots(sheet, view.target)
    sheet.put(CHOSEN, view.marked)
    return sheet


def put_ghost(sheet: Sheet, squares: Iterable[Square], *, fits: bool) -> None:
    """Write the ghost of a ship in hand."""
    sheet.put(GHOST_FITS if fits else GHOST_REFUSED, squares)


def unplaced(view: SeatView) -> list[str]:
    """Return the names of the ships that still lie beside the sea, in the order of the rule set."""
    left = list(view.ruleset.ships)
    for ship in view.fleet:
        left.remove(ship.name)
    return left


def ship_on(fleet: Iterable[Ship], square: Square) -> Ship | None:
    """Return the ship that lies on a square."""
    return next((ship for ship in fleet if square in ship.squares), None)
