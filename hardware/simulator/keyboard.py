"""The computer's keyboard as two keypads, by position, so that every keyboard layout works."""

from __future__ import annotations

import pygame

from hardware.keys import KEYPAD_ROWS

BLOCKS = (
    ("1234", "qwer", "asdf", "zxcv"),
    ("7890", "uiop", "jkl;", "m,./"),
)
"""For each seat the block of keys that stands for its keypad, as a US keyboard labels those positions."""

_SCANCODE_NAMES = {";": "SEMICOLON", ",": "COMMA", ".": "PERIOD", "/": "SLASH"}


def _scancode(label: str) -> int:
    value = getattr(pygame, f"KSCAN_{_SCANCODE_NAMES.get(label, label.upper())}")
    assert isinstance(value, int)
    return value


POSITIONS = {
    _scancode(label): (seat, key)
    for seat, block in enumerate(BLOCKS, 1)
    for labels, keys in zip(block, KEYPAD_ROWS, strict=True)
    for label, key in zip(labels, keys, strict=True)
}
"""For each scan code the seat and the key of its keypad."""

LABELS = {
    (seat, key): label.upper()
    for seat, block in enumerate(BLOCKS, 1)
    for labels, keys in zip(block, KEYPAD_ROWS, strict=True)
    for label, key in zip(labels, keys, strict=True)
}
"""What a US keyboard prints on the key that stands for a seat's key."""
