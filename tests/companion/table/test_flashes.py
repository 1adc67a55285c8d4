"""Nothing flashes more than three times a second, and nothing red flashes (WCAG 2.3.1)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.game.squares import Square
from companion.table import marks
from companion.table.painter import Painter, PanelScene
from hardware.frame import Grid
from tests.companion.table.golden_effects import EFFECTS, SEA
from tests.companion.table.living import Living, live

RATE = 60
LUMINANCE = np.array((0.2126, 0.7152, 0.0722))
"""Of the sRGB primaries (IEC 61966-2-1)."""

CHANGE = 0.1
"""What counts as a change of relative luminance, by WCAG; that of a full LED is 1."""


def linear(frames: NDArray[np.uint8]) -> NDArray[np.float64]:
    srgb = frames.astype(float) / 255
    return np.asarray(np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4))


def turns(series: NDArray[np.float64], change: float) -> list[int]:
    """The frames at which a light has changed by so much the other way."""
    found = []
    extreme, rising = series[0], None
    for frame, value in enumerate(series):
        if rising in (None, False) and value - extreme >= change:
            rising, extreme = True, value
            found.append(frame)
        elif rising in (None, True) and extreme - value >= change:
            rising, extreme = False, value
            found.append(frame)
        elif rising is None:
            continue
        extreme = max(extreme, value) if rising else min(extreme, value)
    return found


def most_in_a_second(moments: list[int]) -> int:
    return max((sum(start <= moment < start + RATE for moment in moments) for start in moments), default=0)


def flashes(light: NDArray[np.float64], change: float = CHANGE) -> int:
    """The most flashes (pairs of opposite changes) of any LED in any second; `light` is (frames, LEDs, 3)."""
    luminance = light @ LUMINANCE
    return max(most_in_a_second(turns(luminance[:, led], change)) for led in range(luminance.shape[1])) // 2


def times_turning_red(light: NDArray[np.float64]) -> int:
    """How often any LED turns brightly saturated red (WCAG: R/(R+G+B) at least 0.8) in any second."""
    red = (light[..., 0] > 0.2) & (light[..., 0] >= 0.8 * light.sum(axis=2))
    begins = red[1:] & ~red[:-1]
    return max(most_in_a_second(list(np.flatnonzero(begins[:, led]))) for led in range(begins.shape[1]))


def paint(scene: PanelScene, began: float, seconds: float) -> NDArray[np.float64]:
    painter = Painter()
    frames = [painter.paint([scene], began + n / RATE)[0][0] for n in range(int(seconds * RATE))]
    return linear(np.array(frames).reshape(len(frames), 100, 3))


@pytest.mark.parametrize("kingdom", ["diamonds", "clubs"])
def test_no_effect_flashes(kingdom: str) -> None:
    for effect, _ages in EFFECTS.values():
        light = paint(
            PanelScene(1, effect.grid, SEA, kingdom, effects=(effect,)), effect.began - 0.5, effect.duration + 1
        )
        assert flashes(light) <= 1, effect.kind
        assert times_turning_red(light) <= 1, effect.kind


@pytest.mark.parametrize("kingdom", ["diamonds", "clubs"])
@pytest.mark.parametrize("mark", marks.MARKS)
def test_the_cursor_alternates_slowly_with_whatever_lies_under_it(kingdom: str, mark: str) -> None:
    sea = (mark + "." * 9,) + ("." * 10,) * 9
    light = paint(PanelScene(1, Grid.TARGET, sea, kingdom, cursor=Square("A1")), 50.0, 4)
    changes = turns(light[:, 0] @ LUMINANCE, 0.01)
    assert 4 * 2 <= len(changes) <= 4 * 2 * 2, "1 to 2 Hz"
    assert flashes(light, 0.01) <= 2
    assert times_turning_red(light) <= 2


def test_sunk_ships_breathe_at_half_a_hertz_and_never_flash() -> None:
    light = paint(PanelScene(1, Grid.OCEAN, SEA, "clubs"), 0.0, 8)
    ship = light[:, 3 * 10 + 2]
    assert 8 <= len(turns(ship[:, 0], 0.02)) <= 9
    assert flashes(light) == 0
    still = np.delete(np.arange(100), [32, 33, 34, 35])
    assert np.ptp(light[:, still], axis=0).max() == 0, "a hit is steady"


@pytest.mark.parametrize("text", ["BROADSIDE", "HHHHH IIII MWMW", "Ana asks to take the last shot back: # yes, * no"])
def test_running_words_never_flash_too_often(text: str) -> None:
    for kingdom in ("diamonds", "clubs"):
        light = paint(PanelScene(1, Grid.TARGET, ("." * 10,) * 10, kingdom, text=text, text_since=3.0), 3.0, 12)
        assert flashes(light, 0.05) <= 3


def test_a_whole_salvo_and_a_whole_game_never_flash() -> None:
    """Whole panels count as one light as well: shots of a salvo fall on different squares."""
    shown: list[tuple[float, NDArray[np.uint8]]] = []

    async def play(living: Living) -> None:
        def note() -> None:
            panels = [panel.frame for console in living.picture.consoles for panel in (console.ocean, console.target)]
            shown.append((living.loop.time(), np.array(panels)))

        seat = await living.to_battle()
        await living.tap(seat, "6")
        for _ in range(4):
            seat = living.match.to_move
            sea = living.match.sea(3 - seat)
            ships = [square for square in sorted(sea.ship_at) if square not in sea.shots]
            for square in ships[: living.match.shots_due]:
                await living.tap(seat, f"D{(square.column + 1) % 10}{(square.row + 1) % 10}5")
            await living.tap(seat, "#")
            for _ in range(4 * RATE):
                note()
                await living.wait(1 / RATE)

    live(play, rules="salvo")
    light = linear(np.array([frames.reshape(400, 3) for _time, frames in shown]))
    assert flashes(light) <= 3
    assert times_turning_red(light) <= 2
    panels = light.reshape(len(light), 4, 100, 3).mean(axis=2)
    assert flashes(panels, 0.01) <= 3
