"""Keypads wired wrongly in many ways, on simulated matrices: found wire by wire, and the written kit gives each key."""

from __future__ import annotations

from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

import wiring.kits
from hardware.bringup import keys
from hardware.bringup.asker import LeaveError, Outcome
from hardware.bringup.contacts import KeyContacts, PinContacts
from hardware.bringup.keys import find_keys
from hardware.bringup.kit_file import corrected_text
from hardware.drivers.base import DriverError
from hardware.drivers.gpio_keypad import GpioKeypads, Timing
from hardware.keys import KEYS, KeyEvent
from hardware.kit import Keypad, Kit, load_kit, parse_kit
from tests.hardware.matrix import GROUND, SUPPLY, SimulatedMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

T = TypeVar("T")

PATH = Path(next(iter(wiring.kits.__path__))) / "full.toml"
KIT = load_kit(PATH)

HELD_SECONDS = 0.08


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "PATIENCE_SECONDS", 0.5)


class Clock:
    """Time that goes on by sleeping, and a little by being looked at."""

    def __init__(self) -> None:
        self.now = 100.0
        self.alarms: list[tuple[float, Callable[[], None]]] = []

    def __call__(self) -> float:
        self.now += 200e-6
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        due = [alarm for alarm in self.alarms if alarm[0] <= self.now]
        self.alarms = [alarm for alarm in self.alarms if alarm[0] > self.now]
        for _, action in due:
            action()

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        self.alarms.append((self.now + seconds, action))


class Table:
    """Both keypads on mock pins, and the person who presses their keys when asked to."""

    def __init__(self, wires: Mapping[int, tuple[Sequence[int | None], Sequence[int | None]]]) -> None:
        self.factory = MockFactory()
        self.clock = Clock()
        self.matrices = {
            seat: SimulatedMatrix(self.factory, rows, columns, clock=lambda: self.clock.now)
            for seat, (rows, columns) in wires.items()
        }
        self.asked: list[str] = []
        self.heard: list[str] = []
        self.pressed: list[str] = []
        self.dead: set[tuple[int, str]] = set()
        self.bounce: dict[str, Sequence[float]] = {}
        self.slips: dict[str, str] = {}
        self._seat = 1
        self._batch: list[str] = []

    def say(self, text: str) -> None:
        self.heard.append(text)
        if ": press " in text:
            self._seat = int(text.split()[1].rstrip(":"))
            self._press([text.rsplit(" ", 1)[1]])
        elif "press every other key" in text:
            self._press(text.split(": ")[-1].split())

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        self.asked.append(question)
        if "right name" in question:
            start = max(number for number, text in enumerate(self.heard) if "every other key" in text)
            shown = [text.strip() for text in self.heard[start + 1 :]]
            return read("y" if shown == [key for key in self._batch if (self._seat, key) not in self.dead] else "n")
        return read("dead" if "Enter to try again" in question else "")

    def _press(self, keys: Sequence[str]) -> None:
        matrix = self.matrices[self._seat]
        self._batch = [self.slips.pop(asked, asked) for asked in keys]
        self.pressed += self._batch
        for number, key in enumerate(self._batch):
            if (self._seat, key) in self.dead:
                continue
            start = 0.02 + number * 1.3 * HELD_SECONDS
            self.clock.later(start, partial(matrix.press, key, bounce=self.bounce.get(key, ())))
            self.clock.later(start + HELD_SECONDS, partial(matrix.release, key))

    def find(self, kit: Kit) -> Outcome:
        contacts = PinContacts(kit.keypads, self.factory, clock=self.clock, sleep=self.clock.sleep)
        try:
            return find_keys(kit, contacts, self)
        finally:
            contacts.close()
            contacts.close()
            for matrix in self.matrices.values():
                matrix.check()

    def assert_each_key_is_itself(self, kit: Kit) -> None:
        """Press every key of both seats under the real driver with a kit's wiring."""
        events: list[KeyEvent] = []
        driver = GpioKeypads(kit.keypads, events.append, self.factory, timing=Timing(settle=0), clock=self.clock)
        try:
            for seat, matrix in self.matrices.items():
                for key in KEYS:
                    if (seat, key) in self.dead:
                        continue
                    events.clear()
                    matrix.press(key, bounce=self.bounce.get(key, ()))
                    self._run(driver)
                    matrix.release(key)
                    self._run(driver)
                    told = [(event.seat, event.key, event.down) for event in events]
                    assert told == [(seat, key, True), (seat, key, False)]
        finally:
            driver.close()
            for matrix in self.matrices.values():
                matrix.check()

    def _run(self, driver: GpioKeypads) -> None:
        end = self.clock.now + 0.3
        while self.clock.now < end:
            self.clock.sleep(min(driver.step(), 0.01) + 1e-4)


Pins = tuple[int, ...]

ONE, TWO = KIT.keypads
ROWS, COLUMNS = ONE.rows, ONE.columns

WRONG: dict[str, tuple[Pins, Pins]] = {
    "two rows swapped": ((ROWS[2], ROWS[1], ROWS[0], ROWS[3]), COLUMNS),
    "three rows in a ring": ((ROWS[1], ROWS[2], ROWS[0], ROWS[3]), COLUMNS),
    "two columns swapped": (ROWS, (COLUMNS[1], COLUMNS[0], COLUMNS[2], COLUMNS[3])),
    "columns in reverse": (ROWS, tuple(reversed(COLUMNS))),
    "rows and columns exchanged": (COLUMNS, ROWS),
    "ribbon plugged in the other way round": (tuple(reversed(COLUMNS)), tuple(reversed(ROWS))),
    "a row and a column exchanged": ((COLUMNS[3], *ROWS[1:]), (*COLUMNS[:3], ROWS[0])),
    "ribbon shifted by one": ((*ROWS[1:], COLUMNS[0]), (*COLUMNS[1:], ROWS[0])),
}


def table(one: tuple[Pins, Pins] = (ROWS, COLUMNS), two: tuple[Pins, Pins] = (TWO.rows, TWO.columns)) -> Table:
    return Table({1: one, 2: two})


def written(outcome: Outcome) -> Kit:
    text = PATH.read_text(encoding="utf-8")
    return parse_kit(corrected_text(text, KIT, outcome.kit), "written")


@pytest.mark.parametrize(("wrong", "seat"), list(zip(WRONG, cycle((1, 2)), strict=False)))
def test_wrong_wires(wrong: str, seat: int) -> None:
    rows, columns = WRONG[wrong]
    if seat == 2:
        other = dict(zip((*ROWS, *COLUMNS), (*TWO.rows, *TWO.columns), strict=True))
        rows, columns = tuple(other[pin] for pin in rows), tuple(other[pin] for pin in columns)
    board = table(one=(rows, columns)) if seat == 1 else table(two=(rows, columns))
    outcome = board.find(KIT)
    assert not outcome.passed
    keypad = outcome.kit.keypads[seat - 1]
    assert (keypad.rows, keypad.columns) == (rows, columns)
    assert outcome.kit.keypads[2 - seat] == KIT.keypads[2 - seat]
    board.assert_each_key_is_itself(written(outcome))


def test_the_keypads_of_the_seats_exchanged() -> None:
    board = table(one=(TWO.rows, TWO.columns), two=(ROWS, COLUMNS))
    outcome = board.find(KIT)
    assert "pins of seat 2's" in " ".join(outcome.told)
    board.assert_each_key_is_itself(written(outcome))


def test_a_right_keypad_stays_as_it_is_and_takes_seven_keys_to_know() -> None:
    board = table()
    outcome = board.find(KIT)
    assert outcome.passed
    assert outcome.kit == KIT
    assert sum(": press " in text for text in board.heard) == 2 * 7
    assert len(board.pressed) == 2 * 16
    board.assert_each_key_is_itself(KIT)


@pytest.mark.parametrize(("key", "seat"), [("5", 1), ("D", 2), ("1", 1)])
def test_a_stuck_key(key: str, seat: int) -> None:
    board = table()
    board.matrices[seat].press(key)
    outcome = board.find(KIT)
    assert not outcome.passed
    assert outcome.kit == KIT
    assert f"seat {seat}'s {key} is stuck" in outcome.told[0]


def test_a_wire_joined_to_ground_and_two_rows_that_touch() -> None:
    grounded = table()
    grounded.matrices[1].short(ROWS[1], GROUND)
    assert f"GPIO{ROWS[1]} is joined to ground" in grounded.find(KIT).told[0]
    touching = table()
    touching.matrices[1].short(ROWS[1], ROWS[2])
    assert f"GPIO{min(ROWS[1:3])} and GPIO{max(ROWS[1:3])} touch" in touching.find(KIT).told[0]


def test_a_wire_on_the_supply_is_never_driven_low() -> None:
    board = table()
    board.matrices[2].short(TWO.columns[1], SUPPLY)
    with pytest.raises(DriverError, match=rf"GPIO{TWO.columns[1]} \(pin \d+\) is joined to 3.3 V"):
        board.find(KIT)
    board.matrices[2].check()


@pytest.mark.parametrize("row", range(4))
def test_a_broken_row_wire(row: int) -> None:
    rows = [None if number == row else pin for number, pin in enumerate(ROWS)]
    board = Table({1: (rows, COLUMNS), 2: (TWO.rows, TWO.columns)})
    outcome = board.find(KIT)
    assert not outcome.passed
    assert outcome.kit == KIT
    assert outcome.told[0] == f"Seat 1: no key of row {row + 1} is seen: its wire is broken or not plugged in."


@pytest.mark.parametrize("dead", ["1", "A", "*", "5", "58"])
def test_dead_keys(dead: str) -> None:
    board = table(one=WRONG["two rows swapped"])
    board.dead = {(1, key) for key in dead}
    outcome = board.find(KIT)
    assert outcome.kit.keypads[0].rows == WRONG["two rows swapped"][0]
    assert any("nothing: replace the keypad" in line and all(key in line for key in dead) for line in outcome.told)
    board.assert_each_key_is_itself(written(outcome))


def test_a_keypad_that_is_not_plugged_in() -> None:
    board = Table({1: ([None] * 4, [None] * 4), 2: (TWO.rows, TWO.columns)})
    outcome = board.find(KIT)
    assert outcome.kit == KIT
    assert "ribbon" in outcome.told[0]
    assert "every key works" in outcome.told[1]


@pytest.mark.parametrize(("lasts", "scans"), [(0.004, 2), (0.014, 3), (0.033, 5)])
def test_bounce_asks_for_more_equal_scans(lasts: float, scans: int) -> None:
    board = table()
    # Four short openings, the last one over when the bounce is.
    board.bounce = {"6": [lasts * step / 4 + edge for step in (1, 2, 3, 4) for edge in (-0.0006, 0)]}
    outcome = board.find(KIT)
    assert outcome.passed == (scans == 2)
    assert [keypad.debounce_scans for keypad in outcome.kit.keypads] == [scans, scans]
    if not outcome.passed:
        assert "6 bounces for" in outcome.told[0]
    board.assert_each_key_is_itself(written(outcome))


@pytest.mark.parametrize("slips", [{"2": "5"}, {"3": "8"}, {"4": "2"}])
def test_another_key_than_the_one_asked_for_is_noticed(slips: dict[str, str]) -> None:
    board = table()
    board.slips = dict(slips)
    outcome = board.find(KIT)
    assert outcome.passed
    assert any(text.startswith("!") for text in board.heard)


def test_two_keys_in_each_others_place_are_noticed_at_the_end() -> None:
    board = table()
    board.slips = {"3": "A", "A": "3"}
    outcome = board.find(KIT)
    assert outcome.passed
    assert any("not the one asked for" in text for text in board.heard)


def test_keys_from_a_board_that_scans_for_itself() -> None:
    """A Pico or the simulator tells keys by the kit that it was given; swapped wires show all the same."""
    rows, columns = WRONG["rows and columns exchanged"][0], WRONG["rows and columns exchanged"][1]
    by_pins = {
        frozenset({row, column}): key
        for row, line in zip(rows, ONE.layout, strict=True)
        for column, key in zip(columns, line, strict=True)
    }
    contacts = KeyContacts(KIT)
    named = {
        frozenset({row, column}): key
        for row, line in zip(ONE.rows, ONE.layout, strict=True)
        for column, key in zip(ONE.columns, line, strict=True)
    }
    heard: list[str] = []

    class Presser:
        def say(self, text: str) -> None:
            heard.append(text)
            keys = [text.rsplit(" ", 1)[1]] if ": press " in text else []
            keys = text.split(": ")[-1].split() if "every other" in text else keys
            seat = 1 if "Seat 1" in text else 2
            for number, key in enumerate(keys):
                pins = next(pins for pins, real in by_pins.items() if real == key)
                told = named[pins] if seat == 1 else key
                contacts.key(KeyEvent(seat, told, True, float(number)))
                contacts.key(KeyEvent(seat, told, False, number + 0.1))

        def ask(self, question: str, read: Callable[[str], T]) -> T:
            return read("y" if "(y, n)" in question else "")

    outcome = find_keys(KIT, contacts, Presser())
    assert (outcome.kit.keypads[0].rows, outcome.kit.keypads[0].columns) == (rows, columns)
    assert outcome.kit.keypads[1] == TWO


def test_a_key_that_comes_twice_from_such_a_board_is_bounce_and_one_that_stays_is_stuck() -> None:
    contacts = KeyContacts(KIT)
    for down, time in ((True, 1.0), (False, 1.004), (True, 1.022), (False, 1.4)):
        contacts.key(KeyEvent(1, "5", down, time))
    press = contacts.press(0.2)
    assert press is not None
    assert (press.seat, press.key) == (1, "5")
    assert press.bounce_ms == pytest.approx(22)
    assert contacts.closed() == []
    contacts.key(KeyEvent(2, "8", True, 2.0))
    assert [(stuck.seat, stuck.key) for stuck in contacts.closed()] == [(2, "8")]
    assert contacts.press(0.01) is None


def test_number_pads_without_wires_are_tested_by_name() -> None:
    keypads = tuple(Keypad(seat=seat, driver="evdev", device=f"pad{seat}") for seat in (1, 2))
    kit = msgspec.structs.replace(KIT, keypads=keypads)
    contacts = KeyContacts(kit)

    class Presser:
        def say(self, text: str) -> None:
            seat = 1 if "Seat 1" in text else 2
            for key in text.split(": ")[-1].split() if "every other" in text else ():
                contacts.key(KeyEvent(seat, key, True, 0.0))
                contacts.key(KeyEvent(seat, key, False, 0.1))

        def ask(self, question: str, read: Callable[[str], T]) -> T:
            return read("y" if "(y, n)" in question else "")

    assert find_keys(kit, contacts, Presser()).passed


def test_leaving_in_the_middle_lets_the_pins_go() -> None:
    board = table()

    def leave(_question: str, _read: Callable[[str], T]) -> T:
        raise LeaveError

    board.ask = leave  # type: ignore[method-assign, assignment]
    with pytest.raises(LeaveError):
        board.find(KIT)
    board.assert_each_key_is_itself(KIT)
