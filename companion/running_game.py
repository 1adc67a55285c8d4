"""The game on the table: its match, who sits there, and where its events are kept."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

from companion.captains import CAPTAINS, Captain, captain
from companion.game.events import Event, GameBegan, Phase
from companion.game.match import Match
from companion.game.views import SeatView, view
from companion.journal import KeptGame, Setup


class Store(Protocol):
    """Where events are kept: the journal, or nowhere for a demonstration."""

    def begin(self, began: GameBegan, setup: Setup) -> int:
        """Keep a new game; return its number."""

    def append(self, game: int, number: int, events: Sequence[Event]) -> None:
        """Keep the events of one command; `number` counts the game's events before them."""


class Unkept:
    """Keeps nothing: for demonstrations and replays."""

    def begin(self, began: GameBegan, setup: Setup) -> int:
        """Number every game 0."""
        return 0

    def append(self, game: int, number: int, events: Sequence[Event]) -> None:
        """Keep nothing."""


class RunningGame:
    """One game: `setup` says who sits there, `captains` are those that play, by seat, and `events` counts what has
    happened."""

    def __init__(self, store: Store, number: int, setup: Setup, events: Sequence[Event]) -> None:
        self.match = Match.from_events(events)
        self.setup = setup
        self.events = len(events)
        self.captains: dict[int, Captain] = {
            seat: captain(name) for seat, name in enumerate(setup.seats, 1) if name in CAPTAINS
        }
        self._store = store
        self._number = number

    @classmethod
    def begin(cls, store: Store, began: GameBegan, setup: Setup) -> RunningGame:
        """Keep a game that begins. Raises JournalError where the disk refuses."""
        return cls(store, store.begin(began, setup), setup, (began,))

    @classmethod
    def resume(cls, store: Store, kept: KeptGame) -> RunningGame:
        """Go on with a kept game."""
        return cls(store, kept.game, kept.setup, kept.events)

    @property
    def views(self) -> tuple[SeatView, SeatView]:
        """What each seat may know now."""
        return view(self.match, 1), view(self.match, 2)

    def chance(self) -> Random:
        """Return the random source for the next command: it hangs on the seed and the place in the game alone, so a
        game with a seed repeats itself, also across a restart."""
        return Random(f"{self.setup.seed}/{self.match.began.number}/{self.events}")

    def happen(self, events: Sequence[Event]) -> None:
        """Let events happen: kept first, then folded in. Raises JournalError, and then none of them has happened."""
        self._store.append(self._number, self.events, events)
        for event in events:
            self.match.apply(event)
        self.events += len(events)

    def captain_to_move(self) -> int | None:
        """Return the seat whose captain has something to decide now."""
        match = self.match
        for seat in self.captains:
            if match.placing_now(seat):
                return seat
            if match.phase is Phase.BATTLE:
                asked_by = match.take_back_asked_by
                if asked_by == 3 - seat or (asked_by is None and match.to_move == seat):
                    return seat
        return None
