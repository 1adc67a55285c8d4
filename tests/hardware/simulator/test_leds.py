from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.frame import SIZE
from hardware.simulator.leds import GLOW, GLOW_RADIUS, REACH, PanelLight, near_light, products
from hardware.simulator.palette import to_linear, to_srgb

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.frame import Frame

CELL, MARGIN = 9, 3
SIDE = SIZE * CELL + 2 * MARGIN


def lit(frame: Frame, brightness: float = 1.0) -> NDArray[np.uint8]:
    light = PanelLight(np.zeros((SIDE, SIDE, 3), np.float32), np.ones((SIDE, SIDE, 1), np.float32), CELL, MARGIN)
    pixels = np.zeros((SIDE, SIDE, 3), np.uint8)
    light.draw(frame, brightness, pixels)
    return pixels


@pytest.mark.parametrize("cell", [9, 14, 27, 40])
def test_the_products_sum_up_to_the_light_of_one_led(cell: int) -> None:
    columns, weights = products(cell)
    offsets = (np.arange(2 * REACH * cell) - REACH * cell + (0.5 if cell % 2 == 0 else 0.0)) / cell
    radius = np.hypot(offsets[:, None], offsets[None, :])
    wanted = near_light(radius) + GLOW * np.exp(-((radius / GLOW_RADIUS) ** 2))
    got = (columns * weights) @ columns.T
    difference = to_srgb(got.astype(np.float32)).astype(int) - to_srgb(wanted.astype(np.float32))
    assert np.abs(difference).max() <= 1


@given(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
def test_an_led_shines_in_its_own_cell(row: int, column: int) -> None:
    frame = np.zeros((SIZE, SIZE, 3), np.uint8)
    frame[row, column] = (255, 60, 0)
    y, x = divmod(int(lit(frame)[..., 0].argmax()), SIDE)
    assert (y - MARGIN) // CELL == row
    assert (x - MARGIN) // CELL == column


def test_light_is_round_and_spreads_to_the_neighbours() -> None:
    frame = np.zeros((SIZE, SIZE, 3), np.uint8)
    frame[5, 5] = (255, 255, 255)
    pixels = lit(frame)
    middle = MARGIN + 5 * CELL + CELL // 2
    around = pixels[middle - 2 * CELL : middle + 2 * CELL + 1, middle - 2 * CELL : middle + 2 * CELL + 1, 0].astype(int)
    assert np.abs(around - around.T).max() <= 1
    assert np.abs(around - around[::-1]).max() <= 1
    assert around[2 * CELL, 2 * CELL] > around[2 * CELL, 2 * CELL + CELL // 2] > around[2 * CELL, 3 * CELL] > 0


def test_grey_leds_look_grey() -> None:
    for level in (40, 120, 255):
        pixels = lit(np.full((SIZE, SIZE, 3), level, np.uint8)).astype(int)
        assert (pixels.max(axis=2) - pixels.min(axis=2)).max() <= 1


def test_dark_leds_add_no_light() -> None:
    assert not lit(np.zeros((SIZE, SIZE, 3), np.uint8)).any()
    assert not lit(np.full((SIZE, SIZE, 3), 255, np.uint8), brightness=0.0).any()


def test_srgb_and_linear_light_are_inverse() -> None:
    every = np.arange(256, dtype=np.uint8)
    assert np.array_equal(to_srgb(to_linear(every)), every)
