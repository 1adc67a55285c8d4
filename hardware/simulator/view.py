"""The table in the window, with what lies over it for a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from hardware.simulator.overlay import draw_help, draw_notice
from hardware.simulator.scene import Scene

if TYPE_CHECKING:
    from hardware.frame import Picture
    from hardware.kit import Kit
    from hardware.simulator.layout import Layout


class View:
    """Draws pictures into a window: only what has changed, unless something lies over the table."""

    def __init__(self, window: pygame.Surface, kit: Kit | None) -> None:
        self._window = window
        self._kit = kit
        self._scene = Scene(window.get_size(), kit)
        self._covered = False
        self.help_open = False
        self.notice = ""

    @property
    def size(self) -> tuple[int, int]:
        """The window's size in pixels."""
        return self._window.get_size()

    @property
    def layout(self) -> Layout:
        """Where everything lies; until `settle` is called after a change of size, where it lay before."""
        return self._scene.layout

    @property
    def settled(self) -> bool:
        """Whether the table has been painted for the window's present size."""
        return self._scene.window_size == self.size

    def settle(self) -> None:
        """Paint the table anew for the window's present size."""
        if not self.settled:
            self._scene = Scene(self.size, self._kit)

    def follow(self) -> None:
        """Take the window's surface anew, which pygame replaces when the size changes."""
        self._window = pygame.display.get_surface() or self._window

    def draw(self, picture: Picture, pressed: frozenset[tuple[int, str]], *, whole: bool = False) -> None:
        """Draw a picture and put it on the screen; `whole` where the window has lost what it showed."""
        dirty = self._scene.draw(picture, pressed)
        covered = self.help_open or bool(self.notice)
        if not self.settled:
            pygame.transform.smoothscale(self._scene.surface, self.size, self._window)
            pygame.display.flip()
        elif covered or self._covered or whole:
            self._window.blit(self._scene.surface, (0, 0))
            if self.help_open:
                draw_help(self._window, self.layout, picture.labels.get("help", ""), picture.help)
            if self.notice:
                draw_notice(self._window, self.layout, self.notice)
            pygame.display.flip()
        elif dirty:
            for rect in dirty:
                self._window.blit(self._scene.surface, rect, rect)
            pygame.display.update(dirty)
        self._covered = covered
