"""All that a player reads, from one gettext catalogue in the household's language."""

from __future__ import annotations

import gettext
import os
import re
from importlib.resources import files

LANGUAGES = {"en": "English", "pt": "Português"}
"""The languages that the catalogue has, by their own names."""

_NAMED = ("ship", "other", "rules", "kingdom", "opponent", "step")
"""Values that are words of the catalogue themselves."""

_PLAYERS = ("player", "other_player", "one", "two", "name")
"""Values that are players' names: a player may be called like a ship, so only the usual names are translated."""


def mark(template: str) -> str:
    """Return a text as it is, and mark it for the catalogue."""
    return template


SHIP_NAMES = (
    mark("Aircraft Carrier"),
    mark("Battleship"),
    mark("Submarine"),
    mark("Destroyer"),
    mark("Patrol Boat"),
    mark("Carrier"),
    mark("Carrack"),
    mark("Galley"),
    mark("Cog"),
    mark("Caravel"),
    mark("Barque"),
)

USUAL_NAMES = (mark("Player 1"), mark("Player 2"))
"""What players are called who have not chosen a name (`companion.settings`)."""

RESULTS = {"miss": mark("miss"), "hit": mark("hit"), "sunk": mark("sunk"), "wasted": mark("wasted")}
"""What a shot came to, by its word in a record."""

TITLES = (mark("Classic"), mark("Salvo"), mark("Naval Warfare"), mark("Kingdoms"))


def locale_language() -> str:
    """Return the language that the locale names, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            language = re.split("[_.@]", value)[0].lower()
            return language if language in LANGUAGES else "en"
    return "en"


class Words:
    """Says a text in one language: `words("Your turn, {player}", player="Ana")`."""

    def __init__(self, language: str = "auto") -> None:
        """Choose "en", "pt", or "auto" for what the locale says."""
        self.language = locale_language() if language == "auto" else language
        catalogue = str(files("companion") / "locale")
        self._catalogue = gettext.translation("broadside", catalogue, [self.language], fallback=True)

    def __call__(self, template: str, /, **values: object) -> str:
        """Translate a template and fill in its values; ships' and rule sets' names are translated as well."""
        for key, value in values.items():
            if isinstance(value, str) and (key in _NAMED or (key in _PLAYERS and value in USUAL_NAMES)):
                values[key] = self.name(value)
        return self._catalogue.gettext(template).format(**values)

    def name(self, name: str) -> str:
        """Translate the name of a ship, a rule set or a kingdom; a name that the catalogue does not have stays."""
        return self._catalogue.gettext(name) if name else name

    def player(self, name: str) -> str:
        """Translate a player's usual name; a name that was chosen stays."""
        return self.name(name) if name in USUAL_NAMES else name
