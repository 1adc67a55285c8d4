"""Words on a 10×10 panel: a small font, standing still or running from right to left."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

_GLYPHS = {
    "A": "010 101 111 101 101",
    "B": "110 101 110 101 110",
    "C": "011 100 100 100 011",
    "D": "110 101 101 101 110",
    "E": "111 100 110 100 111",
    "F": "111 100 110 100 100",
    "G": "011 100 101 101 011",
    "H": "101 101 111 101 101",
    "I": "1 1 1 1 1",
    "J": "001 001 001 101 010",
    "K": "101 101 110 101 101",
    "L": "100 100 100 100 111",
    "M": "10001 11011 10101 10001 10001",
    "N": "1001 1101 1011 1001 1001",
    "O": "010 101 101 101 010",
    "P": "110 101 110 100 100",
    "Q": "0110 1001 1001 1011 0111",
    "R": "110 101 110 101 101",
    "S": "011 100 010 001 110",
    "T": "111 010 010 010 010",
    "U": "101 101 101 101 111",
    "V": "101 101 101 101 010",
    "W": "10001 10001 10101 11011 10001",
    "X": "101 101 010 101 101",
    "Y": "101 101 010 010 010",
    "Z": "111 001 010 100 111",
    " ": "00 00 00 00 00",
}
"""Capital letters five squares high, each row from left to right."""

COLUMNS_PER_SECOND = 6.0
"""How fast running words go."""

_TOP = 2
"""The panel's row, from 0, where the letters begin."""


@cache
def _strip(text: str) -> NDArray[np.bool_]:
    """The whole text as a strip of shape (5, width), with a panel's width of darkness before and behind it."""
    gap = np.zeros((5, 1), bool)
    parts = [np.zeros((5, 10), bool)]
    for letter in text.upper():
        rows = _GLYPHS.get(letter, _GLYPHS[" "]).split()
        parts += [np.array([[dot == "1" for dot in row] for row in rows]), gap]
    return np.hstack([*parts, np.zeros((5, 10), bool)])


def text_mask(text: str, elapsed: float, *, running: bool = True) -> NDArray[np.bool_]:
    """Return which LEDs of a panel the text lights: shape (10, 10), bool.

    `elapsed` is in seconds since it began; a text that does not run shows its beginning.
    """
    strip = _strip(text)
    start = int(elapsed * COLUMNS_PER_SECOND) % (strip.shape[1] - 9) if running else 10
    mask = np.zeros((10, 10), bool)
    mask[_TOP : _TOP + 5] = strip[:, start : start + 10]
    return mask
