"""Asks what is connected, without changing anything."""

from __future__ import annotations

import secrets
import select
import time
from typing import NamedTuple

from firmware_bridge.device import Device, read_device
from firmware_bridge.errors import LineLostError, PicoError
from firmware_bridge.pico import wire
from firmware_bridge.ports import find_ports
from firmware_bridge.serial_line import SerialLine
from firmware_bridge.session import draw_number

WAIT_S = 1.0


class Found(NamedTuple):
    """A Pico that has answered, and the path of its port."""

    port: str
    device: Device


def probe() -> Found:
    """Return the first Pico that answers HELLO.

    Raises PicoError, one sentence with the cure, where there is none, another program uses it, or its firmware speaks
    another protocol.
    """
    failure: Exception | None = None
    for port in find_ports():
        try:
            return Found(port, ask(port))
        except LineLostError as error:
            failure = error
    raise PicoError(str(failure))


def ask(port: str) -> Device:
    """Return what the Pico on a port says about itself. Raises PicoError, or LineLostError where nobody answers."""
    line = SerialLine(port)
    try:
        reader = wire.Reader()
        deadline = time.monotonic() + WAIT_S
        number = draw_number(lambda: secrets.randbits(32))
        left = wire.pack_hello(number)
        while (wait := deadline - time.monotonic()) > 0:
            readable, writable, _ = select.select([line], [line] if left else [], [], wait)
            if writable:
                left = left[line.write(left) :]
            if readable:
                reader.feed(line.read())
            while message := reader.next():
                if message[0] == wire.DEVICE and (device := read_device(message[1])).session == number:
                    return device
    finally:
        line.close()
    raise LineLostError(
        f"Nothing that speaks Broadside's protocol answers at {port}: if its firmware is another, run `broadside pico "
        "install DRIVE`; else unplug it and plug it in again."
    )
