"""What is examined: a machine, the kit that is to run on it, and what is to be shown on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from hardware.doctor.boot_config import BootConfig, read_boot_config
from hardware.drivers.pi_board import board_model
from hardware.header import SPI_GPIO, PiModel

if TYPE_CHECKING:
    from hardware.doctor.machine import Machine
    from hardware.kit import Kit

PI_DRIVERS = ("rpi_ws281x", "neopixel", "ws2812_pio")
"""The LED drivers that need a Raspberry Pi's own pins."""


MEMORY, SPI, PIO = "/dev/mem", "/dev/spidev0.0", "/dev/pio0"
"""Where LED data go by PWM and PCM, by SPI, and by a Pi 5's PIO."""


class Target(StrEnum):
    """What the machine is to be ready for."""

    BOARD = "board"
    SIMULATOR = "simulator"
    TEXT = "text"


def pi_name(machine: Machine) -> str | None:
    """Return the model as a Raspberry Pi's device tree tells it, or None on another machine."""
    name = machine.text("/proc/device-tree/model")
    return name if name is not None and name.startswith("Raspberry Pi") else None


@dataclass(frozen=True)
class Subject:
    """A machine with the kit that is to run on it. `home` is the data folder; `kit_file` the household's own file of
    the kit, if any."""

    machine: Machine
    kit: Kit
    kit_name: str
    target: Target
    home: str
    kit_file: str = ""

    @cached_property
    def pi(self) -> str | None:
        """The Raspberry Pi's full name, or None on another machine."""
        return pi_name(self.machine)

    @cached_property
    def model(self) -> PiModel | None:
        """The Raspberry Pi's family, or None."""
        return None if self.pi is None else board_model(self.pi)

    @cached_property
    def machine_name(self) -> str:
        """The machine in words: its model and its system."""
        model = self.pi or " ".join((self.machine.text("/sys/class/dmi/id/product_name") or "").split()) or "a computer"
        system = re.search(r'^PRETTY_NAME="?([^"\n]*)', self.machine.text("/etc/os-release") or "", re.MULTILINE)
        return f"{model}, {system[1]}" if system else model

    @cached_property
    def config(self) -> BootConfig | None:
        """The boot settings in force, or None on a machine without a config.txt."""
        return None if self.pi is None else read_boot_config(self.machine, self.model)

    @property
    def drives_pins(self) -> bool:
        """Whether this machine's own pins are to carry the board."""
        return self.target is Target.BOARD and self.kit.model is not PiModel.ANY

    @property
    def data_pins(self) -> tuple[int, ...]:
        """The data pins (BCM) of this machine that carry LED data, in the order of the chains."""
        if not self.drives_pins or self.kit.leds.driver not in PI_DRIVERS:
            return ()
        return tuple(chain.pin for chain in self.kit.leds.chains)

    @property
    def led_devices(self) -> tuple[str, ...]:
        """The devices through which this machine sends LED data, by driver, model and pin."""
        if not self.data_pins:
            return ()
        if self.kit.leds.driver == "ws2812_pio":
            return tuple(f"/dev/leds{number}" for number in range(len(self.data_pins)))
        if self.kit.leds.driver == "neopixel" and self.model is PiModel.PI_5:
            return (PIO,)
        return (SPI,) if self.data_pins == (SPI_GPIO,) else (MEMORY,)

    @property
    def has_matrix(self) -> bool:
        """Whether a keypad, the buzzer or the power button hangs on this machine's pins."""
        return self.drives_pins and bool(self.gpio_pins)

    @cached_property
    def gpio_pins(self) -> dict[int, str]:
        """Every pin (BCM) that gpiozero is to open, with what hangs on it."""
        pins: dict[int, str] = {}
        for keypad in self.kit.keypads:
            if keypad.driver == "gpio":
                pins.update(dict.fromkeys(keypad.rows, f"a row of seat {keypad.seat}'s keypad"))
                pins.update(dict.fromkeys(keypad.columns, f"a column of seat {keypad.seat}'s keypad"))
        if self.kit.buzzer is not None:
            pins[self.kit.buzzer.pin] = "the buzzer"
        if self.kit.power_button is not None:
            pins[self.kit.power_button.pin] = "the power button"
        return pins
