"""How King hides its fleet: of a few fleets laid by chance it takes the one that is hardest to find.

What makes a fleet last was measured (docs/captains.md): against a searcher who works out chances, squares that few
fleets use; against one who follows hits, ships that do not lie side by side. How much each of them counts changes from
game to game. As the fleet is the best of only `FLEETS` drawn uniformly, each legal fleet stays possible, and none is
more than `FLEETS` times as likely as by chance: knowing the habit is worth at most log2(8) - 7/8 × log2(e) = 1.7 bits,
of the 35 that a classic fleet has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from companion.captains.placing import neighbours
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

APART = (0.5, 2.0)
"""How much a pair of neighbouring squares of two ships counts, from game to game, where one standard deviation of how
used the squares are counts 1."""


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
    apart = chance.uniform(*APART)
    drawn = numbers.permutation(fleets.size)[:FLEETS].tolist()
    best = min(
        drawn,
        key=lambda number: used[number] + apart * neighbours(_ways(fleets, number)),
    )
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
