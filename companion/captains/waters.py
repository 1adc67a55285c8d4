"""What any captain takes from a view: which squares may be fired at, and which of them can still hide a ship."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.squares import NEIGHBOURS, SIZE, SQUARES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from companion.game.squares import Square
    from companion.game.views import SeatView


def legal(view: SeatView) -> list[Square]:
    """Return the squares never fired at and not marked as open water, in grid order."""
    target = view.target
    known = {*target.misses, *target.hits, *target.sunk, *target.water}
    return [square for square in SQUARES if square not in known]


def open_squares(view: SeatView) -> list[Square]:
    """Return the legal squares without those that are water because they lie beside a ship known to be sunk where
    ships never touch."""
    squares = legal(view)
    if view.ruleset.may_touch:
        return squares
    beside = {near for square in view.target.sunk for near in NEIGHBOURS[square.index]}
    return [square for square in squares if square not in beside]


def sides(square: Square) -> list[Square]:
    """Return the up to four squares that share a side with a square."""
    return [near for near in NEIGHBOURS[square.index] if near.row == square.row or near.column == square.column]


def run_length(square: Square, free: frozenset[Square], step: int) -> int:
    """Return how many free squares lie in a row through a free square; `step` is 1 for across and 10 for down."""
    length = 1
    for way in (-step, step):
        at = square.index + way
        while 0 <= at < SIZE * SIZE and (step == SIZE or at // SIZE == square.row) and SQUARES[at] in free:
            length += 1
            at += way
    return length


def complete(chosen: list[Square], view: SeatView, chance: Random) -> tuple[Square, ...]:
    """Return as many of the chosen squares as shots are due, filled up by chance with squares that are likely water
    but may be fired at: a salvo must be full."""
    due = view.shots_due
    if len(chosen) < due:
        rest = _without(legal(view), chosen)
        chosen = chosen + chance.sample(rest, due - len(chosen))
    return tuple(chosen[:due])


def _without(squares: Iterable[Square], chosen: Iterable[Square]) -> list[Square]:
    gone = set(chosen)
    return [square for square in squares if square not in gone]
