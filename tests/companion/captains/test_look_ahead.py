from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest

from companion.captains.look_ahead import expected_shots, seas
from companion.captains.told import read
from companion.captains.whole_fleets import Search
from companion.game.fleet import placements, random_fleet
from companion.game.ruleset import HouseRule, preset, with_house_rules
from companion.game.views import view
from tests.companion.captains.seas import at_sea, shoot_some


def shots_to_the_end(fleets: list[list[set[int]]], first: int | None, hits: set[int]) -> int:
    """The sum over all fleets, one call for each group of fleets: the slow and simple way. Ships of one length sink
    alike."""
    if len(fleets) == 1:
        return len(set().union(*fleets[0]) - hits)
    counts = Counter(square for fleet in fleets for ship in fleet for square in ship - hits)
    if not counts:
        return 0
    most = max(counts.values())
    target = min(square for square in counts if counts[square] == most) if first is None else first
    groups: defaultdict[str, list[list[set[int]]]] = defaultdict(list)
    for fleet in fleets:
        ship = next((ship for ship in fleet if target in ship), None)
        answer = "miss" if ship is None else f"sunk {len(ship)}" if ship - hits == {target} else "hit"
        groups[answer].append(fleet)
    total = len(fleets)
    for answer, group in groups.items():
        total += shots_to_the_end(group, None, hits | ({target} if answer != "miss" else set()))
    return total


@pytest.mark.parametrize(
    ("rules", "house"), [("classic", ()), ("classic", (HouseRule.SHIPS_NEVER_TOUCH,)), ("kingdoms", ())]
)
def test_shots_to_the_end_are_those_of_the_simple_way(rules: str, house: tuple[HouseRule, ...]) -> None:
    compared = 0
    for seed in range(60):
        chance = Random(seed)
        match = at_sea(preset(rules), house, random_fleet(with_house_rules(preset(rules), house), chance))
        shoot_some(match, chance, 34)
        if match.ended is not None:
            continue
        told = read(view(match, 1))
        fleets = Search(told, np.random.default_rng(seed)).run(100)
        if not fleets.complete or not 2 < fleets.size < 400:
            continue
        hits = {square for square in range(100) if told.hits >> square & 1}
        every = [
            [
                {square.index for square in placements(length)[way].squares}
                for length, way in zip(fleets.lengths, fleets.ways[:, number].tolist(), strict=True)
            ]
            for number in range(fleets.size)
        ]
        open_to_hit = sorted({square for fleet in every for ship in fleet for square in ship - hits})
        first = open_to_hit[:3]
        shots = expected_shots(seas(told, fleets, sinkings_named=True, hits_named=False), np.array(first, np.intp))
        simple = [shots_to_the_end(every, square, hits) / fleets.size for square in first]
        assert shots == pytest.approx(simple)
        compared += 1
    assert compared >= 3
