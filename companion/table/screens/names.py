"""Writing a name on a keypad: each digit goes through its letters, as on an old telephone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table.table import Table

LETTERS = {"2": "ABC", "3": "DEF", "4": "GHI", "5": "JKL", "6": "MNO", "7": "PQRS", "8": "TUV", "9": "WXYZ"}
"""ITU-T E.161's letters on the keys of a telephone."""

LONGEST = 12
"""Letters in a name that is written on a keypad."""


class NameEntry:
    """Asks for the name of the player on `whose` seat; the keys of `seat` write it. D goes on to the next letter, as
    another key does; * takes the last letter away, and leaves where there is none; # keeps the name."""

    def __init__(self, table: Table, seat: int, whose: int, done: Callable[[], None]) -> None:
        self._table = table
        self._seat = seat
        self._whose = whose
        self._done = done
        self._written = ""
        self._key: str | None = None
        table.say(seat, "Write the name with 2 to 9, 0 is a blank, D the next letter, * deletes, # keeps it")

    def tap(self, key: str) -> None:
        """Take a key."""
        if key == "#":
            self._keep()
        elif key == "*":
            if not self._written:
                self._close()
                return
            self._written, self._key = self._written[:-1], None
            self._say()
        elif key == "D":
            self._key = None
        elif key in LETTERS:
            self._letter(key)
        elif key == "0" and self._written and len(self._written) < LONGEST:
            self._written, self._key = f"{self._written} ", None
            self._say()
        else:
            self._table.refuse(self._seat, "Write the name with 2 to 9; # keeps it")

    def _letter(self, key: str) -> None:
        letters = LETTERS[key]
        if key == self._key:
            at = letters.index(self._written[-1].upper())
            self._written = self._written[:-1] + letters[(at + 1) % len(letters)]
        elif len(self._written) < LONGEST:
            self._written += letters[0]
            self._key = key
        else:
            self._table.refuse(self._seat, "The name is full: * deletes, # keeps it")
            return
        self._written = self._written.title()
        self._say()

    def _say(self) -> None:
        self._table.say(self._seat, "Name: {name}", name=self._written + "_")

    def _keep(self) -> None:
        name = self._written.strip()
        if not name:
            self._table.refuse(self._seat, "Write the name with 2 to 9; # keeps it")
            return
        settings = self._table.host.settings
        if name.casefold() == settings.names[2 - self._whose].casefold():
            self._table.refuse(self._seat, "The other player has that name: choose another")
            return
        settings.names = (name, settings.names[1]) if self._whose == 1 else (settings.names[0], name)
        self._table.host.settings_changed()
        self._close()

    def _close(self) -> None:
        self._table.desk(self._seat).overlay = None
        self._done()

    def legend(self) -> dict[str, str]:
        """Say what each key does now."""
        words = self._table.words
        return LETTERS | {"0": "␣", "D": words("next"), "*": words("delete"), "#": words("keep")}
