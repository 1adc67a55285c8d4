"""The neopixel driver over the real Blinka, which off a Pi takes bytes and drops them, with a recorder before it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from hardware.drivers import neopixel
from hardware.drivers.base import DriverError
from hardware.drivers.neopixel import Blinka, open_leds
from hardware.drivers.pi_board import board_name
from tests.hardware.kits import changed, shipped

if TYPE_CHECKING:
    from pathlib import Path

KIT = changed("one-chain", ('"rpi_ws281x"', '"neopixel"'))

needs_blinka = pytest.mark.skipif(
    find_spec("neopixel_write") is None, reason="adafruit-circuitpython-neopixel is not installed"
)
off_pi = pytest.mark.skipif(bool(board_name()), reason="on a Pi this would start the real LEDs")

# Blinka's own stand-in for a board has no numbered pins: one of its pins is named D18.
SCRIPT = """
import inspect, json, sys
from pathlib import Path
import board, digitalio, neopixel, neopixel_write
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.neopixel import Blinka, NeoPixel
from tests.hardware.kits import changed
board.D18 = board.Dx_OUTPUT
sent, buffers, real = [], set(), neopixel_write.neopixel_write
def recorded(gpio, buf):
    assert isinstance(gpio, digitalio.DigitalInOut) and gpio.direction is digitalio.Direction.OUTPUT
    buffers.add(id(buf))
    sent.append(bytes(buf).hex())
    real(gpio, buf)
neopixel_write.neopixel_write = neopixel.neopixel_write = recorded
kit = changed("one-chain", ('"rpi_ws281x"', '"neopixel"'))
driver = NeoPixel(kit.leds, Blinka(), DeviceLock(Path(sys.argv[1])))
wire = bytes(range(240)) * 5
driver.write([wire])
driver.write([wire[::-1]])
driver.close()
driver.close()
ours = list(sent)
sent.clear()
pixels = neopixel.NeoPixel(board.D18, 400, auto_write=False, pixel_order="GRB")
for number in range(400):
    green, red, blue = wire[number * 3 : number * 3 + 3]
    pixels[number] = (red, green, blue)
pixels.show()
print(json.dumps({
    "parameters": list(inspect.signature(real).parameters), "buffers": len(buffers) - 1, "sent": ours, "theirs": sent,
}))
"""


@needs_blinka
@off_pi
def test_the_wire_bytes_leave_as_those_of_adafruits_own_class(tmp_path: Path) -> None:
    lock = tmp_path / "pio0"
    lock.touch()
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(lock)],
        env={**os.environ, "BLINKA_OS_AGNOSTIC": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    wire = bytes(range(240)) * 5
    assert found["parameters"] == ["gpio", "buf"]
    assert found["sent"] == [bytes(1200).hex(), wire.hex(), wire[::-1].hex(), bytes(1200).hex()]
    assert found["theirs"] == [wire.hex()]
    # Blinka starts the strip anew for another buffer.
    assert found["buffers"] == 1


@needs_blinka
@off_pi
def test_blinka_that_knows_no_such_board_is_told_in_one_sentence() -> None:
    with pytest.raises(
        DriverError, match=r"^Blinka does not work here \(Board not supported\): use another LED driver\.$"
    ):
        Blinka()


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "model"
    monkeypatch.setattr(neopixel, "MODEL_FILE", path)
    monkeypatch.setattr(neopixel, "Blinka", lambda: pytest.fail("Blinka was loaded"))
    return path


def test_a_computer_without_pins_is_refused(model: Path) -> None:
    with pytest.raises(DriverError, match="this computer is no Raspberry Pi: use a Pico"):
        open_leds(KIT)


def test_two_chains_are_refused(model: Path) -> None:
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    with pytest.raises(DriverError, match="feeds one chain: put all panels into it"):
        open_leds(shipped("pi5"))


@pytest.mark.skipif(find_spec(neopixel.PI_5_WRITER) is not None, reason="the Pi 5 writer is installed")
def test_on_a_pi_5_the_missing_writer_is_named(model: Path) -> None:
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    with pytest.raises(DriverError, match="pip install --pre Adafruit-Blinka-Raspberry-Pi5-Neopixel"):
        open_leds(KIT)


def test_on_an_older_pi_root_is_asked_for(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(DriverError, match="needs root"):
        open_leds(KIT)


def test_a_missing_device_is_told_with_its_cure(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(neopixel, "MEMORY", tmp_path / "mem")
    with pytest.raises(DriverError, match=r"mem cannot be opened \(No such file or directory\)"):
        open_leds(KIT)
