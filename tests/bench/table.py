"""What the table costs: marks to frames to wire bytes of four panels, and a key press to the frame on the board."""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from random import Random

from companion.game.events import DrawFleet, Fire, Sail
from companion.game.squares import SQUARES
from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import Settings
from companion.table.painter import Painter
from companion.table.picture import make_picture
from hardware.frame import Picture
from hardware.lighting import Lighting
from hardware.memory import MemoryBoard
from tests.hardware.kits import shipped

PICTURES = 2000
PRESSES = 1500


def service(board: MemoryBoard, errand: object) -> Service:
    """Return a table in battle between two people."""
    return Service(
        board,
        Unkept(),
        Settings(names=("Ana", "Rui")),
        Wishes("classic", "friend", seed=1),
        save=lambda _settings: None,
        errand=errand,  # type: ignore[arg-type]
    )


def to_battle(running: Service) -> None:
    """Let both fleets sail and some shots fall, so that the panels show something of everything."""
    for seat in (1, 2):
        running.command(DrawFleet(seat))
        running.command(Sail(seat))
    assert running.game is not None
    match = running.game.match
    chance = Random(3)
    order = {seat: chance.sample(SQUARES, 100) for seat in (1, 2)}
    for _ in range(80):
        running.command(Fire(match.to_move, (order[match.to_move].pop(),)))


async def picture_costs(running: Service) -> None:
    """Print what a picture costs, from the table's marks to the bytes of two data lines."""
    running.carry_on(lambda: to_battle(running))
    await asyncio.sleep(3)
    lighting = Lighting(shipped("full"))
    painter = Painter()
    to_frames, to_bytes = [], []
    gc.freeze()
    for n in range(PICTURES):
        running.table.now += 1 / 60
        start = time.perf_counter()
        picture, _ = make_picture(running.table, painter, brightness=1.0 - (n % 2) / 4)
        middle = time.perf_counter()
        lighting.light(picture)
        end = time.perf_counter()
        to_frames.append(middle - start)
        to_bytes.append(end - middle)
    both = [one + other for one, other in zip(to_frames, to_bytes, strict=True)]
    print(
        f"four panels, marks to wire bytes: median {statistics.median(both) * 1e3:.3f} ms "
        f"(the whole picture with captions and legends {statistics.median(to_frames) * 1e3:.3f} ms, "
        f"gamma, limit and order {statistics.median(to_bytes) * 1e3:.3f} ms)"
    )
    running.stop()


def key_costs() -> None:
    """Print how long it takes from a key to the frame that is handed to the board."""
    shown: list[float] = []
    delays: list[float] = []

    def on_picture(_picture: Picture) -> None:
        shown.append(time.perf_counter())

    board = MemoryBoard(on_picture=on_picture)

    async def press(running: Service) -> None:
        running.carry_on(lambda: to_battle(running))
        await asyncio.sleep(3)
        board.pictures.clear()
        chance = Random(5)
        assert running.game is not None
        for n in range(PRESSES):
            seat = running.game.match.to_move
            # Moves, dialled squares, look-backs, and now and then a shot.
            key = chance.choice("2468246824681379BD5") if n % 50 else "#"
            await asyncio.sleep(0.002)
            shown.clear()
            start = time.perf_counter()
            board.press(seat, key)
            while not shown:
                await asyncio.sleep(0)
            delays.append(shown[0] - start)
            board.pictures.clear()
        running.stop()

    service(board, press).run()
    quantiles = statistics.quantiles(delays, n=100)
    print(
        f"key press to the frame handed to the board: median {statistics.median(delays) * 1e3:.2f} ms, "
        f"99 % {quantiles[98] * 1e3:.2f} ms, worst of {len(delays)} {max(delays) * 1e3:.2f} ms"
    )


def main() -> None:
    """Print two lines."""
    service(MemoryBoard(), picture_costs).run()
    key_costs()


if __name__ == "__main__":
    main()
