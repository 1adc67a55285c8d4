"""Each key event from the Pico once and in order, whatever happened to the line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Emit = Callable[[int, int, bool, float], None]
"""Called with keypad, key (both from 0), whether it went down, and how many seconds ago."""

_TICKS = 1 << 29
"""The Pico's clock in ms starts anew here (CircuitPython: supervisor.ticks_ms)."""


def _newer(sequence: int, expected: int) -> bool:
    return (sequence - expected) & 0xFFFF < 0x8000


def _keys(masks: Iterable[int]) -> set[tuple[int, int]]:
    return {(pad, key) for pad, mask in enumerate(masks) for key in range(mask.bit_length()) if mask >> key & 1}


class KeyTracker:
    """What the game has been told of the keys, and which event comes next.

    Outlives connections. When the line is lost, every key that is down is told up, so that none repeats for ever, and
    is muted until it really is up: one press stays one press. A key that is down when a Pico starts is muted as well.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._expected: int | None = None
        self._held: set[tuple[int, int]] = set()
        self._muted: set[tuple[int, int]] = set()
        self.scanning = True
        """Whether the Pico's scanners have started: what is pressed before that counts as held, not as pressed."""

    def greet(self, resumed: bool, first: int, held: Sequence[int]) -> None:
        """A connection begins. Not resumed: the Pico did not know this program, and has dropped older events."""
        if not resumed:
            self._release()
            self._expected = first
            self._muted = _keys(held)

    def reconfigured(self) -> None:
        """The scanners start anew, and with them the sequence."""
        self._release()
        self._expected = None
        self._muted = set()
        self.scanning = False

    def lost(self) -> None:
        """The line is lost."""
        held = set(self._held)
        self._release()
        self._muted |= held

    def keys(self, first: int, now: int, events: Sequence[tuple[int, int, bool, int]]) -> int:
        """Take a KEYS frame; return the sequence of the event that is expected next."""
        if self._expected is None:
            self._expected = first
        for number, (pad, key, down, when) in enumerate(events):
            sequence = first + number & 0xFFFF
            if _newer(sequence, self._expected):
                self._expected = sequence + 1 & 0xFFFF
                self._tell(pad, key, down, ((now - when) % _TICKS) / 1000)
        return self._expected

    def state(self, sequence: int, started: bool, masks: Sequence[int]) -> int:
        """Take a STATE frame; return the sequence of the event that is expected next."""
        if self._expected is None:
            self._expected = sequence
        if _newer(sequence, self._expected):
            self._expected = sequence + 1 & 0xFFFF
            down = _keys(masks)
            if started:
                self._release()
                self._muted = down
                self.scanning = True
            self._muted &= down
            for pad, key in sorted(self._held - down):
                self._tell(pad, key, False, 0)
            for pad, key in sorted(down - self._held - self._muted):
                self._tell(pad, key, True, 0)
        return self._expected

    def _release(self) -> None:
        for pad, key in sorted(self._held):
            self._tell(pad, key, False, 0)

    def _tell(self, pad: int, key: int, down: bool, age: float) -> None:
        place = (pad, key)
        if place in self._muted:
            self._muted.discard(place)
            if not down:
                return
        if down == (place in self._held):
            return
        if down:
            self._held.add(place)
        else:
            self._held.discard(place)
        self._emit(pad, key, down, age)
