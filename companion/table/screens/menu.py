"""The menu (hold *): chosen by digit, and the questions that it asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.game.events import AskTakeBack, Leave, Phase
from companion.table.screens.lobby import KINGDOMS, OPPONENTS
from companion.table.screens.names import NameEntry
from companion.table.words import LANGUAGES, mark

if TYPE_CHECKING:
    from companion.table.table import Table

BRIGHTNESS_STEPS = (20, 40, 60, 80, 100)
"""The brightness that the menu goes through, in per cent."""

ITEMS = {
    "1": mark("rules"),
    "2": mark("opponent"),
    "3": mark("kingdom"),
    "4": mark("brightness"),
    "5": mark("sound"),
    "6": mark("blinking"),
    "7": mark("take back"),
    "8": mark("leave"),
    "9": mark("language"),
    "0": mark("names"),
}


class Menu:
    """The menu of one seat."""

    def __init__(self, table: Table, seat: int) -> None:
        self._table = table
        self._seat = seat
        self._say_items()

    def _say_items(self) -> None:
        items = ", ".join(f"{digit} {self._table.words(item)}" for digit, item in ITEMS.items())
        self._table.say(self._seat, "Menu: {items}; * closes", items=items)

    def legend(self) -> dict[str, str]:
        """Say what each key does now."""
        words = self._table.words
        return {digit: words(item) for digit, item in ITEMS.items()} | {"*": words("close")}

    def _close(self) -> None:
        self._table.desk(self._seat).overlay = None

    def tap(self, key: str) -> None:
        """Take a key."""
        choices: dict[str, Callable[[], None]] = {
            "1": self._rules,
            "2": self._opponent,
            "3": self._kingdom,
            "4": self._brightness,
            "5": self._sound,
            "6": self._blinking,
            "7": self._take_back,
            "8": self._leave,
            "9": self._language,
            "0": self._names,
        }
        if key == "*":
            self._close()
            self._table.say(self._seat, "The menu is closed")
            self._table.say_take_back_question(self._seat)
        elif key in choices:
            choices[key]()
        else:
            self._table.refuse(self._seat, "Choose a digit, or * to close the menu")

    def _rules(self) -> None:
        host = self._table.host
        names = list(host.rulesets())
        current = host.settings.rules
        host.settings.rules = names[(names.index(current) + 1) % len(names)] if current in names else names[0]
        host.settings_changed()
        self._table.say(self._seat, "The next new game: {rules}", rules=host.title(host.settings.rules))

    def _opponent(self) -> None:
        host = self._table.host
        names = list(host.opponents())
        current = host.settings.against
        host.settings.against = names[(names.index(current) + 1) % len(names)] if current in names else names[0]
        host.settings_changed()
        label = OPPONENTS.get(host.settings.against, host.settings.against)
        self._table.say(self._seat, "The next new game: against {opponent}", opponent=label)

    def _kingdom(self) -> None:
        settings = self._table.host.settings
        settings.kingdoms = (settings.kingdoms[1], settings.kingdoms[0])
        self._table.host.settings_changed()
        self._table.say(self._seat, "Your kingdom: {kingdom}", kingdom=KINGDOMS[settings.kingdoms[self._seat - 1]])

    def _brightness(self) -> None:
        settings = self._table.host.settings
        settings.brightness = next(
            (step for step in BRIGHTNESS_STEPS if step > settings.brightness), BRIGHTNESS_STEPS[0]
        )
        self._table.host.settings_changed()
        self._table.say(self._seat, "Brightness: {percent} %", percent=settings.brightness)

    def _sound(self) -> None:
        settings = self._table.host.settings
        settings.sound = not settings.sound
        self._table.host.settings_changed()
        self._table.say(self._seat, mark("Sound is on") if settings.sound else mark("Sound is off"))

    def _blinking(self) -> None:
        settings = self._table.host.settings
        settings.blinking = not settings.blinking
        self._table.host.settings_changed()
        self._table.say(self._seat, mark("Blinking is on") if settings.blinking else mark("Blinking is off"))

    def _language(self) -> None:
        settings = self._table.host.settings
        languages = list(LANGUAGES)
        current = self._table.words.language
        settings.language = "pt" if languages[(languages.index(current) + 1) % len(languages)] == "pt" else "en"
        self._table.host.settings_changed()
        self._table.say_plainly(self._seat, LANGUAGES[settings.language])

    def _names(self) -> None:
        self._table.desk(self._seat).overlay = NameEntry(self._table, self._seat, self._seat, self._say_name)

    def _say_name(self) -> None:
        name = self._table.host.settings.names[self._seat - 1]
        self._table.say(self._seat, "From the next game on your name is {name}", name=name)

    def _take_back(self) -> None:
        table = self._table
        if table.views is None or table.view(self._seat).phase is Phase.PLACING:
            table.refuse(self._seat, "There is no shot to take back yet")
            return
        self._close()
        table.attempt(AskTakeBack(self._seat))

    def _leave(self) -> None:
        table = self._table
        if table.views is None:
            table.refuse(self._seat, "There is no game to leave")
            return
        phase = table.view(self._seat).phase
        if phase is Phase.ENDED:
            table.enter_lobby()
            return
        question = (
            mark("Leave the battle? It counts as a loss: # yes, * no")
            if phase is Phase.BATTLE
            else mark("Leave? The game is abandoned: # yes, * no")
        )
        table.desk(self._seat).overlay = Question(table, self._seat, question, lambda: table.attempt(Leave(self._seat)))


class Question:
    """Asks one seat: # is yes, * is no."""

    def __init__(self, table: Table, seat: int, text: str, yes: Callable[[], object]) -> None:
        self._table = table
        self._seat = seat
        self._text = text
        self._yes = yes
        table.say(seat, text)

    def tap(self, key: str) -> None:
        """Take a key."""
        desk = self._table.desk(self._seat)
        if key in "5#":
            desk.overlay = None
            self._yes()
        elif key == "*":
            desk.overlay = None
            self._table.say(self._seat, "The game goes on")
        else:
            self._table.refuse(self._seat, self._text)

    def legend(self) -> dict[str, str]:
        """Say what each key does now."""
        words = self._table.words
        return {"#": words("yes"), "*": words("no")}
