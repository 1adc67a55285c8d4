"""What any captain takes from a view: which squares may be fired at, and which of them can still hide a ship."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.squares import NEIGHBOURS, SIZE, SQUARES

if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

    from companion.game.squares import Square
    from companion.game.views import SeatView

STEPS = (-1, 1, -SIZE, SIZE)
"""What to add to a square's index for the square to its left, right, above and below."""


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


def next_to(square: Square, step: int) -> Square | None:
    """Return the square one of STEPS away, or None off the grid."""
    at = square.index + step
    if not 0 <= at < SIZE * SIZE or (abs(step) == 1 and at // SIZE != square.row):
        return None
    return SQUARES[at]


SIDES: tuple[tuple[Square, ...], ...] = tuple(
    tuple(near for step in STEPS if (near := next_to(square, step)) is not None) for square in SQUARES
)
"""For each square's index the up to four squares that share a side with it."""


def run_from(square: Square, step: int, among: Collection[Square]) -> list[Square]:
    """Return the unbroken run of squares among some that begins beside a square and goes on by `step`."""
    found: list[Square] = []
    at = next_to(square, step)
    while at is not None and at in among:
        found.append(at)
        at = next_to(at, step)
    return found


def complete(chosen: list[Square], view: SeatView, chance: Random) -> tuple[Square, ...]:
    """Return the chosen squares, filled up to the shots due by chance with others that may be fired at: a salvo must
    be full even where nothing more can be hit."""
    missing = view.shots_due - len(chosen)
    if missing > 0:
        chosen = chosen + chance.sample([square for square in legal(view) if square not in chosen], missing)
    return tuple(chosen[: view.shots_due])
