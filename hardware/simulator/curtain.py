"""The lid over an ocean grid that the other player may not see: a roll front of narrow slats with a label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pygame import Rect

from hardware.simulator.palette import linear, livery
from hardware.simulator.shapes import Box, Suit
from hardware.simulator.texts import fitted, line_height, rendered, width_of

if TYPE_CHECKING:
    from hardware.simulator.canvas import Canvas

SLATS = 18


def draw_curtain(canvas: Canvas, rect: Rect, unit: float, suit: str, label: str) -> None:
    """Paint the closed lid over a panel's glass. Nothing of the panel goes into it."""
    metal = livery(suit)
    rows = np.arange(rect.height, dtype=np.float32)[:, None]
    phase = rows / rect.height * SLATS % 1
    bulge = np.maximum(np.sin(np.pi * np.clip(phase * 1.08, 0, 1)), 0) ** 0.8
    round_slat = 0.55 + 0.75 * bulge * (1.25 - 0.6 * phase)
    across = np.linspace(-1, 1, rect.width, dtype=np.float32)[None, :]
    shade = round_slat * (1.05 - 0.3 * across**2)
    generator = np.random.default_rng(5)
    shade = shade * (1 + 0.05 * generator.uniform(-1, 1, (rect.height, 1)).astype(np.float32))
    wood = linear(metal.body) * np.float32(1.2)
    canvas.fill(Box(rect, 3 * unit), (shade[..., None] * wood).astype(np.float32))
    canvas.hollow(Box(rect, 3 * unit), 9 * unit, 0.8)
    sign = rect.height * 0.30
    middle = (rect.centerx, rect.top + rect.height * 0.36)
    canvas.fill(Suit(suit, middle[0], middle[1] + 1.5 * unit, sign), (0, 0, 0), 0.5, feather=2 * unit)
    canvas.fill(Suit(suit, *middle, sign), metal.metal, 0.85)
    if not label:
        return
    room = (rect.width - round(44 * unit), round(64 * unit))
    size, lines = fitted(label, room, max(8, round(15 * unit)), max(8, round(11 * unit)))
    spacing = line_height(size)
    wide = max(width_of(line, size) for line in lines)
    plate = Rect(0, 0, wide + round(26 * unit), spacing * len(lines) + round(12 * unit))
    plate.center = (rect.centerx, round(rect.top + rect.height * 0.70))
    canvas.fill(Box(plate.move(0, round(2 * unit)), 5 * unit), (0, 0, 0), 0.6, feather=3 * unit)
    canvas.fill(Box(plate, 5 * unit), metal.metal, 0.95)
    canvas.bevel(Box(plate, 5 * unit), 2.5 * unit, 0.5)
    for index, line in enumerate(lines):
        text = rendered(line, size)
        top = plate.top + round(6 * unit) + index * spacing
        canvas.stamp(text, text.get_rect(midtop=(plate.centerx, top)).topleft, metal.engraving)
