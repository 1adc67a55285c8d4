"""One connection to a Pico, as far as it needs neither a port nor a clock: bytes in, bytes out, time handed in."""

from __future__ import annotations

import struct
from binascii import crc32
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

import msgspec

from firmware_bridge.changes import pack_chain
from firmware_bridge.device import Device, read_configured, read_device
from firmware_bridge.errors import LineLostError, PicoError
from firmware_bridge.key_tracker import KeyTracker
from firmware_bridge.pico import wire

Picture = tuple[bytes, ...]
"""The wire bytes of every chain."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the host waits, in seconds; counts are tries."""

    hello: float = 0.5
    hellos: int = 5
    answer: float = 0.3
    """For ACK, NAK and CONFIGURED. A Pico takes some 30 ms for a picture."""
    answers: int = 10
    ping: float = 1.0
    misses: int = 3
    refresh: float = 1.0
    gap: float = 0.05
    search: float = 0.5
    """Between two looks for a Pico that is gone."""


@dataclass(slots=True)
class Counts:
    """What has happened on the line since the program started."""

    pictures: int = 0
    whole_frames: int = 0
    patches: int = 0
    bytes_sent: int = 0
    again: int = 0
    """Pictures that had to be sent again, because an answer was missing or the Pico had lost something."""
    limited: int = 0
    """Pictures that the Pico's own current limit dimmed."""


class _Stage(Enum):
    GREETING = auto()
    CONFIGURING = auto()
    RUNNING = auto()


@dataclass(slots=True)
class _Sent:
    """A picture on its way."""

    sequence: int
    picture: Picture
    due: float


class Session:
    """The host's end of one connection.

    Hand in bytes with `receive`, pictures with `offer`, and call `tick` when `deadline` has come; after each, send what
    `take` returns. Raises LineLostError where the connection is to be opened again, PicoError where it is no use.
    """

    def __init__(
        self, config: bytes, number: int, tracker: KeyTracker, timing: Timing, counts: Counts, now: float
    ) -> None:
        """`config` is the CONFIG payload, `number` the program's own (see `draw_number`)."""
        self._config = config
        self._check = crc32(config)
        self._number = number
        self._tracker = tracker
        self._timing = timing
        self._counts = counts
        self._reader = wire.Reader()
        self._out = bytearray()
        self._came = now
        self._wanted: Picture | None = None
        self._asked = False
        self._shown: Picture | None = None
        self._sent: _Sent | None = None
        self._sequence = 0
        self._refreshed = now
        self._failures = 0
        self._alive = True
        self._misses = 0
        self._pings = 0
        self._ping_due = now + timing.ping
        self.device: Device | None = None
        self.gone = False
        """Whether the Pico has answered BYE."""
        self._greet(now)

    @property
    def running(self) -> bool:
        """Whether the Pico is configured and takes pictures."""
        return self._stage is _Stage.RUNNING

    @property
    def settled(self) -> bool:
        """Whether the newest picture is lit, or there was none."""
        return self.running and not self._asked and self._sent is None

    @property
    def deadline(self) -> float:
        """When `tick` is to be called if nothing happens before."""
        due = self._ping_due if self.running else self._due
        if self._sent:
            due = min(due, self._sent.due)
        if self._reader.pending:
            due = min(due, self._came + self._timing.gap)
        return due

    def take(self) -> bytes:
        """Return what is to be sent, once."""
        data = bytes(self._out)
        self._out.clear()
        self._counts.bytes_sent += len(data)
        return data

    def offer(self, picture: Picture, now: float) -> None:
        """Show a picture as soon as the line is free; one that has not been sent by then is forgotten. A picture that
        is lit already is lit again."""
        self._wanted = picture
        self._asked = True
        self._pump(now)

    def leave(self) -> None:
        """Say goodbye: the Pico goes dark and answers (`gone`)."""
        self._out += wire.pack(wire.BYE)

    def receive(self, data: bytes, now: float) -> None:
        """Take bytes from the line."""
        self._came = now
        self._reader.feed(data)
        self._read(now)

    def tick(self, now: float) -> None:
        """Do what is due."""
        if self._reader.pending and now >= self._came + self._timing.gap:
            self._reader.expire()
            self._came = now
            self._read(now)
        if self.running:
            if now >= self._ping_due:
                self._ping(now)
            if self._sent and now >= self._sent.due:
                self._again(now)
        elif now >= self._due:
            self._ask_again(now)

    def _read(self, now: float) -> None:
        while message := self._reader.next():
            self._alive = True
            try:
                self._handle(*message, now)
            except struct.error as error:
                raise LineLostError(f"The Pico sends what makes no sense ({error}).") from error

    def _handle(self, kind: int, payload: bytes, now: float) -> None:
        if kind == wire.DEVICE:
            self._introduced(read_device(payload), now)
        elif kind == wire.GONE:
            self.gone = True
        elif self._stage is _Stage.CONFIGURING and kind == wire.CONFIGURED:
            self._configured(payload, now)
        elif self.running:
            self._running(kind, payload, now)

    def _running(self, kind: int, payload: bytes, now: float) -> None:
        if kind == wire.ACK:
            self._acknowledged(*wire.unpack_answer(payload), now)
        elif kind == wire.NAK:
            sequence, _ = wire.unpack_answer(payload)
            if self._sent and self._sent.sequence == sequence:
                self._again(now)
        elif kind == wire.KEYS:
            self._out += wire.pack_word(wire.KEYS_ACK, self._tracker.keys(*wire.unpack_keys(payload)))
        elif kind == wire.STATE:
            self._out += wire.pack_word(wire.KEYS_ACK, self._tracker.state(*wire.unpack_state(payload)))

    def _greet(self, now: float) -> None:
        self._stage = _Stage.GREETING
        self._tries = 1
        self._sent = None
        self._shown = None
        self._asked = self._wanted is not None
        self._due = now + self._timing.hello
        self._out += wire.pack_hello(self._number)

    def _introduced(self, device: Device, now: float) -> None:
        if self._stage is not _Stage.GREETING:
            if device.session != self._number:
                # It has started anew since, or forgotten this program.
                self._tracker.lost()
                self._greet(now)
            return
        if device.session != self._number:
            return
        self.device = device
        self._tracker.greet(device.resumed, device.first, device.held)
        if device.configured == self._check:
            self._run(now)
        else:
            self._stage = _Stage.CONFIGURING
            self._tries = 1
            self._due = now + self._timing.answer
            self._out += wire.pack(wire.CONFIG, self._config)

    def _configured(self, payload: bytes, now: float) -> None:
        answer = read_configured(payload)
        if answer.check != self._check:
            return
        if answer.fault:
            raise PicoError(f"The Pico cannot do what the kit says ({answer.fault}): correct the kit's pins.")
        if self.device:
            self.device = msgspec.structs.replace(
                self.device, configured=answer.check, chains=answer.chains, keypads=answer.keypads
            )
        self._tracker.reconfigured()
        self._run(now)

    def _run(self, now: float) -> None:
        self._stage = _Stage.RUNNING
        self._failures = 0
        self._misses = 0
        self._alive = True
        self._ping_due = now + self._timing.ping
        self._pump(now)

    def _ask_again(self, now: float) -> None:
        greeting = self._stage is _Stage.GREETING
        if self._tries >= (self._timing.hellos if greeting else self._timing.answers):
            raise LineLostError("The Pico does not answer.")
        self._tries += 1
        if greeting:
            self._due = now + self._timing.hello
            self._out += wire.pack_hello(self._number)
        else:
            self._due = now + self._timing.answer
            self._out += wire.pack(wire.CONFIG, self._config)

    def _ping(self, now: float) -> None:
        self._misses = 0 if self._alive else self._misses + 1
        if self._misses >= self._timing.misses:
            raise LineLostError("The Pico does not answer any more.")
        self._alive = False
        self._pings = self._pings + 1 & 0xFFFF
        self._ping_due = now + self._timing.ping
        self._out += wire.pack_word(wire.PING, self._pings)

    def _pump(self, now: float) -> None:
        """Send the newest picture, unless one is still on its way."""
        if not self.running or self._sent or not self._asked or self._wanted is None:
            return
        picture = self._wanted
        self._asked = False
        shown = self._shown
        if shown is not None and picture != shown and now >= self._refreshed + self._timing.refresh:
            shown = None
        if shown is None:
            self._refreshed = now
        mask = 0
        for number, chain in enumerate(picture):
            packed = pack_chain(number, shown[number] if shown else None, chain)
            if packed:
                mask |= 1 << number
                self._out += packed
                if packed[2] == wire.FRAME:
                    self._counts.whole_frames += 1
                else:
                    self._counts.patches += 1
        self._sequence = self._sequence + 1 & 0xFFFF
        self._out += wire.pack_show(
            self._sequence, mask or (1 << len(picture)) - 1, [crc32(chain) for chain in picture]
        )
        self._sent = _Sent(self._sequence, picture, now + self._timing.answer)

    def _acknowledged(self, sequence: int, flags: int, now: float) -> None:
        if self._sent and self._sent.sequence == sequence:
            self._shown = self._sent.picture
            self._sent = None
            self._failures = 0
            self._counts.pictures += 1
            self._counts.limited += bool(flags & wire.LIMITED)
            self._pump(now)

    def _again(self, now: float) -> None:
        """A picture was not shown: send everything, of the newest one."""
        self._failures += 1
        if self._failures >= self._timing.answers:
            raise LineLostError("The Pico takes no pictures.")
        self._counts.again += 1
        self._sent = None
        self._shown = None
        self._asked = True
        self._pump(now)


CONTROL = frozenset(b"\x01\x02\x03\x04")


def draw_number(draw: Callable[[], int]) -> int:
    """Return a number for a session from draws below 2**32.

    HELLO may reach a Pico's console, where the bytes 1 to 4 stop its program or change its mode: so the first number is
    taken whose HELLO holds none of them.
    """
    while True:
        number = draw()
        if not CONTROL & set(wire.pack_hello(number)):
            return number
