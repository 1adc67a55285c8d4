"""An animated GIF of all pictures that a board has shown, with their real times."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PIL import Image
from PIL.GifImagePlugin import getdata

from hardware.simulator.layout import layout_for
from hardware.simulator.picture import as_image
from hardware.simulator.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from hardware.frame import Picture
    from hardware.kit import Kit

WIDEST = 960
"""A recording is at most so many pixels wide."""

SHORTEST = 0.05
"""Seconds that a picture stands at least; of those that follow faster only the last is kept."""

LAST = 1.0
"""Seconds that the last picture stands at least before the recording begins anew."""

COLOURS = 255
CLEAR = 255
"""The colour index of pixels that stay as they were."""

_LONGEST = 65_535
"""Hundredths of a second that one GIF frame can stand."""

_STILL = np.full((1, 1), CLEAR, np.uint8)
"""A frame that changes nothing."""

_SAMPLES = 24
"""Pictures, about, from which the palette is chosen."""


class Shown(NamedTuple):
    """A picture and the time in seconds when it came."""

    picture: Picture
    time: float


class Recording:
    """Keeps the pictures, and writes them when asked: they are small, their drawings are not."""

    def __init__(self) -> None:
        self._shown: list[Shown] = []

    def add(self, picture: Picture, time: float) -> None:
        """Keep a picture that came at this time in seconds, later than the ones before."""
        if self._shown and time - self._shown[-1].time < SHORTEST:
            self._shown[-1] = Shown(picture, self._shown[-1].time)
        else:
            self._shown.append(Shown(picture, time))

    def write(self, path: Path, size: tuple[int, int], end: float, kit: Kit | None = None) -> None:
        """Write the GIF of a window of this size, scaled to at most 960 pixels across; `end` is the time in seconds
        when the last picture went. Raises OSError where that fails, ValueError where nothing was shown."""
        if not self._shown:
            raise ValueError("nothing was shown, so there is nothing to record")
        size = _scaled(size)
        palette = _palette([shown.picture for shown in self._shown], size, kit)
        with path.open("wb") as file:
            file.write(_header(layout_for(size).size, palette))
            for block in self._frames(size, palette, end, kit):
                file.write(block)
            file.write(b";")

    def _frames(self, size: tuple[int, int], palette: Image.Image, end: float, kit: Kit | None) -> Iterator[bytes]:
        scene = Scene(size, kit)
        standing: NDArray[np.uint8] | None = None
        spent = 0
        for index, shown in enumerate(self._shown):
            following = self._shown[index + 1].time if index + 1 < len(self._shown) else max(end, shown.time + LAST)
            ticks = round((following - self._shown[0].time) * 100) - spent
            spent += ticks
            fresh = (
                np.zeros((scene.layout.size[1], scene.layout.size[0]), np.uint8)
                if standing is None
                else standing.copy()
            )
            for rect in scene.draw(shown.picture):
                drawn = as_image(scene.surface.subsurface(rect)).quantize(palette=palette, dither=Image.Dither.NONE)
                fresh[rect.top : rect.bottom, rect.left : rect.right] = np.asarray(drawn)
            pixels, place = (fresh, (0, 0)) if standing is None else _changes(standing, fresh)
            standing = fresh
            yield from _frame(pixels, place, min(ticks, _LONGEST))
            while (ticks := ticks - _LONGEST) > 0:
                yield from _frame(_STILL, (0, 0), min(ticks, _LONGEST))


def _changes(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """Return the smallest part that holds all changes, clear where nothing has changed, and its left and top."""
    changed = before != after
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return _STILL, (0, 0)
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return np.where(changed[box], after[box], np.uint8(CLEAR)), (int(columns[0]), int(rows[0]))


def _scaled(size: tuple[int, int]) -> tuple[int, int]:
    return size if size[0] <= WIDEST else (WIDEST, round(size[1] * WIDEST / size[0]))


def _palette(pictures: list[Picture], size: tuple[int, int], kit: Kit | None) -> Image.Image:
    """Choose 255 colours for all pictures: from one whole picture and from the panels of many, as the lights are what
    matters and what changes."""
    scene = Scene(size, kit)
    parts: list[NDArray[np.uint8]] = []
    step = max(1, len(pictures) // _SAMPLES)
    for picture in [*pictures[::step], pictures[-1]]:
        scene.draw(picture)
        if not parts:
            parts.append(np.asarray(as_image(scene.surface)).reshape(-1, 3))
        for console in scene.layout.consoles:
            parts += [
                np.asarray(as_image(scene.surface.subsurface(panel.glass))).reshape(-1, 3)
                for panel in console.panels.values()
            ]
    packed = np.concatenate(parts).astype(np.uint32) >> 2 << 2
    colours, counts = np.unique(packed[:, 0] << 16 | packed[:, 1] << 8 | packed[:, 2], return_counts=True)
    # A light covers few pixels and the table many: by their roots both get their share of the palette.
    colours = np.repeat(colours, np.ceil(np.sqrt(counts)).astype(int))
    pixels = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.uint8) + 2
    return Image.fromarray(pixels[None]).quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2)


def _header(size: tuple[int, int], palette: Image.Image) -> bytes:
    """Return a GIF's screen, its colour table and the extension that makes it run for ever (GIF89a)."""
    table = bytes(palette.getpalette() or ()).ljust(3 * 256, b"\0")[: 3 * 256]
    forever = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + pack("<HHBBB", *size, 0xF7, 0, 0) + table + forever


def _frame(pixels: NDArray[np.uint8], place: tuple[int, int], ticks: int) -> list[bytes]:
    image = Image.fromarray(pixels, "L")
    return getdata(image, place, duration=10 * ticks, transparency=CLEAR, disposal=1)
