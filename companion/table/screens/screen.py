"""The face of every screen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from companion.game.squares import Square
from companion.table.marks import Sheet, ocean, target
from hardware.frame import Grid

if TYPE_CHECKING:
    from companion.table.table import Table


class Screen(ABC):
    """What both seats are at; each key of a seat without an overlay comes here."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @abstractmethod
    def enter(self) -> None:
        """Say what a player needs to know on coming here."""

    @abstractmethod
    def tap(self, seat: int, key: str) -> None:
        """Take a key of a seat."""

    @abstractmethod
    def legend(self, seat: int) -> dict[str, str]:
        """Say what each key does now for a seat, in a word or two."""

    def marks(self, seat: int, grid: Grid) -> Sheet:
        """Return the marks of one panel."""
        view = self.table.view(seat)
        return ocean(view) if grid is Grid.OCEAN else target(view)

    def cursor(self, seat: int, grid: Grid) -> Square | None:
        """Return where the cursor stands on one panel."""
        return None

    def curtained(self, seat: int) -> bool:
        """Whether the own sea of one of two people at one screen is hidden now."""
        return False

    def curtain(self, seat: int) -> str:
        """Return what is written on the curtain over a person's own sea: what uncovers it, where something does."""
        return ""

    def nothing(self, seat: int, key: str) -> None:
        """Say that a key can do nothing now."""
        self.table.refuse(seat, "{key} does nothing now", key=key)
