"""The name plate: a metal plate with the kingdom's suit and the player's name engraved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardware.simulator.palette import linear, livery
from hardware.simulator.shapes import Box, Suit
from hardware.simulator.texts import fitted, rendered

if TYPE_CHECKING:
    from pygame import Rect

    from hardware.simulator.canvas import Canvas
    from hardware.simulator.palette import Light, Rgb


def draw_plate(canvas: Canvas, rect: Rect, unit: float, name: str, suit: str) -> None:
    """Paint the plate of one player."""
    metal = livery(suit)
    plate = Box(rect, 5 * unit)
    canvas.fill(Box(rect.move(0, max(1, round(2 * unit))), 5 * unit), (0, 0, 0), 0.55, feather=3 * unit)
    canvas.fill(plate, _brushed(rect, metal.metal))
    canvas.bevel(plate, 3 * unit, 0.55)
    canvas.line(plate, metal.engraving, max(1.0, unit), 0.35, inset=4.5 * unit)
    size = rect.height * 0.52
    middle = rect.left + rect.height * 0.62
    sign = Suit(suit, middle, rect.centery, size)
    canvas.fill(Suit(suit, middle, rect.centery + unit, size), (255, 255, 255), 0.3)
    canvas.fill(sign, metal.engraving, 0.95)
    space = (rect.right - round(14 * unit) - round(middle + size * 0.8), rect.height)
    height, lines = fitted(name, space, max(8, round(21 * unit)), max(8, round(13 * unit)))
    text = rendered(lines[0], height)
    position = text.get_rect(midleft=(round(middle + size * 0.8), rect.centery))
    canvas.stamp(text, (position.left, position.top + 1), (255, 255, 255), 0.3)
    canvas.stamp(text, position.topleft, metal.engraving, 0.95)


def _brushed(rect: Rect, colour: Rgb) -> Light:
    """Metal brushed lengthwise, with the lamp's reflection in the middle."""
    generator = np.random.default_rng(3)
    streaks = generator.uniform(0.90, 1.06, (rect.height, 1))
    scratches = generator.uniform(0.98, 1.02, (rect.height, rect.width))
    x = np.linspace(-1, 1, rect.width)[None, :]
    y = np.linspace(-1, 1, rect.height)[:, None]
    gleam = 0.62 + 0.38 * np.exp(-(((x + y * 0.25 + 0.2) / 0.55) ** 2))
    return np.asarray((streaks * scratches * gleam)[..., None] * linear(colour), np.float32)
