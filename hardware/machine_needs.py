"""What a kit asks of the machine that runs it: service account, groups, packages, lines of config.txt.

Plain values in, plain values out, and nothing imported but the standard library, for the installer asks before
anything is installed. Sources are named beside what they are the source of.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from hardware.header import I2C_GPIOS, SPI0_GPIOS, SPI_GPIO, PiModel

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hardware.kit import Kit

LEDS_PER_PANEL = 100

SPI_BUFFER = 32_768
"""Bytes that spidev takes at once. Its default of 4096 is enough for 339 LEDs (rpi_ws281x's README)."""

FIRMWARE_DEFAULTS = ("dtparam=spi=off", "dtparam=i2c_arm=off")
"""What holds where config.txt says nothing (the firmware's overlays/README)."""

PI5_NEOPIXEL = 'Adafruit-Blinka-Raspberry-Pi5-Neopixel>=1.0.0rc2; platform_machine == "aarch64"'
"""What the neopixel library asks for on a Pi 5. GPL-2 and a pre-release, so it is no dependency of the project: the
installer fetches it onto the machine of whoever chose that driver."""


class ServiceKind(StrEnum):
    """How LED data leave the machine, which settles what the service may do. Each has a drop-in of its name."""

    PWM = "pwm"
    """PWM or PCM with DMA through /dev/mem: root, with the one capability that this takes."""
    SPI = "spi"
    PIO = "pio"
    """A Pi 5's PIO, through /dev/pio0 or the kernel's own driver at /dev/leds0."""
    PICO = "pico"
    """A serial line over USB."""


class LedLine(NamedTuple):
    """One data line: its BCM pin, how many LEDs hang on it, and whether they have a white channel."""

    pin: int
    leds: int
    white: bool = False


class MachineNeeds(NamedTuple):
    """What one kit needs.

    `boot_lines` must hold in config.txt (`FIRMWARE_DEFAULTS` do where it says nothing), `module_options` go into
    /etc/modprobe.d. `extras` are the project's, `requirements` further ones for pip, `lgpio` says whether pins of this
    machine's header are used as inputs and outputs. `compiles` says whether one of the extras comes as source.
    """

    service: ServiceKind
    boot_lines: tuple[str, ...]
    module_options: tuple[str, ...]
    extras: tuple[str, ...]
    requirements: tuple[str, ...]
    lgpio: bool
    compiles: bool


def machine_needs(
    model: PiModel, led_driver: str, lines: Sequence[LedLine], keypad_drivers: Collection[str], pins: Collection[int]
) -> MachineNeeds:
    """Return what a kit needs. `pins` are the BCM pins of this machine's header beside the LED lines.

    Raises ValueError for an LED driver of another package, whose needs nobody here can know.
    """
    service = _service_kind(model, led_driver, lines)
    used = {*pins, *(line.pin for line in lines if service is not ServiceKind.PICO)}
    extras = {
        "rpi_ws281x": ("pi",),
        "neopixel": ("pi5",),
    }.get(led_driver, ("gpio",) if pins else ())
    numpad = ("numpad",) if "evdev" in keypad_drivers else ()
    return MachineNeeds(
        service=service,
        boot_lines=tuple(_boot_lines(model, service, led_driver, lines, used)),
        module_options=(f"options spidev bufsiz={SPI_BUFFER}",) if service is ServiceKind.SPI else (),
        extras=extras + numpad,
        requirements=(PI5_NEOPIXEL,) if led_driver == "neopixel" and model is PiModel.PI_5 else (),
        lgpio=bool(pins),
        # Blinka brings rpi-ws281x on every Pi, and like evdev that comes as source.
        compiles=led_driver in {"rpi_ws281x", "neopixel"} or bool(numpad),
    )


def kit_needs(kit: Kit) -> MachineNeeds:
    """Return what a checked kit needs. Raises ValueError as `machine_needs` does."""
    lines = [LedLine(c.pin, LEDS_PER_PANEL * len(c.panels), "W" in c.order) for c in kit.leds.chains]
    single = [part.pin for part in (kit.buzzer, kit.power_button) if part]
    keypads = [pin for keypad in kit.keypads if keypad.driver == "gpio" for pin in (*keypad.rows, *keypad.columns)]
    pins = [] if kit.model is PiModel.ANY else [*keypads, *single]
    return machine_needs(kit.model, kit.leds.driver, lines, {keypad.driver for keypad in kit.keypads}, pins)


def _service_kind(model: PiModel, led_driver: str, lines: Sequence[LedLine]) -> ServiceKind:
    match led_driver:
        case "neopixel" if model is PiModel.PI_5:
            return ServiceKind.PIO
        case "rpi_ws281x" | "neopixel":
            # Before the Pi 5 Blinka drives LEDs through rpi_ws281x too.
            return ServiceKind.SPI if any(line.pin == SPI_GPIO for line in lines) else ServiceKind.PWM
        case "ws2812_pio":
            return ServiceKind.PIO
        case "pico":
            return ServiceKind.PICO
        case _:
            raise ValueError(f"the LED driver {led_driver!r} comes from another package")


def _boot_lines(
    model: PiModel, service: ServiceKind, led_driver: str, lines: Sequence[LedLine], used: Collection[int]
) -> list[str]:
    wanted: list[str] = []
    if service is ServiceKind.PWM:
        # The analog audio driver claims the PWM block and its clock (rpi_ws281x's README).
        wanted.append("dtparam=audio=off")
    if service is ServiceKind.SPI:
        wanted.append("dtparam=spi=on")
        # The SPI clock follows the core clock, which must stand still (rpi_ws281x's README).
        wanted += ["core_freq=500", "core_freq_min=500"] if model is PiModel.PI_4 else ["core_freq=250"]
    elif set(SPI0_GPIOS) & set(used):
        wanted.append("dtparam=spi=off")
    if set(I2C_GPIOS) & set(used):
        wanted.append("dtparam=i2c_arm=off")
    if led_driver == "ws2812_pio":
        # The kernel's overlay: brightness=0 turns its own gamma off (ws2812-pio-rp1.c).
        wanted += [
            f"dtoverlay=ws2812-pio,gpio={line.pin},num_leds={line.leds},brightness=0{',rgbw' if line.white else ''}"
            for line in lines
        ]
    return wanted
