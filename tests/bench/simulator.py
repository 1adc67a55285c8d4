"""What the simulator costs: a full redraw, one LED, and a minute in which nothing happens.

Both are measured without a display: what the display server does with the pixels comes on top.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from dataclasses import replace

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from hardware.simulator import SimulatorBoard
from hardware.simulator.scene import Scene
from tests.hardware.simulator import pictures

ROUNDS = 60
IDLE = 5.0
"""Seconds that stand for the idle minute."""

SIZE = (1280, 720)


class Host:
    """A host to whom nothing happens."""

    def key(self, event: object) -> None:
        """Nobody presses a key."""

    async def settled(self) -> None:
        """Nothing is under way."""

    def stop(self, *, power_off: bool = False) -> None:
        """Nobody closes the window."""

    def trouble(self, text: str) -> None:
        """Nothing fails."""


def milliseconds(work: list[float]) -> str:
    """Return the median and the 95th percentile."""
    return f"{statistics.median(work) * 1e3:.1f} ms (95 %: {statistics.quantiles(work, n=20)[-1] * 1e3:.1f} ms)"


async def idle() -> float:
    """Return the processor time in seconds of an idle minute."""
    with SimulatorBoard(size=SIZE) as board:
        board.open(Host())
        board.show(pictures.battle())
        await asyncio.sleep(1.5)
        start = time.process_time()
        await asyncio.sleep(IDLE)
        return (time.process_time() - start) * 60 / IDLE


def main() -> None:
    """Print the measures."""
    start = time.perf_counter()
    scene = Scene(SIZE)
    scene.draw(pictures.battle())
    first = time.perf_counter() - start
    full, one = [], []
    for turn in range(ROUNDS):
        # Another brightness changes every pixel of all four panels; a caption and the meter come with it.
        picture = replace(pictures.with_caption(pictures.battle(), f"B{turn}"), brightness=1 - turn / ROUNDS / 2)
        start = time.process_time()
        scene.draw(picture)
        full.append(time.process_time() - start)
    for turn in range(ROUNDS):
        picture = pictures.with_target_light(picture, 0, 0, (turn * 4, 0, 0))
        start = time.process_time()
        scene.draw(picture)
        one.append(time.process_time() - start)
    print(f"simulator {SIZE[0]}×{SIZE[1]}: first picture {first * 1e3:.0f} ms")
    print(f"simulator, all four panels changed: {milliseconds(full)}; one LED changed: {milliseconds(one)}")
    print(f"simulator, processor time in an idle minute: {asyncio.run(idle()):.2f} s")


if __name__ == "__main__":
    main()
