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
        """Return where the cursor stands on one panel: on the shot that is looked back on."""
        desk = self.table.desk(seat)
        if grid is not Grid.TARGET or desk.looking_back is None:
            return None
        return self.table.view(seat).fired[-1 - desk.looking_back][-1].square

    def look_back(self, seat: int) -> None:
        """Show and say the newest own shot, or the one before the one that is shown."""
        table = self.table
        desk, fired = table.desk(seat), table.view(seat).fired
        if not fired:
            table.refuse(seat, "There are no shots to look back on yet")
            return
        desk.looking_back = 0 if desk.looking_back is None else (desk.looking_back + 1) % len(fired)
        number = len(fired) - desk.looking_back
        shots = ", ".join(f"{shot.square} {table.result(shot)}" for shot in fired[number - 1])
        table.say(seat, "Your shot {number} of {count}: {shots}", number=number, count=len(fired), shots=shots)

    def ends_look_back(self, seat: int, key: str) -> bool:
        """End a look-back by any key but B; return whether that is all the key does: the cursor stands on an old shot,
        so that whoever fires or says yes must see first where it goes."""
        desk = self.table.desk(seat)
        if desk.looking_back is None:
            return False
        desk.looking_back = None
        return key in "5#*"

    def curtained(self, seat: int) -> bool:
        """Whether the own sea of one of two people at one screen is hidden now."""
        return False

    def curtain(self, seat: int) -> str:
        """Return what is written on the curtain over a person's own sea: what uncovers it, where something does."""
        return ""

    def nothing(self, seat: int, key: str) -> None:
        """Say that a key can do nothing now."""
        self.table.refuse(seat, "{key} does nothing now", key=key)
