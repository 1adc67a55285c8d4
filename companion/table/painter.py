"""The painter: marks, cursor and effects become frames, at a time that is handed in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.game.squares import Square
from companion.table import marks
from companion.table.effect_light import draw
from companion.table.effects import Effect
from companion.table.panel_text import COLUMNS_PER_SECOND, text_mask
from companion.table.theme import THEMES, Theme
from hardware.frame import Grid

CURSOR_HZ = 1.5
"""The cursor alternates with its square this often (HARDWARE_FACTS: 1–2 Hz)."""

BREATH_HZ = 0.5
"""Sunk ships breathe this often (HARDWARE_FACTS)."""

BREATH_FRAMES = 15
"""Pictures a second while something breathes: one LED step each, at the most."""

EFFECT_FRAMES = 60
"""Pictures a second while an effect runs (LOOK)."""


@dataclass(frozen=True)
class PanelScene:
    """All that one panel's light hangs on. `level` scales it; `text` runs over it from
    `text_since` (s) on, instead of the grid."""

    seat: int
    grid: Grid
    rows: tuple[str, ...]
    kingdom: str
    cursor: Square | None = None
    effects: tuple[Effect, ...] = ()
    level: float = 1.0
    dark: bool = False
    text: str = ""
    text_since: float = 0.0


def _encoding() -> NDArray[np.uint8]:
    """sRGB's transfer curve (IEC 61966-2-1) for linear values 0…255 in steps of 1/16."""
    linear = np.arange(255 * 16 + 1) / (255 * 16)
    curve = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    encoded: NDArray[np.uint8] = np.round(curve * 255).astype(np.uint8)
    return encoded


_ENCODING = _encoding()


def encode(light: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the sRGB frame of linear light: any shape, linear LED values 0…255, to uint8."""
    steps = (np.clip(light, 0, 255) * 16 + 0.5).astype(np.uint16)
    encoded: NDArray[np.uint8] = _ENCODING[steps]
    return encoded


def _palette(theme: Theme) -> NDArray[np.float32]:
    palette = np.zeros((128, 3), np.float32)
    for mark in marks.MARKS:
        palette[ord(mark)] = theme.light(mark)
    return palette


_PALETTES = {kingdom: _palette(theme) for kingdom, theme in THEMES.items()}


class Painter:
    """Paints panels. With `blinking` off every blinking becomes a steady light and effects are left out."""

    def __init__(self, *, blinking: bool = True) -> None:
        self.blinking = blinking

    def paint(self, scenes: Sequence[PanelScene], now: float) -> tuple[list[NDArray[np.uint8]], float | None]:
        """Return a frame (10, 10, 3) for each panel at a time (s), and when the picture changes next by itself, or
        None while nothing moves."""
        light = np.empty((len(scenes), 10, 10, 3), np.float32)
        changes = [
            change for scene, panel in zip(scenes, light, strict=True) if (change := self._panel(scene, panel, now))
        ]
        return list(encode(light)), min(changes, default=None)

    def _panel(self, scene: PanelScene, light: NDArray[np.float32], now: float) -> float | None:
        if scene.dark:
            light[:] = 0
            return None
        theme = THEMES[scene.kingdom]
        if scene.text:
            return self._text(scene, light, theme, now)
        codes = np.frombuffer("".join(scene.rows).encode("ascii"), np.uint8).reshape(10, 10)
        light[:] = _PALETTES[scene.kingdom][codes]
        next_change = self._breathe(codes, light, now)
        refused = codes == ord(marks.GHOST_REFUSED)
        if refused.any():
            _outline(refused, light, theme)
        if self.blinking:
            for effect in scene.effects:
                draw(effect, now, light, theme)
                if now < effect.ends:
                    frame = 1 / EFFECT_FRAMES if effect.began <= now else effect.began - now
                    next_change = min(next_change or math.inf, now + frame)
        if scene.level != 1.0:
            light *= scene.level
        if scene.cursor is not None:
            next_change = self._cursor(scene.cursor, light, theme, now, next_change)
        return next_change

    def _breathe(self, codes: NDArray[np.uint8], light: NDArray[np.float32], now: float) -> float | None:
        sunk = codes == ord(marks.SUNK)
        if not self.blinking or not sunk.any():
            return None
        light[sunk] *= 1 + 0.6 * math.sin(2 * math.pi * BREATH_HZ * now)
        return now + 1 / BREATH_FRAMES

    def _cursor(
        self, square: Square, light: NDArray[np.float32], theme: Theme, now: float, next_change: float | None
    ) -> float | None:
        half = math.floor(now * CURSOR_HZ * 2)
        if not self.blinking:
            light[square.row, square.column] = theme.cursor
            return next_change
        if half % 2 == 0:
            light[square.row, square.column] = theme.cursor
        return min(next_change or math.inf, (half + 1) / (CURSOR_HZ * 2))

    def _text(self, scene: PanelScene, light: NDArray[np.float32], theme: Theme, now: float) -> float | None:
        light[:] = theme.light(marks.WATER)
        elapsed = max(0.0, now - scene.text_since)
        light[text_mask(scene.text, elapsed)] = theme.victory
        return scene.text_since + (math.floor(elapsed * COLUMNS_PER_SECOND) + 1) / COLUMNS_PER_SECOND


def _outline(refused: NDArray[np.bool_], light: NDArray[np.float32], theme: Theme) -> None:
    """A ghost that does not fit shows only its outline: the squares around it, dim."""
    wide = np.zeros((12, 12), bool)
    for row in range(3):
        for column in range(3):
            wide[row : row + 10, column : column + 10] |= refused
    light[wide[1:11, 1:11] & ~refused] += np.array(theme.cursor, np.float32) * 0.12
