"""The line to the Pico: bytes, the firmware's time under MicroPython, pictures a second through a pseudo-terminal."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from binascii import crc32
from pathlib import Path

from firmware_bridge.changes import MOST_RUNS, pack_chain
from firmware_bridge.configuration import configuration
from firmware_bridge.install import folder_name
from firmware_bridge.link import Link
from firmware_bridge.pico import wire
from tests.firmware_bridge.emulator import MICROPYTHON, MISSING, STAND_INS, EmulatedPico, make_drive
from tests.firmware_bridge.kits import CHAIN_BYTES, KIT
from tests.firmware_bridge.on_micropython import framings

ON_MICROPYTHON = Path(framings.__file__).parent

Picture = tuple[bytes, bytes]

WATER: Picture = ((b"\0\0\x0e" * (CHAIN_BYTES // 3)),) * 2
BUSY: Picture = (secrets.token_bytes(CHAIN_BYTES).translate(bytes(value // 4 for value in range(256))),) * 2
"""Every LED another than in WATER, within the budgets."""

PICTURES = 300


def moved_cursor(step: int) -> Picture:
    """Water with a cursor on one square of the first chain."""
    chain = bytearray(WATER[0])
    place = 3 * (step % (CHAIN_BYTES // 3))
    chain[place : place + 3] = b"\x0e\xff\x0e"
    return bytes(chain), WATER[1]


def transmission(old: Picture | None, new: Picture) -> bytes:
    """What the host sends to bring one picture to another."""
    packed = [pack_chain(number, old[number] if old else None, chain) for number, chain in enumerate(new)]
    mask = sum(1 << number for number, piece in enumerate(packed) if piece)
    return b"".join(packed) + wire.pack_show(1, mask, [crc32(chain) for chain in new])


def one_chain(runs: int | None) -> bytes:
    """Water with so many changed LEDs in one chain, as a PATCH; None: the same as a FRAME."""
    changed = bytearray(WATER[0])
    places = [30 * number for number in range(MOST_RUNS)]
    for place in places:
        changed[place : place + 3] = b"\x0e\x0e\x0e"
    frame = wire.pack_frame(0, bytes(changed))
    if runs is not None:
        frame = wire.pack_patch(0, [(place, b"\x0e\x0e\x0e") for place in places[:runs]])
    return frame + wire.pack_show(1, 1, [crc32(changed), crc32(WATER[1])])


def firmware_times(folder: Path, cases: list[list[bytes]]) -> list[int]:
    """Return the best time in µs of the last transmission of each case."""
    drive = make_drive(folder)
    setup = [wire.pack_hello(1), wire.pack(wire.CONFIG, configuration(KIT)), transmission(None, WATER)]
    names = []
    for number, case in enumerate([setup, *cases]):
        name = folder / f"case{number}"
        name.write_bytes(b"".join(len(piece).to_bytes(4, "little") + piece for piece in case))
        names.append(str(name))
    with Path(os.devnull).open("r+b") as nothing:
        devices = str(nothing.fileno())
        program = [str(ON_MICROPYTHON / "firmware_times.py"), str(drive / folder_name()), *names]
        result = subprocess.run(
            [sys.executable, "-c", MICROPYTHON, *program],
            env={
                **os.environ,
                "MICROPYPATH": str(STAND_INS),
                "BROADSIDE_EMULATED_LEDS": devices,
                "BROADSIDE_EMULATED_KEYS": devices,
                "BROADSIDE_EMULATED_USB": str(folder / "usb.json"),
            },
            pass_fds=[nothing.fileno()],
            capture_output=True,
            text=True,
            check=True,
        )
    return [int(line) for line in result.stdout.split()]


def pictures_a_second(link: Link, pictures: list[Picture]) -> float:
    """Show one picture after the other, each when the one before is lit; return how many that makes in a second."""
    start = time.perf_counter()
    for picture in pictures:
        link.write(picture)
        if not link.settled(5):
            raise RuntimeError("a picture was not shown")
    return len(pictures) / (time.perf_counter() - start)


def compare_framings() -> None:
    """Print what each framing costs on both ends."""
    other = subprocess.run(
        [sys.executable, "-c", MICROPYTHON, framings.__file__], capture_output=True, text=True, check=True
    )
    theirs = [float(line.split("\t")[3]) for line in other.stdout.splitlines()]
    print("framing of 1200 bytes      bytes on the line    µs to unpack: CPython  MicroPython")
    for (name, picture, size, ours), micro in zip(framings.measure(), theirs, strict=True):
        print(f"  {name:8} {picture:14} {size:10} {ours:28.1f} {micro:12.1f}")


def main() -> None:
    """Print the measurements."""
    if MISSING:
        print(f"pico: {MISSING}")
        return
    compare_framings()
    whole, back = transmission(WATER, BUSY), transmission(BUSY, WATER)
    cursor = transmission(WATER, moved_cursor(7))
    moved = transmission(moved_cursor(7), moved_cursor(8))
    with tempfile.TemporaryDirectory() as folder:
        times = firmware_times(
            Path(folder), [[back, whole], [cursor, moved], [back, one_chain(MOST_RUNS)], [back, one_chain(None)]]
        )
    with tempfile.TemporaryDirectory() as folder, EmulatedPico(Path(folder)) as pico:
        link = Link(configuration(KIT), find=lambda: [str(pico.port)])
        link.open()
        rates = [
            pictures_a_second(link, [BUSY if number % 2 else WATER for number in range(PICTURES)]),
            pictures_a_second(link, [moved_cursor(number) for number in range(PICTURES)]),
        ]
        link.close()
    print("picture of 2 x 200 LEDs   bytes on the line   firmware under MicroPython   pictures/s through the pty")
    print(f"  everything changed      {len(whole):17} {times[0]:23} µs {rates[0]:28.0f}")
    print(f"  a moved cursor          {len(moved):17} {times[1]:23} µs {rates[1]:28.0f}")
    print(f"  one chain: PATCH of {MOST_RUNS} runs {times[2]} µs, FRAME {times[3]} µs under MicroPython")


if __name__ == "__main__":
    main()
