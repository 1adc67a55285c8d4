"""The buzzer on a mock pin, in real time."""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING, Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.board import Tone
from hardware.drivers.base import DriverError
from hardware.sound import Buzzer

if TYPE_CHECKING:
    from collections.abc import Iterator

PIN = 25


class RecordingPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no type information
    """A PWM pin that notes when what it plays changes."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.heard: queue.Queue[tuple[float | None, float]] = queue.Queue()
        self._noted: float | None = None
        super().__init__(factory, info)

    def _note(self) -> None:
        now = self._frequency if self._frequency and self._state else None
        if now != self._noted:
            self._noted = now
            self.heard.put((now, time.monotonic()))

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        self._note()

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        self._note()


@pytest.fixture
def factory() -> MockFactory:
    return MockFactory(pin_class=RecordingPin)


@pytest.fixture
def buzzer(factory: MockFactory) -> Iterator[Buzzer]:
    buzzer = Buzzer(PIN, pin_factory=factory)
    yield buzzer
    buzzer.close()
    buzzer.close()


def heard(factory: MockFactory, count: int) -> list[tuple[float | None, float]]:
    return [factory.pin(PIN).heard.get(timeout=5) for _ in range(count)]


def test_tones_follow_each_other_for_their_durations_and_then_it_is_silent(
    factory: MockFactory, buzzer: Buzzer
) -> None:
    before = time.monotonic()
    buzzer.play([Tone(440, 30), Tone(0, 20), Tone(880, 30)])
    assert time.monotonic() - before < 0.03, "play does not wait"
    changes = heard(factory, 4)
    assert [frequency for frequency, _ in changes] == [440, None, 880, None]
    times = [when for _, when in changes]
    assert times[1] - times[0] >= 0.025
    assert times[3] - times[0] >= 0.075


def test_a_new_sound_replaces_one_that_plays(factory: MockFactory, buzzer: Buzzer) -> None:
    buzzer.play([Tone(440, 60_000)])
    assert heard(factory, 1)[0][0] == 440
    buzzer.play([Tone(660, 10)])
    assert [frequency for frequency, _ in heard(factory, 3)] == [None, 660, None]


def test_closing_cuts_the_sound_off_and_frees_the_pin(factory: MockFactory, buzzer: Buzzer) -> None:
    buzzer.play([Tone(440, 60_000)])
    heard(factory, 1)
    buzzer.close()
    assert heard(factory, 1)[0][0] is None
    Buzzer(PIN, pin_factory=factory).close()


def test_a_buzzer_that_fails_is_told_and_stays_silent(
    factory: MockFactory, buzzer: Buzzer, monkeypatch: pytest.MonkeyPatch
) -> None:
    troubles: queue.Queue[str] = queue.Queue()
    buzzer.tell_trouble_to(troubles.put)

    def fail(_pin: object, value: float | None) -> None:
        if value:
            raise OSError("bad PWM frequency")

    monkeypatch.setattr(RecordingPin, "_set_frequency", fail)
    buzzer.play([Tone(440, 10)])
    assert troubles.get(timeout=5) == "The buzzer fails (bad PWM frequency): the game goes on without sound."
    buzzer.play([Tone(440, 10)])


def test_a_pin_without_pwm_and_a_busy_pin_are_one_sentence(factory: MockFactory) -> None:
    with pytest.raises(DriverError, match=r"^GPIO25 cannot be used for the buzzer: these pins have no PWM; install"):
        Buzzer(PIN, pin_factory=MockFactory())
    with (
        gpiozero.Button(PIN, pin_factory=factory),
        pytest.raises(DriverError, match=r"^GPIO25 cannot be used for the buzzer: something else uses it"),
    ):
        Buzzer(PIN, pin_factory=factory)
