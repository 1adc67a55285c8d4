"""Panels that nobody plays on dim, go dark, and wake."""

from __future__ import annotations

import pytest

from companion.game.events import Phase
from companion.settings import Settings
from tests.companion.table.living import Living, live

MINUTE = 6.0
"""A tenth of a minute: every wait here, and what the households chose, is that much shorter than usual."""


def resting(dim_after: float = 5, dark_after: float = 20) -> Settings:
    return Settings(names=("Ana", "Rui"), captain_pause=0, dim_after=dim_after / 10, dark_after=dark_after / 10)


def test_the_usual_times() -> None:
    assert (Settings().dim_after, Settings().dark_after) == (5, 20)


def is_dark(living: Living) -> bool:
    panels = [panel for console in living.picture.consoles for panel in (console.ocean, console.target)]
    return not any(panel.frame is not None and panel.frame.any() for panel in panels)


def test_idle_panels_swell_dim_and_go_dark_and_the_waking_key_does_nothing_else() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.tap(opener, "D11")
        await living.wait(5 * MINUTE - 1)
        assert living.picture.brightness == 1
        await living.wait(1.5)
        assert living.picture.brightness == pytest.approx(0.35)
        assert living.moving()
        assert {effect.kind for effect in living.table.effects} == {"swell"}
        await living.wait(10)
        assert not living.moving()
        assert not is_dark(living)
        await living.wait(15 * MINUTE)
        assert is_dark(living)
        pictures = len(living.board.pictures)
        await living.wait(3000 * MINUTE)
        assert len(living.board.pictures) == pictures, "nothing runs in the dark"
        caption = living.caption(opener)
        await living.tap(opener, "#")
        assert not is_dark(living)
        assert living.picture.brightness == 1
        assert living.match.moves == []
        assert living.caption(opener) == caption
        await living.tap(opener, "#")
        assert len(living.match.moves) == 1

    live(play, settings=resting())


def test_a_key_that_wakes_opens_no_menu_and_repeats_nothing() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.wait(21 * MINUTE)
        assert is_dark(living)
        await living.hold(1, "*", 2)
        assert living.table.desk(1).overlay is None
        assert not is_dark(living)
        await living.wait(21 * MINUTE)
        seat = living.match.to_move
        cursor = living.table.desk(seat).cursor
        await living.hold(seat, "6", 2)
        assert living.table.desk(seat).cursor == cursor

    live(play, settings=resting())


def test_a_key_let_go_in_the_dark_is_not_held_for_ever() -> None:
    async def play(living: Living) -> None:
        seat = await living.to_battle()
        living.board.hold(seat, "D")
        living.board.hold(3 - seat, "4")
        await living.wait(30 * MINUTE)
        assert is_dark(living)
        living.board.release(3 - seat, "4")
        living.board.release(seat, "D")
        await living.wait(1)
        assert is_dark(living), "letting go wakes nothing"
        pictures = len(living.board.pictures)
        await living.wait(10)
        assert len(living.board.pictures) == pictures

    live(play, settings=resting())


def test_a_key_while_the_panels_are_only_dim_counts() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.wait(6 * MINUTE)
        assert living.picture.brightness < 1
        await living.fire(opener, living.water(3 - opener)[0])
        assert living.picture.brightness == 1
        assert len(living.match.moves) == 1

    live(play, settings=resting())


@pytest.mark.parametrize(("dim", "dark"), [(1, 2), (0, 3), (2, 0), (3, 1)])
def test_both_times_are_the_households_choice_and_zero_is_never(dim: float, dark: float) -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        start = living.loop.time()
        await living.tap(1, "B")
        for minute in range(1, 5):
            await living.wait(start + minute * MINUTE + 1 - living.loop.time())
            assert is_dark(living) == bool(dark and minute >= dark)
            assert (living.picture.brightness < 1) == bool(not is_dark(living) and dim and minute >= dim)

    live(play, settings=resting(dim_after=dim, dark_after=dark))


def test_panels_rest_while_a_captain_waits_for_a_person() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.fire(living.match.to_move, living.water(2)[0])
        await living.wait(30 * MINUTE)
        assert living.match.phase is Phase.BATTLE
        assert living.match.to_move == 1
        assert is_dark(living)

    live(play, against="jack", rules="kingdoms", settings=resting())


def test_the_lobby_rests_too() -> None:
    async def play(living: Living) -> None:
        await living.wait(30 * MINUTE)
        assert is_dark(living)
        await living.tap(2, "4")
        assert living.caption(1).startswith("Rules")
        await living.tap(2, "4")
        assert living.caption(1).startswith("Opponent")

    live(play, rules=None, against=None, settings=resting())


def test_a_board_that_nobody_watches_in_real_time_never_rests() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.tap(opener, "D11")
        await living.wait(60 * MINUTE)
        await living.tap(opener, "#")
        assert len(living.match.moves) == 1

    live(play, paced=False, settings=resting())
