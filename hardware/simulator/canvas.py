"""A canvas of linear light on which the still parts of the board are painted once per window size."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import pygame

from hardware.simulator.palette import linear, to_srgb

if TYPE_CHECKING:
    from hardware.simulator.palette import Light, Rgb
    from hardware.simulator.shapes import Shape


class Canvas:
    """Pixels of linear light, shape (height, width, 3), with the window position of its top left corner."""

    def __init__(self, pixels: Light, origin: tuple[int, int] = (0, 0)) -> None:
        self.pixels = pixels
        self.origin = origin

    @property
    def rect(self) -> pygame.Rect:
        """What part of the window it covers."""
        height, width = self.pixels.shape[:2]
        return pygame.Rect(self.origin, (width, height))

    def crop(self, rect: pygame.Rect) -> Canvas:
        """Return a copy of one part, in the same window coordinates."""
        inside = rect.clip(self.rect)
        return Canvas(self.part(inside).copy(), inside.topleft)

    def surface(self) -> pygame.Surface:
        """Return the canvas as a surface of 32 bits a pixel."""
        surface = pygame.Surface(self.rect.size, 0, 32)
        pygame.surfarray.pixels3d(surface)[...] = to_srgb(self.pixels).swapaxes(0, 1)
        return surface

    def fill(
        self, shape: Shape, colour: Rgb | Light, opacity: float = 1.0, *, feather: float = 0.5, grow: float = 0.0
    ) -> None:
        """Paint a shape. `feather` is half the width of its soft edge in pixels, `grow` moves the edge outwards. The
        colour may be an array of linear light that fits the shape's clipped bounds."""
        part, distance = self._near(shape, grow + feather if isinstance(colour, tuple) else 0)
        if not part.size:
            return
        cover = np.clip((np.float32(grow + feather) - distance) / np.float32(2 * feather), 0, 1)
        if feather > 1:
            cover = cover * cover * (3 - 2 * cover)
        cover = (cover * np.float32(opacity))[..., None]
        light = linear(colour) if isinstance(colour, tuple) else colour
        part += (light - part) * cover

    def multiply(self, shape: Shape, factor: Light) -> None:
        """Darken or brighten the inside of a shape by a factor of shape (h, w) or (h, 1) over its clipped bounds."""
        part, distance = self._near(shape, 0)
        cover = np.clip(np.float32(0.5) - distance, 0, 1)
        part *= (1 + (factor - 1) * cover)[..., None]

    def line(self, shape: Shape, colour: Rgb, width: float, opacity: float = 1.0, *, inset: float = 0.0) -> None:
        """Paint the outline of a shape, `inset` pixels inside its edge."""
        part, distance = self._near(shape, width)
        cover = np.clip(np.float32(width / 2 + 0.5) - np.abs(distance + np.float32(inset)), 0, 1)
        part += (linear(colour) - part) * (cover * np.float32(opacity))[..., None]

    def bevel(self, shape: Shape, width: float, strength: float) -> None:
        """Round the rim of a shape, `width` pixels wide, lit from above and a little from the left."""
        part, distance = self._near(shape, 1)
        if min(distance.shape) < 2:
            return
        slope_y, slope_x = np.gradient(distance)
        facing = -(slope_y * np.float32(0.9) + slope_x * np.float32(0.3))
        depth = np.clip(1 + distance / np.float32(width), 0, 1) * np.clip(np.float32(0.5) - distance, 0, 1)
        shade = facing * depth * depth * np.float32(strength)
        part += np.where(shade > 0, shade * (0.06 + part.max(axis=2) * 0.9), 0)[..., None]
        part *= (1 + np.minimum(shade, 0) * 0.75)[..., None]

    def hollow(self, shape: Shape, depth: float, strength: float = 0.75) -> None:
        """Cast the rim's shadow into a sunken shape, deepest along its upper edge."""
        part, distance = self._near(shape, 0)
        from_top = self._rows(self._bounds(shape, 0)) - np.float32(shape.bounds.top)
        near_top = np.clip(1 - from_top / np.float32(2.2 * depth), 0, 1)
        near_edge = np.clip(1 + distance / np.float32(depth), 0, 1) * np.float32(0.6)
        shadow = np.maximum(near_top, near_edge) ** 2 * np.clip(np.float32(0.5) - distance, 0, 1)
        part *= (1 - shadow * np.float32(strength))[..., None]

    def stamp(self, text: pygame.Surface, position: tuple[int, int], colour: Rgb, opacity: float = 1.0) -> None:
        """Paint a surface's alpha, such as a rendered text, in one colour."""
        rect = text.get_rect(topleft=position).clip(self.rect)
        if not rect.width or not rect.height:
            return
        alpha = pygame.surfarray.array_alpha(text).T[
            rect.top - position[1] : rect.bottom - position[1], rect.left - position[0] : rect.right - position[0]
        ]
        part = self.part(rect)
        part += (linear(colour) - part) * (alpha.astype(np.float32) * np.float32(opacity / 255))[..., None]

    def engrave(
        self, text: pygame.Surface, position: tuple[int, int], colour: Rgb, *, depth: int = 1, opacity: float = 1.0
    ) -> None:
        """Paint a text as a filled engraving: a shadow along its upper edges, light along its lower ones."""
        x, y = position
        self.stamp(text, (x, y - depth), (0, 0, 0), 0.55)
        self.stamp(text, (x, y + depth), (255, 255, 255), 0.10)
        self.stamp(text, position, colour, opacity)

    def part(self, rect: pygame.Rect) -> Light:
        """Return the pixels of a rectangle that lies within, to be painted on."""
        x, y = self.origin
        return self.pixels[rect.top - y : rect.bottom - y, rect.left - x : rect.right - x]

    def _bounds(self, shape: Shape, margin: float) -> pygame.Rect:
        spread = ceil(margin)
        return shape.bounds.inflate(2 * spread, 2 * spread).clip(self.rect)

    def _near(self, shape: Shape, margin: float) -> tuple[Light, Light]:
        """Return the pixels within a margin of a shape, and their distances from its edge."""
        bounds = self._bounds(shape, margin)
        x = (np.arange(bounds.left, bounds.right, dtype=np.float32) + np.float32(0.5))[None, :]
        return self.part(bounds), shape.distance(x, self._rows(bounds))

    @staticmethod
    def _rows(bounds: pygame.Rect) -> Light:
        return (np.arange(bounds.top, bounds.bottom, dtype=np.float32) + np.float32(0.5))[:, None]
