"""Ace, the medium captain: searches in a checkerboard that suits the shortest ship afloat, and goes after any ship
that it hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.captains.placing import aces_fleet
from companion.captains.waters import SIDES, STEPS, complete, next_to, open_squares, run_from
from companion.game.events import Outcome
from companion.game.squares import NEIGHBOURS, SIZE

if TYPE_CHECKING:
    from random import Random

    from companion.game.fleet import Ship
    from companion.game.squares import Square
    from companion.game.views import SeatView

_AXES = (1, SIZE)

IMPATIENCE = 0.2
"""The chance that a search shot leaves the checkerboard. Without it Ace is nearer to King than a medium captain
should be (docs/captains.md)."""


class Ace:
    """Searches, and follows what it hits."""

    def place(self, view: SeatView, chance: Random) -> tuple[Ship, ...]:
        """Lay the fleet by chance, with a habit drawn anew for each game."""
        return aces_fleet(view.ruleset, chance)

    def fire(self, view: SeatView, chance: Random) -> tuple[Square, ...]:
        """Fire along a line of hits, else beside a hit, else on the checkerboard."""
        squares = open_squares(view)
        hits = wounded(view)
        if not view.ruleset.may_touch:
            # Ships that never touch have no other ship beside them, not even corner to corner.
            squares = [square for square in squares if not _on_a_corner(square, hits)]
        shortest = shortest_afloat(view)
        chosen: list[Square] = []
        while len(chosen) < view.shots_due:
            left = [square for square in squares if square not in chosen]
            aims = (
                _ends(hits, left, view.ruleset.may_touch) or _beside(hits, left) or self._search(left, shortest, chance)
            )
            if not aims:
                break
            chosen.append(chance.choice(aims))
        return complete(chosen, view, chance)

    @staticmethod
    def _search(squares: list[Square], shortest: int, chance: Random) -> list[Square]:
        return squares if chance.random() < IMPATIENCE else _board(squares, shortest, chance)


def wounded(view: SeatView) -> set[Square]:
    """Return the hits on ships that seem to be afloat.

    Where ships may touch a sinking does not tell the ship's squares; it is taken to be the line of hits through the
    square that sank it, of the length told, or the longest one.
    """
    if not view.ruleset.may_touch:
        return set(view.target.hits)
    hits: set[Square] = set()
    for move in view.fired:
        for shot in move:
            if shot.outcome is Outcome.HIT:
                hits.add(shot.square)
            elif shot.outcome is Outcome.SUNK:
                length = view.ruleset.lengths[shot.ship] if shot.ship else None
                hits -= set(shot.squares) or _line_sunk(shot.square, hits, length)
    return hits


def _line_sunk(square: Square, hits: set[Square], length: int | None) -> set[Square]:
    best: list[Square] = []
    for step in _AXES:
        before, after = run_from(square, -step, hits), run_from(square, step, hits)
        line = [*reversed(before), square, *after]
        if length is not None:
            if len(line) < length:
                continue
            # The sinking shot is most often at an end of the ship: keep to the longer side.
            line = line[:length] if len(before) > len(after) else line[-length:]
            if square not in line:
                continue
        if len(line) > len(best):
            best = line
    return {*best, square}


def shortest_afloat(view: SeatView) -> int:
    """Return the length of the shortest ship that is not known to be sunk."""
    afloat = list(view.ruleset.ships)
    lengths = view.ruleset.lengths
    for name in view.enemy_named:
        afloat.remove(name)
    left = sorted(lengths[name] for name in afloat)
    if not view.ruleset.may_touch and not view.enemy_named:
        sunk = set(view.target.sunk)
        for square in view.target.sunk:
            for step in _AXES:
                if next_to(square, -step) in sunk or next_to(square, step) not in sunk:
                    continue
                left.remove(1 + len(run_from(square, step, sunk)))
            if not any(side in sunk for side in SIDES[square.index]):
                left.remove(1)
    return left[0]


def _on_a_corner(square: Square, hits: set[Square]) -> bool:
    return any(
        near in hits for near in NEIGHBOURS[square.index] if near.row != square.row and near.column != square.column
    )


def _ends(hits: set[Square], squares: list[Square], may_touch: bool) -> list[Square]:
    """The squares that lengthen a line of two hits or more."""
    if not may_touch:
        # Here the corners have gone already, so beside a line of hits only its ends are left.
        return []
    return [square for square in squares if any(len(run_from(square, step, hits)) > 1 for step in STEPS)]


def _beside(hits: set[Square], squares: list[Square]) -> list[Square]:
    return [square for square in squares if any(side in hits for side in SIDES[square.index])]


def _board(squares: list[Square], shortest: int, chance: Random) -> list[Square]:
    """The open squares of the checkerboard that suits the shortest ship afloat: each ship lies on one of them.

    There are as many such boards as that ship is long. The one with the fewest squares left is kept to: that is the
    one begun with.
    """
    boards: list[list[Square]] = [[] for _ in range(shortest)]
    for square in squares:
        boards[(square.row + square.column) % shortest].append(square)
    chance.shuffle(boards)
    return min((board for board in boards if board), key=len, default=[])
