"""The lobby: asks for what is missing before a game can begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import UserError
from companion.game.ruleset import RulesetError
from companion.table.marks import Sheet
from companion.table.screens.names import NameEntry
from companion.table.screens.screen import Screen
from companion.table.words import mark
from hardware.frame import Grid

if TYPE_CHECKING:
    from companion.table.table import Table

KINGDOMS = {"diamonds": mark("Diamonds"), "clubs": mark("Clubs")}

OPPONENTS = {"jack": mark("Jack"), "ace": mark("Ace"), "king": mark("King"), "friend": mark("a friend")}


class LobbyScreen(Screen):
    """Rules, opponent, kingdom and players, one step after the other; a step that is already decided is left out."""

    def __init__(self, table: Table, rules: str | None = None, against: str | None = None) -> None:
        super().__init__(table)
        self._rules = rules
        self._against = against
        self._steps = [step for step, known in (("rules", rules), ("opponent", against)) if known is None]
        if len(self._steps) == 2:
            self._steps += ["kingdom", "players"]
        self._step = 0

    @property
    def step(self) -> str:
        """What is asked for now: "rules", "opponent", "kingdom" or "players"."""
        return self._steps[min(self._step, len(self._steps) - 1)] if self._steps else "players"

    def enter(self) -> None:
        """Ask for what is missing, or begin."""
        if self._step >= len(self._steps):
            self._begin()
        else:
            self._ask()

    def _options(self) -> list[str]:
        """The choices of this step, in the order of their digits."""
        if self.step == "rules":
            return list(self.table.host.rulesets())[:9]
        if self.step == "opponent":
            return list(self.table.host.opponents())
        if self.step == "kingdom":
            return list(KINGDOMS)
        return []

    def _label(self, option: str) -> str:
        if self.step == "rules":
            return self.table.words.name(self.table.host.title(option))
        labels = OPPONENTS if self.step == "opponent" else KINGDOMS
        return self.table.words(labels.get(option, option))

    def _default(self) -> str:
        settings = self.table.host.settings
        chosen = {"rules": settings.rules, "opponent": settings.against, "kingdom": settings.kingdoms[0]}.get(
            self.step, ""
        )
        options = self._options()
        return chosen if chosen in options else options[0]

    def _ask(self) -> None:
        table = self.table
        if self.step == "players":
            one, other = table.host.settings.names
            if self._against == "friend":
                table.say(None, "Players: {one} and {two}; # begins, 1 or 2 changes a name", one=one, two=other)
            else:
                table.say(None, "Player: {one}; # begins, 1 changes the name", one=one)
            return
        heading = {"rules": mark("Rules"), "opponent": mark("Opponent"), "kingdom": mark("Kingdom")}[self.step]
        choices = ", ".join(f"{digit} {self._label(option)}" for digit, option in enumerate(self._options(), 1))
        table.say(
            None,
            "{step}: {choices}; # takes {chosen}",
            step=heading,
            choices=choices,
            chosen=self._label(self._default()),
        )

    def tap(self, seat: int, key: str) -> None:
        """Take a key of a seat; both seats choose together."""
        self.table.new_moment()
        if key == "*":
            if self._step:
                self._step -= 1
            self._ask()
        elif self.step == "players":
            self._players(seat, key)
        else:
            self._choose(seat, key)

    def _choose(self, seat: int, key: str) -> None:
        options = self._options()
        if key in "5#" and not (key == "5" and len(options) >= 5):
            self._take(self._default())
        elif key.isdigit() and 1 <= int(key) <= len(options):
            self._take(options[int(key) - 1])
        else:
            self.table.refuse(
                seat, "Choose 1 to {count}, or # for {chosen}", count=len(options), chosen=self._label(self._default())
            )

    def _take(self, option: str) -> None:
        settings = self.table.host.settings
        if self.step == "rules":
            self._rules = settings.rules = option
        elif self.step == "opponent":
            self._against = settings.against = option
        else:
            settings.kingdoms = ("diamonds", "clubs") if option == "diamonds" else ("clubs", "diamonds")
        self._step += 1
        self.table.host.settings_changed()
        self.enter()

    def _players(self, seat: int, key: str) -> None:
        if key in "5#":
            self._begin()
        elif key == "1" or (key == "2" and self._against == "friend"):
            self.table.desk(seat).overlay = NameEntry(self.table, seat, int(key), self._ask)
        else:
            self.table.refuse(seat, "# begins, * goes back")

    def _begin(self) -> None:
        assert self._rules is not None
        assert self._against is not None
        try:
            self.table.host.start(self._rules, self._against)
        except (RulesetError, UserError) as error:
            self.table.say_plainly(None, str(error))
            self._steps, self._step = ["rules", "opponent", "kingdom", "players"], 0
            self._ask()

    def marks(self, seat: int, grid: Grid) -> Sheet:
        """There is no sea in the lobby."""
        return Sheet()

    def legend(self, seat: int) -> dict[str, str]:
        """Say what each key does now."""
        words = self.table.words
        legend = {str(digit): self._label(option) for digit, option in enumerate(self._options(), 1)}
        if self.step == "players":
            names = self.table.host.settings.names[: 2 if self._against == "friend" else 1]
            legend = {str(digit): words.player(name) for digit, name in enumerate(names, 1)}
            return legend | {"#": words("begin"), "*": words("back")}
        return legend | {"#": self._label(self._default()), "*": words("back")}
