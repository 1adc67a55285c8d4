"""A Raspberry Pi Pico as the board's controller: plugged in, and may be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.checks.rights import open_device
from hardware.doctor.findings import Finding, error, ok
from hardware.doctor.subject import Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject

BY_ID = "/dev/serial/by-id"
DATA_INTERFACE = "-if02"
"""The second of the firmware's two serial lines, as udev names it; the first is CircuitPython's console."""


def check_pico(subject: Subject) -> Iterator[Finding]:
    """The serial port of a Pico with Broadside's firmware, by its stable name."""
    if subject.target is not Target.BOARD or subject.kit.leds.driver != "pico":
        return
    names = subject.machine.names(BY_ID)
    ports = [name for name in names if "Broadside" in name and name.endswith(DATA_INTERFACE)]
    if not ports and any("Pico" in name or "CircuitPython" in name for name in names):
        yield error(
            "pico",
            "a Pico is plugged in, but it has no Broadside firmware",
            "hold BOOTSEL while you plug it in, then broadside pico install DRIVE",
        )
    elif not ports:
        yield error("pico", "no Pico is plugged in", "plug it in with a USB cable that carries data, not only power")
    for port in ports:
        path = f"{BY_ID}/{port}"
        yield open_device(subject, path, "the Pico", "plug the Pico in again")
        for holder in subject.machine.holders(path):
            yield error("occupied", f"{holder} has the Pico's port open", "end that program first")
    if subject.machine.package("pyserial") is None:
        yield error("packages", "pyserial is not installed", "make setup installs it")
    else:
        yield ok("packages", f"pyserial {subject.machine.package('pyserial')}")
