"""Words in the font that comes with pygame, fitted into boxes of fixed size."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pygame

from hardware.simulator.signs import SIGNS, drawn_sign

ELLIPSIS = "…"

FONT = Path(pygame.__file__).parent / pygame.font.get_default_font()
"""FreeSans Bold. By its path, since pygame shrinks its default font when it is asked for without one."""

FINE = 4
"""Words are drawn this much larger and then made smaller, since the font's own hints set small letters unevenly."""


@lru_cache(maxsize=64)
def _font(size: int) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(FONT, size * FINE)


def width_of(text: str, size: int) -> int:
    """Return how wide a line of text is, in pixels, in letters of this size in pixels."""
    font = _font(size)
    return -(-sum(size * FINE if part in SIGNS else font.size(part)[0] for part in _parts(text)) // FINE)


def line_height(size: int) -> int:
    """Return the distance of two lines of text, in pixels."""
    return -(-_font(size).get_linesize() // FINE)


@lru_cache(maxsize=512)
def rendered(text: str, size: int) -> pygame.Surface:
    """Return one line of text in white with smooth edges on a clear ground."""
    if not text:
        # pygame's smooth scaling crashes the process on a surface without a column.
        return pygame.Surface((1, line_height(size)), pygame.SRCALPHA)
    font = _font(size)
    parts = [
        drawn_sign(part, size * FINE, font.get_height(), font.get_ascent())
        if part in SIGNS
        else font.render(part, True, (255, 255, 255))
        for part in _parts(text)
    ]
    fine = parts[0] if len(parts) == 1 else _joined(parts, 0)
    return pygame.transform.smoothscale(fine, (max(1, width_of(text, size)), max(1, -(-fine.get_height() // FINE))))


def _parts(text: str) -> list[str]:
    """Split a text into what the font has and single signs that it lacks."""
    return [part for part in re.split(f"([{''.join(SIGNS)}])", text) if part] or [""]


def _joined(parts: list[pygame.Surface], spacing: int) -> pygame.Surface:
    """Return surfaces side by side. A capital with an accent makes its own higher, so their lower edges agree."""
    width = sum(part.get_width() for part in parts) + spacing * (len(parts) - 1)
    height = max(part.get_height() for part in parts)
    surface = pygame.Surface((max(1, width), height), pygame.SRCALPHA)
    x = 0
    for part in parts:
        surface.blit(part, (x, height - part.get_height()))
        x += part.get_width() + spacing
    return surface


def spaced(text: str, size: int, spacing: int) -> pygame.Surface:
    """Return a line of text in white with wider spacing, as engravers set capitals."""
    return _joined([rendered(letter, size) for letter in text or " "], spacing)


def shortened(text: str, size: int, width: int) -> str:
    """Return the text, cut with an ellipsis where it is wider than `width` pixels."""
    if width_of(text, size) <= width:
        return text
    kept = len(text)
    while kept and width_of(text[:kept].rstrip() + ELLIPSIS, size) > width:
        kept -= 1
    return text[:kept].rstrip() + ELLIPSIS


def wrapped(text: str, size: int, width: int, lines: int) -> list[str] | None:
    """Break a text at its spaces into at most so many lines of `width` pixels; None where that fails."""
    broken = [""]
    for word in text.split():
        longer = f"{broken[-1]} {word}".strip()
        if width_of(longer, size) <= width:
            broken[-1] = longer
        elif width_of(word, size) <= width and len(broken) < lines:
            broken.append(word)
        else:
            return None
    return broken


@lru_cache(maxsize=512)
def fitted(
    text: str, box: tuple[int, int], largest: int, smallest: int, *, break_first: bool = False
) -> tuple[int, tuple[str, ...]]:
    """Fit a text into a box (width, height): in one line at the largest size that fits, else in as many lines as the
    box is high, where with `break_first` larger letters come before fewer lines. What is too much even for the smallest
    size is cut with an ellipsis. Returns the size in pixels and the lines."""
    width, height = box
    sizes = range(largest, smallest - 1, -1)
    if not break_first:
        for size in sizes:
            if width_of(text, size) <= width:
                return size, (text,)
    for size in sizes:
        broken = wrapped(text, size, width, max(1, height // line_height(size)))
        if broken is not None:
            return size, tuple(broken)
    return smallest, tuple(_cut(text.split(), smallest, width, max(1, height // line_height(smallest))))


def _cut(words: list[str], size: int, width: int, lines: int) -> list[str]:
    taken: list[str] = []
    while words and len(taken) < lines - 1:
        count = len(words)
        while count > 1 and width_of(" ".join(words[:count]), size) > width:
            count -= 1
        taken.append(shortened(" ".join(words[:count]), size, width))
        words = words[count:]
    return [*taken, shortened(" ".join(words), size, width)] if words else taken
