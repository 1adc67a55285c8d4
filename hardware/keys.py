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


class Tap(NamedTuple):
    """A key was tapped, or repeats while it is held (`repeated`)."""

    seat: int
    key: str
    repeated: bool = False


class Hold(NamedTuple):
    """A key was held for HOLD_SECONDS."""

    seat: int
    key: str


Gesture = Tap | Hold

HOLD_SECONDS = 1.0
"""How long a key is held until it means something else."""

REPEAT_AFTER = 0.4
"""Seconds until a held key repeats."""

REPEAT_EVERY = 0.12
"""Seconds between two repeats."""


class _Held:
    """A key that is down."""

    def __init__(self, since: float, due: float | None) -> None:
        self.since = since
        self.due = due


class KeyReader:
    """Turns key events into taps and holds, in the events' own time, without waiting.

    A key with a hold meaning taps when it is let go and holds after HOLD_SECONDS; a repeating key taps at once and
    again while it is held; any other key taps at once. Events whose time jumps ahead are followed by all that was due
    in between, so that a test or a text board need not sleep.
    """

    def __init__(self, hold: str = "*", repeat: str = "12346789") -> None:
        self._hold = hold
        self._repeat = repeat
        self._held: dict[tuple[int, str], _Held] = {}

    @property
    def next_due(self) -> float | None:
        """The time (s, on the events' clock) at which `advance` has something to say, or None."""
        return min((held.due for held in self._held.values() if held.due is not None), default=None)

    def feed(self, event: KeyEvent) -> list[Gesture]:
        """Take an event in and return what it and the time before it amount to."""
        gestures = self.advance(event.time)
        place = (event.seat, event.key)
        if event.down:
            if place in self._held:
                return gestures
            if event.key in self._hold:
                self._held[place] = _Held(event.time, event.time + HOLD_SECONDS)
            else:
                due = event.time + REPEAT_AFTER if event.key in self._repeat else None
                self._held[place] = _Held(event.time, due)
                gestures.append(Tap(event.seat, event.key))
            return gestures
        held = self._held.pop(place, None)
        if held is not None and event.key in self._hold and held.due is not None:
            gestures.append(Tap(event.seat, event.key))
        return gestures

    def advance(self, now: float) -> list[Gesture]:
        """Return the holds and repeats that are due by `now`, in order of time."""
        gestures: list[Gesture] = []
        while True:
            due = [(held.due, place) for place, held in self._held.items() if held.due is not None and held.due <= now]
            if not due:
                return gestures
            _, (seat, key) = min(due)
            held = self._held[seat, key]
            assert held.due is not None
            if key in self._hold:
                gestures.append(Hold(seat, key))
                held.due = None
            else:
                gestures.append(Tap(seat, key, repeated=True))
                held.due += REPEAT_EVERY

    def release(self, seat: int | None = None) -> None:
        """Forget what is held: all, or one seat's; a keypad that went away lets no key go."""
        self._held = {place: held for place, held in self._held.items() if seat is not None and place[0] != seat}
