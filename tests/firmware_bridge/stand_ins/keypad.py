"""Stands in for CircuitPython's `keypad`: a matrix whose contacts the emulator closes and opens.

The matrix is electrical: a column reads low when it is connected with the driven row over closed contacts, however
far round, so that three held corners of a rectangle show the fourth. The queue overflows like the real one.
Simpler: contacts do not bounce, so `debounce_threshold` has nothing to do, and every change of a contact is followed by
a scan of its own, when the queue is looked at (the real one scans in the background, every `interval` seconds, and does
not see a shorter press).
"""

import emulated
import supervisor

_keys = emulated.descriptor("KEYS")
_closed = set()
_matrices = []


class Event:
    def __init__(self, key_number=0, pressed=True, timestamp=None):
        self.key_number = key_number
        self.pressed = pressed
        self.timestamp = supervisor.ticks_ms() if timestamp is None else timestamp

    @property
    def released(self):
        return not self.pressed


class EventQueue:
    def __init__(self, size):
        self._size = size
        self._events = []
        self._overflowed = False

    @property
    def overflowed(self):
        return self._overflowed

    def clear(self):
        self._events = []
        self._overflowed = False

    def get_into(self, event):
        _follow_contacts()
        if not self._events:
            return False
        event.key_number, event.pressed, event.timestamp = self._events.pop(0)
        return True

    def add(self, event):
        if len(self._events) >= self._size:
            self._overflowed = True
        else:
            self._events.append(event)


class KeyMatrix:
    def __init__(
        self, row_pins, column_pins, columns_to_anodes=True, interval=0.02, max_events=64, debounce_threshold=1
    ):
        self._pins = list(row_pins) + list(column_pins)
        for place, pin in enumerate(self._pins):
            try:
                pin.take(self)
            except ValueError:
                for taken in self._pins[:place]:
                    taken.release()
                raise
        self._rows = [pin.number for pin in row_pins]
        self._columns = [pin.number for pin in column_pins]
        self._pressed = set()
        self.key_count = len(self._rows) * len(self._columns)
        self.events = EventQueue(max_events)
        _matrices.append(self)
        self.scan()

    def reset(self):
        self._pressed = set()
        self.scan()

    def deinit(self):
        for pin in self._pins:
            pin.release()
        _matrices.remove(self)

    def scan(self):
        now = supervisor.ticks_ms()
        for row, driven in enumerate(self._rows):
            low = _connected(driven)
            for column, pin in enumerate(self._columns):
                key = row * len(self._columns) + column
                pressed = pin in low
                if pressed != (key in self._pressed):
                    if pressed:
                        self._pressed.add(key)
                    else:
                        self._pressed.remove(key)
                    self.events.add((key, pressed, now))


def _connected(pin):
    """Return the pins that are connected with this one over closed contacts."""
    found = {pin}
    grown = True
    while grown:
        grown = False
        for first, second in _closed:
            if (first in found) != (second in found):
                found |= {first, second}
                grown = True
    return found


def _follow_contacts():
    """Close and open what the emulator has closed and opened: three bytes each, two pins and whether it is closed."""
    while True:
        message = _keys.read(3)
        if not message:
            return
        contact = (message[0], message[1])
        if message[2]:
            _closed.add(contact)
        else:
            _closed.discard(contact)
        for matrix in _matrices:
            matrix.scan()
