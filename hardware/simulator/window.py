"""The window: opened on a display if there is one, and a clear sentence if there is none."""

from __future__ import annotations

import os
import sys

import numpy as np
import pygame

from hardware.board import BoardError
from hardware.simulator.canvas import Canvas
from hardware.simulator.palette import DIAMONDS, linear
from hardware.simulator.shapes import Box, Suit

UNSEEN_DRIVERS = frozenset({"dummy", "offscreen"})
"""SDL's drivers that show nothing; SDL falls back to one of them without a word."""

_VIDEO_DRIVER = "SDL_VIDEODRIVER"

SHARE_OF_DESKTOP = 0.92


def open_window(size: tuple[int, int], *, unseen: bool) -> pygame.Surface:
    """Open a window of this size in pixels, or what fits the desktop, and return its surface.

    `unseen` allows for a machine without a display: then nothing is shown. Raises BoardError where there is no display.
    """
    asked = os.environ.get(_VIDEO_DRIVER)
    try:
        if unseen and asked is None and not has_display():
            raise pygame.error("no display is named")
        pygame.display.init()
        driver = pygame.display.get_driver()
        if driver in UNSEEN_DRIVERS and driver != asked:
            raise pygame.error("no available video device")
    except pygame.error as error:
        pygame.display.quit()
        if not unseen:
            raise BoardError(
                f"The simulator needs a display ({error}); on this machine play with --board text."
            ) from error
        _open_unseen()
    pygame.display.set_caption("Broadside")
    pygame.display.set_icon(_icon())
    try:
        surface = pygame.display.set_mode(_fitting(size), pygame.RESIZABLE)
    except pygame.error as error:
        pygame.display.quit()
        raise BoardError(f"The simulator's window could not be opened ({error}); play with --board text.") from error
    pygame.key.stop_text_input()
    return surface


def toggle_fullscreen(size: tuple[int, int]) -> None:
    """Fill the screen, or go back to a window of this size."""
    if pygame.display.is_fullscreen():
        pygame.display.set_mode(size, pygame.RESIZABLE)
    else:
        pygame.display.set_mode((0, 0), pygame.FULLSCREEN)


def has_display() -> bool:
    """Return whether this machine seems to have a display. SDL, asked where there is none, prints of its own accord."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def is_unseen() -> bool:
    """Return whether the open window is on no display."""
    return pygame.display.get_driver() in UNSEEN_DRIVERS


def _open_unseen() -> None:
    before = os.environ.get(_VIDEO_DRIVER)
    os.environ[_VIDEO_DRIVER] = "dummy"
    try:
        pygame.display.init()
    finally:
        if before is None:
            del os.environ[_VIDEO_DRIVER]
        else:
            os.environ[_VIDEO_DRIVER] = before


def _fitting(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size, or a smaller one of the same shape where the desktop is smaller."""
    if is_unseen():
        return size
    desktop = pygame.display.get_desktop_sizes()[0]
    scale = min(1.0, *(SHARE_OF_DESKTOP * have / want for have, want in zip(desktop, size, strict=True)))
    return int(size[0] * scale), int(size[1] * scale)


def _icon() -> pygame.Surface:
    """A gold diamond on the sea."""
    canvas = Canvas(np.zeros((64, 64, 3), np.float32) + linear((10, 14, 30)))
    canvas.line(Box(pygame.Rect(2, 2, 60, 60), 10), DIAMONDS.metal, 3)
    canvas.fill(Suit("diamonds", 32, 32, 44), DIAMONDS.metal)
    return canvas.surface()
