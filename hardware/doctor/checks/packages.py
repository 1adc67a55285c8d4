"""The Python packages that the kit's drivers need, and their versions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning
from hardware.doctor.subject import Target
from hardware.header import PiModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject

GPIOZERO = "2.0.1.post3"
"""The first gpiozero that finds the Pi 5's GPIO chip on every kernel (gpiozero/gpiozero#1166, #1181)."""


LGPIO_WHEELS = (3, 11)
"""The newest Python for which lgpio 0.2.2.0 comes as a wheel; for others there is Debian's package."""

PIP = "in Broadside's folder .venv/bin/pip install"
"""Where a package belongs: pip refuses to install into Debian's own Python (PEP 668)."""


def as_version(text: str) -> tuple[int, ...]:
    """Return the numbers of a version, for comparing: 2.0.1 comes before 2.0.1.post3."""
    return tuple(int(number) for number in re.findall(r"\d+", text.split("+", 1)[0]))


def check_led_packages(subject: Subject) -> Iterator[Finding]:
    """The package behind the LED driver."""
    if not subject.drives_pins or subject.pi is None:
        return
    driver = subject.kit.leds.driver
    if driver == "rpi_ws281x":
        yield _installed(subject, "rpi-ws281x", f"sudo apt install gcc python3-dev, then {PIP} '.[pi]'")
    elif driver == "neopixel":
        yield _installed(subject, "adafruit-circuitpython-neopixel", f"{PIP} '.[pi5]'")
        if subject.model is PiModel.PI_5:
            yield _installed(
                subject,
                "Adafruit-Blinka-Raspberry-Pi5-Neopixel",
                f"{PIP} --pre Adafruit-Blinka-Raspberry-Pi5-Neopixel",
            )


def check_gpio_packages(subject: Subject) -> Iterator[Finding]:
    """gpiozero and its pin factory."""
    if not subject.has_matrix or subject.pi is None:
        return
    machine = subject.machine
    version = machine.package("gpiozero")
    if version is None:
        yield error("packages", "gpiozero is not installed", f"{PIP} 'gpiozero>={GPIOZERO}'")
    elif as_version(version) < as_version(GPIOZERO):
        yield error(
            "packages",
            f"gpiozero {version} is too old; it does not find every Pi's GPIO chip",
            f"{PIP} 'gpiozero>={GPIOZERO}'",
        )
    else:
        yield ok("packages", f"gpiozero {version}")
    yield _pin_factory(subject)


def _pin_factory(subject: Subject) -> Finding:
    machine = subject.machine
    forced = machine.environment("GPIOZERO_PIN_FACTORY")
    if forced not in {None, "", "lgpio"}:
        return warning(
            "packages",
            f"GPIOZERO_PIN_FACTORY={forced} keeps gpiozero from using lgpio",
            "unset GPIOZERO_PIN_FACTORY",
        )
    lgpio = machine.package("lgpio")
    if lgpio is not None:
        return ok("packages", f"lgpio {lgpio} drives the pins")
    major, minor, _ = machine.python()
    if (major, minor) > LGPIO_WHEELS:
        cure = "sudo apt install python3-lgpio, and make the venv with --system-site-packages"
    else:
        cure = f"{PIP} '.[gpio]'"
    others = [name for name in ("RPi.GPIO", "pigpio") if machine.package(name) is not None]
    if not others:
        return error("packages", "lgpio is not installed, and gpiozero has nothing to drive the pins with", cure)
    if subject.model is PiModel.PI_5:
        return error("packages", f"lgpio is not installed, and {others[0]} does not work on a Raspberry Pi 5", cure)
    return warning("packages", f"lgpio is not installed; {others[0]} fails to see edges on kernels from 6.6 on", cure)


def check_numpad_packages(subject: Subject) -> Iterator[Finding]:
    """evdev, where the kit has USB number pads."""
    if subject.target is Target.BOARD and any(keypad.driver == "evdev" for keypad in subject.kit.keypads):
        cure = f"sudo apt install gcc python3-dev, then {PIP} '.[numpad]'"
        yield _installed(subject, "evdev", cure)


def _installed(subject: Subject, name: str, cure: str) -> Finding:
    version = subject.machine.package(name)
    if version is None:
        return error("packages", f"{name} is not installed", cure)
    return ok("packages", f"{name} {version}")
