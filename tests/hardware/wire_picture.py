"""Decodes wire bytes back into pictures, by walking along each panel's LEDs as a finger would.

It shares no code and no formula with `hardware.layout`, so that one can check the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hardware.kit import Kit, PanelSpec

LEDS = 100


def walk(panel: PanelSpec) -> list[tuple[int, int]]:
    """Return for each LED in wire order its (row, column) as seen by the player."""
    vertical, horizontal = panel.first.split()
    inward_row = 1 if vertical == "top" else -1
    inward_column = 1 if horizontal == "left" else -1
    start = (0 if vertical == "top" else 9, 0 if horizontal == "left" else 9)
    along, across = (0, inward_column), (inward_row, 0)
    if panel.along == "columns":
        along, across = across, along
    numbers = np.full((10, 10), -1)
    row, column = start
    for led in range(LEDS):
        numbers[row, column] = led
        if led % 10 != 9:
            row, column = row + along[0], column + along[1]
        elif led != LEDS - 1:
            if panel.serpentine:
                along = (-along[0], -along[1])
            else:
                row, column = (row - 9 * along[0], column - 9 * along[1])
            row, column = row + across[0], column + across[1]
    hung = np.rot90(numbers, -panel.rotation // 90)
    places = {int(hung[row, column]): (row, column) for row in range(10) for column in range(10)}
    return [places[led] for led in range(LEDS)]


def decode(kit: Kit, chains: Sequence[bytes]) -> list[NDArray[np.uint8]]:
    """Return what each panel of a kit shows, chain by chain in wire order: LED values in RGB, shape (10, 10, 3).

    White LEDs of a four-colour chain count for all three colours.
    """
    shown = []
    for chain, wire in zip(kit.leds.chains, chains, strict=True):
        size = len(chain.order)
        assert len(wire) == len(chain.panels) * LEDS * size
        for number, panel in enumerate(chain.panels):
            values = np.zeros((10, 10, 3), dtype=np.uint8)
            for led, place in enumerate(walk(panel)):
                first = (number * LEDS + led) * size
                light = dict(zip(chain.order, wire[first : first + size], strict=True))
                values[place] = [light[colour] + light.get("W", 0) for colour in "RGB"]
            shown.append(values)
    return shown


def led_values(frame: NDArray[np.uint8], kit: Kit, brightness: float = 1.0) -> NDArray[np.uint8]:
    """Return the LED values that a frame within all budgets has to become, shape (10, 10, 3)."""
    scale = kit.leds.brightness * brightness
    table = [round(255 * scale * (value / 255) ** kit.leds.gamma) for value in range(256)]
    return np.array(table, dtype=np.uint8)[frame]
