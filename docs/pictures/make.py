"""Makes the README's picture: plays a scripted game on the real simulator, without a display, and records it.

Run it as `make pictures`. It takes as long as the game does.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import Settings
from hardware.keys import KeyEvent
from hardware.simulator import SimulatorBoard

FOLDER = Path(__file__).parent

PACE = 0.35
"""Seconds between two keys."""

GAME = (
    *((1, key, PACE) for key in "885"),
    *((1, key, 2 * PACE) for key in "4446"),
    *((1, key, PACE) for key in "5880"),
    (1, "A", 1.4),
    (1, "#", 1.0),
)
"""Seat, key, and the pause (s) after it: Ana lays a ship, looks where the next one fits, takes AUTO and sails."""

SHOTS = ("E5", "C3", "C4", "C5", "C2", "C6", "C1")


def _dial(square: str) -> str:
    return f"D{('ABCDEFGHIJ'.index(square[0]) + 1) % 10}{int(square[1:]) % 10}#"


async def _press(service: Service, seat: int, key: str) -> None:
    for down in (True, False):
        service.key(KeyEvent(seat, key, down, time.monotonic()))
        await asyncio.sleep(0.02)


async def _play(service: Service) -> None:
    await asyncio.sleep(0.6)
    for seat, key, pause in GAME:
        await _press(service, seat, key)
        await asyncio.sleep(pause)
    for square in SHOTS:
        while not (service.table.view(1).my_turn or service.table.view(1).winner is not None):
            await asyncio.sleep(0.05)
        await asyncio.sleep(service.time_left_to_watch() + 0.2)
        for key in _dial(square):
            await _press(service, 1, key)
            await asyncio.sleep(0.15)
        await asyncio.sleep(0.5)
    await asyncio.sleep(service.time_left_to_watch() + 1.5)
    service.stop()


def main() -> None:
    """Write game.gif."""
    board = SimulatorBoard(record=FOLDER / "game.gif")
    settings = Settings(names=("Ana", "Rui"), captain_pause=0.4)
    wishes = Wishes("kingdoms", "jack", seed=4)
    Service(board, Unkept(), settings, wishes, save=lambda _: None, errand=_play).run()


if __name__ == "__main__":
    main()
