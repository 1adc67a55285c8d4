"""The light of a panel's LEDs as it falls on the panel: soft round lenses whose halo spreads into their cells.

The light of one LED depends on the distance from it alone, so the light of a whole panel is a convolution; and since a
round kernel is very nearly a sum of a few products of a column and a row, the whole panel is one matrix product.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hardware.frame import SIZE
from hardware.simulator.palette import ENCODING_STEPS, encoding, to_linear

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.frame import Frame
    from hardware.simulator.palette import Light

NEAR, NEAR_RANK = 1.4, 5
"""How far in cells the lens and its halo are followed, and of how many products they are the sum: with five they are
off by no more than one grey level."""

REACH = 4
"""How far in cells the faint glow around is followed. It is a Gaussian, and so one product exactly."""

RANK = NEAR_RANK + 1

LENS_RADIUS = 0.27
"""Radius of an LED's lens in cells: a 5 mm package in a 16.6 mm pitch looks larger once it shines."""

GLOW, GLOW_RADIUS = 0.03, 1.25
"""Strength and radius, in cells, of the glow that reaches the neighbours."""

_PALE = np.array([[1.0, 0.06, 0.03], [0.05, 1.0, 0.06], [0.0, 0.11, 1.0]], np.float32)
PRIMARIES = _PALE / _PALE.sum(axis=0) * np.float32(1.06)
"""What red, green and blue LEDs of strength 1 look like in linear sRGB; all together are white. A bright source
overexposes the eye, and so looks paler than it is; and a blue LED, near 470 nm, looks less violet than a screen's
blue."""

_ALONE = 1 << 18
"""Multiplications up to which OpenBLAS works in the calling thread. The product is cut into bands of that size: its
threads gain nothing here, and on a busy machine they wait for each other longer than all the rest takes."""


def near_light(radius: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light of one LED of strength 1 at a distance in cells: its lens with a hot spot, and its halo."""
    lens = 1.05 / (1 + np.exp((radius - LENS_RADIUS) / 0.03))
    hot_spot = 0.95 * np.exp(-((radius / 0.17) ** 2))
    halo = 0.34 * np.exp(-((radius / 0.40) ** 2))
    return np.asarray(lens + hot_spot + halo)


def products(cell: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the columns, shape (2 × REACH × cell, RANK), and their weights, whose products sum up to one LED's light
    on the pixels around it."""
    offsets = (np.arange(2 * REACH * cell) - REACH * cell + (0.5 if cell % 2 == 0 else 0.0)) / cell
    near = np.abs(offsets) < NEAR
    values, vectors = np.linalg.eigh(near_light(np.hypot(offsets[near, None], offsets[None, near])))
    strongest = np.argsort(-np.abs(values))[:NEAR_RANK]
    columns = np.zeros((len(offsets), RANK))
    columns[near, :NEAR_RANK] = vectors[:, strongest]
    columns[:, NEAR_RANK] = np.exp(-((offsets / GLOW_RADIUS) ** 2))
    return columns, np.append(values[strongest], GLOW)


@lru_cache(maxsize=4)
def _spread(cell: int, margin: int) -> tuple[Light, Light]:
    """Return the column factors, shape (side, RANK × 10), and the row factors, shape (RANK, 10, side)."""
    around, weights = products(cell)
    side = SIZE * cell + 2 * margin
    columns = np.zeros((side, RANK, SIZE))
    for index in range(SIZE):
        start = margin + index * cell + cell // 2 - REACH * cell
        first, last = max(start, 0), min(start + 2 * REACH * cell, side)
        columns[first:last, :, index] = around[first - start : last - start]
    rows = columns * weights[None, :, None]
    return (
        np.ascontiguousarray(columns.reshape(side, -1), np.float32),
        np.ascontiguousarray(rows.transpose(1, 2, 0), np.float32),
    )


class PanelLight:
    """Draws the LEDs of one panel over its unlit face."""

    def __init__(self, face: Light, diffusion: Light, cell: int, margin: int) -> None:
        """`face` is the panel as the lamp shows it, linear light of shape (side, side, 3) with side = 10 × cell +
        2 × margin; `diffusion` (side, side, 1) is how much of the LEDs' light each point throws back."""
        self._face = face * np.float32(ENCODING_STEPS) + np.float32(0.5)
        # Three equal channels multiply seven times faster than one that is stretched over three.
        self._diffusion = np.repeat(diffusion * np.float32(ENCODING_STEPS), 3, axis=2)
        columns, self._rows = _spread(cell, margin)
        side = len(columns)
        band = max(1, _ALONE // (RANK * SIZE * side * 3))
        self._bands = np.zeros((-(-side // band), band, RANK * SIZE), np.float32)
        self._bands.reshape(-1, RANK * SIZE)[:side] = columns

    def draw(self, frame: Frame, brightness: float, pixels: NDArray[np.uint8]) -> None:
        """Write the lit panel as sRGB into `pixels`, shape (side, side, 3)."""
        strength = to_linear(frame) @ PRIMARIES * np.float32(brightness)
        side = self._face.shape[0]
        # (10, 3, 10 columns) × (RANK, 10 columns, side) → RANK × 10 rows by side × 3
        across = np.matmul(strength.transpose(2, 0, 1)[None], self._rows[:, None])
        across = np.ascontiguousarray(across.transpose(0, 2, 3, 1)).reshape(RANK * SIZE, side * 3)
        light = np.matmul(self._bands, across).reshape(-1, side, 3)[:side]
        light *= self._diffusion
        light += self._face
        np.clip(light, 0, ENCODING_STEPS, out=light)
        pixels[...] = encoding().take(light.astype(np.uint16))
