"""The key caps: what stands on each, what it does now, and which key of the keyboard stands for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardware.simulator.palette import LEGEND, livery
from hardware.simulator.shapes import Box
from hardware.simulator.signs import SIGNS
from hardware.simulator.texts import fitted, line_height, rendered

if TYPE_CHECKING:
    from pygame import Rect

    from hardware.simulator.canvas import Canvas
    from hardware.simulator.palette import Rgb

CAP: Rgb = (56, 58, 66)
SLEEPING: Rgb = (34, 36, 41)
MARK: Rgb = (250, 246, 236)
SLEEPING_MARK: Rgb = (142, 142, 146)
KEYBOARD_MARK: Rgb = (150, 150, 154)
PRESSED_GLEAM = 1.3


def draw_cap(
    canvas: Canvas, rect: Rect, unit: float, key: str, legend: str, keyboard: str, suit: str, *, pressed: bool
) -> None:
    """Paint one key cap. A cap without a legend sleeps: it stays darker. `keyboard` is the key that stands for it."""
    awake = bool(legend)
    coloured = not key.isdigit()
    top = _blank(canvas, rect, unit, _colour(suit, awake=awake, coloured=coloured), pressed=pressed)
    mark = rendered(key, max(8, round(18 * unit)))
    place = mark.get_rect(topleft=(top.left + round(6 * unit), top.top + round(4 * unit)))
    canvas.stamp(mark, place.topleft, MARK if awake else SLEEPING_MARK)
    # Commas and stops would be specks at the size of letters.
    corner = rendered(keyboard, max(7, round((10 if keyboard.isalnum() else 14) * unit)))
    place = corner.get_rect(topright=(top.right - round(5 * unit), top.top + round(5 * unit)))
    canvas.stamp(corner, place.topleft, MARK if coloured and awake else KEYBOARD_MARK, 0.85)
    if awake:
        _legend(canvas, top, unit, legend)


def _colour(suit: str, *, awake: bool, coloured: bool) -> Rgb:
    enamel = livery(suit).enamel
    if coloured:
        return enamel if awake else _mixed(enamel, SLEEPING)
    return CAP if awake else SLEEPING


def _blank(canvas: Canvas, rect: Rect, unit: float, colour: Rgb, *, pressed: bool) -> Rect:
    """Paint a cap without words; return its upper face."""
    radius = 6 * unit
    base = rect.move(0, max(1, round(2.5 * unit))) if pressed else rect
    if not pressed:
        canvas.fill(Box(rect.move(0, max(1, round(3 * unit))), radius), (0, 0, 0), 0.85, feather=3.5 * unit)
    side = Box(base.inflate(0, -round(2 * unit)), radius)
    canvas.fill(side, colour)
    canvas.multiply(side, np.full((1, 1), 0.5, np.float32))
    top = base.inflate(-round(6 * unit), -round(9 * unit)).move(0, -round(2.5 * unit))
    face = Box(top, radius * 0.8)
    canvas.fill(face, colour)
    dish = np.linspace(1.28, 0.84, max(1, top.height), dtype=np.float32)[:, None]
    canvas.multiply(face, dish * np.float32(PRESSED_GLEAM if pressed else 1.0))
    canvas.bevel(face, 3 * unit, 0.5)
    return top


def _legend(canvas: Canvas, top: Rect, unit: float, legend: str) -> None:
    """Print what a key does into the lower part of its face, in the middle of it."""
    room = top.inflate(-round(4 * unit), 0)
    room.top, room.height = top.top + round(24 * unit), top.height - round(27 * unit)
    if legend in SIGNS:
        sign = rendered(legend, max(10, round(21 * unit)))
        canvas.stamp(sign, sign.get_rect(center=room.center).topleft, LEGEND)
        return
    size, lines = fitted(legend, room.size, max(8, round(12 * unit)), max(7, round(9 * unit)), break_first=True)
    spacing = line_height(size) * 0.92
    y = room.centery - spacing * len(lines) / 2
    for index, line in enumerate(lines):
        text = rendered(line, size)
        canvas.stamp(text, text.get_rect(midtop=(top.centerx, round(y + index * spacing))).topleft, LEGEND)


def _mixed(one: Rgb, other: Rgb) -> Rgb:
    return (one[0] + 3 * other[0]) // 4, (one[1] + 3 * other[1]) // 4, (one[2] + 3 * other[2]) // 4
