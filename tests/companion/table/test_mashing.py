"""Whatever is pressed, in whatever order: nothing breaks, and no game is lost."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.game.events import GameEnded, Phase
from companion.game.squares import SQUARES
from companion.journal import KeptGame
from companion.settings import Settings
from hardware.frame import Grid
from hardware.keys import KEYS
from tests.companion.table.living import Living, dial, live

MOVES = [
    *KEYS,
    "D",
    "#",
    "A#",
    "C",
    "hold",
    "long",
    "wait",
    "night",
]

mashing = st.lists(st.tuples(st.integers(1, 2), st.sampled_from(MOVES)), max_size=120)


def _shapes_hold(living: Living) -> None:
    """What every board relies on in every picture."""
    for console in living.picture.consoles:
        for grid in Grid:
            panel = console.panel(grid)
            assert [len(row) for row in panel.marks] == [10] * 10
            assert set("".join(panel.marks)) <= set(".Sox#~?!*")
            if living.board.lit:
                assert panel.frame is not None
                assert panel.frame.shape == (10, 10, 3)
        assert set(console.legend) <= set(KEYS)
        assert all(console.legend.values())
        assert "{" not in console.caption
    assert len(living.console(1).fleet) == len(living.console(2).fleet)


async def mash(living: Living, presses: list[tuple[int, str]]) -> None:
    for seat, press in presses:
        if press == "hold":
            await living.hold(seat)
        elif press == "long":
            await living.hold(seat, "6", 1.3)
        elif press == "wait":
            await living.wait(0.7)
        elif press == "night":
            await living.wait(60 * 25)
        else:
            await living.tap(seat, press)
        _shapes_hold(living)
    await living.wait(5)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    presses=mashing,
    rules=st.sampled_from([None, "classic", "salvo", "naval-warfare", "kingdoms"]),
    against=st.sampled_from([None, "jack", "friend"]),
    shared=st.booleans(),
    one_panel=st.booleans(),
    lit=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_random_keys_from_the_lobby_on(
    presses: list[tuple[int, str]],
    rules: str | None,
    against: str | None,
    shared: bool,
    one_panel: bool,
    lit: bool,
    seed: int,
) -> None:
    living = live(
        lambda living: mash(living, presses),
        rules=rules,
        against=against,
        shared=shared,
        one_panel=one_panel,
        captions=not one_panel,
        lit=lit,
        seed=seed,
        settings=Settings(names=("Ana", "Rui"), captain_pause=0),
    )
    for game in living.store.games[:-1]:
        assert isinstance(game[-1], GameEnded), "only the newest game may go on"
    if living.store.games:
        assert living.folds_back()
        if living.match.ended is None:
            power_cut(living)


def power_cut(living: Living) -> None:
    """Go on with the game as a new process would."""
    game = living.service.game
    assert game is not None

    async def look(again: Living) -> None:
        await again.wait(1)
        _shapes_hold(again)
        before, after = (each.picture.consoles for each in (living, again))
        if not any(console.curtained for console in (*before, *after)):
            assert [console.target.marks for console in before] == [console.target.marks for console in after]

    kept = KeptGame(1, datetime.now(UTC), game.setup, tuple(living.store.games[-1]))
    live(look, kept=kept, shared=living.board.shared_screen, lit=living.board.lit)


@pytest.mark.parametrize("rules", ["classic", "salvo", "naval-warfare", "kingdoms"])
@pytest.mark.parametrize("against", ["jack", "friend"])
def test_thousands_of_keys_play_games_to_the_end(rules: str, against: str) -> None:
    """Two players who aim well, and press wrongly now and then."""
    chance = Random(f"{rules} {against}")

    def well_aimed(living: Living) -> str:
        sea = living.match.sea(3 - living.match.to_move)
        left = [square for square in SQUARES if square not in sea.shots and square not in living.match.marked]
        ships = [square for square in sea.ship_at if square not in sea.shots and square not in living.match.marked]
        return dial(chance.choice(ships if ships and chance.random() < 0.6 else left))

    async def play(living: Living) -> None:
        for _ in range(250):
            what = chance.random()
            if living.table.views is None:
                await living.tap(1, "####")
            elif what < 0.6 and living.match.phase is Phase.BATTLE:
                await living.tap(living.match.to_move, well_aimed(living) + ("5#" if rules == "salvo" else "#"))
            elif what < 0.7 and living.match.phase is not Phase.BATTLE:
                await living.tap(chance.choice((1, 2)), chance.choice(("A#", "#")))
            elif what < 0.72:
                await living.hold(chance.choice((1, 2)))
                await living.tap(chance.choice((1, 2)), chance.choice("1234567890*"))
            else:
                await living.tap(chance.choice((1, 2)), chance.choice(KEYS))

    living = live(
        play,
        rules=rules,
        against=against,
        settings=Settings(names=("Ana", "Rui"), rules=rules, against=against, captain_pause=0),
    )
    assert living.folds_back()
    assert any(isinstance(event, GameEnded) for game in living.store.games for event in game)
