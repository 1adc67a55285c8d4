"""The line below the consoles: how to get help, and what current the LEDs draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygame import Rect

from hardware.simulator.palette import ACCENT, CAPTION, FAINT
from hardware.simulator.shapes import Box
from hardware.simulator.texts import rendered, shortened

if TYPE_CHECKING:
    from hardware.simulator.canvas import Canvas


def draw_help_hint(canvas: Canvas, rect: Rect, unit: float, text: str) -> None:
    """Print how help is opened."""
    size = max(9, round(12.5 * unit))
    words = rendered(shortened(text, size, rect.width), size)
    canvas.stamp(words, words.get_rect(midleft=rect.midleft).topleft, FAINT)


def draw_meter(canvas: Canvas, rect: Rect, unit: float, label: str, amperes: float, full_scale: float) -> None:
    """Paint a thin bar that is full at `full_scale` amperes, with the value beside it."""
    size = max(9, round(12.5 * unit))
    value = rendered(f"{amperes:.1f} A", size)
    widest = rendered("00.0 A", size).get_width()
    canvas.stamp(value, value.get_rect(midright=rect.midright).topleft, CAPTION)
    bar = Rect(0, 0, round(150 * unit), max(3, round(5 * unit)))
    bar.midright = (rect.right - widest - round(6 * unit), rect.centery)
    words = rendered(shortened(label, size, bar.left - rect.left - round(10 * unit)), size)
    canvas.stamp(words, words.get_rect(midright=(bar.left - round(10 * unit), rect.centery)).topleft, FAINT)
    canvas.fill(Box(bar, bar.height / 2), (9, 9, 12))
    canvas.line(Box(bar, bar.height / 2), (120, 112, 100), 1.0, 0.5)
    share = min(max(amperes / full_scale, 0.0), 1.0)
    if share > 0:
        filled = Rect(bar.left, bar.top, max(bar.height, round(bar.width * share)), bar.height)
        canvas.fill(Box(filled, bar.height / 2), ACCENT, 0.25, feather=3 * unit, grow=2 * unit)
        canvas.fill(Box(filled, bar.height / 2), ACCENT)
