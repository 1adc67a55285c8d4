"""The rpi_ws281x driver against the real module, and its failing path for real in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from hardware.drivers import rpi_ws281x
from hardware.drivers.base import DriverError
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.pi_board import board_name
from hardware.drivers.rpi_ws281x import RpiWs281x, channel_of, open_leds
from tests.hardware.drivers.recorded_ws281x import RecordedLibrary
from tests.hardware.kits import changed, shipped

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.kit import Kit

off_pi = pytest.mark.skipif(bool(board_name()), reason="on a Pi this would start the real LEDs")


@pytest.fixture
def module() -> Any:
    return pytest.importorskip("_rpi_ws281x", reason="rpi-ws281x is not installed")


@pytest.fixture
def lock_file(tmp_path: Path) -> Path:
    path = tmp_path / "mem"
    path.touch()
    return path


def wire_of(kit: Kit) -> list[bytes]:
    """Return wire bytes in which no two LEDs of a kit are alike."""
    return [
        bytes(
            (number * 7 + led + place * 50) % 256 for led in range(chain.led_count) for place in range(chain.led_bytes)
        )
        for number, chain in enumerate(kit.leds.chains)
    ]


ONE_CHAIN_ON_CHANNEL_1 = changed("one-chain", ("pin = 18 #", "pin = 13 #"))
PCM = changed("one-chain", ("pin = 18 #", "pin = 21 #"), ("16, 20, 21]", "16, 20, 14]"))
# Seat 1's panels have four colours, seat 2's three.
FOUR_COLOURS = changed("full", ('order = "GRB" # nearly', 'order = "GRBW" # nearly'))
CROSSED = changed(
    "full",
    *(("pin = 18 #", "pin = 19 #"), ("6, 19, 26", "6, 18, 26")),
    *(("pin = 13 #", "pin = 12 #"), ("columns = [12,", "columns = [14,")),
)


@pytest.mark.parametrize(
    ("kit", "channels"),
    [
        pytest.param(shipped("full"), [0, 1], id="two chains"),
        pytest.param(shipped("one-chain"), [0], id="one chain"),
        pytest.param(ONE_CHAIN_ON_CHANNEL_1, [1], id="PWM channel 1 alone"),
        pytest.param(PCM, [0], id="PCM"),
        pytest.param(FOUR_COLOURS, [0, 1], id="four colours"),
        pytest.param(CROSSED, [1, 0], id="channels the other way round"),
    ],
)
def test_the_wire_bytes_of_each_chain_leave_on_its_channel(
    module: Any, lock_file: Path, kit: Kit, channels: list[int]
) -> None:
    library = RecordedLibrary(module)
    driver = RpiWs281x(kit.leds, library, DeviceLock(lock_file))
    wire = wire_of(kit)
    driver.write(wire)
    driver.close()
    dark, shown, blanked = library.frames
    assert [shown[channel] for channel in channels] == wire
    assert not any(any(data) for data in dark + blanked)
    for channel, chain in zip(channels, kit.leds.chains, strict=True):
        assert library.set_up[f"pin {channel}"] == chain.pin
        assert library.set_up[f"count {channel}"] == chain.led_count
        assert library.set_up[f"brightness {channel}"] == 255
        assert library.set_up[f"invert {channel}"] == 0
    assert sum(library.set_up[f"count {channel}"] for channel in (0, 1)) == kit.leds.led_count
    assert (library.set_up["dma"], library.set_up["frequency"]) == (10, 800_000)


def test_everything_is_given_back_once(module: Any, lock_file: Path) -> None:
    library = RecordedLibrary(module)
    driver = RpiWs281x(shipped("full").leds, library, DeviceLock(lock_file))
    driver.close()
    driver.close()
    assert (library.open, library.finished) == (0, 1)
    DeviceLock(lock_file).close()
    with pytest.raises(DriverError, match="closed"):
        driver.write(wire_of(shipped("full")))


def test_a_failed_transfer_is_told_and_can_be_tried_again(module: Any, lock_file: Path) -> None:
    library = RecordedLibrary(module)
    with_lock = DeviceLock(lock_file)
    driver = RpiWs281x(shipped("full").leds, library, with_lock)
    library.render_result = module.WS2811_ERROR_DMA
    with pytest.raises(DriverError, match=r"cannot send: .* \(code -10\)"):
        driver.write(wire_of(shipped("full")))
    library.render_result = 0
    driver.write(wire_of(shipped("full")))
    assert library.frames[-1] == tuple(wire_of(shipped("full")))
    driver.close()


def test_a_failed_transfer_at_the_end_still_gives_everything_back(module: Any, lock_file: Path) -> None:
    library = RecordedLibrary(module)
    driver = RpiWs281x(shipped("full").leds, library, DeviceLock(lock_file))
    library.render_result = module.WS2811_ERROR_DMA
    with pytest.raises(DriverError, match="cannot send"):
        driver.close()
    assert (library.open, library.finished) == (0, 1)
    DeviceLock(lock_file).close()


def test_a_refused_start_is_never_finished_but_given_back(module: Any, lock_file: Path) -> None:
    library = RecordedLibrary(module, init_result=module.WS2811_ERROR_SPI_SETUP)
    with pytest.raises(DriverError, match="Switch SPI on"):
        RpiWs281x(shipped("full").leds, library, DeviceLock(lock_file))
    assert (library.open, library.finished) == (0, 0)
    DeviceLock(lock_file).close()


def test_the_installed_module_has_all_that_starts_and_ends_a_transfer(module: Any) -> None:
    for name in ("ws2811_init", "ws2811_render", "ws2811_wait", "ws2811_fini", "ws2811_get_return_t_str"):
        assert callable(getattr(module, name))
    assert module.WS2811_STRIP_RGB == 0x00100800
    assert module.SK6812_STRIP_RGBW == 0x18100800
    assert (module.WS2811_SUCCESS, module.WS2811_ERROR_HW_NOT_SUPPORTED) == (0, -3)


def test_the_channel_follows_from_the_pin() -> None:
    assert {gpio: channel_of(gpio) for gpio in (10, 12, 13, 18, 19, 21)} == {10: 0, 12: 0, 13: 1, 18: 0, 19: 1, 21: 0}


# Where it must not start.


def test_no_other_board_gets_as_far_as_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "model"
    monkeypatch.setattr(rpi_ws281x, "MODEL_FILE", model)
    monkeypatch.setattr(rpi_ws281x, "load_library", lambda: pytest.fail("the library was loaded"))
    with pytest.raises(DriverError, match="this computer is no Raspberry Pi"):
        open_leds(shipped("full"))
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    with pytest.raises(DriverError, match=r'this is a Raspberry Pi 5 Model B Rev 1\.0: on a Pi 5 use "ws2812_pio"'):
        open_leds(shipped("full"))


def test_pwm_asks_for_root_before_the_library_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    monkeypatch.setattr(rpi_ws281x, "MODEL_FILE", model)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(rpi_ws281x, "load_library", lambda: pytest.fail("the library was loaded"))
    with pytest.raises(DriverError, match="needs root for /dev/mem: let the service run Broadside"):
        open_leds(shipped("full"))


def test_a_second_program_is_told_who_has_the_leds(
    tmp_path: Path, lock_file: Path, module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 3 Model B Plus Rev 1.3\0")
    monkeypatch.setattr(rpi_ws281x, "MODEL_FILE", model)
    monkeypatch.setattr(rpi_ws281x, "MEMORY", lock_file)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with DeviceLock(lock_file), pytest.raises(DriverError, match="Another program drives the LEDs"):
        open_leds(shipped("full"))


def test_spi_that_is_off_is_told_with_its_cure(tmp_path: Path, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
    monkeypatch.setattr(rpi_ws281x, "MODEL_FILE", model)
    monkeypatch.setattr(rpi_ws281x, "SPI_DEVICE", tmp_path / "spidev0.0")
    kit = changed(
        "one-chain",
        ("pin = 18 #", "pin = 10 #"),
        ('driver = "rpi_ws281x"', 'driver = "rpi_ws281x"\nspi_buffer = 32768\n#'),
        ("[23, 24, 8, 7]", "[23, 24, 14, 15]"),
    )
    with pytest.raises(DriverError, match=r"spidev0\.0 cannot be opened \(No such file or directory\): switch SPI on"):
        open_leds(kit)


FAILING = """
import sys
from pathlib import Path
from hardware.drivers.base import DriverError
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.rpi_ws281x import RpiWs281x, load_library
from hardware.kit import load_kit
kit = load_kit(Path(sys.argv[1]))
for attempt in range(2):
    try:
        RpiWs281x(kit.leds, load_library(), DeviceLock(Path(sys.argv[2])))
    except DriverError as error:
        print(error, file=sys.stderr)
sys.exit(2)
"""


@off_pi
@pytest.mark.parametrize("kit", ["full", "one-chain"])
def test_a_refused_start_ends_the_process_cleanly(module: Any, lock_file: Path, kit: str) -> None:
    """Off a Pi the real ws2811_init refuses; left to its own ways, the process then dies of SIGSEGV at exit."""
    from companion.kits import kit_path

    command = [sys.executable, "-c", FAILING, str(kit_path(kit)), str(lock_file)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 2, result.stderr
    first, second = result.stderr.splitlines()
    assert first == second
    assert first.startswith(
        "rpi_ws281x cannot start: Hardware revision is not supported (code -3). This board is newer"
    )


CRASHING = """
import sys
from pathlib import Path
import _rpi_ws281x
from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.rpi_ws281x import RpiWs281x
from hardware.writer import LedWriter
from hardware.kit import load_kit
from tests.hardware.drivers.recorded_ws281x import RecordedLibrary
class Printed(RecordedLibrary):
    def ws2811_render(self, device):
        result = super().ws2811_render(device)
        print("lit" if any(map(any, self.frames[-1])) else "dark", flush=True)
        return result
    def ws2811_fini(self, device):
        print("finished", flush=True)
kit = load_kit(Path(sys.argv[1]))
driver = RpiWs281x(kit.leds, Printed(_rpi_ws281x), DeviceLock(Path(sys.argv[2])))
wire = tuple(bytes([9]) * chain.led_count * 3 for chain in kit.leds.chains)
if sys.argv[3] == "writer":
    import time
    writer = LedWriter(driver, print)
    writer.show(wire)
    time.sleep(0.2)
else:
    driver.write(wire)
raise RuntimeError("the program fails")
"""


@off_pi
@pytest.mark.parametrize("how", ["writer", "driver alone"])
def test_the_leds_go_dark_when_the_program_fails(module: Any, lock_file: Path, how: str) -> None:
    from companion.kits import kit_path

    command = [sys.executable, "-c", CRASHING, str(kit_path("full")), str(lock_file), how]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 1
    assert result.stderr.endswith("RuntimeError: the program fails\n")
    assert result.stdout.splitlines() == ["dark", "lit", "dark", "finished"]
