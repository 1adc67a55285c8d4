"""A picture of the table without a window: for documents, recordings and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame
from PIL import Image

from hardware.simulator.scene import Scene

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.frame import Picture
    from hardware.kit import Kit


def render(picture: Picture, size: tuple[int, int] = (1280, 720), kit: Kit | None = None) -> pygame.Surface:
    """Return a picture as the simulator shows it in a window of this size in pixels. `kit` is what the current is
    estimated for; without one it is four panels with the default budgets."""
    scene = Scene(size, kit)
    scene.draw(picture)
    return scene.surface


def save(picture: Picture, path: Path, size: tuple[int, int] = (1280, 720), kit: Kit | None = None) -> None:
    """Write a picture as a PNG. Raises OSError where that fails."""
    as_image(render(picture, size, kit)).save(path, format="PNG", optimize=True)


def as_image(surface: pygame.Surface) -> Image.Image:
    """Return a surface as an image of Pillow's."""
    return Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
