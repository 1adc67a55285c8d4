from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.keys import HOLD_SECONDS, KEYS, REPEAT_AFTER, REPEAT_EVERY, Gesture, Hold, KeyEvent, KeyReader, Tap

REPEATS = "12346789"

TICK = 0.01


@st.composite
def events(draw: st.DrawFn) -> list[KeyEvent]:
    """Key events in order of time, as a keypad gives them, with now and then one that is told twice or never."""
    steps = draw(
        st.lists(
            st.tuples(st.integers(1, 2), st.sampled_from("*5A26"), st.booleans(), st.integers(0, 150)), max_size=30
        )
    )
    time = 0.0
    found = []
    for seat, key, down, ticks in steps:
        time += ticks * TICK
        found.append(KeyEvent(seat, key, down, time))
    return found


def read(given_events: list[KeyEvent]) -> list[Gesture]:
    reader = KeyReader()
    return [gesture for event in given_events for gesture in reader.feed(event)]


@given(events(), st.lists(st.floats(0, 1), max_size=10))
def test_looking_in_between_changes_nothing(given_events: list[KeyEvent], parts: list[float]) -> None:
    reader = KeyReader()
    gestures: list[Gesture] = []
    last = 0.0
    for number, event in enumerate(given_events):
        if number < len(parts):
            gestures += reader.advance(last + (event.time - last) * parts[number])
        gestures += reader.feed(event)
        last = event.time
    assert gestures == read(given_events)


@given(events())
def test_every_press_is_one_tap_or_one_hold(given_events: list[KeyEvent]) -> None:
    """Counted by hand: a press is a key going down that is not down already."""
    down: dict[tuple[int, str], float] = {}
    expected: list[Gesture] = []
    for event in given_events:
        place = (event.seat, event.key)
        if event.down and place not in down:
            down[place] = event.time
            if event.key != "*":
                expected.append(Tap(event.seat, event.key))
        elif not event.down and place in down:
            since = down.pop(place)
            if event.key == "*":
                held = event.time >= since + HOLD_SECONDS
                expected.append(Hold(event.seat, "*") if held else Tap(event.seat, "*"))
    found = [gesture for gesture in read(given_events) if not (isinstance(gesture, Tap) and gesture.repeated)]
    for (seat, key), since in down.items():
        if key == "*" and given_events[-1].time >= since + HOLD_SECONDS:
            expected.append(Hold(seat, "*"))
    assert sorted(found) == sorted(expected)


@given(st.sampled_from(KEYS), st.floats(0.02, 20))
def test_what_a_key_gives_that_is_held_for_a_time(key: str, seconds: float) -> None:
    reader = KeyReader()
    gestures = reader.feed(KeyEvent(1, key, True, 7.0))
    gestures += reader.advance(7.0 + seconds)
    gestures += reader.feed(KeyEvent(1, key, False, 7.0 + seconds))
    repeats = [gesture for gesture in gestures if isinstance(gesture, Tap) and gesture.repeated]
    if key == "*":
        assert gestures == [Hold(1, "*") if seconds >= HOLD_SECONDS else Tap(1, "*")]
    elif key in REPEATS:
        expected = math.floor((seconds - REPEAT_AFTER) / REPEAT_EVERY) + 1 if seconds >= REPEAT_AFTER else 0
        assert abs(len(repeats) - expected) <= 1, "a moment may fall on either side of a repeat"
        assert gestures[0] == Tap(1, key)
    else:
        assert gestures == [Tap(1, key)]
    assert reader.next_due is None
    assert reader.advance(1e6) == []


def test_next_due_is_when_there_is_something_to_say() -> None:
    assert KeyReader().next_due is None
    reader = KeyReader()
    reader.feed(KeyEvent(1, "*", True, 0.0))
    assert reader.next_due == HOLD_SECONDS
    reader.feed(KeyEvent(2, "6", True, 0.1))
    assert reader.next_due == pytest.approx(0.1 + REPEAT_AFTER)
    assert reader.advance(0.4) == []
    assert reader.advance(0.5) == [Tap(2, "6", repeated=True)]
    assert reader.next_due == pytest.approx(0.5 + REPEAT_EVERY)
    reader.feed(KeyEvent(2, "6", False, 0.55))
    assert reader.advance(1.0) == [Hold(1, "*")]
    assert not reader.advance(100.0)


def test_repeats_and_holds_of_both_seats_come_in_order_of_time() -> None:
    reader = KeyReader()
    reader.feed(KeyEvent(1, "2", True, 0.0))
    reader.feed(KeyEvent(2, "*", True, 0.05))
    gestures = reader.advance(1.1)
    assert gestures.index(Hold(2, "*")) == len(gestures) - 1
    assert gestures.count(Tap(1, "2", repeated=True)) == 6


def test_what_is_held_can_be_forgotten_for_one_seat_or_both() -> None:
    reader = KeyReader()
    for seat in (1, 2):
        reader.feed(KeyEvent(seat, "2", True, 0.0))
    reader.release(1)
    assert reader.advance(0.45) == [Tap(2, "2", repeated=True)]
    reader.release()
    assert reader.advance(10) == []
    assert reader.feed(KeyEvent(2, "2", False, 11)) == []
    assert reader.feed(KeyEvent(2, "2", True, 12)) == [Tap(2, "2")]
