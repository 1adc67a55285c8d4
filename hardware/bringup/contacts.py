"""What a keypad's wires do, before it is known which wire is which.

`PinContacts` looks at every pair of pins, so that it sees a key whatever two wires it joins. `KeyContacts` hears of
keys by name from a board that scans for itself, and looks up their wires in the kit that the board scans by.
"""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import gpiozero

from hardware.bringup.asker import LeaveError
from hardware.drivers.base import DriverError
from hardware.drivers.pins import pin_error
from hardware.header import FIXED_PULL_UPS, pin_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.drivers.pins import PinFactory
    from hardware.keys import KeyEvent
    from hardware.kit import Keypad, Kit

POLL_SECONDS = 0.005
"""Between two looks while a press is waited for. This runs only while somebody tests a keypad."""

WATCHED_SECONDS = 0.06
"""How long a contact is watched for bounce after it first closed."""

SETTLE_SECONDS = 50e-6
"""How long a pin is low before the others are read; see `hardware.drivers.gpio_keypad.Timing`."""

Wires = frozenset[int]
"""The two pins that a closed key joins; a single pin that is low by itself is joined to ground."""


class Press(NamedTuple):
    """One key that went down. `wires` are the pins that it joined and `key` its name by the kit, each None where it is
    not known. `bounce_ms` is how long the contact went on changing."""

    seat: int | None
    key: str | None
    wires: Wires | None
    bounce_ms: float = 0.0


class Contacts(Protocol):
    """What the keypad test needs of a board."""

    def closed(self) -> list[Press]:
        """Return everything that is down now."""

    def press(self, seconds: float) -> Press | None:
        """Wait for one key to go down, and for all to be up again; None where none came in this time. Raises LeaveError
        where the person leaves."""

    def close(self) -> None:
        """Let the pins go."""


class PinContacts:
    """The pins of the kit's matrix keypads, all pairs of them, through gpiozero. Raises DriverError where a pin cannot
    be had, or is joined to the supply."""

    def __init__(
        self,
        keypads: Sequence[Keypad],
        pin_factory: PinFactory,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._devices: list[Any] = []
        self._pins: dict[int, Any] = {}
        for keypad in keypads:
            for number in (*keypad.rows, *keypad.columns):
                try:
                    device = gpiozero.GPIODevice(number, pin_factory=pin_factory)
                    self._devices.append(device)
                    device.pin.input_with_pull("up")
                except Exception as error:
                    self.close()
                    raise pin_error(number, f"seat {keypad.seat}'s keypad", error) from error
                self._pins[number] = device.pin
        self._refuse_supply()

    def closed(self) -> list[Press]:
        """Return everything that is down in three looks in a row."""
        looks = []
        for _ in range(3):
            looks.append(self._look())
            self._sleep(POLL_SECONDS)
        return [Press(None, None, wires) for wires in sorted(looks[0] & looks[1] & looks[2], key=sorted)]

    def press(self, seconds: float) -> Press | None:
        """Wait for one key; several at once are waited out, as nobody can tell them apart."""
        stuck = self._look()
        before = self._clock()
        end = before + seconds
        while (now := self._clock()) < end:
            touched = bool(stuck) or self._anything()
            new = self._look() - stuck if touched else set()
            if len(new) == 1:
                (wires,) = new
                bounce = self._bounce(wires, before)
                single = not (self._look() - stuck - new)
                self._wait_until_up(stuck)
                if single and len(wires) == 2:
                    return Press(None, None, wires, bounce)
            elif new:
                self._wait_until_up(stuck)
            if not touched or stuck:
                before = now
            self._sleep(POLL_SECONDS)
        return None

    def close(self) -> None:
        """Leave every pin an input; may be called twice."""
        for device in self._devices:
            if not device.closed:
                device.pin.input_with_pull("up")
            device.close()

    def _refuse_supply(self) -> None:
        """Raise DriverError where a pin is held high from outside: driving it low would be a short circuit."""
        for pin in self._pins.values():
            pin.input_with_pull("down")
        self._sleep(SETTLE_SECONDS)
        high = [number for number, pin in self._pins.items() if pin.state and number not in FIXED_PULL_UPS]
        for pin in self._pins.values():
            pin.input_with_pull("up")
        self._sleep(SETTLE_SECONDS)
        if high:
            self.close()
            raise DriverError(
                f"{', '.join(pin_name(number) for number in high)} is joined to 3.3 V or 5 V: switch off, and look for "
                "a keypad wire on a power pin."
            )

    def _look(self) -> set[Wires]:
        """Return every pair that is joined. One pin at a time is low, all others float, pulled up."""
        grounded = {number for number, pin in self._pins.items() if not pin.state}
        found = {Wires({number}) for number in grounded}
        for number, pin in self._pins.items():
            if number in grounded:
                continue
            self._drive_low(pin)
            found |= {
                Wires({number, other})
                for other, its in self._pins.items()
                if other != number and other not in grounded and not its.state
            }
            pin.input_with_pull("up")
        return found

    def _bounce(self, wires: Wires, before: float) -> float:
        """Watch one contact for a while. Return for how many ms it changed at most, counted from the last look that
        did not see it; 0 where it only closed."""
        driven, read = (self._pins[number] for number in sorted(wires)) if len(wires) == 2 else (None, None)
        if driven is None or read is None:
            return 0.0
        last = before
        end = self._clock() + WATCHED_SECONDS
        self._drive_low(driven)
        try:
            state = False
            while (now := self._clock()) < end:
                if read.state != state:
                    state, last = not state, now
        finally:
            driven.input_with_pull("up")
        return (last - before) * 1000

    def _wait_until_up(self, stuck: set[Wires]) -> None:
        while self._look() - stuck if stuck else self._anything():
            self._sleep(POLL_SECONDS)

    def _anything(self) -> bool:
        """Whether any pin is joined to another or to ground, with few steps: half of the pins are low at a time, so
        chosen that any two of them are once on different sides."""
        pins = list(self._pins.values())
        if not all(pin.state for pin in pins):
            return True
        for bit in range((len(pins) - 1).bit_length()):
            low = [pin for number, pin in enumerate(pins) if number >> bit & 1]
            try:
                self._drive_low(*low)
                if not all(pin.state for pin in pins if pin not in low):
                    return True
            finally:
                for pin in low:
                    pin.input_with_pull("up")
        return False

    def _drive_low(self, *pins: Any) -> None:
        for pin in pins:
            pin.output_with_state(False)
        self._sleep(SETTLE_SECONDS)


class KeyContacts:
    """Key events by name, handed in by `key` from any thread. `wired` is the kit whose pins the names stand for."""

    def __init__(self, wired: Kit) -> None:
        self._events: queue.SimpleQueue[KeyEvent | None] = queue.SimpleQueue()
        self._wires = wires_by_key(wired)
        self._down: dict[tuple[int, str], float] = {}
        self._ahead: list[KeyEvent] = []

    def key(self, event: KeyEvent) -> None:
        """Take a key event."""
        self._events.put(event)

    def leave(self) -> None:
        """Let whoever waits for a key leave, from any thread."""
        self._events.put(None)

    def closed(self) -> list[Press]:
        """Return every key that went down and has not come up."""
        while (event := self._next(0)) is not None:
            self._follow(event)
        return [self._press(seat, key, 0.0) for seat, key in self._down]

    def press(self, seconds: float) -> Press | None:
        """Wait for one key to go down and up. If it comes down again at once, that was bounce."""
        end = time.monotonic() + seconds
        while (event := self._next(end - time.monotonic())) is not None:
            self._follow(event)
            if event.down:
                last = self._last_change(event, end)
                return self._press(event.seat, event.key, (last - event.time) * 1000)
        return None

    def close(self) -> None:
        """Nothing is open here."""

    def _last_change(self, first: KeyEvent, end: float) -> float:
        """Follow a key until it is up and stays so; return when it last went down again at once, on its own clock."""
        last = first.time
        while True:
            event = self._next(WATCHED_SECONDS)
            if event is None:
                if not self._down or time.monotonic() > end:
                    return last
            elif (event.seat, event.key) == (first.seat, first.key):
                self._follow(event)
                if event.down and event.time - first.time < WATCHED_SECONDS:
                    last = event.time
            elif event.down:
                self._ahead.append(event)
                return last
            else:
                self._follow(event)

    def _next(self, seconds: float) -> KeyEvent | None:
        if self._ahead:
            return self._ahead.pop()
        try:
            event = self._events.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
        if event is None:
            raise LeaveError
        return event

    def _follow(self, event: KeyEvent) -> None:
        if event.down:
            self._down[event.seat, event.key] = event.time
        else:
            self._down.pop((event.seat, event.key), None)

    def _press(self, seat: int, key: str, bounce_ms: float) -> Press:
        return Press(seat, key, self._wires.get((seat, key)), bounce_ms)


def wires_by_key(kit: Kit) -> dict[tuple[int, str], Wires]:
    """Return for each seat and key the two pins that it joins, by the kit; USB number pads have none."""
    return {
        (keypad.seat, key): Wires({keypad.rows[row], keypad.columns[column]})
        for keypad in kit.keypads
        if keypad.rows
        for row, line in enumerate(keypad.layout)
        for column, key in enumerate(line)
    }
