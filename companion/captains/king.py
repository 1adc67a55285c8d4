"""King, the hard captain: works out where every ship could still be, from all that was told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.captains.told import read
from companion.captains.waters import complete, open_squares
from companion.captains.whole_fleets import Search, squares_of
from companion.game.fleet import random_fleet
from companion.game.squares import SQUARES

if TYPE_CHECKING:
    from random import Random

    from companion.game.fleet import Ship
    from companion.game.squares import Square
    from companion.game.views import SeatView

SAMPLE = 4000
"""Fleets drawn where they are too many to enumerate."""


class King:
    """Fires where most of the fleets that agree with everything told have a ship."""

    def place(self, view: SeatView, chance: Random) -> tuple[Ship, ...]:
        """Lay the fleet by chance."""
        return random_fleet(view.ruleset, chance)

    def fire(self, view: SeatView, chance: Random) -> tuple[Square, ...]:
        """Fire at the likeliest squares."""
        numbers = np.random.default_rng(chance.getrandbits(64))
        fleets = Search(read(view), numbers).run(SAMPLE)
        cells = squares_of(fleets.occupied)
        counts = cells.sum(axis=0, dtype=np.int64)
        op = [s.index for s in open_squares(view)]
        best = sorted(op, key=lambda i: -counts[i])[: view.shots_due]
        return complete([SQUARES[i] for i in best], view, chance)
