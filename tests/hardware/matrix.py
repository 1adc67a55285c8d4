"""A key matrix made of wires and switches, connected to gpiozero's mock pins.

It knows what a real one does: a wire that a pin drives low pulls everything low that closed switches join to it, also
through other held keys (ghost paths); contacts bounce; wires can be swapped, cut or shorted; two pins that drive one
wire against each other are a short circuit, which raises `PushPullError` and is kept in `SimulatedMatrix.shorts`.

    factory = MockFactory()
    with SimulatedMatrix(factory, rows=(4, 17, 27, 22), columns=(23, 24, 8, 7)) as matrix:
        matrix.press("5")

Build the matrix before the driver opens its pins, and hand the driver the same factory.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, Self

from gpiozero import PinEdgeDetectUnsupported
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from hardware.keys import KEYPAD_ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hardware.kit import Keypad

GROUND = -1
"""The ground wire, for `SimulatedMatrix.short`."""

SUPPLY = -2
"""The 3.3 V wire, for `SimulatedMatrix.short`."""


class BoardFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no type information
    """A mock factory for a whole board: matrices on some pins, and PWM (for a buzzer) on all others."""

    def pin(self, name: Any, pin_class: Any = MockPWMPin, **options: Any) -> Any:
        """Return a pin, of whatever class it was made first."""
        for _, info in self.board_info.find_pin(name):
            if info in self.pins:
                return self.pins[info]
        return super().pin(name, pin_class, **options)


class PushPullError(AssertionError):
    """One wire was driven high and low at once: on a real board, two output pins feed each other."""


class MatrixPin(MockPin):  # type: ignore[misc]  # gpiozero has no type information
    """A mock pin whose level, while it is an input, comes from the matrix that it is wired to.

    As on the real chip it wakes up as an input with the boot pull (GPIO0-8 up, 9-27 down), and has an output latch,
    low at first, that becomes visible when the pin is made an output.
    """

    def __init__(self, factory: MockFactory, info: Any, matrix: SimulatedMatrix) -> None:
        super().__init__(factory, info)
        self._matrix = matrix
        self._state = False
        self._latch = False
        self._pull = "up" if self._number <= 8 else "down"

    @property
    def driven(self) -> bool | None:
        """The level that this pin drives, or None while it is an input."""
        return self._latch if self._function == "output" else None

    def follow(self, level: bool) -> bool:
        """Take the wire's level; return whether somebody must be told of the edge."""
        if not self._change_state(level):
            return False
        watched = self._edges in {"both", "rising" if level else "falling"}
        return watched and self._when_changed is not None and self.driven is None

    def tell(self) -> None:
        """Call the edge callback."""
        if self._when_changed is not None:
            self._call_when_changed()

    def _change_state(self, value: bool) -> bool:
        # Without MockPin's list of all states ever, which would grow for as long as a key is held.
        if self._state == value:
            return False
        self._state = value
        self._last_change = time.monotonic()
        return True

    def _set_function(self, value: str) -> None:
        assert value in {"input", "output"}
        self._function = value
        self._matrix.pin_changed(self)

    def _get_state(self) -> bool:
        self._matrix.pin_read()
        return bool(self._state)

    def _set_state(self, value: bool) -> None:
        assert self._function == "output", f"{self!r} is an input and was written to"
        self._latch = bool(value)
        self._matrix.pin_changed(self)

    def _set_pull(self, value: str) -> None:
        assert self._function == "input", f"{self!r} is an output and has no pull"
        assert value in {"floating", "up", "down"}
        self._pull = value
        self._matrix.pin_changed(self)

    def _enable_event_detect(self) -> None:
        if self._matrix.edges == "refused":
            raise PinEdgeDetectUnsupported(f"Failed to add edge detection on {self!r}")


class SimulatedMatrix:
    """Wires, switches and pins of one keypad.

    `rows` and `columns` are the BCM pins that the keypad's wires really go to, the printed layout's top row and left
    column first; None is a wire that hangs loose. Swap two of them to wire the keypad wrongly. `edges` is "work",
    "lost" (no edge is ever told) or "refused" (the pin factory cannot watch edges). `clock` (monotonic seconds) times
    the bounces.
    """

    def __init__(
        self,
        factory: MockFactory,
        rows: Sequence[int | None],
        columns: Sequence[int | None],
        *,
        layout: Sequence[str] = KEYPAD_ROWS,
        edges: Literal["work", "lost", "refused"] = "work",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.edges = edges
        self.shorts: list[str] = []
        self.operations = 0
        """How often a pin was read or changed."""
        self._clock = clock
        self._lock = threading.RLock()
        self._closed: set[str] = set()
        self._bounces: list[tuple[float, str, bool]] = []
        self._joined: list[tuple[int, int]] = []
        self._switches = {
            key: (row, len(rows) + column) for row, line in enumerate(layout) for column, key in enumerate(line)
        }
        self._pins: dict[int, MatrixPin] = {}
        self._nodes: dict[int, int] = {GROUND: GROUND, SUPPLY: SUPPLY}
        for node, number in enumerate((*rows, *columns)):
            if number is not None:
                pin = factory.pin(number, pin_class=MatrixPin, matrix=self)
                assert isinstance(pin, MatrixPin), f"GPIO{number} is in use: build the matrix before the driver opens"
                self._pins[node] = pin
                self._nodes[number] = node
        self._groups: list[tuple[set[int], list[MatrixPin]]] = []
        self._regroup()

    @classmethod
    def of(cls, factory: MockFactory, keypad: Keypad, **options: Any) -> Self:
        """Wire a matrix just as a kit's keypad says."""
        return cls(factory, keypad.rows, keypad.columns, layout=keypad.layout, **options)

    def __enter__(self) -> Self:
        """Check for short circuits at the end of a with block."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.check()

    def check(self) -> None:
        """Fail if at any time one wire was driven high and low at once."""
        if self.shorts:
            raise PushPullError(self.shorts[0])

    def press(self, key: str, *, bounce: Sequence[float] = ()) -> None:
        """Close a switch. With `bounce`, an even number of times in seconds from now, the contact opens at the first,
        closes at the second, and so on."""
        self._move(key, True, bounce)

    def release(self, key: str, *, bounce: Sequence[float] = ()) -> None:
        """Open a switch; `bounce` as in `press`."""
        self._move(key, False, bounce)

    @contextmanager
    def held(self, *keys: str) -> Iterator[None]:
        """Hold keys for the length of a with block."""
        for key in keys:
            self.press(key)
        yield
        for key in keys:
            self.release(key)

    def short(self, one: int, other: int) -> None:
        """Join two wires for good: BCM pin numbers of this matrix, GROUND or SUPPLY."""
        with self._lock:
            self._joined.append((self._nodes[one], self._nodes[other]))
        self._switch()

    def pin_changed(self, pin: MatrixPin) -> None:
        """Work out the levels of everything that this pin is joined to; called by the pins."""
        with self._lock:
            self.operations += 1
            told = self._level(next(group for group in self._groups if pin in group[1])) if self._groups else []
        self._tell(told)

    def pin_read(self) -> None:
        """Let the bounces catch up with the clock; called by the pins."""
        self.operations += 1
        self.catch_up()

    def catch_up(self) -> None:
        """Let the bounces catch up with the clock, which otherwise happens when a pin is read."""
        if self._bounces:
            self._switch()

    @property
    def next_bounce(self) -> float | None:
        """When a contact will bounce next, on the clock."""
        return self._bounces[0][0] if self._bounces else None

    def _move(self, key: str, closed: bool, bounce: Sequence[float]) -> None:
        assert key in self._switches, f"the keypad has no key {key!r}"
        assert len(bounce) % 2 == 0, "a contact that bounces comes back as often as it goes"
        now = self._clock()
        with self._lock:
            self._bounces = [waiting for waiting in self._bounces if waiting[1] != key]
            self._bounces += [
                (now + after, key, closed if turn % 2 else not closed) for turn, after in enumerate(bounce)
            ]
            self._bounces.sort(key=lambda waiting: waiting[0])
            (self._closed.add if closed else self._closed.discard)(key)
        self._switch()

    def _switch(self) -> None:
        """Apply what has bounced by now, one contact at a time so that each edge is seen, and level every wire."""
        while True:
            with self._lock:
                self._regroup()
                told = [pin for group in self._groups for pin in self._level(group)]
                due = bool(self._bounces) and self._bounces[0][0] <= self._clock()
                if due:
                    _, key, closed = self._bounces.pop(0)
                    (self._closed.add if closed else self._closed.discard)(key)
            self._tell(told)
            if not due:
                return

    def _regroup(self) -> None:
        """Find which wires are one wire now, through closed switches and short circuits."""
        group: dict[int, set[int]] = {node: {node} for node in (GROUND, SUPPLY, *range(len(self._nodes_of_switches())))}
        for one, other in (*(self._switches[key] for key in self._closed), *self._joined):
            if group[one] is not group[other]:
                group[one] |= group[other]
                for node in group[other]:
                    group[node] = group[one]
        unique = {id(nodes): nodes for nodes in group.values()}.values()
        self._groups = [(nodes, [self._pins[node] for node in nodes if node in self._pins]) for nodes in unique]

    def _nodes_of_switches(self) -> set[int]:
        return {node for nodes in self._switches.values() for node in nodes}

    def _level(self, group: tuple[set[int], list[MatrixPin]]) -> list[MatrixPin]:
        """Level one wire; return the pins that must tell an edge. A wire that nothing holds, or that two pulls hold
        half-way, reads low: the worst case for a driver that forgot its pull-ups."""
        nodes, pins = group
        low = [repr(pin) for pin in pins if pin.driven is False] + ["ground"] * (GROUND in nodes)
        high = [repr(pin) for pin in pins if pin.driven is True] + ["3.3 V"] * (SUPPLY in nodes)
        if low and high:
            self.shorts.append(f"{' and '.join(low)} pull low what {' and '.join(high)} hold high")
            raise PushPullError(self.shorts[-1])
        pulls = {pin._pull for pin in pins if pin.driven is None}
        level = bool(high) or (not low and "up" in pulls and "down" not in pulls)
        told = [pin for pin in pins if pin.follow(level)]
        return [] if self.edges == "lost" else told

    @staticmethod
    def _tell(pins: Sequence[MatrixPin]) -> None:
        # Outside the lock, as a callback may take locks of its own.
        for pin in pins:
            pin.tell()
