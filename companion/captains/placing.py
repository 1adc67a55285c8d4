"""How captains lay their fleets: by chance, with habits that change from game to game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.captains.waters import SIDES
from companion.game.fleet import random_fleet
from companion.game.squares import SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from companion.game.fleet import Ship
    from companion.game.ruleset import Ruleset
    from companion.game.squares import Square

ACE_FLEETS = 3
"""How many fleets Ace draws to choose one from."""


def neighbours(ships: Iterable[Sequence[Square]]) -> int:
    """Return how many pairs of squares of different ships lie side by side: who hits one ship then finds another."""
    ship_on = {square: number for number, ship in enumerate(ships) for square in ship}
    return sum(ship_on.get(side, number) > number for square, number in ship_on.items() for side in SIDES[square.index])


def depth(ships: Iterable[Sequence[Square]]) -> int:
    """Return how far from the edge of the sea the squares of all ships lie, in all."""
    return sum(_depth(square) for ship in ships for square in ship)


def along_the_edge(ships: Iterable[Sequence[Square]]) -> int:
    """Return how many ships lie along the edge of the sea with their whole length."""
    return sum(not any(_depth(square) for square in ship) for ship in ships)


def _depth(square: Square) -> int:
    return min(square.row, SIZE - 1 - square.row, square.column, SIZE - 1 - square.column)


def aces_fleet(ruleset: Ruleset, chance: Random) -> tuple[Ship, ...]:
    """Lay Ace's fleet: now by chance, now with the ships apart from each other, now along the edge."""
    habit: Callable[[Iterable[Sequence[Square]]], int] | None = chance.choice((None, neighbours, depth))
    if habit is None:
        return random_fleet(ruleset, chance)
    drawn = [random_fleet(ruleset, chance) for _ in range(ACE_FLEETS)]
    return min(drawn, key=lambda fleet: habit([ship.squares for ship in fleet]))
