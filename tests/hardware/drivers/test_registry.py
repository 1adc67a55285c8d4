"""Drivers are found by entry point, opened with the kit's own parts, and closed together."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from hardware.drivers import registry
from hardware.drivers.base import DriverError, TellsTrouble
from hardware.drivers.pi_board import board_name
from hardware.drivers.registry import open_keypads, open_leds
from hardware.keys import KeyEvent
from hardware.kit import parse_kit
from tests.hardware.kits import shipped, shipped_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.kit import Keypad, Kit

opened: list[Pad] = []


class Pad:
    """A keypad driver that can be looked at."""

    def __init__(self, kit: Kit, keypads: Sequence[Keypad], on_key: Callable[[KeyEvent], None]) -> None:
        self.keypads = tuple(keypads)
        self.on_key = on_key
        self.closed = 0
        opened.append(self)

    def close(self) -> None:
        self.closed += 1


class TalkingPad(Pad):
    """A keypad driver that tells its troubles, and fails to close."""

    def tell_trouble_to(self, listener: Callable[[str], None]) -> None:
        listener("a pad was unplugged")

    def close(self) -> None:
        super().close()
        raise OSError("stuck")


def missing_pad(*_: Any) -> Pad:
    raise DriverError("there is no such pad: plug it in.")


def unreadable_pad(*_: Any) -> Pad:
    raise OSError(5, "Input/output error", "/dev/leds0")


def installed(monkeypatch: pytest.MonkeyPatch, **drivers: str) -> None:
    """Let these names (and what they stand for) be the installed entry points of every group."""

    def found(*, group: str) -> EntryPoints:
        return EntryPoints(EntryPoint(name, value, group) for name, value in drivers.items())

    opened.clear()
    monkeypatch.setattr(registry, "entry_points", found)


HERE = "tests.hardware.drivers.test_registry"

MIXED = parse_kit(shipped_text("full") + '\n[[keypads]]\nseat = 1\ndriver = "evdev"\ndevice = "usb-pad"\n', "mixed")


def no_key(_event: KeyEvent) -> None:
    pytest.fail("no key was pressed")


def test_a_driver_that_is_not_installed_is_told_with_the_nearest_one() -> None:
    kit = msgspec.structs.replace(
        shipped("full"), leds=msgspec.structs.replace(shipped("full").leds, driver="neopixels")
    )
    with pytest.raises(DriverError, match=r"There is no driver 'neopixels': did you mean neopixel\?"):
        open_leds(kit)


@pytest.mark.skipif(bool(board_name()), reason="on a Pi this would start the real LEDs")
@pytest.mark.parametrize("name", ["full", "pi5"])
def test_the_installed_drivers_refuse_a_computer_that_is_no_pi(name: str) -> None:
    with pytest.raises(DriverError, match="this computer is no Raspberry Pi"):
        open_leds(shipped(name))


def test_a_driver_that_does_not_load_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, rpi_ws281x="no_such_package:open_leds", gpio=f"{HERE}:no_such_name")
    with pytest.raises(DriverError, match="'rpi_ws281x' cannot be loaded"):
        open_leds(shipped("full"))
    with pytest.raises(DriverError, match="'gpio' cannot be loaded"):
        open_keypads(shipped("full"), no_key)


def test_a_driver_gets_all_keypads_that_name_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, gpio=f"{HERE}:Pad")
    kit = shipped("full")
    driver = open_keypads(kit, no_key)
    assert [pad.keypads for pad in opened] == [kit.keypads]
    assert opened[0].on_key is no_key
    driver.close()
    assert opened[0].closed == 1


def test_keypads_of_two_drivers_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, gpio=f"{HERE}:Pad", evdev=f"{HERE}:TalkingPad")
    driver = open_keypads(MIXED, no_key)
    assert [[keypad.driver for keypad in pad.keypads] for pad in opened] == [["gpio", "gpio"], ["evdev"]]
    said: list[str] = []
    assert isinstance(driver, TellsTrouble)
    driver.tell_trouble_to(said.append)
    assert said == ["a pad was unplugged"]
    with pytest.raises(OSError, match="stuck"):
        driver.close()
    assert [pad.closed for pad in opened] == [1, 1]


def test_where_one_keypad_cannot_be_opened_none_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, gpio=f"{HERE}:Pad", evdev=f"{HERE}:missing_pad")
    with pytest.raises(DriverError, match="plug it in"):
        open_keypads(MIXED, no_key)
    assert [pad.closed for pad in opened] == [1]


def test_a_device_that_the_system_refuses_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, rpi_ws281x=f"{HERE}:unreadable_pad", gpio=f"{HERE}:unreadable_pad")
    with pytest.raises(DriverError, match=r"The LED driver 'rpi_ws281x' was refused its device \(.*leds0'\): see"):
        open_leds(shipped("full"))
    with pytest.raises(DriverError, match="The keypad driver 'gpio' was refused its device"):
        open_keypads(shipped("full"), no_key)
