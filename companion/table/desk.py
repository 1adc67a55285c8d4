"""One seat's side of the table: what its player is at, beside what the match knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from companion.game.squares import Direction, Square

MIDDLE = Square("E5")


class Overlay(Protocol):
    """Something laid over a seat's screen that takes its keys: the menu, a question, the writing of a name."""

    def tap(self, key: str) -> None:
        """Take a key."""

    def legend(self) -> dict[str, str]:
        """Say what each key does now."""


@dataclass
class Dial:
    """A square that is being dialled: D, then the column's digit, then the row's."""

    column: int | None = None


@dataclass
class Desk:
    """The state of one seat's hands and eyes.

    `hand` is the name of the ship in hand while placing, `direction` how it lies. `looking_back` counts own moves from
    the newest (0), while the player looks back. `lines` are the captions since the last moment, the newest said at
    `said_at` (s). `peeking` is true
    while the own sea is uncovered on a shared screen or shown on a seat's only panel.
    """

    seat: int
    cursor: Square = MIDDLE
    hand: str | None = None
    direction: Direction = Direction.ACROSS
    dial: Dial | None = None
    looking_back: int | None = None
    overlay: Overlay | None = None
    lines: list[str] = field(default_factory=list)
    said_at: float = 0.0
    peeking: bool = False
    wants_rematch: bool = False

    @property
    def caption(self) -> str:
        """The one line under the console: what was said in this moment."""
        return " · ".join(self.lines)
