"""The keypads: key events with sequence numbers, kept until the host has them."""

import board
import keypad
import wire

SCAN_S = 0.01
"""Time between two scans in seconds."""

EQUAL_SCANS = 2
"""So many scans must agree before a key counts as changed: the contacts of a keypad bounce for some ms."""

SETTLE_MS = 100
"""How long the scanner is given to find every key that is down after its queue overflowed."""

REPEAT_MS = 100
"""How long an event waits for its acknowledgement before it is sent again."""


def ticks_diff(later, earlier):
    """Milliseconds between two values of supervisor.ticks_ms, which starts anew at 2**29."""
    return ((later - earlier + (1 << 28)) & ((1 << 29) - 1)) - (1 << 28)


def pins(numbers):
    """Return the pins with these GP numbers."""
    return tuple([getattr(board, f"GP{number}") for number in numbers])


class Matrix:
    """One keypad's scanner. Its snapshot is ambiguous while three corners of a rectangle are down: in a matrix without
    diodes the fourth then looks down as well. Nothing changes until it is unambiguous again."""

    def __init__(self, config):
        self.rows = len(config["rows"])
        self.columns = len(config["columns"])
        self.scanner = keypad.KeyMatrix(
            pins(config["rows"]), pins(config["columns"]), interval=SCAN_S, debounce_threshold=EQUAL_SCANS
        )
        self.raw = 0
        self.held = 0

    def ambiguous(self):
        """Whether the snapshot may hold a key that nobody pressed."""
        mask = (1 << self.columns) - 1
        rows = [self.raw >> row * self.columns & mask for row in range(self.rows)]
        for upper in range(self.rows - 1):
            for lower in range(upper + 1, self.rows):
                either = rows[upper] | rows[lower]
                if rows[upper] & rows[lower] and either & (either - 1):
                    return True
        return False


class Keys:
    """All keypads and their unacknowledged events.

    An entry of the queue is an event (keypad, key, down, time) or, after a start or an overflow, a state (whether after
    a start, masks of all keypads).
    """

    def __init__(self, config, now):
        self._matrices = []
        self._queue = []
        self._first = 0
        self._sent = None
        self._started = True
        self._settled = now + SETTLE_MS & (1 << 29) - 1
        self._event = keypad.Event()
        try:
            for part in config["keypads"]:
                self._matrices.append(Matrix(part))
        except Exception:
            self.deinit()
            raise

    def describe(self):
        """Return rows and columns of each keypad."""
        return [[matrix.rows, matrix.columns] for matrix in self._matrices]

    def held(self):
        """Return for each keypad a mask of the keys that are down."""
        return [matrix.held for matrix in self._matrices]

    def first(self):
        """Return the sequence number of the oldest event that is not acknowledged."""
        return self._first

    def forget(self):
        """Drop every event that waits: a new host begins with the state, and who pressed keys at dark panels meant
        nothing by it."""
        self._first = self._first + len(self._queue) & 0xFFFF
        self._queue = []
        self._sent = None

    def repeat(self):
        """Send what waits again at once: the host has just come back."""
        self._sent = None

    def resume(self):
        """Say the whole state next, before any further event."""
        self.forget()
        self._queue.append((self._started, self.held()))
        self._started = False

    def acknowledge(self, expected):
        """Drop the events before the one that the host expects next."""
        count = expected - self._first & 0xFFFF
        if count <= len(self._queue):
            self._queue = self._queue[count:]
            self._first = expected
            if count:
                self._sent = None

    def scan(self, now):
        """Take what the scanners have found."""
        for number, matrix in enumerate(self._matrices):
            events = matrix.scanner.events
            while events.get_into(self._event):
                key = self._event.key_number
                if self._event.pressed:
                    matrix.raw |= 1 << key
                else:
                    matrix.raw &= ~(1 << key)
                if self._settled is None and not matrix.ambiguous():
                    self._changed(number, matrix, self._event.timestamp)
            if events.overflowed:
                self._start_again(now)
        if self._settled is not None and ticks_diff(now, self._settled) >= 0:
            self._settled = None
            for matrix in self._matrices:
                if not matrix.ambiguous():
                    matrix.held = matrix.raw
            self.resume()

    def message(self, now):
        """Return what is to be sent now, or None."""
        if not self._queue or (self._sent is not None and ticks_diff(now, self._sent) < REPEAT_MS):
            return None
        self._sent = now
        if len(self._queue[0]) == 2:
            return wire.pack_state(self._first, self._queue[0][0], self._queue[0][1])
        return wire.pack_keys(self._first, now, self._queue)

    def deinit(self):
        """Let every pin go."""
        for matrix in self._matrices:
            matrix.scanner.deinit()

    def _changed(self, number, matrix, when):
        changed = matrix.held ^ matrix.raw
        for key in range(matrix.rows * matrix.columns):
            if changed >> key & 1:
                self._queue.append((number, key, bool(matrix.raw >> key & 1), when))
        matrix.held = matrix.raw
        self._sent = None
        if len(self._queue) > wire.MAX_KEYS:
            self.resume()

    def _start_again(self, now):
        """The scanner lost events: let it find every key that is down anew."""
        for matrix in self._matrices:
            # In this order: a scan right after the reset must not be cleared away.
            matrix.scanner.events.clear()
            matrix.scanner.reset()
            matrix.raw = 0
        self._settled = now + SETTLE_MS & (1 << 29) - 1
