"""Jack, the easy captain: fires more or less at random, and no square twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.captains.waters import SIDES, complete, open_squares
from companion.game.fleet import random_fleet

if TYPE_CHECKING:
    from random import Random

    from companion.game.fleet import Ship
    from companion.game.squares import Square
    from companion.game.views import SeatView

CURIOSITY = 0.15
"""The chance that a shot goes beside a hit, as a child's would now and then."""


class Jack:
    """Fires at random, and now and then beside a hit."""

    def place(self, view: SeatView, chance: Random) -> tuple[Ship, ...]:
        """Lay the fleet by chance."""
        return random_fleet(view.ruleset, chance)

    def fire(self, view: SeatView, chance: Random) -> tuple[Square, ...]:
        """Fire anywhere that may still hide a ship."""
        squares = open_squares(view)
        hits = view.target.hits
        chosen: list[Square] = []
        while squares and len(chosen) < view.shots_due:
            beside = [square for square in squares if any(side in hits for side in SIDES[square.index])]
            curious = beside and chance.random() < CURIOSITY
            square = chance.choice(beside if curious else squares)
            squares.remove(square)
            chosen.append(square)
        return complete(chosen, view, chance)
