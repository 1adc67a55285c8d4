"""The whole picture of the table: paints what has changed since the last one and says where that is."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pygame

from hardware.frame import SEATS, SIZE, Grid, Panel
from hardware.lighting import estimate
from hardware.simulator.backdrop import backdrop, diffusion
from hardware.simulator.caption import draw_caption
from hardware.simulator.curtain import draw_curtain
from hardware.simulator.fleet import draw_fleet
from hardware.simulator.footer import draw_help_hint, draw_meter
from hardware.simulator.keyboard import LABELS
from hardware.simulator.keypad import draw_cap
from hardware.simulator.layout import layout_for
from hardware.simulator.leds import PanelLight
from hardware.simulator.plate import draw_plate
from hardware.simulator.usual_kit import USUAL_KIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.frame import Console, Frame, Picture
    from hardware.kit import Kit
    from hardware.simulator.canvas import Canvas
    from hardware.simulator.layout import ConsolePlace, PanelPlace

    _Paint: TypeAlias = Callable[[Canvas, pygame.Rect], None]

DARK: Frame = np.zeros((SIZE, SIZE, 3), np.uint8)
_UNSEEN = Panel(("." * SIZE,) * SIZE, None, DARK)

_SPRITES = 400
"""Painted parts that are kept, of those that come again and again: caps and the meter."""


class Scene:
    """The table in a window of one size, kept as a surface."""

    def __init__(self, size: tuple[int, int], kit: Kit | None = None) -> None:
        self.window_size = size
        self.layout = layout_for(size)
        self.surface = pygame.Surface(self.layout.size, 0, 32)
        self._kit = kit or USUAL_KIT
        self._drawn: dict[object, object] = {}
        self._sprites: dict[object, pygame.Surface] = {}
        self._dirty: list[pygame.Rect] = []
        self._still: Canvas | None = None
        self._lights: dict[tuple[int, Grid], PanelLight] = {}

    def draw(self, picture: Picture, pressed: frozenset[tuple[int, str]] = frozenset()) -> list[pygame.Rect]:
        """Bring the surface up to date; return the rectangles that have changed. `pressed` holds (seat, key)."""
        self._dirty = []
        picture = _veiled(picture)
        self._prepare(picture)
        for console, place in zip(picture.consoles, self.layout.consoles, strict=True):
            self._draw_console(picture, console, place, pressed)
        self._draw_footer(picture)
        return self._dirty

    def _prepare(self, picture: Picture) -> None:
        """Paint the backdrop anew where a kingdom or the language has changed."""
        suits = (picture.consoles[0].suit, picture.consoles[1].suit)
        words = tuple((name, picture.labels.get(name, "")) for name in ("ocean", "target", "fleet"))
        if self._drawn.get("still") == (suits, words):
            return
        self._drawn = {"still": (suits, words)}
        self._sprites.clear()
        self._still, faces = _still(self.layout.size, suits, words)
        self.surface.blit(faces, (0, 0))
        self._dirty.append(self.surface.get_rect())
        for seat, console in zip(SEATS, self.layout.consoles, strict=True):
            for grid, panel in console.panels.items():
                face = self._still.crop(panel.glass).pixels
                self._lights[seat, grid] = PanelLight(face, diffusion(panel), panel.cell, panel.margin)

    def _draw_console(
        self, picture: Picture, console: Console, place: ConsolePlace, pressed: frozenset[tuple[int, str]]
    ) -> None:
        seat, suit, unit = console.seat, console.suit, self.layout.unit
        for grid, panel in place.panels.items():
            if grid is Grid.OCEAN and console.curtained:
                label = console.curtain
                paint: _Paint = partial(draw_curtain, unit=unit, suit=suit, label=label)
                self._part(("panel", seat, grid), panel.glass, ("curtain", label), paint)
            else:
                self._draw_panel(picture, console, grid, panel)
        paint = partial(draw_plate, unit=unit, name=console.name, suit=suit)
        self._part(("plate", seat), place.plate, console.name, paint, room=place.plate.inflate(0, self.layout.px(8)))
        heading = bool(picture.labels.get("fleet"))
        paint = partial(draw_fleet, unit=unit, ships=console.fleet, suit=suit, heading=heading)
        self._part(("fleet", seat), place.fleet, console.fleet, paint)
        for key, rect in place.keys.items():
            label = LABELS[seat, key]
            legend, down = console.legend.get(key, ""), (seat, key) in pressed
            paint = partial(draw_cap, unit=unit, key=key, legend=legend, keyboard=label, suit=suit, pressed=down)
            self._part(("key", seat, key), rect, (legend, down), paint, room=self.layout.cap_room(rect), keep=True)
        paint = partial(draw_caption, unit=unit, text=console.caption)
        self._part(("caption", seat), place.caption, console.caption, paint)

    def _draw_panel(self, picture: Picture, console: Console, grid: Grid, place: PanelPlace) -> None:
        frame = console.panel(grid).frame
        if frame is None:
            frame = DARK
        key = (frame.tobytes(), picture.brightness)
        name = ("panel", console.seat, grid)
        if self._drawn.get(name) == key:
            return
        self._drawn[name] = key
        pixels = pygame.surfarray.pixels3d(self.surface)
        part = pixels[place.glass.left : place.glass.right, place.glass.top : place.glass.bottom].swapaxes(0, 1)
        self._lights[console.seat, grid].draw(frame, picture.brightness, part)
        self._dirty.append(place.glass)

    def _draw_footer(self, picture: Picture) -> None:
        footer, unit = self.layout.footer, self.layout.unit
        hint = picture.labels.get("help", "")
        left = pygame.Rect(footer.left, footer.top, footer.width // 2, footer.height)
        right = pygame.Rect(left.right, footer.top, footer.width - left.width, footer.height)
        self._part("hint", left, hint, partial(draw_help_hint, unit=unit, text=hint))
        power = self._kit.power
        amperes, label = round(estimate(picture, self._kit).total_ma / 1000, 1), picture.labels.get("current", "")
        paint = partial(draw_meter, unit=unit, label=label, amperes=amperes, full_scale=power.budget_ma / 1000)
        self._part("meter", right, (label, amperes), paint, keep=True)

    def _part(
        self,
        name: object,
        rect: pygame.Rect,
        state: object,
        paint: _Paint,
        *,
        room: pygame.Rect | None = None,
        keep: bool = False,
    ) -> None:
        """Paint one part over the backdrop unless it already shows this state.

        `room` is what it covers together with its shadow; no two parts may share any of it. `keep` is for
        parts that will come again in this state.
        """
        if self._drawn.get(name) == state:
            return
        self._drawn[name] = state
        sprite = self._sprites.get((name, state))
        room = (room or rect).clip(self.surface.get_rect())
        if sprite is None:
            assert self._still is not None
            canvas = self._still.crop(room)
            paint(canvas, rect)
            sprite = canvas.surface()
            if keep:
                if len(self._sprites) >= _SPRITES:
                    self._sprites.clear()
                self._sprites[name, state] = sprite
        self.surface.blit(sprite, room)
        self._dirty.append(room)


@lru_cache(maxsize=2)
def _still(
    size: tuple[int, int], suits: tuple[str, str], words: tuple[tuple[str, str], ...]
) -> tuple[Canvas, pygame.Surface]:
    """Return the backdrop, which nobody may paint on, and its surface."""
    canvas = backdrop(layout_for(size), suits, dict(words))
    return canvas, canvas.surface()


def _veiled(picture: Picture) -> Picture:
    """Return the picture without what lies under a curtain, whatever was handed in."""
    if not any(console.curtained for console in picture.consoles):
        return picture
    one, other = (replace(console, ocean=_UNSEEN) if console.curtained else console for console in picture.consoles)
    return replace(picture, consoles=(one, other))
