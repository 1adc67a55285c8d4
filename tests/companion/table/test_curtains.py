"""Where two people look at one screen, nothing of a covered sea is ever in a picture."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.events import Fire, FleetConfirmed, FleetDrawn, GameBegan, Phase
from companion.game.fleet import Ship, random_fleet
from companion.game.ruleset import preset
from companion.game.squares import SQUARES, Square
from companion.journal import KeptGame, Setup
from companion.settings import Settings
from companion.table.marks import BLANK
from hardware.frame import Console, Grid, Panel
from hardware.keys import KEYS
from tests.companion.table.living import Living, live

SHIPS = ("Carrier", "Battleship", "Submarine", "Destroyer", "Boat", "Carrack", "Galley", "Cog", "Caravel", "Barque")

Press = tuple[int, str]


def is_dark(panel: Panel) -> bool:
    return panel.marks == BLANK and panel.cursor is None and panel.frame is not None and not panel.frame.any()


def same_panel(one: Panel, other: Panel) -> bool:
    assert one.frame is not None
    assert other.frame is not None
    return (one.marks, one.cursor) == (other.marks, other.cursor) and np.array_equal(one.frame, other.frame)


def same(one: Console, other: Console) -> bool:
    """Whether two consoles are alike in all that can be seen."""
    bare = Panel(BLANK)
    return (
        same_panel(one.ocean, other.ocean)
        and same_panel(one.target, other.target)
        and replace(one, ocean=bare, target=bare) == replace(other, ocean=bare, target=bare)
    )


async def press(living: Living, seat: int, what: str) -> None:
    if what == "hold":
        await living.hold(seat)
    elif what == "wait":
        await living.wait(0.3)
    else:
        await living.tap(seat, what)


presses = st.lists(st.tuples(st.integers(1, 2), st.sampled_from([*KEYS, "hold", "wait"])), min_size=1, max_size=40)


@settings(max_examples=25, deadline=None)
@given(presses, st.sampled_from(["classic", "naval-warfare"]), st.integers(0, 50))
def test_while_fleets_are_laid_a_covered_sea_is_dark_and_nothing_tells_of_it(
    presses: list[Press], rules: str, seed: int
) -> None:
    async def play(living: Living) -> None:
        for seat, what in [(1, "#"), (2, "#"), *presses]:
            await press(living, seat, what)
            if living.table.views is None or living.match.phase is not Phase.PLACING:
                return
            consoles = living.picture.consoles
            assert any(console.curtained for console in consoles), "never both uncovered"
            for console in consoles:
                assert console.target.marks == BLANK
                assert console.target.cursor is None
                if console.curtained:
                    assert is_dark(console.ocean)
                    assert not any(ship in console.caption for ship in SHIPS), console.caption
                    assert all(silhouette.afloat for silhouette in console.fleet)

    live(play, rules=rules, shared=True, seed=seed)


def test_each_player_uncovers_the_sea_alone_and_lays_a_fleet() -> None:
    async def play(living: Living) -> None:
        first, second = living.console(1), living.console(2)
        assert first.caption == "Classic: Ana against Rui · Ana: press # when Rui looks away"
        assert second.caption == "Classic: Ana against Rui · Ana places first"
        assert (first.curtain, second.curtain) == ("# uncovers", "")
        assert first.legend["#"] == "ready"
        await living.tap(2, "#")
        assert living.caption(2) == "Ana places first"
        await living.tap(1, "#")
        assert [console.curtained for console in living.picture.consoles] == [False, True]
        assert "?" in "".join(living.console(1).ocean.marks)
        await living.tap(1, "A")
        await living.wait(2)
        assert "S" in "".join(living.console(1).ocean.marks)
        await living.tap(1, "#")
        assert all(console.curtained for console in living.picture.consoles)
        assert living.caption(1) == "Your fleet has sailed"
        assert living.caption(2) == "Ana's fleet has sailed · Rui: press # when Ana looks away"
        await living.tap(1, "#A5")
        assert all(console.curtained for console in living.picture.consoles)
        await living.tap(2, "#")
        assert [console.curtained for console in living.picture.consoles] == [True, False]
        await living.tap(2, "A#")
        assert living.match.phase is Phase.BATTLE
        assert all(console.curtained for console in living.picture.consoles)

    live(play, shared=True)


def test_a_game_that_goes_on_covers_a_fleet_that_was_being_laid() -> None:
    kept: list[KeptGame] = []

    async def lay(living: Living) -> None:
        await living.tap(1, "#A")
        kept.append(KeptGame(1, datetime.now(UTC), Setup(("person", "person"), 1), tuple(living.store.games[0])))

    async def go_on(living: Living) -> None:
        assert all(is_dark(console.ocean) for console in living.picture.consoles)
        await living.tap(1, "#")
        assert "S" in "".join(living.console(1).ocean.marks)

    live(lay, shared=True)
    live(go_on, shared=True, kept=kept[0])


def two_secrets(chance: Random) -> tuple[tuple[Ship, ...], tuple[Ship, ...], list[Square]]:
    """Two fleets, and squares of which shots tell the same in both: water, and first hits."""
    rules = preset("classic")
    one, other = random_fleet(rules, chance), random_fleet(rules, chance)
    at = [{square: ship.name for ship in fleet for square in ship.squares} for fleet in (one, other)]
    struck: set[tuple[int, str]] = set()
    alike = []
    for square in chance.sample(SQUARES, len(SQUARES)):
        hit = [(n, ships[square]) for n, ships in enumerate(at) if square in ships]
        if not hit or (len(hit) == 2 and not struck & set(hit)):
            struck |= set(hit)
            alike.append(square)
    return one, other, alike


def kept_battle(one: tuple[Ship, ...], other: tuple[Ship, ...], against: str, opener: int) -> KeptGame:
    players = ("Ana", "Rui" if against == "person" else against.capitalize())
    events = (
        GameBegan("classic", preset("classic"), (), players, opener),
        FleetDrawn(1, one),
        FleetConfirmed(1),
        FleetDrawn(2, other),
        FleetConfirmed(2),
    )
    return KeptGame(1, datetime(2026, 1, 1, tzinfo=UTC), Setup(("person", against), 7), events)


battle_presses = st.lists(
    st.tuples(st.integers(1, 2), st.sampled_from(["fire", "fire", "hold", "wait", "0", *"0123467890BACD*"])),
    min_size=5,
    max_size=50,
)


@pytest.mark.parametrize("against", ["person", "jack"])
@settings(max_examples=15, deadline=None)
@given(battle_presses, st.integers(0, 1000))
def test_another_fleet_under_the_curtain_makes_the_same_pictures(against: str, presses: list[Press], seed: int) -> None:
    chance = Random(seed)
    own = random_fleet(preset("classic"), chance)
    *secrets, alike = two_secrets(chance)
    runs = []
    for secret in secrets:
        seen: list[tuple[Console, Console]] = []

        async def play(living: Living, seen: list[tuple[Console, Console]] = seen) -> None:
            squares = {1: iter(alike), 2: iter(SQUARES)}
            for seat, what in presses:
                shooter = living.match.to_move
                if what != "fire":
                    await press(living, seat, what)
                elif living.table.is_person(shooter) and living.match.take_back_asked_by is None:
                    # Past the keys, which a menu may take: a shot elsewhere would tell the fleets apart.
                    shot = Fire(shooter, (next(squares[shooter]),))
                    living.service.carry_on(lambda shot=shot: living.service.command(shot))  # type: ignore[misc]
                    await living.wait(0.01)
                if living.table.views is None or living.match.phase is Phase.ENDED:
                    return
                seen.append(living.picture.consoles)

        live(
            play,
            kept=kept_battle(own, secret, against, opener=1),
            shared=against == "person",
            settings=Settings(names=("Ana", "Rui"), captain_pause=0.2),
        )
        runs.append(seen)
    assert len(runs[0]) == len(runs[1])
    for (one, two), (other_one, other_two) in zip(*runs, strict=True):
        assert same(one, other_one), "seat 1 never sees which fleet it is"
        assert two.curtained == other_two.curtained
        if two.curtained:
            assert is_dark(two.ocean)
            assert same(two, other_two)
        else:
            assert against == "person"
            assert same_panel(two.target, other_two.target)


def test_in_battle_the_own_sea_is_uncovered_by_its_player_and_covered_by_the_next_shot() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        waits = 3 - opener
        assert living.console(waits).curtain == "0 uncovers"
        assert "0" in living.console(waits).legend
        await living.tap(waits, "0")
        assert "S" in "".join(living.console(waits).ocean.marks)
        assert is_dark(living.console(opener).ocean)
        await living.tap(waits, "0")
        assert is_dark(living.console(waits).ocean)
        await living.tap(waits, "0")
        await living.fire(opener, living.water(waits)[0])
        assert all(is_dark(console.ocean) for console in living.picture.consoles)

    live(play, shared=True)


def test_a_captains_sea_is_covered_on_every_lit_board_until_the_end() -> None:
    async def play(living: Living) -> None:
        assert is_dark(living.console(2).ocean)
        await living.tap(1, "A#")
        await living.service.captains_settled()
        for column in range(4):
            assert is_dark(living.console(2).ocean)
            assert living.console(2).curtain == ""
            assert not living.console(1).curtained
            await living.fire(1, living.water(2)[column])
            await living.wait(10)
        await living.hold(1)
        await living.tap(1, "8#")
        assert living.match.phase is Phase.ENDED
        assert not living.console(2).curtained
        assert "".join(living.console(2).ocean.marks).count("S") == 17
        assert "".join(living.console(1).target.marks).count("S") == 17

    for shared in (False, True):
        live(play, against="jack", shared=shared)


def test_nothing_is_covered_where_captains_play_or_on_the_text_board() -> None:
    async def watch(living: Living) -> None:
        await living.service.captains_settled()
        assert not any(console.curtained for console in living.picture.consoles)
        assert all(
            sum(mark in "Sx#" for mark in "".join(console.ocean.marks)) == 17 for console in living.picture.consoles
        )

    async def trust(living: Living) -> None:
        await living.to_battle()
        assert not any(console.curtained for console in living.picture.consoles)
        assert all(console.panel(Grid.OCEAN).frame is None for console in living.picture.consoles)

    live(watch, captains=("jack", "ace"), shared=True, settings=Settings(captain_pause=0))
    live(trust, lit=False, against="jack")
