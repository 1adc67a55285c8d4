"""One LED chain through Adafruit's Blinka: the neopixel library's way onto a Pi, and the short way on a Pi 5.

Blinka's `neopixel_write` takes the wire bytes as they are, so the pixel buffer of the neopixel library, which works
LED by LED in Python, is left out. It holds one strip for the whole process (adafruit/Adafruit_Blinka, issue 103) and
starts it anew for every other buffer, so one buffer is kept for good.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hardware.drivers.base import DriverError
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.pi_board import MODEL_FILE, require_board, require_root
from hardware.header import MODEL_NAMES, SPI_GPIO, PiModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.kit import Kit, Leds

DRIVER = "neopixel"

PI_5_WRITER = "adafruit_raspberry_pi5_neopixel_write"
PI_5_PACKAGE = "Adafruit-Blinka-Raspberry-Pi5-Neopixel"

PIO = Path("/dev/pio0")
MEMORY = Path("/dev/mem")
SPI_DEVICE = Path("/dev/spidev0.0")


class Blinka:
    """What this driver uses of Blinka: its pins, and the writer that `neopixel` itself writes with.

    Raises DriverError where it cannot be imported.
    """

    def __init__(self) -> None:
        try:
            self._board: Any = importlib.import_module("board")
            self._digitalio: Any = importlib.import_module("digitalio")
            self._writer: Any = importlib.import_module("neopixel_write")
        except ImportError as error:
            raise DriverError(
                f"Blinka cannot be imported ({error}): install broadside-board[pi5], and on a Pi 5 also {PI_5_PACKAGE}."
            ) from error
        except RuntimeError as error:
            raise DriverError(f"Blinka does not work here ({error}): use another LED driver.") from error

    def output(self, gpio: int) -> Any:
        """Open a BCM pin for output."""
        pin = self._digitalio.DigitalInOut(getattr(self._board, f"D{gpio}"))
        pin.direction = self._digitalio.Direction.OUTPUT
        return pin

    def write(self, pin: Any, wire: bytearray) -> None:
        """Send wire bytes on a pin."""
        self._writer.neopixel_write(pin, wire)


def open_leds(kit: Kit) -> NeoPixel:
    """Open the chain of a kit, dark. Raises DriverError on a board without pins, without the right to the device, where
    a package is missing (naming it), where the library refuses, and where another process holds the LEDs."""
    model = require_board(
        tuple(model for model in PiModel if model is not PiModel.ANY),
        DRIVER,
        'use a Pico (driver = "pico")',
        MODEL_FILE,
    )
    if len(kit.leds.chains) != 1:
        raise DriverError(
            f'The LED driver {DRIVER} feeds one chain: put all panels into it, or use "ws2812_pio" or "rpi_ws281x".'
        )
    if model is PiModel.PI_5:
        if importlib.util.find_spec(PI_5_WRITER) is None:
            raise DriverError(
                f"On a {MODEL_NAMES[model]} the LED driver {DRIVER} needs one more package: run `pip install --pre "
                f"{PI_5_PACKAGE}` in Broadside's virtual environment."
            )
        device = PIO
    elif kit.leds.chains[0].pin == SPI_GPIO:
        device = SPI_DEVICE
    else:
        require_root(DRIVER, "let the service run Broadside")
        device = MEMORY
    try:
        lock = DeviceLock(device)
    except OSError as error:
        raise DriverError(
            f"{device} cannot be opened ({os.strerror(error.errno or 0)}): install Broadside's udev rules, and see "
            "`broadside doctor`."
        ) from error
    try:
        return NeoPixel(kit.leds, Blinka(), lock)
    except BaseException:
        lock.close()
        raise


class NeoPixel:
    """Sends the wire bytes of one chain through Blinka. Raises DriverError where the first, dark frame is refused."""

    def __init__(self, leds: Leds, blinka: Blinka, lock: DeviceLock) -> None:
        (chain,) = leds.chains
        self._blinka = blinka
        self._buffer = bytearray(chain.led_count * chain.led_bytes)
        # The same memory, for copying without a loop.
        self._bytes = np.frombuffer(self._buffer, dtype=np.uint8)
        self._pin: Any = blinka.output(chain.pin)
        try:
            self._send()
        except BaseException:
            self._pin.deinit()
            raise
        self._lock = lock
        atexit.register(self.close)

    def write(self, chains: Sequence[bytes]) -> None:
        """Send one picture. Raises DriverError where the library fails."""
        if self._pin is None:
            raise DriverError("The LED chain is closed: open the board again.")
        (wire,) = chains
        self._bytes[...] = np.frombuffer(wire, dtype=np.uint8)
        self._send()

    def close(self) -> None:
        """Blank every LED and let the pin go; may be called twice."""
        if self._pin is None:
            return
        atexit.unregister(self.close)
        try:
            self._bytes[...] = 0
            self._send()
        finally:
            pin, self._pin = self._pin, None
            pin.deinit()
            self._lock.close()

    def _send(self) -> None:
        try:
            self._blinka.write(self._pin, self._buffer)
        except RuntimeError as error:
            raise DriverError(f"Blinka cannot send to the LEDs: {error}.") from error
