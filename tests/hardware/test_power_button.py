"""The power button on a mock pin, in real time with a shorter hold."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.drivers.base import DriverError
from hardware.power_button import PowerButton

if TYPE_CHECKING:
    from collections.abc import Iterator

PIN = 3
HOLD = 0.2


class Finger:
    """Presses the button and notes what it calls."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.factory = MockFactory()
        self.pin: Any = self.factory.pin(PIN)

    def open(self) -> PowerButton:
        return PowerButton(
            PIN,
            lambda: self.called.append("short"),
            lambda: self.called.append("long"),
            hold=HOLD,
            pin_factory=self.factory,
        )

    def press(self, *, bounces: int = 0) -> None:
        self.pin.drive_low()
        for _ in range(bounces):
            self.pin.drive_high()
            self.pin.drive_low()

    def release(self, *, bounces: int = 0) -> None:
        self.pin.drive_high()
        for _ in range(bounces):
            self.pin.drive_low()
            self.pin.drive_high()


@pytest.fixture
def finger() -> Iterator[Finger]:
    finger = Finger()
    button = finger.open()
    yield finger
    button.close()
    button.close()


def test_a_short_press_is_told_when_it_ends_and_once(finger: Finger) -> None:
    finger.press(bounces=3)
    time.sleep(0.05)
    assert finger.called == []
    finger.release(bounces=3)
    time.sleep(HOLD * 1.5)
    assert finger.called == ["short"]


def test_a_long_press_is_told_while_it_lasts_and_once(finger: Finger) -> None:
    finger.press(bounces=3)
    time.sleep(HOLD * 0.5)
    assert finger.called == []
    time.sleep(HOLD * 2)
    assert finger.called == ["long"]
    finger.release(bounces=3)
    time.sleep(HOLD * 1.5)
    assert finger.called == ["long"]


def test_a_mere_bounce_is_nothing(finger: Finger) -> None:
    finger.press()
    finger.release()
    time.sleep(HOLD * 1.5)
    assert finger.called == []


def test_the_press_that_woke_the_pi_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    finger = Finger()
    finger.press()
    # The button holds the pin low against its pull-up, which the mock pin does not know.
    monkeypatch.setattr(finger.pin, "_set_pull", lambda pull: setattr(finger.pin, "_pull", pull))
    button = finger.open()
    time.sleep(HOLD * 1.5)
    finger.release()
    assert finger.called == []
    button.close()


def test_a_lost_release_is_no_long_press(finger: Finger) -> None:
    finger.press()
    finger.pin._change_state(True)
    time.sleep(HOLD * 1.5)
    assert finger.called == []


def test_closing_while_it_is_held_calls_nothing() -> None:
    finger = Finger()
    button = finger.open()
    finger.press()
    button.close()
    time.sleep(HOLD * 1.5)
    assert finger.called == []


def test_a_busy_pin_is_one_sentence(finger: Finger) -> None:
    with pytest.raises(DriverError, match=r"^GPIO3 cannot be used for the power button: something else uses it"):
        finger.open()
