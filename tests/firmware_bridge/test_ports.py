"""Which serial ports are tried."""

from __future__ import annotations

import pytest

from firmware_bridge import ports
from firmware_bridge.errors import NoPicoError
from firmware_bridge.ports import CIRCUITPYTHON_VENDOR, UsbPort, candidates, find_ports


def port(device: str, vid: int | None = CIRCUITPYTHON_VENDOR, maker: str | None = None, interface: str = "") -> UsbPort:
    return UsbPort(device, vid, maker, "123", interface or None)


CONSOLE = port("/dev/ttyACM0", maker="Broadside", interface="CircuitPython CDC control")
DATA = port("/dev/ttyACM1", maker="Broadside", interface="CircuitPython CDC2 control")
OTHER_DATA = port("/dev/ttyACM3", maker="Raspberry Pi", interface="CircuitPython CDC2 control")
MODEM = port("/dev/ttyACM4", vid=0x1234, maker="Modem works")
BUILT_IN = port("/dev/ttyS0", vid=None)


def test_the_data_line_of_a_broadside_pico_comes_first_and_no_console() -> None:
    assert candidates([BUILT_IN, MODEM, OTHER_DATA, CONSOLE, DATA]) == [DATA, OTHER_DATA]


def test_where_interfaces_have_no_names_both_lines_are_tried() -> None:
    nameless = [port("/dev/cu.usbmodem1", maker="Broadside"), port("/dev/cu.usbmodem2", maker="Broadside")]
    assert candidates([MODEM, *nameless]) == nameless


def test_the_environment_names_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ports.PORT_VARIABLE, "/dev/serial/by-id/this-one")
    assert find_ports() == ["/dev/serial/by-id/this-one"]


@pytest.mark.parametrize(
    ("connected", "says"),
    [([], "no Pico with Broadside's firmware"), ([CONSOLE], "has no data line: run `broadside pico install")],
)
def test_says_what_to_do_where_there_is_none(
    connected: list[UsbPort], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ports.PORT_VARIABLE, raising=False)
    monkeypatch.setattr(ports, "usb_ports", lambda: [MODEM, BUILT_IN, *connected])
    with pytest.raises(NoPicoError, match=says):
        find_ports()


def test_this_computers_ports_can_be_listed() -> None:
    assert all(isinstance(found.device, str) for found in ports.usb_ports())
