from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.captains.arena import Alone
from companion.captains.told import read
from companion.captains.whole_fleets import Fleets, Search, squares_of
from companion.game.events import Fire, GameBegan, Phase, Shot
from companion.game.fleet import Ship, check_fleet, placements, random_fleet
from companion.game.ruleset import HouseRule, Opener, Placing, Repeat, Ruleset, ShipClass, Shots, SinkingTells, preset
from companion.game.squares import SQUARES, Square
from companion.game.views import view
from tests.companion.captains.seas import at_sea, shoot_some
from tests.companion.game.strategies import rules, seeds


def ships_of(fleets: Fleets, number: int) -> list[tuple[Square, ...]]:
    return [
        placements(length)[way].squares
        for length, way in zip(fleets.lengths, fleets.ways[:, number].tolist(), strict=True)
    ]


def named(ruleset: Ruleset, ways: list[tuple[Square, ...]], told: list[Shot]) -> tuple[Ship, ...]:
    """Name the ships of a fleet: those that were named when they were hit or sunk by that, the rest in order."""
    lengths = ruleset.lengths
    left = sorted(ruleset.ships, key=lambda name: -lengths[name])
    by_way: dict[tuple[Square, ...], str] = {}
    for shot in told:
        way = next((way for way in ways if shot.square in way), None)
        if shot.ship is not None and way is not None and way not in by_way:
            assert lengths[shot.ship] == len(way)
            by_way[way] = shot.ship
            left.remove(shot.ship)
    for way in ways:
        if way not in by_way:
            name = next(name for name in left if lengths[name] == len(way))
            by_way[way] = name
            left.remove(name)
    return tuple(Ship(name, way) for way, name in by_way.items())


@given(rules, seeds, st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_every_fleet_tells_the_same_story(chosen: tuple[str, tuple[HouseRule, ...]], seed: int, moves: int) -> None:
    name, house = chosen
    chance = Random(seed)
    probe = Alone(GameBegan(name, preset(name), house, ("Ana", "the sea"), opener=1))
    fleet = random_fleet(probe.rules, chance)
    match = at_sea(preset(name), house, fleet)
    shoot_some(match, chance, moves)
    if match.phase is not Phase.BATTLE:
        return
    seen = view(match, 1)
    told = [shot for move in seen.fired for shot in move]
    fleets = Search(read(seen), np.random.default_rng(seed)).run(50)
    assert fleets.size
    for number in range(0, fleets.size, max(1, fleets.size // 5)):
        other = named(match.rules, ships_of(fleets, number), told)
        check_fleet(other, match.rules)
        again = at_sea(preset(name), house, other)
        for move in seen.fired:
            again.do(Fire(1, tuple(shot.square for shot in move)))
        assert [[str(shot) for shot in move] for move in view(again, 1).fired] == [
            [str(shot) for shot in move] for move in seen.fired
        ]


def small(*, may_touch: bool, sinking_tells: SinkingTells) -> Ruleset:
    return Ruleset(
        fleet=(ShipClass("Galley", 4, 1), ShipClass("Barque", 2, 2)),
        may_touch=may_touch,
        shots=Shots.ONE,
        sinking_tells=sinking_tells,
        hit_tells_ship=False,
        mark_water_around_sunk=False,
        repeat=Repeat.REFUSED,
        placing=Placing.TOGETHER,
        opener=Opener.IN_TURN,
    )


WINDOW = frozenset(square for square in SQUARES if square.row < 5 and square.column < 5)


def every_fleet(ruleset: Ruleset) -> list[tuple[tuple[Square, ...], ...]]:
    """All fleets of one Galley and two Barques in one corner of the sea, the slow and simple way."""
    galleys = [way for way in placements(4) if WINDOW.issuperset(way.squares)]
    barques = [way for way in placements(2) if WINDOW.issuperset(way.squares)]
    found = []
    for ways in product(galleys, barques, barques):
        galley, one, other = ways
        blocked = [way.mask if ruleset.may_touch else way.halo for way in ways]
        if one < other and not (galley.mask & (blocked[1] | blocked[2]) or one.mask & blocked[2]):
            found.append(tuple(way.squares for way in ways))
    return found


def tells(ways: tuple[tuple[Square, ...], ...], shots: list[Square]) -> list[tuple[str, int]]:
    """What is told of each shot: the outcome, and the length of a ship that sank."""
    left = [len(way) for way in ways]
    told = []
    for square in shots:
        ship = next((n for n, way in enumerate(ways) if square in way), None)
        if ship is None:
            told.append(("miss", 0))
            continue
        left[ship] -= 1
        told.append(("hit", 0) if left[ship] else ("sunk", len(ways[ship])))
    return told


@pytest.mark.parametrize("may_touch", [True, False])
@pytest.mark.parametrize("sinking_tells", [SinkingTells.NAME, SinkingTells.NOTHING])
def test_few_fleets_are_all_found(may_touch: bool, sinking_tells: SinkingTells) -> None:
    ruleset = small(may_touch=may_touch, sinking_tells=sinking_tells)
    every = every_fleet(ruleset)
    chance = Random(3)
    for _ in range(6):
        ways = chance.choice(every)
        names = ("Galley", "Barque", "Barque")
        match = at_sea(ruleset, (), tuple(Ship(*each) for each in zip(names, ways, strict=True)))
        for square in SQUARES:
            if square not in WINDOW:
                match.do(Fire(1, (square,)))
        shoot_some(match, chance, 5)
        seen = view(match, 1)
        shots = [shot.square for move in seen.fired for shot in move if shot.square in WINDOW]

        def story(fleet: tuple[tuple[Square, ...], ...], shots: list[Square] = shots) -> list[tuple[str, int]]:
            told = tells(fleet, shots)
            return told if sinking_tells is SinkingTells.NAME else [(outcome, 0) for outcome, _ in told]

        agreeing = {frozenset(fleet) for fleet in every if story(fleet) == story(ways)}
        fleets = Search(read(seen), np.random.default_rng(1)).run(100)
        assert fleets.complete
        assert fleets.size == len(agreeing)
        assert {frozenset(ships_of(fleets, number)) for number in range(fleets.size)} == agreeing


@pytest.mark.parametrize("may_touch", [True, False])
def test_a_sample_is_uniform(may_touch: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The share of every square in a large sample is that among all fleets, within five standard errors."""
    ruleset = small(may_touch=may_touch, sinking_tells=SinkingTells.NOTHING)
    chance = Random(5)
    match = at_sea(ruleset, (), random_fleet(ruleset, chance))
    shoot_some(match, chance, 8)
    told = read(view(match, 1))
    every = Search(told, np.random.default_rng(1)).run(1)
    assert every.complete
    monkeypatch.setattr("companion.captains.whole_fleets.ENUMERATED", 0)
    number = 20_000
    sample = Search(told, np.random.default_rng(2)).run(number)
    assert not sample.complete
    assert sample.size == number
    exact = squares_of(every.occupied).mean(axis=0)
    drawn = squares_of(sample.occupied).mean(axis=0)
    error = np.sqrt(exact * (1 - exact) / number)
    assert (np.abs(drawn - exact) <= 5 * error + 1e-9).all()


def test_a_tight_fleet_is_weighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Laid ship by ship, fleets are not equally likely; their weights make up for it."""
    ruleset = small(may_touch=False, sinking_tells=SinkingTells.NOTHING)
    chance = Random(5)
    match = at_sea(ruleset, (), random_fleet(ruleset, chance))
    shoot_some(match, chance, 8)
    told = read(view(match, 1))
    every = Search(told, np.random.default_rng(1)).run(1)
    monkeypatch.setattr("companion.captains.whole_fleets.ENUMERATED", 0)
    monkeypatch.setattr("companion.captains.whole_fleets.DRAWS", 0)
    number = 20_000
    sample = Search(told, np.random.default_rng(2)).run(number * 4)
    assert sample.weights is not None
    weights = sample.weights / sample.weights.sum()
    exact = squares_of(every.occupied).mean(axis=0)
    drawn = weights @ squares_of(sample.occupied)
    assert np.abs(drawn - exact).max() < 0.02
