"""Signs that the font lacks, drawn: arrows in eight directions, and the mark of a space."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TypeAlias

import pygame

_Outline: TypeAlias = tuple[tuple[float, float], ...]

_UP: _Outline = ((0, -0.38), (0.29, -0.05), (0.09, -0.05), (0.09, 0.36), (-0.09, 0.36), (-0.09, -0.05), (-0.29, -0.05))
_SPACE: _Outline = (
    (-0.36, 0.1),
    (-0.26, 0.1),
    (-0.26, 0.26),
    (0.26, 0.26),
    (0.26, 0.1),
    (0.36, 0.1),
    (0.36, 0.36),
    (-0.36, 0.36),
)

MIDDLE_OF_CAPITALS = 0.36
"""How far above the line the middle of a capital letter lies, as a share of the letters' size."""


def _turned(outline: _Outline, eighths: int) -> _Outline:
    c, s = cos(eighths * pi / 4), sin(eighths * pi / 4)
    return tuple((x * c - y * s, x * s + y * c) for x, y in outline)


SIGNS: dict[str, _Outline] = {sign: _turned(_UP, eighths) for eighths, sign in enumerate("↑↗→↘↓↙←↖")} | {"␣": _SPACE}
"""For each sign its outline around its middle, in letters' sizes."""


def drawn_sign(sign: str, size: int, height: int, ascent: int) -> pygame.Surface:
    """Return a sign in white on a clear ground, as wide as the letters' size and as high as a line of text whose
    letters stand `ascent` below its upper edge; all in pixels."""
    surface = pygame.Surface((size, height), pygame.SRCALPHA)
    middle = (size / 2, ascent - MIDDLE_OF_CAPITALS * size)
    corners = [(middle[0] + x * size, middle[1] + y * size) for x, y in SIGNS[sign]]
    pygame.draw.polygon(surface, (255, 255, 255), corners)
    return surface
