from __future__ import annotations

import subprocess
import sys
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.captains import CAPTAINS, captain
from companion.captains.arena import Contest, fleet_to_sink, play, play_game
from companion.captains.king import chance_of_hit
from companion.captains.told import read
from companion.captains.waters import open_squares
from companion.captains.whole_fleets import Search
from companion.errors import UserError
from companion.game.events import Fire, Outcome, Phase, Shot
from companion.game.fleet import check_fleet
from companion.game.ruleset import (
    PRESETS,
    HouseRule,
    Opener,
    Placing,
    Repeat,
    Ruleset,
    ShipClass,
    Shots,
    SinkingTells,
    preset,
)
from companion.game.squares import SQUARES
from companion.game.views import Grid, view, view_from_json, view_to_json
from tests.companion.captains.seas import at_sea, open_at
from tests.companion.game.strategies import PLAYABLE, new_match, play_on, rules, seeds


def test_an_unknown_captain_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UserError, match="There is no captain 'queen'; there are jack, ace, king"):
        captain("queen")


@pytest.mark.parametrize("name", ["jack", "ace"])
def test_only_king_needs_numpy(name: str) -> None:
    program = f"import sys; from companion.captains import captain; captain({name!r}); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("name", CAPTAINS)
@given(rules, seeds, st.integers(0, 120))
@settings(max_examples=25, deadline=None)
def test_a_restored_view_is_all_that_a_captain_needs(
    name: str, chosen: tuple[str, tuple[HouseRule, ...]], seed: int, moves: int
) -> None:
    match = new_match(*chosen, seed)
    chance = Random(seed)
    play_on(match, chance, moves)
    if match.phase is not Phase.BATTLE:
        return
    seen = view(match, match.to_move)
    used = captain(name)
    used.fire(seen, Random(1))
    squares = used.fire(seen, Random(seed))
    assert captain(name).fire(view_from_json(view_to_json(seen)), Random(seed)) == squares
    assert len(squares) == match.shots_due
    match.do(Fire(match.to_move, squares))


@pytest.mark.parametrize("name", CAPTAINS)
def test_no_captain_asks_for_a_refused_square(name: str) -> None:
    """Whole games under all rules: the match raises IllegalMove at a refused square. tests/bench/captains.py plays
    many more."""
    step = {"jack": 2, "ace": 2, "king": 14}[name]
    for number, (name_of_rules, house) in enumerate(PLAYABLE[::step]):
        result = play_game(Contest((name, "jack"), name_of_rules, preset(name_of_rules), house, 1, number), 0)
        assert result.winner in (1, 2)


@pytest.mark.parametrize("name", CAPTAINS)
@pytest.mark.parametrize("rules", PRESETS)
def test_fleets_are_legal_and_differ(name: str, rules: str) -> None:
    match = new_match(rules, sail=False)
    fleets = [captain(name).place(view(match, match.began.opener), Random(seed)) for seed in range(12)]
    for fleet in fleets:
        check_fleet(fleet, match.rules)
    assert len({frozenset(ship.squares for ship in fleet) for fleet in fleets}) == len(fleets)


def own_rules(*fleet: tuple[str, int, int], may_touch: bool) -> Ruleset:
    return Ruleset(
        fleet=tuple(ShipClass(*line) for line in fleet),
        may_touch=may_touch,
        shots=Shots.ONE,
        sinking_tells=SinkingTells.NOTHING,
        hit_tells_ship=False,
        mark_water_around_sunk=False,
        repeat=Repeat.REFUSED,
        placing=Placing.TOGETHER,
        opener=Opener.IN_TURN,
    )


FAMILY_FLEETS = [
    own_rules(("Liner", 10, 9), may_touch=True),
    own_rules(("Raft", 1, 20), may_touch=True),
    own_rules(("Raft", 1, 1), may_touch=False),
    own_rules(("Cruiser", 4, 1), ("Frigate", 3, 2), ("Gunboat", 2, 3), ("Launch", 1, 4), may_touch=False),
    own_rules(("Barge", 2, 15), may_touch=False),
]


@pytest.mark.parametrize("name", CAPTAINS)
@pytest.mark.parametrize("ruleset", FAMILY_FLEETS, ids=lambda ruleset: f"{ruleset.ships[0]}-{len(ruleset.ships)}")
def test_a_familys_own_fleet_is_played(name: str, ruleset: Ruleset) -> None:
    assert play_game(Contest((name, "jack"), "own", ruleset, (), 1, 4), 0).winner in (1, 2)


def mean_shots(name: str, rules: str, games: int) -> float:
    results = play(Contest((name,), rules, preset(rules), (), games, 1), 1)
    return sum(result.shots[0] for result in results) / games


@pytest.mark.parametrize("rules", ["classic", "kingdoms"])
def test_the_captains_are_clearly_different(rules: str) -> None:
    """Far enough apart for few games: they are more than eight shots apart."""
    jack, ace, king = mean_shots("jack", rules, 30), mean_shots("ace", rules, 40), mean_shots("king", rules, 14)
    assert jack > ace + 20
    assert ace > king + 2


@pytest.mark.parametrize("rules", ["classic", "naval-warfare"])
def test_a_chance_is_what_it_says(rules: str) -> None:
    """Of the squares given a chance of 30 % three in ten are hits: in bands of chances, over a few thousand squares."""
    told: list[tuple[float, bool]] = []
    contest = Contest(("king",), rules, preset(rules), (), 40, 9)
    for game in range(contest.games):
        chance = Random(game)
        match = at_sea(contest.ruleset, (), fleet_to_sink(contest, game))
        ships = match.sea(2).ship_at
        for _ in range(chance.randrange(40)):
            squares = open_at(match)
            aims = [square for square in squares if square in ships]
            match.do(Fire(1, (chance.choice(aims if chance.random() < 0.2 else squares),)))
            if match.phase is not Phase.BATTLE:
                break
        if match.phase is not Phase.BATTLE:
            continue
        seen = view(match, 1)
        chances = chance_of_hit(Search(read(seen), np.random.default_rng(game)).run(1000))
        told += [(chances[square.index], square in ships) for square in open_squares(seen)]
    assert len(told) > 2000
    for low, high in ((0, 0.1), (0.1, 0.2), (0.2, 0.35), (0.35, 0.6), (0.6, 1.01)):
        band = [(chance, hit) for chance, hit in told if low <= chance < high]
        expected = sum(chance for chance, _ in band)
        # Squares of one game depend on each other, which widens the spread: four times the independent one.
        spread = sum(chance * (1 - chance) for chance, _ in band) ** 0.5
        assert abs(sum(hit for _, hit in band) - expected) <= 4 * spread + 1
    assert not any(hit for chance, hit in told if chance == 0)


def test_water_beside_a_sunk_ship_is_not_fired_at() -> None:
    """Where ships never touch nobody fires beside a ship that sank, though nothing is marked there."""
    for name in CAPTAINS:
        match = at_sea(
            preset("naval-warfare"), (), fleet_to_sink(Contest((name,), "", preset("naval-warfare"), (), 1, 2), 0)
        )
        for square in match.sea(2).fleet[0].squares:
            match.do(Fire(1, (square,)))
        seen = view(match, 1)
        beside = set(SQUARES) - set(open_squares(seen)) - set(seen.target.sunk)
        assert beside
        assert not any(captain(name).fire(seen, Random(seed))[0] in beside for seed in range(10))


def test_king_goes_on_where_what_was_told_contradicts_itself() -> None:
    match = at_sea(preset("classic"), (), fleet_to_sink(Contest(("king",), "", preset("classic"), (), 1, 2), 0))
    match.do(Fire(1, (open_at(match)[0],)))
    seen = view(match, 1)
    alone = SQUARES[44]
    around = tuple(SQUARES[index] for index in (34, 43, 45, 54))
    shots = (*(Shot(square, Outcome.MISS) for square in around), Shot(alone, Outcome.HIT))
    target = Grid(misses=around, hits=(alone,))
    impossible = msgspec.structs.replace(seen, fired=tuple((shot,) for shot in shots), target=target)
    (square,) = captain("king").fire(impossible, Random(1))
    assert square not in (*around, alone)
