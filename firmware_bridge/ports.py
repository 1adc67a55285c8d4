"""Finds the serial lines that may lead to a Pico with Broadside's firmware."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from serial.tools.list_ports import comports

from firmware_bridge.errors import NoPicoError

if TYPE_CHECKING:
    from collections.abc import Iterable

PORT_VARIABLE = "BROADSIDE_PICO_PORT"
"""Names the port to use, where there are several Picos or the port cannot be told by its USB identity."""

MANUFACTURER = "Broadside"
"""Set by the firmware's boot.py."""

CIRCUITPYTHON_VENDOR = 0x239A
"""USB vendor of CircuitPython on the Pico boards, whose boot.py has not run yet or was not Broadside's."""


class UsbPort(NamedTuple):
    """What is known of a serial port before it is opened: path, USB vendor, manufacturer, serial number of the device,
    and name of the interface, each None where the system does not tell."""

    device: str
    vid: int | None
    manufacturer: str | None
    serial_number: str | None
    interface: str | None


def usb_ports() -> list[UsbPort]:
    """List this computer's serial ports."""
    return [
        UsbPort(port.device, port.vid, port.manufacturer, port.serial_number, port.interface) for port in comports()
    ]


def candidates(ports: Iterable[UsbPort]) -> list[UsbPort]:
    """Return the ports that may be a Pico's data line, the likeliest first.

    CircuitPython has two lines, the console and (enabled by boot.py) the data line, whose interface it names
    "CircuitPython CDC2 control". A line that is named as the console is left out; where a system names no interfaces,
    HELLO decides.
    """
    found = []
    for port in ports:
        named = port.manufacturer == MANUFACTURER
        if not named and port.vid != CIRCUITPYTHON_VENDOR:
            continue
        interface = port.interface or ""
        if interface and "CDC2" not in interface:
            continue
        found.append((not named, not interface, port.device, port))
    return [port for *_, port in sorted(found)]


def consoles(ports: Iterable[UsbPort]) -> list[UsbPort]:
    """Return the consoles of CircuitPython boards: where these are all there is, boot.py has not been installed."""
    return [port for port in ports if port.vid == CIRCUITPYTHON_VENDOR and "CDC2" not in (port.interface or "")]


def find_ports() -> list[str]:
    """Return the paths of the ports to try, the likeliest first: the one that the environment names, else by USB
    identity. Raises NoPicoError where there is none, and says what to do."""
    named = os.environ.get(PORT_VARIABLE)
    if named:
        return [named]
    ports = usb_ports()
    if found := candidates(ports):
        return [port.device for port in found]
    if bare := consoles(ports):
        raise NoPicoError(
            f"The CircuitPython board at {bare[0].device} has no data line: run `broadside pico install DRIVE` with "
            "its drive, then unplug it and plug it in again."
        )
    raise NoPicoError(
        "There is no Pico with Broadside's firmware on USB: plug it in (with a cable that carries data), or name its "
        f"port in {PORT_VARIABLE}."
    )
