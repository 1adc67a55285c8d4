"""The 4×4 keypad: key names, key events, and how events become taps, holds and repeats."""

from __future__ import annotations

from typing import NamedTuple

KEYPAD_ROWS = ("123A", "456B", "789C", "*0#D")
"""The keys by row, as printed on the usual membrane keypad."""

KEYS = "".join(KEYPAD_ROWS)


class KeyEvent(NamedTuple):
    """One key of one seat went down or up.

    `time` is in seconds on the board's monotonic clock; only differences mean anything.
    """

    seat: int
    key: str
    down: bool
    time: float
