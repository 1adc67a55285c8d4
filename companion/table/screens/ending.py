"""The end: both fleets are shown, and a rematch may be agreed on."""

from __future__ import annotations

from companion.game.events import Ending
from companion.table.screens.screen import Screen


class EndScreen(Screen):
    """The game is over."""

    def enter(self) -> None:
        """Say how to go on; a game that never came to battle goes to the lobby at once."""
        table = self.table
        if table.view(1).ending is Ending.ABANDONED and not table.nobody_sits:
            table.enter_lobby()
            return
        for seat in (1, 2):
            if table.is_person(seat):
                self._say_choice(seat)

    def _say_choice(self, seat: int) -> None:
        self.table.say(seat, "# plays again, * goes to the lobby")

    def tap(self, seat: int, key: str) -> None:
        """Take a key of a seat."""
        if key == "B":
            self.look_back(seat)
        elif self.ends_look_back(seat, key):
            self._say_choice(seat)
        elif key == "*":
            self.table.enter_lobby()
        elif key in "#5":
            self._want_rematch(seat)
        else:
            self.nothing(seat, key)

    def _want_rematch(self, seat: int) -> None:
        table = self.table
        table.desk(seat).wants_rematch = True
        other = 3 - seat
        if not table.is_person(other) or table.desk(other).wants_rematch:
            table.host.rematch()
            return
        table.say(seat, "{player} is asked", player=table.name(other))
        table.say(other, "{player} wants to play again: # yes, * no", player=table.name(seat))

    def legend(self, seat: int) -> dict[str, str]:
        """Say what each key does now."""
        words = self.table.words
        if not self.table.is_person(seat):
            return {}
        legend = {"#": words("again"), "*": words("lobby")}
        return legend | ({"B": words("look back")} if self.table.view(seat).fired else {})
