"""Keypads, buzzer and power button on gpiozero's own lgpio pins, with only the module lgpio stood in for."""

from __future__ import annotations

import inspect
import queue
import sys
import time
from typing import TYPE_CHECKING, Any

import gpiozero
import pytest

from hardware.board import Tone
from hardware.drivers.gpio_keypad import open_keypads
from hardware.drivers.pins import default_pin_factory
from hardware.keys import KEYS, KeyEvent
from hardware.power_button import PowerButton
from hardware.sound import Buzzer
from tests.hardware.kits import shipped
from tests.hardware.lgpio_stand_in import StandIn
from tests.hardware.matrix import BoardFactory, SimulatedMatrix

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REVISION_PI_4 = 0xC03111


@pytest.fixture
def mock() -> BoardFactory:
    return BoardFactory()


@pytest.fixture
def lgpio(mock: BoardFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """Make the machine look like a Pi 4 with lgpio."""
    stand_in = StandIn(mock)
    monkeypatch.setitem(sys.modules, "lgpio", stand_in)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: REVISION_PI_4)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    yield stand_in
    gpiozero.Device.pin_factory.close()
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)


def test_the_default_pins_are_lgpios(lgpio: StandIn) -> None:
    assert type(default_pin_factory()).__name__ == "LGPIOFactory"
    assert default_pin_factory() is default_pin_factory()


@pytest.mark.usefixtures("lgpio")
def test_every_key_is_told_and_outputs_never_meet(mock: BoardFactory) -> None:
    kit = shipped("full")
    matrices = [SimulatedMatrix.of(mock, keypad) for keypad in kit.keypads]
    events: queue.Queue[KeyEvent] = queue.Queue()
    driver = open_keypads(kit, kit.keypads, events.put)
    for key in KEYS:
        for seat, matrix in enumerate(matrices, start=1):
            with matrix.held(key):
                assert events.get(timeout=5)[:3] == (seat, key, True)
            assert events.get(timeout=5)[:3] == (seat, key, False)
    with matrices[0].held("1", "4"):
        assert {events.get(timeout=5).key for _ in range(2)} == {"1", "4"}
        with matrices[0].held("2"):
            time.sleep(0.1)
            assert events.empty(), "three corners of a rectangle are ambiguous"
    assert {events.get(timeout=5).key for _ in range(2)} == {"1", "4"}
    driver.close()
    for matrix in matrices:
        matrix.check()
        matrix.operations = 0
    time.sleep(0.1)
    assert [matrix.operations for matrix in matrices] == [0, 0]


def test_while_the_buzzer_is_silent_nothing_pulses_its_pin(lgpio: StandIn) -> None:
    buzzer = Buzzer(25)
    assert lgpio.pwm[-1:] == [(25, 0, 0)]
    buzzer.play([Tone(440, 20), Tone(660, 20)])
    time.sleep(0.2)
    buzzer.close()
    assert list(dict.fromkeys(call for call in lgpio.pwm if call[2])) == [(25, 440, 50), (25, 660, 50)]
    assert lgpio.pwm[-1:] == [(25, 0, 0)]


@pytest.mark.usefixtures("lgpio")
def test_the_power_button_works_on_a_pin_with_a_fixed_pull_up(mock: BoardFactory) -> None:
    called: queue.Queue[str] = queue.Queue()
    button = PowerButton(3, lambda: called.put("short"), lambda: called.put("long"), hold=0.15)
    mock.pin(3).drive_low()
    time.sleep(0.05)
    mock.pin(3).drive_high()
    assert called.get(timeout=5) == "short"
    mock.pin(3).drive_low()
    assert called.get(timeout=5) == "long"
    button.close()


def test_the_stand_in_is_called_as_the_module_is(
    mock: BoardFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the module makes a FIFO in the working directory when it is imported
    real: Any = pytest.importorskip("lgpio", reason="lgpio is not installed (it has wheels for Python 3.11)")
    stand_in = StandIn(mock)
    for name, function in inspect.getmembers(stand_in, inspect.ismethod):
        assert str(inspect.signature(getattr(real, name))) == str(
            inspect.signature(function).replace(
                parameters=[
                    parameter.replace(annotation=parameter.empty)
                    for parameter in inspect.signature(function).parameters.values()
                ],
                return_annotation=inspect.Signature.empty,
            )
        )
    for name in ("RISING_EDGE", "FALLING_EDGE", "BOTH_EDGES", "SET_PULL_UP", "SET_PULL_DOWN", "SET_PULL_NONE"):
        assert getattr(real, name) == getattr(stand_in, name)
