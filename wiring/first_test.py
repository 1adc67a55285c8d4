"""What `broadside test leds` says while only the first panel is connected: the test itself, with its answers given.

So the guide shows its words as they are, though half of them sound like a fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from hardware.bringup.answers import panel_name, square_name
from hardware.bringup.leds import find_dark_leds
from hardware.frame import SIZE
from hardware.kit import PANEL_LEDS
from hardware.layout import wire_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.kit import Kit

T = TypeVar("T")


class Talk(NamedTuple):
    """What the test asks about with the right answers, and what it tells at its end."""

    answers: tuple[tuple[str, str], ...]
    told: tuple[str, ...]


def first_panel_talk(kit: Kit) -> Talk:
    """Run the test on a board that has only the first panel of the first chain."""
    person = _Person(kit)
    outcome = find_dark_leds(kit, person, person, pause=lambda _seconds: None)
    return Talk(tuple(person.answers), outcome.told)


class _Person:
    """Stands before that board: sees what is lit on the first panel, and answers."""

    def __init__(self, kit: Kit) -> None:
        panel = kit.leds.chains[0].panels[0]
        row, column = divmod(int(wire_order(panel)[-1]), SIZE)
        name = str(panel_name(panel)).removeprefix("seat ")
        self._whole = len(kit.leds.chains[0].panels) == 1
        self._stops_at = f"{name} {square_name((row, column))}"
        self._width = kit.leds.chains[0].led_bytes
        self._lit: list[int] = []
        self._other = False
        self.answers: list[tuple[str, str]] = []

    def write(self, chains: Sequence[bytes]) -> None:
        """See which LEDs of the first chain are lit, and whether another chain was meant."""
        first, *others = (np.frombuffer(chain, np.uint8) for chain in chains)
        self._lit = np.unique(np.flatnonzero(first) // self._width).tolist()
        self._other = any(chain.any() for chain in others)

    def close(self) -> None:
        """Nothing is open."""

    def say(self, text: str) -> None:
        """Listen."""

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        """Answer by what is lit."""
        about, answer = self._answer()
        self.answers.append((about, answer))
        return read(answer.lower())

    def _answer(self) -> tuple[str, str]:
        if self._other:
            return "where the light of the next chain ran", "never"
        if len(self._lit) > 1:
            return "dark squares, while all LEDs glow", "no"
        (led,) = self._lit
        if self.answers:
            return f"LED {led + 1}", "y" if led < PANEL_LEDS else "n"
        return "where the light ran", "yes" if self._whole else self._stops_at
