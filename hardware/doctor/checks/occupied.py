"""Is another program, or the kernel, on the kit's pins and devices?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.checks.rights import header_chip
from hardware.doctor.findings import Finding, error, ok, warning
from hardware.doctor.subject import MEMORY
from hardware.header import pin_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject


GPIOZERO_HOLDER = "lg"
"""The name under which lgpio takes a pin."""


def service_runs(subject: Subject) -> bool:
    """Whether Broadside's own service has the board at the moment."""
    return subject.machine.output("systemctl", "is-active", "broadside") == "active"


def check_service(subject: Subject) -> Iterator[Finding]:
    """Whether Broadside's own service has the board at the moment."""
    if not subject.drives_pins or subject.pi is None:
        return
    if service_runs(subject):
        yield warning(
            "occupied",
            "the Broadside service is running and has the board",
            "before broadside test or play: sudo systemctl stop broadside",
        )


def check_led_devices(subject: Subject) -> Iterator[Finding]:
    """Whether another process drives the LED hardware: two of them disturb each other (jgarff/rpi_ws281x#125)."""
    if not subject.data_pins or subject.pi is None or service_runs(subject):
        return
    found = False
    for path in subject.led_devices:
        for holder in subject.machine.holders(path):
            found = True
            yield error("occupied", f"{holder} has {path} open, which the LED data needs", "end that program first")
    if not found:
        yield ok("occupied", "no other program is seen on the LED hardware")


def check_pins(subject: Subject) -> Iterator[Finding]:
    """Whether each pin of keypads, buzzer and power button is free."""
    if not subject.has_matrix or subject.pi is None:
        return
    name = header_chip(subject)
    chip = next((chip for chip in subject.machine.chips() if chip.name == name), None)
    if chip is None:
        return
    pins = dict(subject.gpio_pins)
    if MEMORY in subject.led_devices:
        pins |= {pin: f"LED chain {number}" for number, pin in enumerate(subject.data_pins, start=1)}
    own = {GPIOZERO_HOLDER} if service_runs(subject) else set()
    taken = [pin for pin in sorted(pins) if pin in chip.taken and chip.taken[pin] not in own]
    for pin in taken:
        yield error(
            "occupied",
            f"{pin_name(pin)}, {pins[pin]}, is taken by {chip.taken[pin]}",
            "end that program, or take its line out of config.txt and restart the Pi",
        )
    if not taken:
        yield ok("occupied", "the pins of keypads, buzzer and button are free")
