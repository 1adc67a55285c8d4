"""Each key once and in order, however often a frame comes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.key_tracker import KeyTracker

Told = list[tuple[int, int, bool]]


def tracker() -> tuple[KeyTracker, Told]:
    told: Told = []
    return KeyTracker(lambda pad, key, down, _age: told.append((pad, key, down))), told


def happened(keys: list[tuple[int, int]]) -> list[tuple[int, int, bool, int]]:
    """Return the events of keys that are pressed, or released where they are down."""
    down: set[tuple[int, int]] = set()
    events = []
    for time, (pad, key) in enumerate(keys):
        down ^= {(pad, key)}
        events.append((pad, key, (pad, key) in down, time))
    return events


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40),
    st.integers(0, 0xFFFF),
)
def test_repeated_and_late_frames_tell_each_event_once(
    keys: list[tuple[int, int]], frames: list[tuple[int, int]], first: int
) -> None:
    events = happened(keys)
    tracking, told = tracker()
    tracking.greet(False, first, ())
    acknowledged = 0
    for start, size in [*frames, *((n, len(events)) for n in range(len(events)))]:
        # The Pico sends only from the first event on that is not acknowledged; old frames may come late.
        start = min(start, acknowledged)
        part = events[start : start + size]
        expected = tracking.keys(first + start & 0xFFFF, 0, part)
        acknowledged = (expected - first) & 0xFFFF
    assert told == [event[:3] for event in events]


def test_times_are_ages_even_when_the_clock_starts_anew() -> None:
    ages: list[float] = []
    tracking = KeyTracker(lambda _pad, _key, _down, age: ages.append(age))
    tracking.greet(False, 0, ())
    tracking.keys(0, 5, [(0, 1, True, (1 << 29) - 20), (0, 1, False, 1)])
    assert ages == [0.025, 0.004]


def test_a_lost_line_lets_go_of_every_key_once() -> None:
    tracking, told = tracker()
    tracking.greet(False, 0, ())
    tracking.keys(0, 0, [(0, 5, True, 0), (1, 7, True, 0)])
    tracking.lost()
    tracking.lost()
    assert told[2:] == [(0, 5, False), (1, 7, False)]
    # The same Pico is back, with what happened meanwhile.
    tracking.greet(True, 2, [0, 0])
    tracking.keys(2, 0, [(0, 5, False, 0), (0, 5, True, 0), (1, 7, False, 0)])
    assert told[4:] == [(0, 5, True)]


def test_a_key_that_is_down_when_a_pico_starts_is_no_press() -> None:
    tracking, told = tracker()
    tracking.greet(False, 0, ())
    tracking.reconfigured()
    scanning = [tracking.scanning]
    assert tracking.state(0, True, [1 << 4, 0]) == 1
    assert [*scanning, tracking.scanning] == [False, True]
    tracking.keys(1, 0, [(0, 4, False, 0), (0, 4, True, 0)])
    assert told == [(0, 4, True)]


def test_a_new_program_does_not_hear_of_keys_held_before_it() -> None:
    tracking, told = tracker()
    tracking.greet(False, 9, [1, 0])
    tracking.keys(9, 0, [(0, 0, False, 0)])
    assert told == []


def test_the_state_after_an_overflow_tells_what_was_missed() -> None:
    tracking, told = tracker()
    tracking.greet(False, 0, ())
    tracking.keys(0, 0, [(0, 1, True, 0), (0, 2, True, 0)])
    assert tracking.state(40, False, [0b1100, 0b1]) == 41
    assert told[2:] == [(0, 1, False), (0, 3, True), (1, 0, True)]
    assert tracking.state(40, False, [0, 0]) == 41
    assert len(told) == 5
