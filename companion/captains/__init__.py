"""The opponents: Jack (easy), Ace (medium) and King (hard). A captain sees a seat's view and a random source."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Protocol, cast

from companion.errors import UserError

if TYPE_CHECKING:
    from companion.game.fleet import Ship
    from companion.game.squares import Square
    from companion.game.views import SeatView

CAPTAINS = ("jack", "ace", "king")
"""The captains' names, from easy to hard (RULES: The captains)."""


class Captain(Protocol):
    """One opponent. What it answers depends on the view and the random source alone, so a captain handed a view that
    was kept or sent answers as the one that saw the game from its beginning."""

    def place(self, view: SeatView, chance: Random) -> tuple[Ship, ...]:
        """Return a whole legal fleet for `view.ruleset`."""
        ...

    def fire(self, view: SeatView, chance: Random) -> tuple[Square, ...]:
        """Return `view.shots_due` different squares that may be fired at, in the order to fire."""
        ...


def captain(name: str) -> Captain:
    """Return a fresh captain; its module is imported now, since King needs numpy.

    Raises UserError for an unknown name.
    """
    if name not in CAPTAINS:
        raise UserError(f"There is no captain {name!r}; there are {', '.join(CAPTAINS)}.")
    kind = getattr(import_module(f"companion.captains.{name}"), name.capitalize())
    return cast("Captain", kind())
