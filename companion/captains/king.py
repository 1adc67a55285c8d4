"""King, the hard captain: works out where every ship could still be, from all that was told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.captains.ace import Ace
from companion.captains.hiding import kings_fleet
from companion.captains.look_ahead import expected_shots, seas
from companion.captains.told import read
from companion.captains.waters import complete, open_squares
from companion.captains.whole_fleets import Search, squares_of
from companion.game.ruleset import SinkingTells
from companion.game.squares import SQUARES

if TYPE_CHECKING:
    from random import Random

    from numpy.typing import NDArray

    from companion.captains.told import Told
    from companion.captains.whole_fleets import Fleets
    from companion.game.fleet import Ship
    from companion.game.squares import Square
    from companion.game.views import SeatView

SAMPLE = 1000
"""Fleets drawn where they are too many to enumerate. More of them make no measurable difference."""

LOOK_AHEAD = 4000
"""Fleets up to which King looks ahead to the end of the game."""

GAMES_AHEAD = 24_000
"""Games played to their end in one look ahead: first squares × fleets. About 0.1 s on a desktop."""

CHOICES = (4, 10)
"""The fewest and the most of the likeliest squares that are looked ahead from."""


class King:
    """Fires where most of the fleets that agree with everything told have a ship, and looks ahead when few are left."""

    def place(self, view: SeatView, chance: Random) -> tuple[Ship, ...]:
        """Lay the fleet where it is hard to find."""
        return kings_fleet(view.ruleset, chance)

    def fire(self, view: SeatView, chance: Random) -> tuple[Square, ...]:
        """Fire at the likeliest squares."""
        told = read(view)
        fleets = Search(told, np.random.default_rng(chance.getrandbits(64))).run(SAMPLE)
        if not fleets.size:
            # What was told contradicts itself, or the fleet is too tight to be found.
            return Ace().fire(view, chance)
        squares = np.array([square.index for square in open_squares(view)], np.intp)
        chances = chance_of_hit(fleets)[squares]
        order = np.argsort(-chances, kind="stable")
        best = squares[order[: view.shots_due]]
        if view.shots_due == 1 and fleets.complete and fleets.size <= LOOK_AHEAD and chances[order[0]] < 1:
            fewest, most = CHOICES
            order = order[: max(fewest, min(most, GAMES_AHEAD // fleets.size))]
            likely = squares[order][chances[order] > 0]
            best = _looked_ahead(view, told, fleets, likely)
        return complete([SQUARES[index] for index in best], view, chance)


def chance_of_hit(fleets: Fleets) -> NDArray[np.float64]:
    """Return for each square the share of fleets, at least one, that have a ship there, shape (100,)."""
    cells = squares_of(fleets.occupied)
    weights = np.ones(fleets.size) if fleets.weights is None else fleets.weights
    chances: NDArray[np.float64] = weights @ cells / weights.sum()
    return chances


def _looked_ahead(view: SeatView, told: Told, fleets: Fleets, likely: NDArray[np.intp]) -> NDArray[np.intp]:
    if len(likely) < 2:
        return likely
    rules = view.ruleset
    ahead = seas(
        told,
        fleets,
        sinkings_named=rules.sinking_tells is not SinkingTells.NOTHING,
        hits_named=rules.hit_tells_ship,
    )
    return likely[[int(expected_shots(ahead, likely).argmin())]]
