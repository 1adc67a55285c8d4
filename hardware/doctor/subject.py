"""What is examined: a machine, the kit that is to run on it, and what is to be shown on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from hardware.doctor.boot_config import BootConfig, read_boot_config
from hardware.header import PiModel

if TYPE_CHECKING:
    from hardware.doctor.machine import Machine
    from hardware.kit import Kit

PI_DRIVERS = ("rpi_ws281x", "neopixel", "ws2812_pio")
"""The LED drivers that need a Raspberry Pi's own pins."""


class Target(StrEnum):
    """What the machine is to be ready for."""

    BOARD = "board"
    SIMULATOR = "simulator"
    TEXT = "text"


def pi_name(machine: Machine) -> str | None:
    """Return the model as a Raspberry Pi's device tree tells it, or None on another machine."""
    name = machine.text("/proc/device-tree/model")
    return name if name is not None and name.startswith("Raspberry Pi") else None


def pi_model(name: str) -> PiModel | None:
    """Return the family of a Raspberry Pi, or None for one that is older than the kit format knows."""
    families = (
        (r"Pi Zero 2", PiModel.ZERO_2),
        (r"Pi (5|500|Compute Module 5)\b", PiModel.PI_5),
        (r"Pi (4|400|Compute Module 4S?)\b", PiModel.PI_4),
        (r"Pi (3|Compute Module 3)\b", PiModel.PI_3),
    )
    return next((model for pattern, model in families if re.search(pattern, name)), None)


@dataclass(frozen=True)
class Subject:
    """A machine with the kit that is to run on it. `home` is the data folder."""

    machine: Machine
    kit: Kit
    kit_name: str
    target: Target
    home: str

    @cached_property
    def pi(self) -> str | None:
        """The Raspberry Pi's full name, or None on another machine."""
        return pi_name(self.machine)

    @cached_property
    def model(self) -> PiModel | None:
        """The Raspberry Pi's family, or None."""
        return None if self.pi is None else pi_model(self.pi)

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
