"""The caption under a console: one line, or as many as a long text needs within the same box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.simulator.palette import CAPTION
from hardware.simulator.texts import fitted, line_height, rendered

if TYPE_CHECKING:
    from pygame import Rect

    from hardware.simulator.canvas import Canvas

LARGEST, SMALLEST = 19, 14
"""Sizes in pixels of the 1280×720 window."""

READABLE = 12
"""However small the window, captions keep this size in pixels."""


def draw_caption(canvas: Canvas, rect: Rect, unit: float, text: str) -> None:
    """Print a caption in the middle of its glass."""
    if not text:
        return
    room = (rect.width - round(28 * unit), rect.height - round(4 * unit))
    smallest = max(READABLE, round(SMALLEST * unit))
    size, lines = fitted(text, room, max(smallest, round(min(LARGEST * max(unit, 1.0), rect.height * 0.5))), smallest)
    spacing = line_height(size)
    top = rect.centery - spacing * len(lines) / 2
    for index, line in enumerate(lines):
        words = rendered(line, size)
        canvas.stamp(words, words.get_rect(midtop=(rect.centerx, round(top + index * spacing))).topleft, CAPTION)
