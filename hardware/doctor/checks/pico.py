"""A Raspberry Pi Pico as the board's controller: plugged in, and may be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.checks.rights import open_device
from hardware.doctor.findings import Finding, error, ok
from hardware.doctor.subject import Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject

PORT_VARIABLE = "BROADSIDE_PICO_PORT"
"""Names the Pico's port where there are several, or where USB does not tell (`firmware_bridge.ports`)."""

BY_ID = "/dev/serial/by-id"
DATA_INTERFACE = "-if02"
"""The second of the firmware's two serial lines, as udev names it; the first is CircuitPython's console."""


def check_pico(subject: Subject) -> Iterator[Finding]:
    """The serial port of a Pico with Broadside's firmware: the one that the environment names, else by its stable
    name."""
    if subject.target is not Target.BOARD or subject.kit.leds.driver != "pico":
        return
    if named := subject.machine.environment(PORT_VARIABLE):
        cure = f"plug the Pico in, or name its port anew in {PORT_VARIABLE}: ls {BY_ID}"
        yield from _port(subject, named, f"the Pico (named in {PORT_VARIABLE})", cure)
    else:
        yield from _found_ports(subject)
    if subject.machine.package("pyserial") is None:
        yield error("packages", "pyserial is not installed", "make setup installs it")
    else:
        yield ok("packages", f"pyserial {subject.machine.package('pyserial')}")


def _found_ports(subject: Subject) -> Iterator[Finding]:
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
        yield from _port(subject, f"{BY_ID}/{port}", "the Pico", "plug the Pico in again")


def _port(subject: Subject, path: str, purpose: str, missing: str) -> Iterator[Finding]:
    yield open_device(subject, path, purpose, missing)
    for holder in subject.machine.holders(path):
        yield error("occupied", f"{holder} has the Pico's port open", "end that program first")
