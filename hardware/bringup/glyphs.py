"""Digits and letters on a panel, so that a panel can show its own name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardware.frame import SIZE

if TYPE_CHECKING:
    from hardware.frame import Frame
    from hardware.kit import PanelSpec

COLOUR = (60, 160, 60)
"""sRGB of the lit squares; a name lights some 20 of them."""

_SHAPES = {
    "1": (".#.", "##.", ".#.", ".#.", ".#.", ".#.", "###"),
    "2": ("##.", "..#", "..#", ".#.", "#..", "#..", "###"),
    "T": ("#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."),
    "O": (".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."),
}


def panel_text(panel: PanelSpec) -> str:
    """Return what a panel shows for its name: "1T" is seat 1's target grid, "2" the only panel of seat 2."""
    return f"{panel.seat}{'' if panel.grid == 'either' else panel.grid[0].upper()}"


def panel_glyph(panel: PanelSpec) -> Frame:
    """Return a frame, shape (10, 10, 3), that shows a panel's name. No turn or mirror image of it looks the same."""
    frame = np.zeros((SIZE, SIZE, 3), dtype=np.uint8)
    column = 0
    for letter in panel_text(panel):
        shape = _SHAPES[letter]
        for row, line in enumerate(shape, start=1):
            for step, square in enumerate(line):
                if square == "#":
                    frame[row, column + step] = COLOUR
        column += len(shape[0]) + 1
    return frame
