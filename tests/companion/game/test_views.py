"""The secret: a view never changes when only what that seat may not know changes."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.events import DrawFleet, Fire, LayFleet, Outcome, Phase, Place, Sail
from companion.game.fleet import Ship, random_fleet
from companion.game.match import Match
from companion.game.ruleset import HouseRule
from companion.game.squares import SQUARES, Direction, Square
from companion.game.views import view, view_from_json, view_to_json
from tests.companion.game.strategies import legal_shots, new_match, play_on, rules, seeds
from tests.companion.game.test_match import battle, fire


def _twin(match: Match, chance: Random, tries: int = 150) -> Match | None:
    """The same match with another hidden fleet of seat 2 under which every shot was told alike, or None."""
    for _ in range(tries):
        twin = Match(match.began)
        fleets = {1: tuple(match.sea(1).fleet), 2: random_fleet(match.rules, chance)}
        if fleets[2] == tuple(match.sea(2).fleet):
            continue
        for seat in (match.began.opener, 3 - match.began.opener):
            twin.do(LayFleet(seat, fleets[seat]))
            twin.do(Sail(seat))
        for move in match.moves:
            events = twin.do(Fire(move.seat, tuple(shot.square for shot in move.shots)))
            if events != (move,):
                break
        else:
            return twin
    return None


@settings(max_examples=60, deadline=None)
@given(rules, seeds, st.integers(0, 8))
def test_swapped_hidden_ships_leave_the_view_equal(
    chosen: tuple[str, tuple[HouseRule, ...]], seed: int, moves: int
) -> None:
    match = new_match(*chosen, seed=seed)
    play_on(match, Random(seed), moves)
    twin = _twin(match, Random(seed + 1))
    if twin is None:
        return
    assert tuple(twin.sea(2).fleet) != tuple(match.sea(2).fleet)
    assert view_to_json(view(twin, 1)) == view_to_json(view(match, 1))
    assert view(twin, 2) != view(match, 2)


def test_twins_are_found_often_enough_for_the_property_to_mean_something() -> None:
    found = 0
    for seed in range(20):
        match = new_match("classic", seed=seed)
        play_on(match, Random(seed), 6)
        found += _twin(match, Random(seed + 1)) is not None
    assert found > 10


@settings(max_examples=40)
@given(rules, seeds)
def test_placing_tells_the_other_seat_only_who_has_sailed(chosen: tuple[str, tuple[HouseRule, ...]], seed: int) -> None:
    match = new_match(*chosen, seed=seed, sail=False)
    seat = match.began.opener
    before = view(match, 3 - seat)
    name = match.rules.ships[0]
    match.do(Place(seat, name, Square("A1"), Direction.DOWN))
    assert view(match, 3 - seat) == before
    match.do(DrawFleet(seat), Random(seed))
    assert view(match, 3 - seat) == before
    match.do(Sail(seat))
    assert view(match, 3 - seat).enemy_confirmed


@given(rules, seeds, st.integers(0, 300))
def test_a_view_reads_back_what_it_writes(chosen: tuple[str, tuple[HouseRule, ...]], seed: int, moves: int) -> None:
    match = new_match(*chosen, seed=seed)
    play_on(match, Random(seed), moves)
    for seat in (1, 2):
        assert view_from_json(view_to_json(view(match, seat))) == view(match, seat)


@settings(max_examples=25)
@given(rules, seeds)
def test_survivors_are_shown_at_the_end_and_only_then(chosen: tuple[str, tuple[HouseRule, ...]], seed: int) -> None:
    match = new_match(*chosen, seed=seed)
    chance = Random(seed)
    while match.ended is None:
        assert view(match, 1).enemy_survivors == view(match, 2).enemy_survivors == ()
        match.do(legal_shots(match, chance))
    loser = 3 - match.ended.winner
    survivors = view(match, loser).enemy_survivors
    winners = match.sea(match.ended.winner)
    assert [ship.name for ship in survivors] == [
        ship.name for number, ship in enumerate(winners.fleet) if winners.squares_left[number]
    ]
    assert survivors
    assert view(match, match.ended.winner).enemy_survivors == ()


def test_where_ships_may_touch_only_the_last_square_shows_as_sunk() -> None:
    match = battle("classic")
    fire(match, "A9")
    fire(match, "J10")
    fire(match, "B9")
    shooter, defender = view(match, 1), view(match, 2)
    assert shooter.target.sunk == (Square("B9"),)
    assert shooter.target.hits == (Square("A9"),)
    assert defender.ocean.sunk == (Square("A9"), Square("B9"))
    assert shooter.enemy_named == ("Patrol Boat",)
    assert [ship.name for ship in defender.own_sunk] == ["Patrol Boat"]


@pytest.mark.parametrize("house", [HouseRule.SHOW_SUNK_SQUARES, HouseRule.SHIPS_NEVER_TOUCH])
def test_the_whole_run_shows_as_sunk_where_it_is_told_or_follows(house: HouseRule) -> None:
    match = battle("classic", house)
    fire(match, "A9")
    fire(match, "J10")
    fire(match, "B9")
    assert view(match, 1).target.sunk == (Square("A9"), Square("B9"))


def test_an_unnamed_sinking_names_nothing() -> None:
    match = battle("naval-warfare")
    fire(match, "J1")
    fire(match, "H10")
    fire(match, "J2")
    seen = view(match, 1)
    assert (seen.enemy_sunk, seen.enemy_named) == (1, ())
    assert seen.target.sunk == (Square("J1"), Square("J2"))


def test_marks_of_a_salvo_are_the_shooters_own() -> None:
    from companion.game.events import Mark

    match = battle("salvo")
    match.do(Mark(1, Square("A1")))
    assert view(match, 1).marked == (Square("A1"),)
    assert view(match, 2).marked == ()


@given(rules, seeds, st.integers(0, 200))
def test_grids_hold_each_square_once_and_agree_with_what_was_told(
    chosen: tuple[str, tuple[HouseRule, ...]], seed: int, moves: int
) -> None:
    match = new_match(*chosen, seed=seed)
    play_on(match, Random(seed), moves)
    for seat in (1, 2):
        seen = view(match, seat)
        grid = seen.target
        squares = [*grid.misses, *grid.hits, *grid.sunk, *grid.water]
        assert len(squares) == len(set(squares))
        told = {shot.square: shot.outcome for move in seen.fired for shot in move}
        assert {square for square, outcome in told.items() if outcome is Outcome.MISS} == set(grid.misses)
        hit = {square for square, outcome in told.items() if outcome in (Outcome.HIT, Outcome.SUNK)}
        assert hit == set(grid.hits) | set(grid.sunk)
        assert set(squares) <= set(SQUARES)
        if seen.phase is Phase.BATTLE:
            assert len([seat for seat in (1, 2) if view(match, seat).my_turn]) == 1


def test_a_ship_says_how_it_lies() -> None:
    assert Ship("Cog", (Square("A1"), Square("A2"))).direction is Direction.DOWN
    assert Ship("Raft", (Square("A1"),)).direction is Direction.ACROSS
