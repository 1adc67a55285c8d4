"""LED chains on a Pi 5 through the kernel's own driver, ws2812-pio: a device file for each data line.

The overlays stand in config.txt in the order of the kit's chains, so that chain 1 is /dev/leds0. A device takes four
bytes a LED, red, green, blue and white, and sends them as green, red, blue (and white); so the driver puts the wire
bytes where the kernel will take them from in that order, whatever colour order the LEDs have. A write at position 0
of the whole length is sent at once; a shorter one waits 50 ms and blanks the rest, and a single byte there sets the
kernel's own brightness, which also switches its gamma curve off when it is 0 (`ws2812-pio-rp1.c` of the Raspberry Pi
kernel).
"""

from __future__ import annotations

import atexit
import errno
import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hardware.drivers.base import DriverError
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.pi_board import MODEL_FILE, require_board
from hardware.header import PiModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.kit import Chain, Kit, Leds

DRIVER = "ws2812_pio"

DEVICES = Path("/dev")

KERNEL_PIXEL_BYTES = 4

RAW = b"\0"
"""Brightness 0: values go to the LEDs as they are."""

BIT_SECONDS = 1.25e-6
RESET_SECONDS = 300e-6
"""How long the line must be low before the next frame (WS2812B datasheet: 280 µs)."""


def open_leds(kit: Kit) -> Ws2812Pio:
    """Open the chains of a kit, dark. Raises DriverError on another board than a Pi 5, where an overlay is missing,
    without the right to a device, and where another process holds one."""
    require_board((PiModel.PI_5,), DRIVER, 'use "rpi_ws281x", or a Pico (driver = "pico")', MODEL_FILE)
    return Ws2812Pio(kit.leds, DEVICES)


class Ws2812Pio:
    """Sends wire bytes to `leds0`, `leds1` … in a folder of devices.

    Raises DriverError, and leaves nothing open, where one of them cannot be used.
    """

    def __init__(self, leds: Leds, devices: Path) -> None:
        self._chains = leds.chains
        self._buffers = [np.zeros((chain.led_count, KERNEL_PIXEL_BYTES), dtype=np.uint8) for chain in leds.chains]
        self._wire_seconds = RESET_SECONDS + max(chain.led_count * chain.led_bytes * 8 for chain in leds.chains) * (
            BIT_SECONDS
        )
        self._devices: list[tuple[Path, DeviceLock]] = []
        with ExitStack() as on_failure:
            for number, chain in enumerate(leds.chains):
                device = devices / f"leds{number}"
                lock = on_failure.enter_context(_open(device, chain))
                self._devices.append((device, lock))
                _write_whole(device, lock.fileno, RAW, chain)
            self._blank()
            on_failure.pop_all()
        atexit.register(self.close)

    def write(self, chains: Sequence[bytes]) -> None:
        """Send one picture and wait until it is on the wire, some 30 µs a LED of the longest chain. Raises DriverError
        or OSError where a device fails."""
        if not self._devices:
            raise DriverError("The LED chains are closed: open the board again.")
        for buffer, wire in zip(self._buffers, chains, strict=True):
            leds = np.frombuffer(wire, dtype=np.uint8).reshape(len(buffer), -1)
            buffer[:, 1::-1] = leds[:, :2]
            buffer[:, 2 : leds.shape[1]] = leds[:, 2:]
        self._send()

    def close(self) -> None:
        """Blank every LED and let the devices go; may be called twice."""
        if not self._devices:
            return
        atexit.unregister(self.close)
        try:
            self._blank()
        finally:
            for _device, lock in self._devices:
                lock.close()
            self._devices.clear()

    def _blank(self) -> None:
        for buffer in self._buffers:
            buffer[...] = 0
        self._send()

    def _send(self) -> None:
        for (device, lock), buffer, chain in zip(self._devices, self._buffers, self._chains, strict=True):
            _write_whole(device, lock.fileno, buffer.tobytes(), chain)
        # The kernel sends after the write has returned, out of the very memory that the next write fills.
        time.sleep(self._wire_seconds)


def _open(device: Path, chain: Chain) -> DeviceLock:
    try:
        return DeviceLock(device, os.O_WRONLY)
    except FileNotFoundError as error:
        cure = (
            f"add {overlay(chain)} to /boot/firmware/config.txt, in the order of the kit's chains, and restart the Pi"
        )
        raise DriverError(f"There is no {device}: {cure}.") from error
    except OSError as error:
        raise DriverError(
            f"{device} cannot be opened ({os.strerror(error.errno or 0)}): install Broadside's udev rules and add the "
            "user to the group gpio."
        ) from error


def overlay(chain: Chain) -> str:
    """Return the line of config.txt that makes the device of a chain."""
    white = ",rgbw" if chain.led_bytes == KERNEL_PIXEL_BYTES else ""
    return f"dtoverlay=ws2812-pio,gpio={chain.pin},num_leds={chain.led_count},brightness=0{white}"


def _write_whole(device: Path, fd: int, data: bytes, chain: Chain) -> None:
    """Write all of `data` at the beginning of a device, in as many writes as it takes."""
    position = 0
    try:
        while position < len(data):
            position += os.pwrite(fd, data[position:], position)
    except OSError as error:
        if error.errno in (errno.EFBIG, errno.ENOSPC):
            raise DriverError(f"{device} has fewer LEDs than the kit: set {overlay(chain)} in config.txt.") from error
        raise
