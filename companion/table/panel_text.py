"""Words on a 10×10 panel: a small font, running from right to left."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

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
    "0": "111 101 101 101 111",
    "1": "01 11 01 01 01",
    "2": "110 001 010 100 111",
    "3": "110 001 010 001 110",
    "4": "101 101 111 001 001",
    "5": "111 100 110 001 110",
    "6": "011 100 111 101 111",
    "7": "111 001 010 010 010",
    "8": "111 101 111 101 111",
    "9": "111 101 111 001 110",
    "#": "01010 11111 01010 11111 01010",
    "*": "000 101 010 101 000",
    "?": "110 001 010 000 010",
    "!": "1 1 1 0 1",
    ":": "0 1 0 1 0",
    ";": "0 1 0 1 1",
    ",": "0 0 0 1 1",
    ".": "0 0 0 0 1",
    "'": "1 1 0 0 0",
    "-": "000 000 111 000 000",
    "_": "000 000 000 000 111",
    "%": "101 001 010 100 101",
    " ": "00 00 00 00 00",
}
"""Capital letters, digits and signs five squares high, each row from left to right."""

COLUMNS_PER_SECOND = 6.0
"""How fast running words go."""

_TOP = 2
"""The panel's row, from 0, where the letters begin."""


@lru_cache(maxsize=16)
def _strip(text: str) -> NDArray[np.bool_]:
    """The whole text as a strip of shape (5, width), with a little darkness before it and a panel of it behind."""
    gap = np.zeros((5, 1), bool)
    parts = [np.zeros((5, 4), bool)]
    for letter in _plain(text):
        rows = _GLYPHS.get(letter, _GLYPHS[" "]).split()
        parts += [np.array([[dot == "1" for dot in row] for row in rows]), gap]
    return np.hstack([*parts, np.zeros((5, 10), bool)])


def _plain(text: str) -> str:
    """The text in capitals without accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", text.upper()) if not unicodedata.combining(letter)
    )


def text_mask(text: str, elapsed: float) -> NDArray[np.bool_]:
    """Return which LEDs of a panel the text lights: shape (10, 10), bool. `elapsed` is in seconds since it began."""
    strip = _strip(text)
    start = int(elapsed * COLUMNS_PER_SECOND) % (strip.shape[1] - 9)
    mask = np.zeros((10, 10), bool)
    mask[_TOP : _TOP + 5] = strip[:, start : start + 10]
    return mask
