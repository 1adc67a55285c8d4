"""A kit with one panel a seat shows the grid that matters now."""

from __future__ import annotations

from companion.settings import Settings
from hardware.frame import Grid
from tests.companion.table.living import Living, live


def focus(living: Living) -> tuple[Grid, Grid]:
    one, other = living.picture.consoles
    return one.focus, other.focus


def test_the_focus_follows_what_happens() -> None:
    async def play(living: Living) -> None:
        assert focus(living) == (Grid.OCEAN, Grid.OCEAN), "ships are laid"
        opener = await living.to_battle()
        assert living.console(opener).focus is Grid.TARGET
        assert living.console(3 - opener).focus is Grid.OCEAN
        other = 3 - opener
        await living.fire(opener, living.water(other)[0])
        await living.wait(0.2)
        assert living.console(opener).focus is Grid.TARGET, "the splash is watched"
        assert living.console(other).focus is Grid.OCEAN, "it fell here"
        await living.wait(1.5)
        assert living.console(opener).focus is Grid.OCEAN
        assert living.console(other).focus is Grid.TARGET
        await living.tap(other, "0")
        assert living.console(other).focus is Grid.OCEAN
        await living.tap(other, "0")
        assert living.console(other).focus is Grid.TARGET
        await living.tap(opener, "B")
        assert living.console(opener).focus is Grid.TARGET, "looking back"

    live(play, one_panel=True)


def test_without_blinking_the_focus_does_not_wait() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.fire(opener, living.water(3 - opener)[0])
        assert living.console(opener).focus is Grid.OCEAN
        assert living.console(3 - opener).focus is Grid.TARGET

    live(play, one_panel=True, settings=Settings(names=("Ana", "Rui"), blinking=False))


def test_questions_run_over_the_panel_of_a_board_without_captions() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.fire(opener, living.water(3 - opener)[0])
        await living.wait(3)
        await living.hold(opener)
        await living.tap(opener, "7")
        asked = living.console(3 - opener)
        assert asked.focus is Grid.TARGET
        assert living.table.panel_text(3 - opener).endswith("asks to take the last shot back: # yes, * no")
        frames = []
        for _ in range(4):
            frame = living.console(3 - opener).target.frame
            assert frame is not None
            frames.append(frame.tobytes())
            await living.wait(0.5)
        assert len(set(frames)) == 4, "they run"
        assert set("".join(asked.target.marks)) == {"."} or asked.target.marks

    live(play, one_panel=True, captions=False)
