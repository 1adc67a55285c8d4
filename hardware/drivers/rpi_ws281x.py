"""LED chains on a Pi Zero 2, 3 or 4 through rpi_ws281x: PWM, PCM or SPI, as the pin has it.

One `ws2811_t` feeds both PWM channels with one render, through the library's low-level module: two of its PixelStrip
objects would disturb each other (jgarff/rpi_ws281x, issues 125, 150, 169). The channel follows from the pin.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hardware.drivers.base import DriverError
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.pi_board import MODEL_FILE, require_board, require_root
from hardware.header import SPI_GPIO, PiModel, pwm_channel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hardware.kit import Chain, Kit, Leds

Library = Any
"""The module `_rpi_ws281x`, which has no type information."""

DRIVER = "rpi_ws281x"

FREQUENCY = 800_000
"""Data rate of a WS2812B in Hz: 1.25 µs a bit."""

CHANNELS = 2
"""Channels of a `ws2811_t` (RPI_PWM_CHANNELS)."""

LIBRARY_PIXEL_BYTES = 4
"""The library keeps each LED in a 32-bit word."""

MEMORY = Path("/dev/mem")
SPI_DEVICE = Path("/dev/spidev0.0")


def open_leds(kit: Kit) -> RpiWs281x:
    """Open the chains of a kit, dark. Raises DriverError on a board that rpi_ws281x does not know, without the right
    to the device, where the library is missing or refuses, and where another process holds the LEDs."""
    require_board(
        (PiModel.ZERO_2, PiModel.PI_3, PiModel.PI_4),
        DRIVER,
        'on a Pi 5 use "ws2812_pio" or "neopixel", on any other computer a Pico (driver = "pico")',
        MODEL_FILE,
    )
    over_spi = kit.leds.chains[0].pin == SPI_GPIO
    if not over_spi:
        require_root(DRIVER, "let the service run Broadside, or send over SPI (pin = 10) or through a Pico")
    library = load_library()
    return RpiWs281x(kit.leds, library, lock_leds(SPI_DEVICE if over_spi else MEMORY))


def load_library() -> Library:
    """Import rpi_ws281x's low-level module. Raises DriverError where it is missing or broken."""
    try:
        return importlib.import_module("_rpi_ws281x")
    except ImportError as error:
        raise DriverError(
            f"The Python package rpi-ws281x cannot be imported ({error}): install a compiler with `sudo apt install "
            "gcc python3-dev` and then broadside-board[pi]."
        ) from error


def lock_leds(device: Path) -> DeviceLock:
    """Lock the device that the library sends through. Raises DriverError where it cannot be opened or is taken."""
    try:
        return DeviceLock(device)
    except OSError as error:
        cure = (
            "switch SPI on with dtparam=spi=on in config.txt and add the user to the group spi"
            if device == SPI_DEVICE
            else "let the service run Broadside"
        )
        raise DriverError(f"{device} cannot be opened ({os.strerror(error.errno or 0)}): {cure}.") from error


class RpiWs281x:
    """Sends wire bytes through one `ws2811_t`. Raises DriverError, and leaves nothing open, where it cannot start."""

    def __init__(self, leds: Leds, library: Library, lock: DeviceLock) -> None:
        self._library = library
        self._device: Any = None
        with ExitStack() as on_failure:
            on_failure.callback(lock.close)
            self._device = library.new_ws2811_t()
            on_failure.callback(library.delete_ws2811_t, self._device)
            chains = {channel_of(chain.pin): chain for chain in leds.chains}
            for channel in range(CHANNELS):
                self._set_up(channel, chains.get(channel))
            library.ws2811_t_freq_set(self._device, FREQUENCY)
            library.ws2811_t_dmanum_set(self._device, leds.dma)
            result = library.ws2811_init(self._device)
            if result != library.WS2811_SUCCESS:
                # No ws2811_fini here: on a ws2811_t that did not start it crashes the process.
                raise DriverError(f"rpi_ws281x cannot start: {self._reason(result)}. {_cure(library, result)}")
            on_failure.pop_all()
        self._lock = lock
        self._words = [self._led_memory(chain) for chain in leds.chains]
        atexit.register(self.close)
        try:
            self._blank()
        except DriverError:
            self._release()
            raise

    def write(self, chains: Sequence[bytes]) -> None:
        """Send one picture; waits for the one before it. Raises DriverError where the transfer fails."""
        if self._device is None:
            raise DriverError("The LED chains are closed: open the board again.")
        for words, wire in zip(self._words, chains, strict=True):
            leds = np.frombuffer(wire, dtype=np.uint8).reshape(len(words), -1)
            # The library sends bits 16-23 first, then 8-15, 0-7 and, for four-colour LEDs, 24-31 of each word.
            words[:, 2::-1] = leds[:, :3]
            if leds.shape[1] == LIBRARY_PIXEL_BYTES:
                words[:, 3] = leds[:, 3]
        self._render()

    def close(self) -> None:
        """Blank every LED and let the device go; may be called twice."""
        if self._device is None:
            return
        try:
            self._blank()
            self._library.ws2811_wait(self._device)
        finally:
            self._release()

    def _release(self) -> None:
        atexit.unregister(self.close)
        device, self._device = self._device, None
        # The LED memory belongs to the library and goes with it.
        self._words.clear()
        self._library.ws2811_fini(device)
        self._library.delete_ws2811_t(device)
        self._lock.close()

    def _set_up(self, number: int, chain: Chain | None) -> None:
        library = self._library
        channel = library.ws2811_channel_get(self._device, number)
        library.ws2811_channel_t_count_set(channel, chain.led_count if chain else 0)
        library.ws2811_channel_t_gpionum_set(channel, chain.pin if chain else 0)
        library.ws2811_channel_t_invert_set(channel, 0)
        library.ws2811_channel_t_brightness_set(channel, 255 if chain else 0)
        if chain:
            four = chain.led_bytes == LIBRARY_PIXEL_BYTES
            kind = library.SK6812_STRIP_RGBW if four else library.WS2811_STRIP_RGB
            library.ws2811_channel_t_strip_type_set(channel, kind)

    def _led_memory(self, chain: Chain) -> NDArray[np.uint8]:
        """Return the library's own LED memory of a chain as an array of shape (LEDs, 4)."""
        channel = self._library.ws2811_channel_get(self._device, channel_of(chain.pin))
        address = int(self._library.ws2811_channel_t_leds_get(channel))
        memory = (ctypes.c_uint8 * (chain.led_count * LIBRARY_PIXEL_BYTES)).from_address(address)
        words: NDArray[np.uint8] = np.ctypeslib.as_array(memory).reshape(chain.led_count, LIBRARY_PIXEL_BYTES)
        return words

    def _blank(self) -> None:
        for words in self._words:
            words[...] = 0
        self._render()

    def _render(self) -> None:
        result = self._library.ws2811_render(self._device)
        if result != self._library.WS2811_SUCCESS:
            raise DriverError(f"rpi_ws281x cannot send: {self._reason(result)}.")

    def _reason(self, result: int) -> str:
        return f"{self._library.ws2811_get_return_t_str(result)} (code {result})"


def channel_of(gpio: int) -> int:
    """Return the channel of a `ws2811_t` that a pin belongs to: its PWM channel; PCM and SPI have channel 0 alone."""
    return pwm_channel(gpio) or 0


def _cure(library: Library, result: int) -> str:
    if result == library.WS2811_ERROR_HW_NOT_SUPPORTED:
        return 'This board is newer than the library: use a Pico (driver = "pico").'
    if result == library.WS2811_ERROR_SPI_SETUP:
        return "Switch SPI on, add the user to the groups spi and gpio, and see `broadside doctor`."
    return "Stop whatever else uses PWM, PCM or DMA channel 10, and see `broadside doctor`."
