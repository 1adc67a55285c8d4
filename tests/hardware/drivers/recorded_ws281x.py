"""The real rpi_ws281x module, with a recorder in place of the wire."""

from __future__ import annotations

import ctypes
from typing import Any

LEDS_OFFSET = 16
"""Where a `ws2811_channel_t` keeps the address of its LED memory, behind four 32-bit numbers (ws2811.h)."""


class RecordedLibrary:
    """Hands everything on to `_rpi_ws281x` but what needs a Pi: there it allocates, records and counts.

    `frames` holds for each render the bytes that each channel would send, read with the library's own `ws2811_led_get`
    and shifted as its `ws2811_render` does.
    """

    def __init__(self, module: Any, *, init_result: int = 0) -> None:
        self._module = module
        self._init_result = init_result
        self._memory: list[Any] = []
        self.render_result = 0
        self.frames: list[tuple[bytes, ...]] = []
        self.set_up: dict[str, int] = {}
        self.open = 0
        self.finished = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def new_ws2811_t(self) -> Any:
        self.open += 1
        return self._module.new_ws2811_t()

    def delete_ws2811_t(self, device: Any) -> None:
        self.open -= 1
        self._module.delete_ws2811_t(device)

    def ws2811_init(self, device: Any) -> int:
        module = self._module
        if self._init_result:
            return self._init_result
        self.set_up = {"dma": module.ws2811_t_dmanum_get(device), "frequency": module.ws2811_t_freq_get(device)}
        for number in range(2):
            channel = module.ws2811_channel_get(device, number)
            count = module.ws2811_channel_t_count_get(channel)
            self.set_up[f"pin {number}"] = module.ws2811_channel_t_gpionum_get(channel)
            self.set_up[f"count {number}"] = count
            self.set_up[f"brightness {number}"] = module.ws2811_channel_t_brightness_get(channel)
            self.set_up[f"invert {number}"] = module.ws2811_channel_t_invert_get(channel)
            memory = (ctypes.c_uint32 * max(count, 1))()
            ctypes.c_void_p.from_address(int(channel) + LEDS_OFFSET).value = ctypes.addressof(memory)
            self._memory.append(memory)
        return 0

    def ws2811_render(self, device: Any) -> int:
        module = self._module
        if self.render_result:
            return self.render_result
        channels = [module.ws2811_channel_get(device, number) for number in range(2)]
        self.frames.append(tuple(self._wire(channel) for channel in channels))
        return 0

    def _wire(self, channel: Any) -> bytes:
        module = self._module
        # SWIG hands the strip type out as a signed number.
        kind = module.ws2811_channel_t_strip_type_get(channel) & 0xFFFFFFFF
        shifts = [kind >> 16 & 0xFF, kind >> 8 & 0xFF, kind & 0xFF]
        if kind & (module.SK6812_SHIFT_WMASK & 0xFFFFFFFF):
            shifts.append(kind >> 24)
        count = module.ws2811_channel_t_count_get(channel)
        colours = [module.ws2811_led_get(channel, number) for number in range(count)]
        return bytes(colour >> shift & 0xFF for colour in colours for shift in shifts)

    def ws2811_wait(self, _device: Any) -> int:
        return 0

    def ws2811_fini(self, _device: Any) -> None:
        self.finished += 1
