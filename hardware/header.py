"""The pins of the boards that a kit can name: the 40-pin header of a Raspberry Pi, and a Raspberry Pi Pico.

The kit check and the wiring guide's drawings both read this. Positions and functions come from gpiozero's board data
where it has them; which pin can carry LED data, and why some pins are never used, from the sources named beside each
constant. All GPIO numbers are BCM numbers (on a Pico: the GP numbers of its RP2040).
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Pull = Literal["up", "down"]


class PiModel(StrEnum):
    """The boards that the kit format knows."""

    ZERO_2 = "zero2"
    PI_3 = "pi3"
    PI_4 = "pi4"
    PI_5 = "pi5"
    ANY = "any"
    """Any computer with USB: a kit whose pins are a Pico's."""


class PinKind(StrEnum):
    """What a pin of a header is."""

    GPIO = "gpio"
    GROUND = "ground"
    POWER_5V = "5V"
    POWER_3V3 = "3V3"
    CONTROL = "control"
    """A pin with a job of its own, such as a Pico's RUN."""


class HeaderPin(NamedTuple):
    """One pin of a header.

    `number` counts from 1 as printed on every pinout, `name` is what it is called there ("GPIO18", "GND", "5V"),
    `gpio` its BCM number or None. `functions` says what else it can be, by interface ("pwm", "pcm", "spi", "i2c",
    "uart" …). `pull` is its pull resistor at boot. `reserved` says why it is never used, or is empty.
    """

    number: int
    name: str
    kind: PinKind
    gpio: int | None = None
    functions: Mapping[str, str] = {}
    pull: Pull | None = None
    reserved: str = ""


MODEL_NAMES = {
    PiModel.ZERO_2: "Raspberry Pi Zero 2 W",
    PiModel.PI_3: "Raspberry Pi 3",
    PiModel.PI_4: "Raspberry Pi 4",
    PiModel.PI_5: "Raspberry Pi 5",
    PiModel.ANY: "any computer with USB",
}

# Where each GPIO stands on the 40-pin header; the same on every Pi since the B+.
# fmt: off
PIN_OF_GPIO: Mapping[int, int] = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
    16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}
# fmt: on

RESERVED: Mapping[int, str] = {0: "ID_SD of the HAT's EEPROM", 1: "ID_SC of the HAT's EEPROM"}
"""GPIOs that a kit may never use: the firmware looks for a HAT's EEPROM there (Raspberry Pi HAT design guide)."""

FIXED_PULL_UPS = frozenset({2, 3})
"""GPIOs with a 1.8 kΩ resistor to 3.3 V on the board itself."""

WAKE_GPIO = 3
"""Pulled to ground, this GPIO wakes a halted Pi (up to and including the Pi 4)."""

PWM_CHANNELS: Mapping[int, int] = {12: 0, 18: 0, 13: 1, 19: 1}
"""The PWM channel that each PWM pin of the header belongs to (rpi_ws281x's README; BCM2835 peripherals, table 6-31)."""

PCM_GPIO = 21
"""PCM data out, where rpi_ws281x can send LED data."""

SPI_GPIO = 10
"""SPI0 data out (MOSI), where rpi_ws281x can send LED data."""

SPI0_GPIOS: Mapping[int, str] = {7: "SPI0 CE1", 8: "SPI0 CE0", 9: "SPI0 MISO", 10: "SPI0 MOSI", 11: "SPI0 SCLK"}
"""The GPIOs that spidev takes while SPI is on."""

UART_GPIOS: Mapping[int, str] = {14: "serial console, sending", 15: "serial console, receiving"}

I2C_GPIOS: Mapping[int, str] = {2: "I2C1 SDA", 3: "I2C1 SCL"}

PICO_GPIOS = frozenset(range(23)) | {26, 27, 28}
"""The GP numbers that a Raspberry Pi Pico brings out (Pico datasheet, section 2.1)."""

PICO_RESERVED: Mapping[int, str] = {
    23: "the power supply's mode",
    24: "the USB voltage sensing",
    25: "the LED on the board",
    29: "the VSYS measurement",
}
"""RP2040 GPIOs that a Pico uses itself and does not bring out (Pico datasheet, section 2.1)."""

# A Pico's edge pins from 1 (USB end, left) down to 20 and up the other side to 40 (Pico datasheet, figure 4).
_PICO_PINS = (
    "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15 "
    "GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 GND GP28 ADC_VREF 3V3 3V3_EN GND VSYS VBUS"
)


def pwm_channel(gpio: int) -> int | None:
    """Return the PWM channel (0 or 1) that a GPIO of a Pi can carry, or None."""
    return PWM_CHANNELS.get(gpio)


def pull_at_boot(gpio: int) -> Pull:
    """Return which way a GPIO of a Pi is pulled from power-on until a program sets it (BCM2835 peripherals, table
    6-31): GPIO0 to 8 up, GPIO9 to 27 down."""
    return "up" if gpio <= 8 else "down"


def pin_name(gpio: int) -> str:
    """Return a GPIO of a Pi with its place on the header, as printed in messages and drawings: "GPIO18 (pin 12)"."""
    return f"GPIO{gpio} (pin {PIN_OF_GPIO[gpio]})" if gpio in PIN_OF_GPIO else f"GPIO{gpio}"


@cache
def header(model: PiModel) -> tuple[HeaderPin, ...]:
    """Return all 40 pins of a Pi's header in the order of their numbers.

    Odd numbers stand in the column nearer the board's middle, even ones at its edge. Raises ValueError for
    `PiModel.ANY`, which has no header.
    """
    # gpiozero takes a while to import, and only those who draw or list the whole header need its data.
    from gpiozero.pins.data import PI4_J8, PI5_J8, PLUS_J8

    boards = {PiModel.ZERO_2: PLUS_J8, PiModel.PI_3: PLUS_J8, PiModel.PI_4: PI4_J8, PiModel.PI_5: PI5_J8}
    if model not in boards:
        raise ValueError(f"{MODEL_NAMES[model]} has no header")
    _rows, _columns, pins = boards[model]
    return tuple(_header_pin(number, functions) for number, functions in sorted(pins.items()))


def _header_pin(number: int, functions: Mapping[str, str]) -> HeaderPin:
    name = functions.get("gpio")
    if name is None:
        kinds = {"GND": PinKind.GROUND, "5V": PinKind.POWER_5V, "3V3": PinKind.POWER_3V3}
        return HeaderPin(number, functions[""], kinds[functions[""]])
    gpio = int(name.removeprefix("GPIO"))
    others = {interface: function for interface, function in functions.items() if interface not in {"", "gpio"}}
    return HeaderPin(number, name, PinKind.GPIO, gpio, others, pull_at_boot(gpio), RESERVED.get(gpio, ""))


@cache
def pico_header() -> tuple[HeaderPin, ...]:
    """Return all 40 pins of a Raspberry Pi Pico in the order of their numbers: 1 to 20 down the left side with the USB
    socket at the top, 21 to 40 up the right side."""
    kinds = {"GND": PinKind.GROUND, "VSYS": PinKind.POWER_5V, "VBUS": PinKind.POWER_5V, "3V3": PinKind.POWER_3V3}
    return tuple(
        HeaderPin(number, name, PinKind.GPIO, int(name[2:]))
        if name.startswith("GP")
        else HeaderPin(number, name, kinds.get(name, PinKind.CONTROL))
        for number, name in enumerate(_PICO_PINS.split(), start=1)
    )
