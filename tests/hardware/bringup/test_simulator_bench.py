"""Bring-up on a board with a screen: what the LEDs do and what is said becomes pictures, its keys become contacts."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import numpy as np
import pytest

import wiring.kits
from hardware.bringup.asker import LeaveError
from hardware.bringup.lines import Lines
from hardware.bringup.simulator_bench import SimulatorBench
from hardware.bringup.sound import TONES
from hardware.bringup.wire import lit
from hardware.kit import load_kit
from hardware.memory import MemoryBoard

KITS = Path(next(iter(wiring.kits.__path__)))


@pytest.mark.parametrize("name", ["full", "compact"])
def test_lights_words_keys_and_tones(name: str) -> None:
    kit = load_kit(KITS / f"{name}.toml")
    read, write = os.pipe()
    answers, board = Lines(read), MemoryBoard()
    bench = SimulatorBench(kit, board, answers)
    pressed = []

    def test() -> None:
        leds = bench.leds()
        bench.caption("? chain 1 (GPIO18): where is it? (like 1 target A1)")
        leds.write(lit(kit, 1, {0: 96}))
        bench.play(TONES)
        pressed.append(bench.contacts().press(5.0))

    async def run() -> None:
        bench.open()
        thread = threading.Thread(target=test)
        thread.start()
        while not board.sounds:
            await asyncio.sleep(0.001)
        board.press(2, "7")
        board.release(2, "7")
        await asyncio.to_thread(thread.join)
        bench.stop()
        bench.end()

    asyncio.run(run())
    console = board.picture.consoles[1]
    assert console.caption == "chain 1 (GPIO18): where is it?"
    frame = console.target.frame
    assert frame is not None
    assert frame[0, 0].tolist() == [164, 164, 164]
    assert np.count_nonzero(frame) == 3
    assert board.sounds == [TONES]
    assert [(press.seat, press.key) for press in pressed if press is not None] == [(2, "7")]
    assert not board.is_open
    with pytest.raises(LeaveError):
        bench.pause(0.0)
    with pytest.raises(LeaveError):
        bench.contacts().press(5.0)
    answers.close()
    os.close(read)
    os.close(write)


def test_lines_end_with_their_source_and_with_an_interruption() -> None:
    read, write = os.pipe()
    lines = Lines(read)
    os.write(write, b"eins\nzw")
    assert lines.readline() == "eins\n"
    os.write(write, "ö\n\nrest".encode())
    assert lines.readline() == "zwö\n"
    assert lines.readline() == "\n"
    os.close(write)
    assert lines.readline() == "rest"
    assert lines.readline() == ""
    lines.close()
    os.close(read)
    read, write = os.pipe()
    lines = Lines(read)
    threading.Timer(0.05, lines.interrupt).start()
    assert lines.readline() == ""
    lines.close()
    os.close(read)
    os.close(write)
