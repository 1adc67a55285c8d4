"""The same firmware under the real CircuitPython, on an emulated RP2040 or a real Pico.

BROADSIDE_RP2040 holds a command. It is called with the folder of a CIRCUITPY drive that has the firmware on it, starts
CircuitPython with that drive, prints the path of the data port, and runs until it is ended. With a real Pico, on which
`broadside pico install` has been done, `sh -c 'echo /dev/ttyACM1; exec sleep 600'` will do: nothing need be wired to
it.
"""

from __future__ import annotations

import os
import random
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.configuration import configuration
from firmware_bridge.link import Link
from firmware_bridge.pico import wire
from firmware_bridge.probe import ask
from tests.firmware_bridge.emulator import make_drive
from tests.firmware_bridge.kits import CHAIN_BYTES, KIT, PINS

COMMAND = os.environ.get("BROADSIDE_RP2040", "")

pytestmark = pytest.mark.skipif(not COMMAND, reason="BROADSIDE_RP2040 names no RP2040 to run CircuitPython on")


@pytest.fixture
def port(tmp_path: Path) -> Iterator[str]:
    command = [*shlex.split(COMMAND), str(make_drive(tmp_path))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def test_circuitpython_runs_the_firmware(port: str) -> None:
    device = ask(port)
    assert device.firmware == wire.FIRMWARE
    assert device.python.startswith("circuitpython")


def test_every_picture_is_acknowledged(port: str) -> None:
    link = Link(configuration(KIT), find=lambda: [port])
    link.open(20)
    chance = random.Random(1)
    picture = [bytearray(CHAIN_BYTES) for _ in PINS]
    for number in range(100):
        # A Pico acknowledges a picture only when its chains have the CRC32s of the host's.
        picture[number % 2][chance.randrange(CHAIN_BYTES)] = chance.randrange(60)
        if number % 10 == 0:
            picture = [
                bytearray(chance.randbytes(CHAIN_BYTES).translate(bytes(n // 4 for n in range(256)))) for _ in PINS
            ]
        link.write([bytes(chain) for chain in picture])
        assert link.settled(5)
    status = link.status()
    link.close()
    assert (status.counts.pictures, status.counts.again, status.counts.limited) == (100, 0, 0)
    assert status.connections == 1
