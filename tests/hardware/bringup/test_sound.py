"""What is heard of three tones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
import pytest

import wiring.kits
from hardware.bringup.sound import TONES, find_sound
from hardware.drivers.base import DriverError
from hardware.kit import load_kit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.board import Tone

T = TypeVar("T")

KIT = load_kit(Path(next(iter(wiring.kits.__path__))) / "full.toml")


class Listener:
    """Gives these answers, one a time."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)

    def say(self, text: str) -> None:
        raise AssertionError(text)

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        assert "three tones" in question
        return read(self._answers.pop(0))


@pytest.mark.parametrize(
    ("heard", "told"),
    [
        ("yes", "works"),
        ("nothing", "wires"),
        ("same", "active buzzer"),
        ("same tone", "active buzzer"),
        ("clicks", "piezo"),
        ("faint", "case"),
    ],
)
def test_what_is_heard(heard: str, told: str) -> None:
    played: list[Sequence[Tone]] = []
    waited: list[float] = []
    outcome = find_sound(KIT, played.append, Listener(heard), waited.append)
    assert outcome.passed == (heard == "yes")
    assert outcome.kit == KIT
    assert told in outcome.told[0]
    assert played == [TONES]
    assert waited == [pytest.approx(1.2)]


def test_again_plays_again() -> None:
    played: list[Sequence[Tone]] = []
    assert find_sound(KIT, played.append, Listener("again", "y"), lambda _seconds: None).passed
    assert played == [TONES, TONES]


def test_a_kit_without_a_buzzer_has_no_sound_to_test() -> None:
    played: list[Sequence[Tone]] = []
    silent = msgspec.structs.replace(KIT, buzzer=None)
    with pytest.raises(DriverError, match="no buzzer, so its board plays without sound"):
        find_sound(silent, played.append, Listener(), lambda _seconds: None)
    assert played == []


def test_each_tone_is_higher_than_the_last() -> None:
    heard = [tone.frequency for tone in TONES if tone.frequency]
    assert heard == sorted(set(heard))
    assert len(heard) == 3
