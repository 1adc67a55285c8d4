"""The framings that were weighed for the line to the Pico, timed by the Python that runs this file.

Runs under CPython and under MicroPython alike: `micropython framings.py` prints a line a framing and
picture. Each unpacks one picture of 400 LEDs (1200 bytes) with a CRC32: dark water, which is mostly zeros, then random
bytes, then the worst case for escapes.
"""

import struct
import sys
import time
from binascii import a2b_base64, b2a_base64, crc32

WATER = b"\0\0\x0e" * 380 + b"\x28\0\x64" * 20
MARK = b"\xb5\x0d"


def noise(count: int) -> bytes:
    """Return bytes that repeat after a long time, the same in every Python."""
    value = 1
    out = bytearray()
    for _ in range(count):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(value >> 16 & 0xFF)
    return bytes(out)


def sealed(payload: bytes) -> bytes:
    """Return the payload with its CRC32 behind it."""
    return payload + struct.pack("<I", crc32(payload))


def opened(packed: bytes) -> bytes:
    """Return the payload, its CRC32 checked."""
    payload = packed[:-4]
    if struct.unpack("<I", packed[-4:])[0] != crc32(payload):
        raise ValueError("CRC32")
    return payload


def cobs_pack(payload: bytes) -> bytes:
    """Consistent overhead byte stuffing."""
    out = bytearray()
    for block in (sealed(payload) + b"\0").split(b"\0")[:-1]:
        while len(block) >= 254:
            out += b"\xff" + block[:254]
            block = block[254:]
        out += bytes([len(block) + 1]) + block
    return bytes(out) + b"\0"


def cobs_unpack(line: bytes) -> bytes:
    """One slice a block: the fewer bytes between zeros, the more blocks."""
    out = bytearray()
    place = 0
    end = len(line) - 1
    while place < end:
        size = line[place]
        out += line[place + 1 : place + size]
        place += size
        if size < 255 and place < end:
            out += b"\0"
    return opened(bytes(out))


def slip_pack(payload: bytes) -> bytes:
    """RFC 1055, with the built-in replace."""
    return sealed(payload).replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


def slip_unpack(line: bytes) -> bytes:
    """RFC 1055, with the built-in replace."""
    return opened(line[:-1].replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb"))


def base64_pack(payload: bytes) -> bytes:
    """One line of base64."""
    return b2a_base64(sealed(payload))


def base64_unpack(line: bytes) -> bytes:
    """One line of base64."""
    return opened(a2b_base64(line))


def marked_pack(payload: bytes) -> bytes:
    """Mark, kind, length, check of these; payload; CRC32."""
    head = struct.pack("<BH", 1, len(payload))
    check = crc32(head)
    return MARK + head + struct.pack("<H", check & 0xFFFF) + payload + struct.pack("<I", crc32(payload, check))


def marked_unpack(line: bytes) -> bytes:
    """As `firmware_bridge.pico.wire` does it."""
    if line.find(MARK) != 0:
        raise ValueError("mark")
    kind, size, check = struct.unpack_from("<BHH", line, 2)
    head = crc32(line[2:5])
    if head & 0xFFFF != check or kind != 1:
        raise ValueError("check")
    payload = line[7 : 7 + size]
    if struct.unpack_from("<I", line, 7 + size)[0] != crc32(payload, head):
        raise ValueError("CRC32")
    return payload


FRAMINGS = (
    ("COBS", cobs_pack, cobs_unpack),
    ("SLIP", slip_pack, slip_unpack),
    ("base64", base64_pack, base64_unpack),
    ("marked", marked_pack, marked_unpack),
)


def measure() -> list[tuple[str, str, int, float]]:
    """Return (framing, picture, bytes on the line, µs to unpack) for each."""
    clock = time.ticks_us if hasattr(time, "ticks_us") else lambda: time.perf_counter_ns() // 1000
    rows = []
    for name, pack, unpack in FRAMINGS:
        for picture, payload in (("water", WATER), ("random", noise(1200)), ("all 0xC0", b"\xc0" * 1200)):
            line = pack(payload)
            if unpack(line) != payload:
                raise ValueError(name)
            best = 1 << 30
            for _ in range(7):
                start = clock()
                for _ in range(20):
                    unpack(line)
                best = min(best, clock() - start)
            rows.append((name, picture, len(line), best / 20))
    return rows


if __name__ == "__main__":
    for name, picture, size, microseconds in measure():
        print(f"{name}\t{picture}\t{size}\t{microseconds:.1f}")
    sys.exit()
