"""SPI: its buffer and clock where it carries LED data, and out of the way where it doesn't.

Source: rpi_ws281x's README (core_freq, spidev.bufsiz).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning
from hardware.doctor.subject import SPI
from hardware.header import SPI0_GPIOS, SPI_GPIO, PiModel, pin_name
from hardware.kit_check import spi_bytes
from hardware.machine_needs import SPI_BUFFER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject


def check_spi(subject: Subject) -> Iterator[Finding]:
    """Everything about SPI that the kit depends on."""
    if not subject.drives_pins or subject.config is None:
        return
    if SPI in subject.led_devices:
        yield _buffer(subject)
        yield _clock(subject)
        return
    taken = sorted(set(SPI0_GPIOS) & {*subject.gpio_pins, *subject.data_pins})
    free_of_selects = bool(subject.config.overlays("spi0-0cs")) and not {9, 10, 11} & set(taken)
    if taken and subject.config.is_on("spi") and not free_of_selects:
        yield error(
            "spi",
            f"SPI is on and takes {', '.join(pin_name(pin) for pin in taken)}, which the kit uses",
            f"set dtparam=spi=off in {subject.config.path} (or add dtoverlay=spi0-0cs) and restart the Pi",
        )
    elif taken:
        yield ok("spi", "SPI leaves the kit's pins alone")


def _buffer(subject: Subject) -> Finding:
    leds = max(chain.led_count for chain in subject.kit.leds.chains if chain.pin == SPI_GPIO)
    needed = spi_bytes(leds)
    told = subject.machine.text("/sys/module/spidev/parameters/bufsiz")
    if told is None or not told.strip().isdigit():
        return warning(
            "spi", "the size of SPI's buffer cannot be read", f"add spidev.bufsiz={SPI_BUFFER} to cmdline.txt"
        )
    size = int(told)
    if size < needed:
        return error(
            "spi",
            f"SPI's buffer has {size} bytes; {leds} LEDs need {needed}",
            f"add spidev.bufsiz={SPI_BUFFER} to the one line of cmdline.txt, beside config.txt, and restart the Pi",
        )
    return ok("spi", f"SPI's buffer of {size} bytes is enough for {leds} LEDs")


def _clock(subject: Subject) -> Finding:
    config = subject.config
    assert config is not None
    wanted = {"core_freq": "500", "core_freq_min": "500"} if subject.model is PiModel.PI_4 else {"core_freq": "250"}
    wrong = [f"{name}={value}" for name, value in wanted.items() if config.setting(name) != value]
    if wrong:
        return error(
            "spi",
            "SPI's clock follows the core's, which is not fixed: the LEDs would show random colours",
            f"add {' and '.join(wrong)} to {config.path} and restart the Pi",
        )
    return ok("spi", "the core's clock is fixed for SPI")
