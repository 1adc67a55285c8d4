"""Keypads on GPIO pins, through gpiozero.

Columns are inputs with pull-ups. While no key is down, all rows are driven low together, so that any key pulls its
column low and that edge wakes the scanner: nothing runs, but for a look every second in case an edge was lost. While a
key is down, one row at a time is driven low and the others float, pulled up: two output pins never meet through two
keys of one column. Rows are only ever low or inputs, never high.

What the switches do is read as snapshots of the whole matrix; `hardware.drivers.debounce` makes keys of them.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gpiozero

from hardware.board import Sentence
from hardware.drivers.base import DriverError
from hardware.drivers.debounce import Change, Debounce, Reading
from hardware.drivers.pins import default_pin_factory, one_line, pin_error
from hardware.drivers.trouble import TroubleLine
from hardware.keys import KeyEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.drivers.pins import PinFactory
    from hardware.kit import Keypad, Kit


@dataclass(frozen=True, slots=True)
class Timing:
    """When the scanner looks; all times in seconds.

    A change is accepted after as many equal snapshots as the kit says (`debounce_scans`), `scan` apart. `settle` is
    how long a row is low before the columns are read: an internal pull-up of 50 kΩ lifts a cable of 200 pF in some
    10 µs.
    """

    scan: float = 0.010
    """Between snapshots while something changes."""
    hold: float = 0.020
    """Between snapshots while keys are down and nothing changes."""
    rest: float = 1.0
    """Between looks while no key is down, in case an edge was lost."""
    poll: float = 0.020
    """The same where the pins have no edges."""
    retry: float = 1.0
    """Between attempts on pins that cannot be read."""
    settle: float = 50e-6


DEFAULT_TIMING = Timing()


class MatrixPins:
    """The pins of one keypad. Raises DriverError where one of them cannot be had."""

    def __init__(self, keypad: Keypad, pin_factory: PinFactory, settle: float) -> None:
        self._settle = settle
        self._devices: list[Any] = []
        self._listener: Callable[[], None] | None = None
        try:
            for number in (*keypad.rows, *keypad.columns):
                self._open(number, keypad.seat, pin_factory)
        except DriverError:
            self.close()
            raise
        pins = [device.pin for device in self._devices]
        self._rows, self._columns = pins[: len(keypad.rows)], pins[len(keypad.rows) :]

    def _open(self, number: int, seat: int, pin_factory: PinFactory) -> None:
        try:
            device = gpiozero.GPIODevice(number, pin_factory=pin_factory)
            self._devices.append(device)
            device.pin.input_with_pull("up")
        except Exception as error:
            raise pin_error(number, f"seat {seat}'s keypad", error) from error

    def watch(self, listener: Callable[[], None]) -> None:
        """Call the listener, from any thread, at every falling edge of a column. Raises what the pin factory raises
        where it cannot watch edges."""
        self._listener = listener
        for pin in self._columns:
            pin.edges = "falling"
            pin.when_changed = self._edge

    def _edge(self, _ticks: object, _state: object) -> None:
        if self._listener is not None:
            self._listener()

    def rest(self) -> None:
        """Drive all rows low, so that any key pulls its column low."""
        for pin in self._rows:
            pin.output_with_state(False)
        self._wait()

    def float_rows(self) -> None:
        """Let all rows float, pulled up. Always before a scan that follows a rest."""
        for pin in self._rows:
            pin.input_with_pull("up")
        self._wait()

    def columns(self) -> int:
        """Return the columns that are low now, as a bit mask."""
        return sum(1 << column for column, pin in enumerate(self._columns) if not pin.state)

    def scan(self) -> Reading:
        """Return a snapshot of the whole matrix; the rows must float, and float again afterwards."""
        shorted = self.columns()
        rows = []
        for pin in self._rows:
            pin.output_with_state(False)
            try:
                self._wait()
                rows.append(self.columns())
            finally:
                pin.input_with_pull("up")
        return Reading(tuple(rows), shorted)

    def close(self) -> None:
        """Stop watching and leave every pin an input; may be called twice."""
        self._listener = None
        with ExitStack() as closing:
            for device in self._devices:
                closing.callback(_let_go, device)

    def _wait(self) -> None:
        if self._settle:
            time.sleep(self._settle)


def _let_go(device: Any) -> None:
    try:
        if not device.closed:
            device.pin.when_changed = None
            device.pin.input_with_pull("up")
    finally:
        device.close()


class MatrixScan:
    """One keypad's scanner: when to look next, and what has changed."""

    def __init__(self, keypad: Keypad, pins: MatrixPins, timing: Timing, trouble: TroubleLine) -> None:
        self._keypad = keypad
        self._pins = pins
        self._timing = timing
        self._trouble = trouble
        self._debounce = Debounce(len(keypad.rows), keypad.debounce_scans)
        self._woken = False
        self._resting = False
        self._failed = False
        self._told_shorted = 0
        self._edges = False
        self.due = 0.0
        """When to look next, in seconds on the clock that `look` is told; earlier if an edge was seen."""

    @property
    def woken(self) -> bool:
        """Whether an edge was seen while the keypad was at rest."""
        return self._woken

    def watch(self, wake: Callable[[], None]) -> None:
        """Have edges wake the scanner; where the pin factory cannot, tell it and poll instead."""

        def edge() -> None:
            # The scan makes edges of its own; only those at rest mean anything.
            if self._resting:
                self._woken = True
                wake()

        try:
            self._pins.watch(edge)
        except Exception as error:
            milliseconds = round(self._timing.poll * 1000)
            self._trouble.say(
                Sentence(
                    "Seat {seat}'s keypad has no edges to wake up at ({error}): it works, but is looked at every "
                    "{milliseconds} ms; install python3-lgpio to save that.",
                    seat=self._keypad.seat,
                    error=one_line(error),
                    milliseconds=milliseconds,
                )
            )
        else:
            self._edges = True

    def look(self, now: float) -> list[KeyEvent]:
        """Look at the keypad; return what changed. A failure is told once, lifts the keys that were down, and is tried
        again later."""
        self._woken = False
        try:
            events = self._look(now)
        except Exception as error:
            self._resting = False
            self.due = now + self._timing.retry
            if not self._failed:
                self._trouble.say(
                    Sentence(
                        "Seat {seat}'s keypad cannot be read ({error}): check its wires.",
                        seat=self._keypad.seat,
                        error=one_line(error),
                    )
                )
            self._failed = True
            return self._events(self._debounce.forget(), now)
        if self._failed:
            self._failed = False
            self._trouble.say(Sentence("Seat {seat}'s keypad can be read again.", seat=self._keypad.seat))
        return events

    def _look(self, now: float) -> list[KeyEvent]:
        shorted = self._debounce.accepted.shorted
        if self._resting and not shorted and not self._pins.columns():
            self.due = now + self._quiet
            return []
        if self._resting or self._failed:
            self._resting = False
            self._pins.float_rows()
        changes = self._debounce.feed(self._pins.scan())
        accepted = self._debounce.accepted
        self._tell_shorted(accepted.shorted)
        self.due = now + (self._timing.hold if self._debounce.settled else self._timing.scan)
        if self._debounce.idle:
            self._rest(now)
        return self._events(changes, now)

    def _events(self, changes: list[Change], now: float) -> list[KeyEvent]:
        keypad = self._keypad
        return [KeyEvent(keypad.seat, keypad.layout[row][column], down, now) for row, column, down in changes]

    def _rest(self, now: float) -> None:
        self._resting = True
        self._pins.rest()
        if self._pins.columns() & ~self._debounce.accepted.shorted:
            # A key went down since the last row was read, and its edge fell before anyone listened.
            self._resting = False
            self._pins.float_rows()
        else:
            self.due = now + self._quiet

    @property
    def _quiet(self) -> float:
        return self._timing.rest if self._edges else self._timing.poll

    def _tell_shorted(self, shorted: int) -> None:
        for column, number in enumerate(self._keypad.columns):
            if (shorted & ~self._told_shorted) >> column & 1:
                self._trouble.say(
                    Sentence(
                        "Seat {seat}'s keypad: GPIO{pin} (column {column}) is low though no row is, so its keys are "
                        "ignored: check that wire for a short circuit to ground.",
                        seat=self._keypad.seat,
                        pin=number,
                        column=column + 1,
                    )
                )
        self._told_shorted |= shorted


class GpioKeypads:
    """The keypads of one kit, looked at by one thread. `clock` is in monotonic seconds."""

    def __init__(
        self,
        keypads: Sequence[Keypad],
        on_key: Callable[[KeyEvent], None],
        pin_factory: PinFactory,
        *,
        timing: Timing = DEFAULT_TIMING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_key = on_key
        self._clock = clock
        self._trouble = TroubleLine()
        self._wake = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._pins: list[MatrixPins] = []
        self._scans: list[MatrixScan] = []
        try:
            for keypad in keypads:
                self._pins.append(MatrixPins(keypad, pin_factory, timing.settle))
                self._scans.append(MatrixScan(keypad, self._pins[-1], timing, self._trouble))
        except DriverError:
            self.close()
            raise
        for scan in self._scans:
            scan.watch(self._wake.set)

    def tell_trouble_to(self, listener: Callable[[str], None]) -> None:
        """Hand every sentence about the keypads to the listener; first those from before anyone listened."""
        self._trouble.listen(listener)

    def start(self) -> None:
        """Start the thread that looks."""
        self._thread = threading.Thread(target=self._run, name="gpio-keypads", daemon=True)
        self._thread.start()

    def step(self) -> float:
        """Look at every keypad that is due or woken, and hand its key events on; return the seconds until the next
        one is due. The thread does nothing else; a test may call it instead of starting the thread."""
        now = self._clock()
        for scan in self._scans:
            if scan.woken or now >= scan.due:
                for event in scan.look(now):
                    self._on_key(event)
        return max(0.0, min(scan.due for scan in self._scans) - self._clock())

    def close(self) -> None:
        """Stop looking and let the pins go; may be called twice."""
        self._closing = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        for pins in self._pins:
            pins.close()

    def _run(self) -> None:
        while not self._closing:
            self._wake.wait(self.step())
            self._wake.clear()


def open_keypads(
    _kit: Kit,
    keypads: Sequence[Keypad],
    on_key: Callable[[KeyEvent], None],
    *,
    pin_factory: PinFactory | None = None,
    timing: Timing = DEFAULT_TIMING,
) -> GpioKeypads:
    """Open keypads on GPIO pins and begin to hand in key events, from a thread of the driver's own.

    Without a pin factory the process's own is used, lgpio on a Pi. Raises DriverError where there is none, or where a
    pin is in use.
    """
    driver = GpioKeypads(keypads, on_key, default_pin_factory() if pin_factory is None else pin_factory, timing=timing)
    driver.start()
    return driver
