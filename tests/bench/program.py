"""What the whole program costs: an idle minute, resident memory, and the time to the first caption."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from companion.game.events import DrawFleet, Sail
from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import Settings
from hardware.memory import MemoryBoard

IDLE = 10.0
"""Seconds that stand for the idle minute."""

STARTS = 9

PLAY = [sys.executable, "-m", "companion", "play", "--board", "text", "--rules", "classic", "--against", "friend"]


def idle() -> float:
    """Return the processor time (s) of an idle minute of a battle without blinking, on lit panels."""
    board = MemoryBoard(paced=True)
    used = [0.0]

    async def rest(running: Service) -> None:
        for seat in (1, 2):
            running.carry_on(lambda seat=seat: running.command(DrawFleet(seat)))  # type: ignore[misc]
            running.carry_on(lambda seat=seat: running.command(Sail(seat)))  # type: ignore[misc]
        await asyncio.sleep(1)
        start = time.process_time()
        await asyncio.sleep(IDLE)
        used[0] = time.process_time() - start
        running.stop()

    settings = Settings(names=("Ana", "Rui"), blinking=False)
    wishes = Wishes("classic", "friend", seed=1)
    Service(board, Unkept(), settings, wishes, save=lambda _settings: None, errand=rest).run()
    return used[0] * 60 / IDLE


def start(home: str) -> tuple[float, int]:
    """Start a text game and play a little; return the seconds to its first caption and its resident memory (bytes)."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [*PLAY, "--new"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROADSIDE_HOME": home},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.readline()
    first = time.perf_counter() - began
    lines = [
        "1 A #",
        "2 A #",
        *(f"{seat} D {column} {row} #" for column in (1, 2, 3) for row in (1, 2, 3) for seat in (1, 2)),
    ]
    process.stdin.write("\n".join([*lines, "show", "echo done"]) + "\n")
    process.stdin.flush()
    while process.stdout.readline() != "*> done\n":
        pass
    resident = resident_memory(process.pid)
    process.stdin.close()
    process.wait()
    process.stdout.close()
    return first, resident


def resident_memory(pid: int) -> int:
    """Return a process's resident memory in bytes (Linux's proc(5)), or 0 where that cannot be known."""
    status = Path(f"/proc/{pid}/status")
    if not status.is_file():
        return 0
    line = next(line for line in status.read_text("utf-8").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def main() -> None:
    """Print three lines."""
    print(f"processor time in an idle minute of a battle without blinking: {idle():.3f} s")
    with tempfile.TemporaryDirectory() as home:
        starts = [start(home) for _ in range(STARTS)]
    firsts = [first for first, _ in starts]
    print(
        f"play --board text: first caption after {statistics.median(firsts):.2f} s "
        f"(worst of {STARTS} {max(firsts):.2f} s), resident memory {max(memory for _, memory in starts) / 1e6:.0f} MB"
    )


if __name__ == "__main__":
    main()
