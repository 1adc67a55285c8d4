"""A simulated board: what a person would see when these bytes go down the data lines.

It is built as a kit says, which need not be the kit under test: so a board can be simulated that was wired wrongly.
LEDs that are dead, lines that are cut, and a chain's LEDs of another kind are understood as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardware.bringup.answers import PanelName, panel_name, square_name
from hardware.frame import SIZE
from hardware.layout import wire_order

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from hardware.kit import Kit


class Seen(NamedTuple):
    """One lit square: its panel, (row, column) from 0, and its red, green, blue and white."""

    panel: PanelName
    square: tuple[int, int]
    colour: tuple[int, int, int, int]

    def __str__(self) -> str:
        return f"{self.panel} {square_name(self.square)} {colour_name(self.colour)}"


class SimulatedBoard:
    """Takes wire bytes as an LED driver does, and tells what lights up.

    `built` says how the board really is. `dead` are LEDs (chain, LED, from 0) that stay dark but pass data on; `cut`
    is for a chain the number of LEDs that the data reach.
    """

    def __init__(
        self, built: Kit, *, dead: Collection[tuple[int, int]] = (), cut: Mapping[int, int] | None = None
    ) -> None:
        self.built = built
        self._dead = dead
        self._cut = cut or {}
        self._orders = [np.concatenate([wire_order(panel) for panel in chain.panels]) for chain in built.leds.chains]
        self._values = [np.zeros((chain.led_count, 4), dtype=np.uint8) for chain in built.leds.chains]
        self.written = 0
        self.closed = False

    def write(self, chains: Sequence[bytes]) -> None:
        """Let bytes run down the chains. LEDs that no byte reaches keep what they show."""
        self.written += 1
        for number, (data, chain) in enumerate(zip(chains, self.built.leds.chains, strict=True)):
            width = chain.led_bytes
            reached = min(len(data) // width, chain.led_count, self._cut.get(number, chain.led_count))
            wire = np.frombuffer(data, dtype=np.uint8)[: reached * width].reshape(reached, width)
            values = self._values[number]
            for position, channel in enumerate(chain.order):
                values[:reached, "RGBW".index(channel)] = wire[:, position]
            for dead_chain, led in self._dead:
                if dead_chain == number:
                    values[led] = 0

    def close(self) -> None:
        """Go dark."""
        self.write([bytes(4 * chain.led_count) for chain in self.built.leds.chains])
        self.closed = True

    @property
    def panels(self) -> dict[PanelName, NDArray[np.uint8]]:
        """What each panel shows: shape (10, 10, 4), red, green, blue and white as the LED gives them."""
        shown = {}
        for values, order, chain in zip(self._values, self._orders, self.built.leds.chains, strict=True):
            for number, panel in enumerate(chain.panels):
                part = slice(number * SIZE * SIZE, (number + 1) * SIZE * SIZE)
                frame = np.zeros((SIZE * SIZE, 4), dtype=np.uint8)
                frame[order[part]] = values[part]
                shown[panel_name(panel)] = frame.reshape(SIZE, SIZE, 4)
        return shown

    @property
    def lit(self) -> list[Seen]:
        """Every square that is not dark."""
        return [
            Seen(panel, (int(row), int(column)), _colour(frame[row, column]))
            for panel, frame in self.panels.items()
            for row, column in zip(*np.nonzero(frame.any(axis=2)), strict=True)
        ]


def _colour(values: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    red, green, blue, white = values.tolist()
    return red, green, blue, white


def colour_name(colour: tuple[int, int, int, int]) -> str:
    """Return what a person calls a colour of a LED."""
    red, green, blue, white = (value > 0 for value in colour)
    if white:
        return "white" if not (red or green or blue) else "pale"
    names = {
        (False, False, False): "dark",
        (True, False, False): "red",
        (False, True, False): "green",
        (False, False, True): "blue",
        (True, True, True): "white",
        (True, True, False): "yellow",
        (True, False, True): "magenta",
        (False, True, True): "cyan",
    }
    return names[red, green, blue]
