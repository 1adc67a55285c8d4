"""The driver for the kernel's ws2812-pio, against real files: the device takes writes as a file does."""

from __future__ import annotations

import os
import resource
import signal
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.drivers import ws2812_pio
from hardware.drivers.base import DriverError
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.ws2812_pio import Ws2812Pio, open_leds, overlay
from tests.hardware.kits import changed, shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

KIT = shipped("pi5")
MIXED = changed("pi5", ("pin = 18 #", 'order = "WGBR"\npin = 18 #'), ("pin = 13 #", 'order = "BRG"\npin = 13 #'))


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    (tmp_path / "leds0").touch()
    (tmp_path / "leds1").touch()
    return tmp_path


def on_the_wire(device: Path, *, white: bool = False) -> bytes:
    """Return what the kernel would send for what a device holds: green, red, blue (and white) of each four bytes, in
    the order in which `rgbw_u32` of ws2812-pio-rp1.c lays them out."""
    data = device.read_bytes()
    order = (1, 0, 2, 3) if white else (1, 0, 2)
    return bytes(data[led + place] for led in range(0, len(data), 4) for place in order)


def test_a_device_gets_the_wire_bytes_where_the_kernel_takes_them_from(devices: Path) -> None:
    driver = Ws2812Pio(KIT.leds, devices)
    assert (devices / "leds0").read_bytes() == bytes(800)
    wire = [bytes(range(250)) * 2 + bytes(100), bytes(reversed(range(200))) * 3]
    driver.write(wire)
    assert [on_the_wire(devices / name) for name in ("leds0", "leds1")] == wire
    driver.write(wire[::-1])
    assert [on_the_wire(devices / name) for name in ("leds0", "leds1")] == wire[::-1]
    driver.close()
    assert (devices / "leds0").read_bytes() == (devices / "leds1").read_bytes() == bytes(800)


def test_any_colour_order_and_four_colours_leave_as_the_kit_has_them(devices: Path) -> None:
    driver = Ws2812Pio(MIXED.leds, devices)
    wire = [bytes(range(200)) * 4, bytes(range(200)) * 3]
    driver.write(wire)
    assert on_the_wire(devices / "leds0", white=True) == wire[0]
    assert on_the_wire(devices / "leds1") == wire[1]
    driver.close()


def test_the_kernels_own_gamma_is_switched_off_first(devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[tuple[bytes, int]] = []
    real = os.pwrite

    def recorded(fd: int, data: bytes, position: int) -> int:
        writes.append((bytes(data), position))
        return real(fd, data, position)

    monkeypatch.setattr(os, "pwrite", recorded)
    Ws2812Pio(KIT.leds, devices).close()
    assert writes[:2] == [(b"\0", 0)] * 2
    assert {len(data) for data, _position in writes[2:]} == {800}


def test_a_write_waits_until_the_longest_chain_is_on_the_wire(devices: Path) -> None:
    driver = Ws2812Pio(KIT.leds, devices)
    start = time.monotonic()
    driver.write([bytes(600)] * 2)
    assert time.monotonic() - start >= 200 * 24 * 1.25e-6
    driver.close()


def test_short_writes_are_continued(devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda fd, data, position: real(fd, data[:333], position))
    driver = Ws2812Pio(KIT.leds, devices)
    wire = [bytes(range(200)) * 3, bytes(range(1, 201)) * 3]
    driver.write(wire)
    assert [on_the_wire(devices / name) for name in ("leds0", "leds1")] == wire
    driver.close()


@contextmanager
def small_files() -> Iterator[None]:
    """Let no file grow beyond 500 bytes: the system's write then ends short and fails with EFBIG, as the kernel's
    driver does for a strip with fewer LEDs."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


def test_an_overlay_with_too_few_leds_is_told_with_its_cure(devices: Path) -> None:
    # The limit holds for all that this process writes, so it is lifted before the test's own result is told.
    with small_files(), pytest.raises(DriverError) as refused:
        Ws2812Pio(KIT.leds, devices)
    assert "leds0 has fewer LEDs than the kit: set dtoverlay=" in str(refused.value)
    assert "num_leds=200" in str(refused.value)
    for name in ("leds0", "leds1"):
        DeviceLock(devices / name).close()


def test_a_missing_overlay_is_told_with_its_line(devices: Path) -> None:
    (devices / "leds1").unlink()
    with pytest.raises(DriverError) as raised:
        Ws2812Pio(KIT.leds, devices)
    assert "dtoverlay=ws2812-pio,gpio=13,num_leds=200,brightness=0 to /boot/firmware/config.txt" in str(raised.value)
    DeviceLock(devices / "leds0").close()


@contextmanager
def without_root() -> Iterator[None]:
    """Give up root for a while, so that file permissions count."""
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if was_root:
            os.seteuid(0)


def test_a_device_of_somebody_else_is_told_with_its_cure(devices: Path) -> None:
    (devices / "leds0").chmod(0)
    devices.chmod(0o755)
    # The folders above are private; an open file descriptor leads past them.
    folder = os.open(devices, os.O_RDONLY)
    try:
        with without_root(), pytest.raises(DriverError, match=r"\(Permission denied\): install Broadside's udev rules"):
            Ws2812Pio(KIT.leds, Path(f"/proc/self/fd/{folder}"))
    finally:
        os.close(folder)


def test_two_programs_do_not_share_a_device(devices: Path) -> None:
    driver = Ws2812Pio(KIT.leds, devices)
    with pytest.raises(DriverError, match="Another program drives the LEDs"):
        Ws2812Pio(KIT.leds, devices)
    driver.close()
    driver.close()
    Ws2812Pio(KIT.leds, devices).close()
    with pytest.raises(DriverError, match="closed"):
        driver.write([bytes(600)] * 2)


def test_it_opens_on_a_pi_5_alone(tmp_path: Path, devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "model"
    monkeypatch.setattr(ws2812_pio, "MODEL_FILE", model)
    monkeypatch.setattr(ws2812_pio, "DEVICES", devices)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    with pytest.raises(DriverError, match=r'works on Raspberry Pi 5, and this is a Raspberry Pi 4.*use "rpi_ws281x"'):
        open_leds(KIT)
    model.write_bytes(b"Raspberry Pi Compute Module 5 Rev 1.0\0")
    open_leds(KIT).close()


def test_the_overlay_line_of_four_colour_leds_says_so() -> None:
    first, second = (overlay(chain) for chain in MIXED.leds.chains)
    assert first == "dtoverlay=ws2812-pio,gpio=18,num_leds=200,brightness=0,rgbw"
    assert second == "dtoverlay=ws2812-pio,gpio=13,num_leds=200,brightness=0"
