"""Lets a captain decide, beside the run loop: thinking blocks no key and no effect."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from companion.game.events import AnswerTakeBack, Command, Fire, LayFleet, Phase, Sail
from companion.game.views import view
from companion.running_game import RunningGame


async def decision(game: RunningGame, seat: int, moment: float) -> Sequence[Command]:
    """Return what the captain on a seat decides now; a shot comes no sooner than after `moment` (s), so that people can
    follow. A captain always agrees to a take-back (RULES)."""
    match = game.match
    if match.take_back_asked_by is not None:
        return (AnswerTakeBack(seat, agree=True),)
    captain, seen, chance = game.captains[seat], view(match, seat), game.chance()
    loop = asyncio.get_running_loop()
    if match.phase is Phase.PLACING:
        ships = await loop.run_in_executor(None, captain.place, seen, chance)
        return (LayFleet(seat, ships), Sail(seat))
    _, squares = await asyncio.gather(asyncio.sleep(moment), loop.run_in_executor(None, captain.fire, seen, chance))
    return (Fire(seat, squares),)
