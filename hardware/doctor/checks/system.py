"""The machine itself: which Raspberry Pi, which system, and whether both suit the kit's LED driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning
from hardware.doctor.subject import PI_DRIVERS, Subject, Target
from hardware.header import MODEL_NAMES, PiModel

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST_PYTHON = (3, 11)


def check_model(subject: Subject) -> Iterator[Finding]:
    """The Raspberry Pi against the kit and its LED driver."""
    if subject.target is not Target.BOARD:
        return
    kit, driver = subject.kit, subject.kit.leds.driver
    if not subject.drives_pins:
        yield ok("model", f"{subject.pi or 'This computer'} talks to the board over USB; any model will do")
        return
    if subject.pi is None:
        yield error(
            "model",
            f"this is no Raspberry Pi, and kit {subject.kit_name} hangs on the pins of a {MODEL_NAMES[kit.model]}",
            "run Broadside on that Pi, use a kit with a Pico (--kit pico), or play here with --board simulator",
        )
        return
    if subject.model is None:
        yield error(
            "model",
            f"{subject.pi} is older than what Broadside supports",
            "use a Raspberry Pi 3, 4, 5 or Zero 2 W, or a Pico (--kit pico)",
        )
        return
    if driver == "rpi_ws281x" and subject.model is PiModel.PI_5:
        yield error(
            "model",
            "the LED driver rpi_ws281x does not know the Raspberry Pi 5",
            "use --kit pi5 (driver ws2812_pio or neopixel) or a Pico (--kit pico)",
        )
    elif driver == "ws2812_pio" and subject.model is not PiModel.PI_5:
        yield error(
            "model",
            f"the LED driver ws2812_pio needs a Raspberry Pi 5; this is a {subject.pi}",
            'set leds.driver = "rpi_ws281x" in the kit, and model to this Pi',
        )
    elif driver == "neopixel" and subject.model is not PiModel.PI_5:
        yield warning(
            "model",
            f"the LED driver neopixel is slower than rpi_ws281x on a {MODEL_NAMES[subject.model]}",
            'set leds.driver = "rpi_ws281x" in the kit',
        )
    elif kit.model is not subject.model and driver != "rpi_ws281x":
        yield warning(
            "model",
            f"kit {subject.kit_name} is for a {MODEL_NAMES[kit.model]}; this is a {subject.pi}",
            f'set model = "{subject.model}" in the kit, so that its checks fit',
        )
    elif kit.model is not subject.model:
        yield ok(
            "model", f"{subject.pi} is wired and driven like the {MODEL_NAMES[kit.model]} of kit {subject.kit_name}"
        )
    elif driver in PI_DRIVERS:
        yield ok("model", f"{subject.pi} suits the LED driver {driver}")
    else:
        yield ok("model", f"{subject.pi} is what kit {subject.kit_name} is for")


def check_system(subject: Subject) -> Iterator[Finding]:
    """Python, and the width of the system on a Pi."""
    major, minor, bits = subject.machine.python()
    if (major, minor) < OLDEST_PYTHON:
        yield error("system", f"Python {major}.{minor} is too old", "install Raspberry Pi OS Bookworm or newer")
    elif subject.pi is not None and bits == 32:
        yield warning(
            "system",
            "this is a 32-bit system; packages for it have to be built here, and Broadside isn't tested on it",
            "write a card with the 64-bit Raspberry Pi OS",
        )
    else:
        yield ok("system", f"{bits}-bit, Python {major}.{minor}")
