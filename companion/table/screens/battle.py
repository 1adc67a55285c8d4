"""Battle: aiming, firing, the salvo's marks, looking back, and the answer to a take-back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.events import AnswerTakeBack, Fire, Mark
from companion.game.squares import Square
from companion.game.views import SeatView
from companion.table.desk import MIDDLE
from companion.table.moves import ARROWS
from companion.table.screens.screen import Screen
from companion.table.words import mark
from hardware.frame import Grid

if TYPE_CHECKING:
    from companion.table.table import Table


def _last_aim(view: SeatView) -> Square:
    """Return where a seat aimed last, as far as events tell it: a game that goes on looks as it did."""
    if view.marked:
        return view.marked[-1]
    return view.fired[-1][-1].square if view.fired else MIDDLE


CALM = 0.8
"""Seconds after both fleets have sailed in which no shot is fired, where people press keys in real time: one # too many
would waste the first one."""


class BattleScreen(Screen):
    """Both seats fire in turn."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._began = table.now
        for seat in (1, 2):
            table.desk(seat).cursor = _last_aim(table.view(seat))

    def enter(self) -> None:
        """Say whose turn it is."""
        self.table.say_turn()
        self.table.host.sound("turn")

    def tap(self, seat: int, key: str) -> None:
        """Take a key of a seat."""
        table = self.table
        view = table.view(seat)
        if view.take_back_asked_by is not None and key in "5#*":
            table.attempt(AnswerTakeBack(seat, agree=key != "*"))
            return
        if key == "B":
            self.look_back(seat)
        elif self.ends_look_back(seat, key):
            table.say_turn_to(seat)
        elif key == "0" and not table.dials(seat, key):
            self._peek(seat)
        elif not view.my_turn:
            table.refuse(seat, "It is {player}'s turn", player=view.enemy)
        elif key in ARROWS or key == "D" or table.dials(seat, key):
            if table.move(seat, key):
                self._say_aim(seat)
        elif key in "5#" and table.features.paced and table.now < self._began + CALM:
            table.say_turn_to(seat)
        elif key in "5#":
            self._fire(seat, key)
        else:
            self._nothing(seat, key)

    def _nothing(self, seat: int, key: str) -> None:
        if key in "AC":
            self.table.refuse(seat, "Your fleet has sailed; no ship can be moved any more")
        elif key == "*":
            self.table.refuse(seat, "Hold * for the menu")
        else:
            self.nothing(seat, key)

    def _say_aim(self, seat: int) -> None:
        table = self.table
        square = table.desk(seat).cursor
        if square in table.view(seat).marked:
            table.say(seat, "Aim {square}: marked", square=square)
        else:
            table.say(seat, "Aim {square}", square=square)

    def _fire(self, seat: int, key: str) -> None:
        table = self.table
        view = table.view(seat)
        square = table.desk(seat).cursor
        if not view.salvo:
            table.attempt(Fire(seat, (square,)))
        elif key == "#":
            table.attempt(Fire(seat, view.marked))
        elif table.attempt(Mark(seat, square)):
            marked = len(table.view(seat).marked)
            if marked == view.shots_due:
                table.say(seat, "Marked {marked} of {shots}: # fires", marked=marked, shots=view.shots_due)
            else:
                table.say(seat, "Marked {marked} of {shots}", marked=marked, shots=view.shots_due)

    def _peek(self, seat: int) -> None:
        """Uncover the own sea, where it is not in view anyway."""
        table = self.table
        shared = table.features.shared_screen and table.two_people
        if not (shared or table.features.one_panel):
            table.refuse(seat, "Your own sea is always in view")
            return
        desk = table.desk(seat)
        desk.peeking = not desk.peeking
        if shared:
            table.desk(3 - seat).peeking = False
        table.say(seat, mark("Your own sea: 0 covers it again") if desk.peeking else mark("Your own sea is covered"))

    def curtained(self, seat: int) -> bool:
        """The own sea is covered until its player asks for it."""
        return not self.table.desk(seat).peeking

    def curtain(self, seat: int) -> str:
        """The own sea is uncovered by a key."""
        return self.table.words("0 uncovers")

    def cursor(self, seat: int, grid: Grid) -> Square | None:
        """The cursor stands on the target grid of the seat to fire, or on the shot that is looked back on."""
        table = self.table
        looked_at = super().cursor(seat, grid)
        aims = grid is Grid.TARGET and table.is_person(seat) and table.view(seat).my_turn
        return looked_at or (table.desk(seat).cursor if aims else None)

    def legend(self, seat: int) -> dict[str, str]:
        """Say what each key does now."""
        table = self.table
        words = table.words
        view = table.view(seat)
        if not table.is_person(seat):
            return {}
        legend = {"*": words("menu")}
        if view.fired:
            legend["B"] = words("look back")
        if (table.features.shared_screen and table.two_people) or table.features.one_panel:
            legend["0"] = words("own sea")
        if view.take_back_asked_by == seat:
            return legend | {"*": words("withdraw")}
        if view.take_back_asked_by is not None:
            return legend | {"#": words("yes"), "*": words("no")}
        if view.my_turn:
            fire = words("fire")
            legend |= ARROWS | {"D": words("dial"), "#": fire, "5": words("mark") if view.salvo else fire}
        return legend
