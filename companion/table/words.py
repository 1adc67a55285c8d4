"""All that a player reads, from one gettext catalogue in the household's language."""

from __future__ import annotations

import gettext
import os
from importlib.resources import files

LANGUAGES = {"en": "English", "pt": "Português"}
"""The languages that the catalogue has, by their own names."""

_NAMED = ("ship", "other", "rules", "kingdom", "opponent", "step")
"""Values that are words of the catalogue themselves."""


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

TITLES = (mark("Classic"), mark("Salvo"), mark("Naval Warfare"), mark("Kingdoms"))


def locale_language() -> str:
    """Return the language that the locale names, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            language = value.split("_")[0].split(".")[0].lower()
            return language if language in LANGUAGES else "en"
    return "en"


class Words:
    """Says a text in one language: `words("Your turn, {player}", player="Ana")`."""

    def __init__(self, language: str = "auto") -> None:
        """Choose "en", "pt", or "auto" for what the locale says."""
        self.language = locale_language() if language == "auto" else language
        catalogue = str(files("companion") / "locale")
        self._catalogue = gettext.translation("broadside", catalogue, [self.language], fallback=True)

    def __call__(self, template: str, **values: object) -> str:
        """Translate a template and fill in its values; ships' and rule sets' names are translated as well."""
        for name in _NAMED:
            if isinstance(value := values.get(name), str) and value:
                values[name] = self._catalogue.gettext(value)
        return self._catalogue.gettext(template).format(**values)
