"""Keypads on GPIO pins: the real driver on a simulated matrix, in simulated time but for one test."""

from __future__ import annotations

import queue
import sys
import time
from itertools import combinations
from typing import TYPE_CHECKING, Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drivers.base import DriverError, TellsTrouble
from hardware.drivers.gpio_keypad import GpioKeypads, MatrixPins, Timing, open_keypads
from hardware.keys import KEYPAD_ROWS, KEYS, KeyEvent
from hardware.kit import Keypad, KitError
from tests.hardware.kits import changed, shipped
from tests.hardware.lgpio_stand_in import StandIn
from tests.hardware.matrix import GROUND, SUPPLY, BoardFactory, PushPullError, SimulatedMatrix

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ROWS, COLUMNS = (4, 17, 27, 22), (23, 24, 8, 7)
KEYPAD = Keypad(seat=1, rows=ROWS, columns=COLUMNS)
TIMING = Timing(settle=0)
LONG_ENOUGH = 0.1
"""Seconds after which every change must have been told."""


class Bench:
    """A driver and a matrix in simulated time."""

    def __init__(self, *, rows: Sequence[int | None] = ROWS, scans: int = 2, **options: Any) -> None:
        self.now = 100.0
        self.factory = MockFactory()
        self.matrix = SimulatedMatrix(self.factory, rows, COLUMNS, clock=lambda: self.now, **options)
        self.events: list[KeyEvent] = []
        keypad = Keypad(seat=1, rows=ROWS, columns=COLUMNS, debounce_scans=scans)
        self.driver = GpioKeypads([keypad], self.events.append, self.factory, timing=TIMING, clock=lambda: self.now)
        self.troubles: list[str] = []
        self.driver.tell_trouble_to(self.troubles.append)

    def run(self, seconds: float) -> None:
        """Let time pass, stopping wherever the driver wants to look or a contact bounces."""
        end = self.now + seconds
        while True:
            next_time = self.now + self.driver.step()
            if self.matrix.next_bounce is not None:
                next_time = min(next_time, max(self.now, self.matrix.next_bounce))
            if next_time > end:
                break
            self.now = next_time
            self.matrix.catch_up()
        self.now = end

    def told(self) -> list[str]:
        """What was told since the last call, as +5 for down and -5 for up."""
        told = [("+" if event.down else "-") + event.key for event in self.events]
        self.events.clear()
        return told


@pytest.mark.parametrize("key", KEYS)
def test_a_press_is_one_down_and_one_up(key: str) -> None:
    bench = Bench()
    bench.run(1)
    with bench.matrix.held(key):
        pressed = bench.now
        bench.run(0.5)
    bench.run(0.5)
    down, up = bench.events
    assert down[:3] == (1, key, True)
    assert up[:3] == (1, key, False)
    assert pressed <= down.time <= pressed + 0.03
    assert pressed + 0.5 <= up.time <= pressed + 0.55
    bench.matrix.check()


@st.composite
def bounces(draw: st.DrawFn, longest: float) -> list[float]:
    times = draw(st.lists(st.floats(0.0001, longest), max_size=8, unique=True))
    return sorted(times)[: len(times) // 2 * 2]


@settings(deadline=None)
@given(data=st.data(), scans=st.integers(2, 5))
def test_contact_bounce_shorter_than_the_debounce_is_never_told(data: st.DataObject, scans: int) -> None:
    longest = (scans - 1) * TIMING.scan - 0.001
    bench = Bench(scans=scans)
    bench.run(data.draw(st.floats(0, 2)))
    for _ in range(2):
        bench.matrix.press("5", bounce=data.draw(bounces(longest)))
        bench.run(data.draw(st.floats(0.15, 0.5)))
        bench.matrix.release("5", bounce=data.draw(bounces(longest)))
        bench.run(data.draw(st.floats(0.15, 0.5)))
    assert bench.told() == ["+5", "-5"] * 2
    bench.matrix.check()


def test_a_kit_may_ask_for_more_scans_but_not_for_none() -> None:
    columns = "columns = [23, 24, 8, 7]"
    kit = changed("full", (columns, columns + "\ndebounce_scans = 4"))
    assert [keypad.debounce_scans for keypad in kit.keypads] == [4, 2]
    with pytest.raises(KitError, match=r"keypad 1: debounce_scans = 0 is out of range; write a number from 1 to 10"):
        changed("full", (columns, columns + "\ndebounce_scans = 0"))


def ambiguous(keys: set[str]) -> bool:
    """Whether closed switches join two rows and two columns, found by walking along the switches."""
    position = {key: (row, column) for row, line in enumerate(KEYPAD_ROWS) for column, key in enumerate(line)}
    todo = {position[key] for key in keys}
    while todo:
        joined, rest = {todo.pop()}, todo
        while touching := {at for at in rest if any(at[0] == to[0] or at[1] == to[1] for to in joined)}:
            joined |= touching
            rest = rest - touching
        if len({row for row, _ in joined}) > 1 and len({column for _, column in joined}) > 1:
            return True
        todo = rest
    return False


@settings(deadline=None)
@given(st.lists(st.sampled_from(KEYS), max_size=20))
def test_the_keys_told_are_the_keys_held_wherever_that_can_be_known(toggled: list[str]) -> None:
    bench = Bench()
    held: set[str] = set()
    told: set[str] = set()
    for key in toggled:
        (bench.matrix.release if key in held else bench.matrix.press)(key)
        held ^= {key}
        bench.run(LONG_ENOUGH)
        changes = bench.told()
        if ambiguous(held):
            assert changes == []
        else:
            assert sorted(changes) == sorted(["+" + k for k in held - told] + ["-" + k for k in told - held])
            told = set(held)
    bench.matrix.check()


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.floats(0, 0.06)), max_size=40))
def test_however_quickly_keys_change_only_pressed_keys_are_told_and_all_come_up(moves: list[tuple[str, float]]) -> None:
    bench = Bench()
    held: set[str] = set()
    for key, pause in moves:
        (bench.matrix.release if key in held else bench.matrix.press)(key)
        held ^= {key}
        bench.run(pause)
    for key in held:
        bench.matrix.release(key)
    bench.run(LONG_ENOUGH)
    down: set[str] = set()
    for event in bench.events:
        assert event.down == (event.key not in down), "each key goes down and up in turn"
        down ^= {event.key}
    assert not down
    assert {event.key for event in bench.events} <= {key for key, _ in moves}
    times = [event.time for event in bench.events]
    assert times == sorted(times)
    bench.matrix.check()


@pytest.mark.parametrize("corners", [set("1245") - {corner} for corner in "1245"])
def test_three_corners_of_a_rectangle_change_nothing(corners: set[str]) -> None:
    first, second, third = sorted(corners)
    bench = Bench()
    for key in (first, second):
        bench.matrix.press(key)
    bench.run(LONG_ENOUGH)
    bench.told()
    bench.matrix.press(third)
    bench.run(1)
    assert bench.told() == []
    bench.matrix.release(first)
    bench.run(LONG_ENOUGH)
    assert sorted(bench.told()) == sorted(["-" + first, "+" + third])
    bench.matrix.check()


@pytest.mark.parametrize("pair", list(combinations(KEYPAD_ROWS[0] + "470*58", 2)))
def test_two_keys_at_once_are_both_told(pair: tuple[str, str]) -> None:
    bench = Bench()
    with bench.matrix.held(*pair):
        bench.run(LONG_ENOUGH)
        assert set(bench.told()) == {"+" + key for key in set(pair)}
    bench.run(LONG_ENOUGH)
    assert set(bench.told()) == {"-" + key for key in set(pair)}
    bench.matrix.check()


def test_while_no_key_is_down_nothing_runs_but_a_look_each_second() -> None:
    bench = Bench()
    bench.run(1)
    bench.matrix.operations = 0
    bench.run(60)
    assert bench.matrix.operations <= 61 * len(COLUMNS)
    assert bench.told() == []


def test_at_rest_all_rows_are_low_and_in_a_scan_at_most_one_is() -> None:
    bench = Bench()
    rows = [bench.factory.pin(number) for number in ROWS]
    bench.run(1)
    assert [pin.driven for pin in rows] == [False] * 4
    driven: list[int] = []
    read = bench.matrix.pin_read

    def counting_read() -> None:
        driven.append(sum(pin.driven is not None for pin in rows))
        assert not any(pin.driven for pin in rows)
        read()

    bench.matrix.pin_read = counting_read  # type: ignore[method-assign]
    with bench.matrix.held("1", "6"):
        bench.run(0.05)
    assert set(driven[len(COLUMNS) :]) == {0, 1}, "the first look is at rest, the others are scans"


def test_a_lost_edge_delays_a_key_by_a_second_at_most() -> None:
    bench = Bench(edges="lost")
    bench.run(1.7)
    pressed = bench.now
    bench.matrix.press("8")
    bench.run(2)
    assert bench.events[0][:3] == (1, "8", True)
    assert bench.events[0].time <= pressed + 1.1


def test_a_key_that_goes_down_while_the_scanner_lies_down_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(edges="lost")
    rest = MatrixPins.rest

    def press_and_rest(pins: MatrixPins) -> None:
        bench.matrix.press("7")
        rest(pins)

    monkeypatch.setattr(MatrixPins, "rest", press_and_rest)
    bench.run(0.05)
    assert bench.told() == ["+7"]


def test_without_edges_the_keypad_is_polled_and_says_so() -> None:
    bench = Bench(edges="refused")
    assert len(bench.troubles) == 1
    assert "every 20 ms" in bench.troubles[0]
    bench.run(1)
    pressed = bench.now
    with bench.matrix.held("D"):
        bench.run(0.2)
    bench.run(0.2)
    assert bench.events[0].time <= pressed + 0.05
    assert bench.told() == ["+D", "-D"]


def test_a_stuck_key_goes_down_once_and_leaves_the_others_alone() -> None:
    bench = Bench()
    bench.matrix.press("1")
    bench.run(30)
    assert bench.told() == ["+1"]
    for key in "23456789ABCD":
        with bench.matrix.held(key):
            bench.run(LONG_ENOUGH)
        bench.run(LONG_ENOUGH)
        assert bench.told() == ["+" + key, "-" + key]


def test_a_column_shorted_to_ground_is_told_once_and_the_others_go_on() -> None:
    bench = Bench()
    bench.matrix.short(24, GROUND)
    bench.run(5)
    with bench.matrix.held("1", "5"):
        bench.run(LONG_ENOUGH)
    bench.run(LONG_ENOUGH)
    assert bench.told() == ["+1", "-1"]
    assert len(bench.troubles) == 1
    assert "GPIO24 (column 2)" in bench.troubles[0]
    bench.matrix.operations = 0
    bench.run(60)
    assert bench.matrix.operations < 60 * 200, "the scanner rests all the same"


def test_rows_shorted_to_each_other_press_both_keys_and_short_no_output() -> None:
    bench = Bench()
    bench.matrix.short(ROWS[0], ROWS[1])
    bench.run(1)
    with bench.matrix.held("2"):
        bench.run(LONG_ENOUGH)
    bench.run(LONG_ENOUGH)
    assert bench.told() == ["+2", "+5", "-2", "-5"]
    bench.matrix.check()


def test_swapped_row_wires_swap_the_keys() -> None:
    bench = Bench(rows=(17, 4, 27, 22))
    with bench.matrix.held("1"):
        bench.run(LONG_ENOUGH)
    assert bench.told() == ["+4"]


def test_a_loose_row_wire_loses_its_keys_only() -> None:
    bench = Bench(rows=(4, None, 27, 22))
    with bench.matrix.held("5", "8"):
        bench.run(LONG_ENOUGH)
    assert bench.told() == ["+8"]


def test_pins_that_fail_are_told_once_lift_the_keys_and_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.matrix.press("3")
    bench.run(1)

    def gone(_pin: object) -> bool:
        raise OSError(19, "No such device")

    with monkeypatch.context() as broken:
        broken.setattr("tests.hardware.matrix.MatrixPin._get_state", gone)
        bench.run(10)
    assert bench.told() == ["+3", "-3"]
    assert bench.troubles == ["Seat 1's keypad cannot be read ([Errno 19] No such device): check its wires."]
    bench.run(2)
    assert bench.told() == ["+3"]
    assert bench.troubles[1:] == ["Seat 1's keypad can be read again."]


def test_a_busy_pin_is_one_sentence_with_the_cure_and_frees_the_others() -> None:
    factory = MockFactory()
    buzzer = gpiozero.Buzzer(8, pin_factory=factory)
    with pytest.raises(DriverError, match=r"^GPIO8 cannot be used for seat 1.s keypad: .* change the pin"):
        GpioKeypads([KEYPAD], print, factory)
    buzzer.close()
    GpioKeypads([KEYPAD], print, factory).close()


def test_a_pin_that_the_board_does_not_have_is_one_sentence() -> None:
    keypad = Keypad(seat=2, rows=(4, 17, 27, 99), columns=COLUMNS)
    with pytest.raises(DriverError, match=r"^GPIO99 cannot be used for seat 2's keypad: this board has no such pin"):
        GpioKeypads([keypad], print, MockFactory())


@pytest.fixture
def no_pin_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)


FULL = shipped("full")


@pytest.mark.usefixtures("no_pin_factory")
def test_without_lgpio_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(DriverError, match="apt install python3-lgpio"):
        open_keypads(FULL, FULL.keypads, print)


@pytest.mark.usefixtures("no_pin_factory")
@pytest.mark.parametrize(
    ("failure", "cure"),
    [
        (
            "open('.lgd-nfy-3')",
            r"^lgpio cannot make its FIFO in the folder /\S+: start in a folder",
        ),
        ("raise OSError('can not open gpiochip')", r"can not open gpiochip.*usermod -aG gpio"),
    ],
)
def test_an_lgpio_that_fails_is_one_sentence_with_the_cure(
    failure: str, cure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text(failure)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(DriverError, match=cure):
        open_keypads(FULL, FULL.keypads, print)


def no_revision() -> int:
    raise gpiozero.PinUnknownPi("unable to locate Pi revision")


@pytest.mark.usefixtures("no_pin_factory")
def test_a_computer_without_pins_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", StandIn(BoardFactory()))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", no_revision)
    with pytest.raises(DriverError, match="no GPIO pins that gpiozero knows: run this on the Raspberry Pi"):
        open_keypads(FULL, FULL.keypads, print)


@pytest.mark.usefixtures("no_pin_factory")
def test_a_pin_factory_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "abacus")
    with pytest.raises(DriverError, match=r"^The pin factory 'abacus' cannot be used .* unset GPIOZERO_PIN_FACTORY"):
        open_keypads(FULL, FULL.keypads, print)


def test_closing_twice_leaves_every_pin_an_input_and_free() -> None:
    bench = Bench()
    bench.run(1)
    bench.driver.close()
    bench.driver.close()
    assert {bench.factory.pin(number).driven for number in ROWS + COLUMNS} == {None}
    bench.matrix.press("1")
    GpioKeypads([KEYPAD], print, bench.factory, timing=TIMING).close()
    assert bench.told() == []


def test_the_thread_hands_in_keys_of_both_seats_and_ends() -> None:
    factory = MockFactory()
    one, two = (SimulatedMatrix.of(factory, keypad) for keypad in FULL.keypads)
    events: queue.Queue[KeyEvent] = queue.Queue()
    driver = open_keypads(FULL, FULL.keypads, events.put, pin_factory=factory)
    assert isinstance(driver, TellsTrouble)
    time.sleep(0.05)
    before = time.monotonic()
    with one.held("A"), two.held("#"):
        assert {events.get(timeout=5)[:3] for _ in range(2)} == {(1, "A", True), (2, "#", True)}
    up = [events.get(timeout=5) for _ in range(2)]
    assert {event[:3] for event in up} == {(1, "A", False), (2, "#", False)}
    assert before < up[0].time <= time.monotonic()
    driver.close()
    driver.close()
    with one.held("B"):
        time.sleep(0.05)
    assert events.empty()
    one.check()
    two.check()


def test_the_matrix_fails_a_scanner_that_drives_rows_against_each_other() -> None:
    factory = MockFactory()
    matrix = SimulatedMatrix(factory, ROWS, COLUMNS)
    matrix.press("1")
    matrix.press("4")
    factory.pin(4).output_with_state(False)
    factory.pin(17).function = "output"
    with pytest.raises(PushPullError):
        factory.pin(17).state = True
    with pytest.raises(PushPullError, match="GPIO4 pull low what GPIO17 hold high"):
        matrix.check()


def test_the_matrix_fails_a_pin_that_drives_a_supply_wire_low() -> None:
    factory = MockFactory()
    matrix = SimulatedMatrix(factory, ROWS, COLUMNS)
    matrix.short(4, SUPPLY)
    with pytest.raises(PushPullError):
        factory.pin(4).output_with_state(False)


def test_a_driver_without_pull_ups_would_see_every_key() -> None:
    factory = MockFactory()
    SimulatedMatrix(factory, ROWS, COLUMNS)
    pin = factory.pin(23)
    assert not pin.state, "GPIO23 wakes up pulled down"
    pin.input_with_pull("up")
    assert pin.state
