"""How King hides its fleet: of a few fleets laid by chance it takes the one that is hardest to find.

What makes a fleet last was measured (docs/captains.md): ships along the edge, squares that few fleets use, and, against
one who follows hits, few squares side by side with another ship. How much each of them counts changes from game to
game. As the fleet is the best of only `FLEETS` drawn uniformly, each legal fleet stays possible, and none is more than
`FLEETS` times as likely as by chance: knowing the habit is worth at most log2(8) - 7/8 × log2(e) = 1.7 bits, of the 35
that a classic fleet has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.captains.placing import along_the_edge, neighbours
from companion.captains.told import Told, kinds_of
from companion.captains.whole_fleets import Search, squares_of
from companion.game.fleet import Ship, placements, random_fleet

if TYPE_CHECKING:
    from random import Random

    from companion.captains.whole_fleets import Fleets
    from companion.game.ruleset import Ruleset
    from companion.game.squares import Square

FLEETS = 8
"""How many fleets are drawn to choose one from."""

SAMPLE = 2000
"""Fleets that tell how often each square is used."""

EDGE = (0.0, 1.0)
USED = (0.0, 0.3)
APART = (1.0, 2.0)
"""What a ship along the edge counts for, one standard deviation of how used the squares are against, and a pair of
neighbouring squares of two ships against: each drawn from game to game from a range that makes fleets last against
both Ace and King."""


def kings_fleet(ruleset: Ruleset, chance: Random) -> tuple[Ship, ...]:
    """Lay King's fleet."""
    sea = Told(kinds_of(ruleset), ruleset.may_touch, water=0, hits=0, sinkings=(), hit_kinds={})
    numbers = np.random.default_rng(chance.getrandbits(64))
    fleets = Search(sea, numbers).run(SAMPLE)
    if not fleets.size or fleets.weights is not None:
        # Too tight for a choice: any fleet that fits is hard enough to find.
        return random_fleet(ruleset, chance)
    cells = squares_of(fleets.occupied).astype(np.float64)
    used = cells @ cells.mean(axis=0)
    used = (used - used.mean()) / max(used.std(), 1e-9)
    edge, seldom, apart = (chance.uniform(*span) for span in (EDGE, USED, APART))
    drawn = numbers.permutation(fleets.size)[:FLEETS].tolist()

    def hidden(number: int) -> float:
        ways = _ways(fleets, number)
        return edge * along_the_edge(ways) - seldom * float(used[number]) - apart * neighbours(ways)

    best = max(drawn, key=hidden)
    return _named(ruleset, _ways(fleets, best), chance)


def _ways(fleets: Fleets, number: int) -> list[tuple[Square, ...]]:
    ways = fleets.ways[:, number].tolist()
    return [placements(length)[way].squares for length, way in zip(fleets.lengths, ways, strict=True)]


def _named(ruleset: Ruleset, ways: list[tuple[Square, ...]], chance: Random) -> tuple[Ship, ...]:
    """Give the ways to the ships of the fleet, those of one length by chance."""
    left = list(ways)
    chance.shuffle(left)
    ships = []
    for name in ruleset.ships:
        way = next(way for way in left if len(way) == ruleset.lengths[name])
        left.remove(way)
        ships.append(Ship(name, way))
    return tuple(ships)
