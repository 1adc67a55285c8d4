"""Shapes by their distance: how far a point lies from the edge, negative inside.

One distance gives everything that a drawn part needs, at every size and without steps: a smooth edge, a soft shadow, a
bevel, an engraved line. Coordinates and distances are in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pygame

if TYPE_CHECKING:
    from hardware.simulator.palette import Light


class Shape(Protocol):
    """Anything with an outline."""

    @property
    def bounds(self) -> pygame.Rect:
        """The smallest rectangle around it."""

    def distance(self, x: Light, y: Light) -> Light:
        """Return the distance of points from the edge; x has shape (1, w), y has shape (h, 1)."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners."""

    rect: pygame.Rect
    radius: float = 0.0

    @property
    def bounds(self) -> pygame.Rect:
        """The rectangle."""
        return self.rect

    def distance(self, x: Light, y: Light) -> Light:
        """Return the distance from the edge."""
        half_width, half_height = self.rect.width / 2, self.rect.height / 2
        radius = min(self.radius, half_width, half_height)
        across = np.abs(x - np.float32(self.rect.left + half_width)) - np.float32(half_width - radius)
        down = np.abs(y - np.float32(self.rect.top + half_height)) - np.float32(half_height - radius)
        outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
        return np.asarray(outside + np.minimum(np.maximum(across, down), 0) - np.float32(radius), np.float32)


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc."""

    x: float
    y: float
    radius: float

    @property
    def bounds(self) -> pygame.Rect:
        """The square around it."""
        size = int(2 * self.radius) + 2
        return pygame.Rect(int(self.x - self.radius), int(self.y - self.radius), size, size)

    def distance(self, x: Light, y: Light) -> Light:
        """Return the distance from the edge."""
        from_middle = np.hypot(x - np.float32(self.x), y - np.float32(self.y))
        return np.asarray(from_middle - np.float32(self.radius), np.float32)


@dataclass(frozen=True, slots=True)
class Suit:
    """The sign of a kingdom, a diamond or a club, `size` pixels high."""

    name: str
    x: float
    y: float
    size: float

    @property
    def bounds(self) -> pygame.Rect:
        """The square around it."""
        side = int(self.size) + 4
        return pygame.Rect(int(self.x - side / 2), int(self.y - side / 2), side, side)

    def distance(self, x: Light, y: Light) -> Light:
        """Return the distance from the edge."""
        across = np.abs(x - np.float32(self.x)) / np.float32(self.size)
        down = (y - np.float32(self.y)) / np.float32(self.size)
        unit = _club(across, down) if self.name == "clubs" else _diamond(across, down)
        return np.asarray(unit * np.float32(self.size), np.float32)


def _diamond(across: Light, down: Light) -> Light:
    """A lozenge with slightly hollow sides, as on a playing card."""
    half_width, half_height, hollow = 0.39, 0.5, 0.93
    a = (across / half_width) ** hollow + (np.abs(down) / half_height) ** hollow - 1
    return np.asarray(a * (half_width * half_height / np.hypot(half_width, half_height)), np.float32)


def _club(across: Light, down: Light) -> Light:
    """Three leaves and a stem that widens to its foot."""
    top = np.hypot(across, down + 0.25) - 0.23
    side = np.hypot(across - 0.25, down - 0.1) - 0.23
    heart = np.hypot(across, down - 0.02) - 0.14
    fall = np.clip(down / 0.5, 0, 1)
    stem = np.maximum(np.maximum(across - (0.035 + 0.17 * fall**3), down - 0.5), -down)
    return np.asarray(np.minimum(np.minimum(top, side), np.minimum(heart, stem)), np.float32)


@dataclass(frozen=True, slots=True)
class Hull:
    """A ship seen from above: a pointed bow to the right, a round stern to the left."""

    rect: pygame.Rect

    @property
    def bounds(self) -> pygame.Rect:
        """The rectangle that it fills."""
        return self.rect

    def distance(self, x: Light, y: Light) -> Light:
        """Return the distance from the edge: from the nearest of the straight pieces that the outline is made of."""
        corners = self._outline()
        nearest = np.full(np.broadcast_shapes(x.shape, y.shape), np.inf, np.float32)
        inside = np.zeros(nearest.shape, bool)
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            run, rise = x2 - x1, y2 - y1
            along = np.clip(((x - x1) * run + (y - y1) * rise) / (run * run + rise * rise), 0, 1)
            nearest = np.minimum(nearest, np.hypot(x - x1 - along * run, y - y1 - along * rise))
            if rise:
                inside ^= ((y1 > y) != (y2 > y)) & (x < x1 + run * (y - y1) / rise)
        return np.asarray(np.where(inside, -nearest, nearest), np.float32)

    def _outline(self) -> list[tuple[float, float]]:
        """Return the corners, from the stern along the upper side to the bow and back."""
        beam = self.rect.height / 2
        bow = min(self.rect.width * 0.5, self.rect.height * 1.3)
        share = np.linspace(0, 1, 9)
        upper = [(self.rect.left + beam * 0.6 * step**2, beam * (0.5 + 0.5 * step**0.7)) for step in share[::2]]
        upper += [(self.rect.right - bow + bow * step, beam * (1 - step**2)) for step in share]
        lower = [(x, -y) for x, y in reversed(upper[:-1])]
        return [(float(x), float(self.rect.centery - y)) for x, y in [*upper, *lower]]
