"""Frames on the line and the messages in them: one module for both ends, in what CPython, CircuitPython and MicroPython
have in common. PROTOCOL.md says what each message means and why the frames are as they are.

No function here loops over the bytes of a payload: on a microcontroller that is what costs.
"""

import struct
from binascii import crc32

PROTOCOL = (1, 0)
"""Major and minor. Ends with different majors refuse each other; a minor only adds what the other may ignore."""

FIRMWARE = "1.0.0"
"""Version of the firmware that comes with this file."""

MARK = b"\xb5\x0d"
"""The first two bytes of a frame. They may also stand within one: the checks tell."""

HEADER_SIZE = 7
"""Mark (2), kind (1), length of the payload (2), low half of the CRC32 of kind and length (2)."""

TRAILER_SIZE = 4
"""CRC32 over kind, length and payload."""

MAX_PAYLOAD = 4096
"""Longest payload in bytes: four panels of four-colour LEDs in one chain take 1601."""

# From the host.
HELLO = 0x21
CONFIG = 0x02
FRAME = 0x03
PATCH = 0x04
SHOW = 0x05
PING = 0x06
KEYS_ACK = 0x07
BYE = 0x08

# From the Pico.
DEVICE = 0x81
CONFIGURED = 0x82
ACK = 0x85
NAK = 0x86
PONG = 0x87
KEYS = 0x88
STATE = 0x89
GONE = 0x8A

# Bits of an ACK's flags.
LIMITED = 0x01

# Why a NAK was sent.
WRONG_PICTURE = 1
"""The chains do not have the CRC32s that SHOW names: a frame was lost on the way."""

MAX_KEYS = 32
"""Key events in one KEYS frame, and the most that wait for their acknowledgement."""

_RUN = struct.calcsize("<HH")
_KEY = struct.calcsize("<BBI")


def pack(kind: int, payload: bytes = b"") -> bytes:
    """Return one frame. Raises ValueError where the payload is longer than MAX_PAYLOAD."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("payload too long")
    head = struct.pack("<BH", kind, len(payload))
    check = crc32(head)
    return MARK + head + struct.pack("<H", check & 0xFFFF) + payload + struct.pack("<I", crc32(payload, check))


class Reader:
    """Finds the frames in a stream of bytes that may have been lost, doubled or changed.

    Nothing that is not a whole frame with right checks gets through. Behind a broken frame it looks for the next mark
    from the broken one's second byte on, so that no frame behind it is lost with it. When the line falls silent within
    a frame, call `expire`: a frame is sent in one piece, so what is missing then was lost.
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._need = HEADER_SIZE
        self.rejected = 0

    @property
    def pending(self) -> bool:
        """Whether a part of a frame is waiting for the rest."""
        return len(self._buffer) > 0

    def feed(self, data: bytes) -> None:
        """Take bytes from the line."""
        self._buffer += data

    def expire(self) -> None:
        """Give up the frame that is waiting for its rest; what stands behind its first byte may hold whole ones."""
        if self._buffer:
            self._reject()

    def next(self) -> tuple[int, bytes] | None:
        """Return the next whole frame's kind and payload, or None until more bytes come."""
        while len(self._buffer) >= self._need:
            if not self._buffer.startswith(MARK):
                self._seek(0)
                continue
            kind, length, check = struct.unpack_from("<BHH", self._buffer, 2)
            head = crc32(self._buffer[2:5])
            if head & 0xFFFF != check or length > MAX_PAYLOAD:
                self._reject()
                continue
            end = HEADER_SIZE + length
            self._need = end + TRAILER_SIZE
            if len(self._buffer) < self._need:
                return None
            payload = self._buffer[HEADER_SIZE:end]
            if struct.unpack_from("<I", self._buffer, end)[0] != crc32(payload, head):
                self._reject()
                continue
            self._buffer = self._buffer[self._need :]
            self._need = HEADER_SIZE
            return kind, payload
        return None

    def _reject(self) -> None:
        self.rejected += 1
        self._seek(1)

    def _seek(self, start: int) -> None:
        """Drop what stands before the next mark; a first half of a mark at the very end is kept."""
        place = self._buffer.find(MARK, start)
        if place < 0:
            place = len(self._buffer)
            if place > start and self._buffer.endswith(MARK[:1]):
                place -= 1
        self._buffer = self._buffer[place:]
        self._need = HEADER_SIZE


def pack_hello(session: int) -> bytes:
    """HELLO: the host's protocol as two digits, and a number that it drew when it started.

    It may reach a Pico's console, where the bytes 1 to 4 interrupt a program: kind, length, check and digits hold none.
    """
    return pack(HELLO, struct.pack("<BBI", 0x30 + PROTOCOL[0], 0x30 + PROTOCOL[1], session))


def unpack_hello(payload: bytes) -> tuple[int, int, int]:
    """Return the host's major, minor and session."""
    major, minor, session = struct.unpack("<BBI", payload)
    return major - 0x30, minor - 0x30, session


def pack_frame(chain: int, data: bytes) -> bytes:
    """FRAME: all bytes of one chain."""
    return pack(FRAME, bytes([chain]) + data)


def pack_patch(chain: int, runs: list[tuple[int, bytes]]) -> bytes:
    """PATCH: pieces of one chain, each with the place of its first byte."""
    packed = [struct.pack("<HH", start, len(piece)) + piece for start, piece in runs]
    return pack(PATCH, bytes([chain]) + b"".join(packed))


def apply_patch(payload: bytes, chain: bytearray) -> None:
    """Write the pieces of a PATCH into its chain. Raises ValueError, with the chain left half written, where they do
    not fit; the CRC32 in SHOW finds that out."""
    view = memoryview(payload)
    place = 1
    while place < len(payload):
        start, length = struct.unpack_from("<HH", payload, place)
        place += _RUN
        if start + length > len(chain) or place + length > len(payload):
            raise ValueError("patch")
        chain[start : start + length] = view[place : place + length]
        place += length


def patch_size(runs: int, length: int) -> int:
    """Bytes on the line of a PATCH with so many runs of so many bytes in all."""
    return HEADER_SIZE + TRAILER_SIZE + 1 + runs * _RUN + length


def pack_show(sequence: int, mask: int, checks: list[int]) -> bytes:
    """SHOW: light the chains in the mask; `checks` are the CRC32s of all chains as the host has them."""
    return pack(SHOW, struct.pack("<HB", sequence, mask) + b"".join([struct.pack("<I", check) for check in checks]))


def unpack_show(payload: bytes) -> tuple[int, int, list[int]]:
    """Return sequence, mask and CRC32s."""
    sequence, mask = struct.unpack_from("<HB", payload)
    return sequence, mask, [struct.unpack_from("<I", payload, place)[0] for place in range(3, len(payload), 4)]


def pack_keys(first: int, now: int, events: list[tuple[int, int, bool, int]]) -> bytes:
    """KEYS: the first event's sequence, the Pico's clock in ms, and (keypad, key, down, time in ms) for each."""
    packed = [struct.pack("<BBI", pad, key | (0x80 if down else 0), when) for pad, key, down, when in events]
    return pack(KEYS, struct.pack("<HI", first, now) + b"".join(packed))


def unpack_keys(payload: bytes) -> tuple[int, int, list[tuple[int, int, bool, int]]]:
    """Return the first event's sequence, the Pico's clock in ms, and the events."""
    first, now = struct.unpack_from("<HI", payload)
    events = []
    for place in range(6, len(payload), _KEY):
        pad, key, when = struct.unpack_from("<BBI", payload, place)
        events.append((pad, key & 0x7F, key > 0x7F, when))
    return first, now, events


def pack_state(sequence: int, started: bool, masks: list[int]) -> bytes:
    """STATE: its sequence, whether the scanners have just been started, and for each keypad a mask of the keys that are
    down."""
    return pack(STATE, struct.pack("<HB", sequence, started) + b"".join([struct.pack("<I", mask) for mask in masks]))


def unpack_state(payload: bytes) -> tuple[int, bool, list[int]]:
    """Return the sequence, whether the scanners have just been started, and the masks."""
    sequence, started = struct.unpack_from("<HB", payload)
    masks = [struct.unpack_from("<I", payload, place)[0] for place in range(3, len(payload), 4)]
    return sequence, started != 0, masks


def pack_word(kind: int, value: int) -> bytes:
    """PING, PONG and KEYS_ACK: one number below 65536."""
    return pack(kind, struct.pack("<H", value))


def unpack_word(payload: bytes) -> int:
    """Return the number of PING, PONG or KEYS_ACK."""
    value: int = struct.unpack("<H", payload)[0]
    return value


def pack_answer(kind: int, sequence: int, detail: int) -> bytes:
    """ACK with flags, or NAK with a reason."""
    return pack(kind, struct.pack("<HB", sequence, detail))


def unpack_answer(payload: bytes) -> tuple[int, int]:
    """Return an ACK's or NAK's sequence and flags or reason."""
    sequence, detail = struct.unpack("<HB", payload)
    return sequence, detail
