"""What a service may have to do beside the keys: play a number of games, play a record back, end after a picture."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from companion.game.events import Ending, Event, GameBegan, GameEnded, ShotsTold
from companion.journal import KeptGame, Setup
from companion.service import Errand, Service
from companion.table.table import RECORDED

MOMENT = 1.2
"""Seconds between two moves of a replay at speed 1."""

LOOK = 4.0
"""Seconds that the end of a game stays to be looked at."""


async def end_after_a_picture(service: Service) -> None:
    """End when all that the beginning set going has been shown."""
    await asyncio.sleep(service.time_left_to_watch())
    service.stop()


def play_games(games: int) -> Errand:
    """Return the errand of a demonstration: so many games, one after the other, then the end.

    A text board is left open, since only its input ends it.
    """

    async def errand(service: Service) -> None:
        for game in range(games):
            if game:
                service.carry_on(service.rematch)
            await service.captains_settled()
            await _let_people_look(service)
        if service.board.paced:
            service.stop()

    return errand


async def _let_people_look(service: Service) -> None:
    if service.board.paced:
        await asyncio.sleep(service.time_left_to_watch() + LOOK)


def recorded_game(events: Sequence[Event]) -> KeptGame:
    """Return a game that has only begun, as a replay goes on with it."""
    return KeptGame(0, datetime.fromtimestamp(0, UTC), Setup((RECORDED, RECORDED), 0), tuple(events[:1]))


def _by_command(events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """Put events together that one command led to: the shots that sank the last ship, and the end."""
    groups: list[tuple[Event, ...]] = []
    for event in events:
        if isinstance(event, GameEnded) and event.ending is Ending.FLEET_SUNK:
            groups[-1] = (*groups[-1], event)
        else:
            groups.append((event,))
    return groups


def play_back(events: Sequence[Event], speed: float) -> Errand:
    """Return the errand that plays events back; `speed` divides the time between two moves."""
    if any(isinstance(event, GameBegan) for event in events):
        raise ValueError("the events after a game's beginning are played back")

    async def errand(service: Service) -> None:
        for together in _by_command(events):
            service.carry_on(lambda together=together: service.happen(together))  # type: ignore[misc]
            if service.board.paced and isinstance(together[0], ShotsTold):
                await asyncio.sleep(max(MOMENT, service.time_left_to_watch()) / speed)
        await _let_people_look(service)
        if service.board.paced:
            service.stop()

    return errand
