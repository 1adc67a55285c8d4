"""From a picture to what goes down the data lines: gamma, brightness, current limit, layout and colour order.

All of it works on whole tables and index arrays; nothing loops over LEDs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardware.frame import SIZE, Grid
from hardware.layout import chain_index
from hardware.power import Estimate, Limiter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hardware.frame import Frame, Picture
    from hardware.kit import Kit, PanelSpec


class Light(NamedTuple):
    """What one picture becomes: the wire bytes of each chain, and the current that they draw by the model."""

    chains: tuple[bytes, ...]
    estimate: Estimate


class Lighting:
    """Turns pictures into wire bytes for one kit. Holds buffers of its own: use it from one thread at a time.

    `panels` are all panels of the kit, chain by chain in wire order: the order of frames and of estimates.
    """

    def __init__(self, kit: Kit) -> None:
        chains = kit.leds.chains
        self.panels: tuple[PanelSpec, ...] = tuple(panel for chain in chains for panel in chain.panels)
        self._white = any("W" in chain.order for chain in chains)
        self._four_colours = np.array(["W" in chain.order for chain in chains for _panel in chain.panels])
        channels = 4 if self._white else 3
        first = 0
        indexes: list[NDArray[np.intp]] = []
        for chain in chains:
            indexes.append(chain_index(chain.panels, first, chain.order, channels))
            first += len(chain.panels)
        self._indexes = tuple(indexes)
        self._joined = np.zeros((len(self.panels), SIZE, SIZE, 3), dtype=np.uint8)
        self._limiter = Limiter(kit.power, [SIZE * SIZE] * len(self.panels))
        self._curve = kit.leds.brightness * (np.arange(256) / 255) ** kit.leds.gamma * 255
        self._tables: dict[float, NDArray[np.uint8]] = {}

    def light(self, picture: Picture) -> Light:
        """Return the wire bytes of a picture, within every budget of the kit.

        A panel is dark that has no frame, and so is an ocean grid that is curtained.
        """
        return self.light_frames([_frame(picture, panel) for panel in self.panels], picture.brightness)

    def light_frames(self, frames: Sequence[Frame | None], brightness: float = 1.0) -> Light:
        """Return the wire bytes of one frame a panel, in the order of `panels`; None is dark.

        `brightness` (0…1) scales every LED beside the kit's own. Raises ValueError where there is not one frame a
        panel.
        """
        values, estimate = self._values(frames, brightness)
        return Light(tuple(values.take(index).tobytes() for index in self._indexes), estimate)

    def estimate(self, picture: Picture) -> Estimate:
        """Return what a picture draws on this kit, without making its wire bytes."""
        return self._values([_frame(picture, panel) for panel in self.panels], picture.brightness)[1]

    def _values(self, frames: Sequence[Frame | None], brightness: float) -> tuple[NDArray[np.uint8], Estimate]:
        """Return the LEDs' values, shape (panels, 100, channels), and what they draw."""
        joined = self._joined
        for panel, frame in zip(joined, frames, strict=True):
            panel[...] = 0 if frame is None else frame
        values = self._table(brightness).take(joined).reshape(len(self.panels), SIZE * SIZE, 3)
        if self._white:
            values = self._with_white(values)
        sums = _sums(values)
        scales = self._limiter.scales(sums)
        if scales is None:
            return values, self._limiter.estimate(sums)
        values = (values * scales[:, np.newaxis, np.newaxis] >> 16).astype(np.uint8)
        return values, self._limiter.estimate(_sums(values), limited=True)

    def _table(self, brightness: float) -> NDArray[np.uint8]:
        """Return the table from sRGB to LED values at a brightness; the last few are kept, as fades repeat."""
        table = self._tables.get(brightness)
        if table is None:
            if len(self._tables) >= 64:
                self._tables.clear()
            table = np.rint(self._curve * min(max(brightness, 0.0), 1.0)).astype(np.uint8)
            self._tables[brightness] = table
        return table

    def _with_white(self, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Add the white channel: in four-colour chains it takes over what red, green and blue have in common."""
        white = values.min(axis=2, keepdims=True) * self._four_colours[:, np.newaxis, np.newaxis]
        return np.concatenate([values - white, white], axis=2)


@lru_cache(maxsize=4)
def _lighting(kit: Kit) -> Lighting:
    return Lighting(kit)


def estimate(picture: Picture, kit: Kit) -> Estimate:
    """Return what a picture draws on a kit after limiting, in mA; for boards that show the current without LEDs."""
    return _lighting(kit).estimate(picture)


def _frame(picture: Picture, panel: PanelSpec) -> Frame | None:
    """Return what a panel shows of a picture; None is dark."""
    console = picture.consoles[panel.seat - 1]
    grid = console.focus if panel.grid == "either" else Grid(panel.grid.value)
    if grid is Grid.OCEAN and console.curtained:
        return None
    return console.panel(grid).frame


def _sums(values: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the sum of each panel's channel values."""
    sums: NDArray[np.int64] = values.reshape(len(values), -1).sum(axis=1, dtype=np.int64)
    return sums
