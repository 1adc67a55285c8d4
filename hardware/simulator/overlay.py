"""What lies over the table for a moment: the help and short notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from hardware.simulator.palette import ACCENT, CAPTION, CAPTION_GLASS, FAINT
from hardware.simulator.texts import fitted, line_height, rendered, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.simulator.layout import Layout

DIMMED = 168
"""How dark the table gets behind the help, 0…255."""


def draw_help(target: pygame.Surface, layout: Layout, title: str, lines: Sequence[str]) -> None:
    """Draw the help over the dimmed table, its lines wrapped and made small enough to fit."""
    shade = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    shade.fill((4, 5, 9, DIMMED))
    target.blit(shade, (0, 0))
    inner = min(target.get_width() - layout.px(112), layout.px(900))
    most = target.get_height() - layout.px(48)
    size = max(12, layout.px(18))
    while (height := _height(layout, lines, size, inner)) > most and size > 8:
        size -= 1
    widest = max((width_of(part, size) for line in lines for part in _broken(line, size, inner)), default=inner)
    box = pygame.Rect(0, 0, widest + layout.px(64), min(height, most))
    box.center = target.get_rect().center
    _glass(target, layout, box)
    y = box.top + layout.px(22)
    if title:
        _print(target, title, layout.px(22), ACCENT, (box.left + layout.px(32), y))
        y += line_height(layout.px(22)) + layout.px(12)
    for line in lines:
        for part in _broken(line, size, inner):
            _print(target, part, size, CAPTION, (box.left + layout.px(32), y))
            y += line_height(size)
        y += size // 3


def draw_notice(target: pygame.Surface, layout: Layout, text: str) -> None:
    """Draw a short notice near the lower edge."""
    room = target.get_width() - layout.px(120)
    size, lines = fitted(text, (room, layout.px(48)), max(12, layout.px(15)), 10)
    surfaces = [rendered(line, size) for line in lines]
    box = pygame.Rect(0, 0, max(surface.get_width() for surface in surfaces) + layout.px(36), 0)
    box.height = line_height(size) * len(lines) + layout.px(18)
    box.midbottom = (target.get_width() // 2, layout.footer.bottom - layout.px(2))
    _glass(target, layout, box)
    for index, surface in enumerate(surfaces):
        place = surface.get_rect(midtop=(box.centerx, box.top + layout.px(9) + index * line_height(size)))
        _print(target, lines[index], size, CAPTION, place.topleft)


def _height(layout: Layout, lines: Sequence[str], size: int, width: int) -> int:
    title = line_height(layout.px(22)) + layout.px(12)
    text = sum(len(_broken(line, size, width)) * line_height(size) + size // 3 for line in lines)
    return title + layout.px(44) + text


def _broken(line: str, size: int, width: int) -> tuple[str, ...]:
    return fitted(line, (width, line_height(size) * 4), size, size)[1]


def _glass(target: pygame.Surface, layout: Layout, box: pygame.Rect) -> None:
    plate = pygame.Surface(box.size, pygame.SRCALPHA)
    radius = layout.px(8)
    pygame.draw.rect(plate, (*CAPTION_GLASS, 244), plate.get_rect(), border_radius=radius)
    pygame.draw.rect(plate, (*FAINT, 150), plate.get_rect(), max(1, layout.px(1)), border_radius=radius)
    target.blit(plate, box)


def _print(target: pygame.Surface, text: str, size: int, colour: tuple[int, int, int], place: tuple[int, int]) -> None:
    words = rendered(text, size).copy()
    words.fill(colour, special_flags=pygame.BLEND_RGB_MULT)
    target.blit(words, place)
