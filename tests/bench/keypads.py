"""What the keypads of the full kit cost, on simulated matrices, whose own computing is counted too.

keypads at rest: processor time and pin operations a second
one key held: the same
key to driver call: from the edge on a column to `on_key`, which debouncing makes one scan interval at least
"""

from __future__ import annotations

import queue
import statistics
import time
from typing import TYPE_CHECKING

from hardware.drivers.gpio_keypad import DEFAULT_TIMING, open_keypads
from tests.hardware.kits import shipped
from tests.hardware.matrix import BoardFactory, SimulatedMatrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.keys import KeyEvent

SECONDS = 3.0
PRESSES = 40


def cost(label: str, matrices: Sequence[SimulatedMatrix]) -> None:
    """Print what the process does while this thread only waits."""
    operations = sum(matrix.operations for matrix in matrices)
    processor = time.process_time()
    time.sleep(SECONDS)
    processor = (time.process_time() - processor) / SECONDS
    operations = sum(matrix.operations for matrix in matrices) - operations
    print(
        f"{label}: {processor * 1000:.2f} ms of processor time and {operations / SECONDS:.0f} pin operations a second"
    )


def main() -> None:
    """Print the three lines."""
    kit = shipped("full")
    factory = BoardFactory()
    matrices = [SimulatedMatrix.of(factory, keypad) for keypad in kit.keypads]
    calls: queue.Queue[tuple[KeyEvent, float]] = queue.Queue()
    driver = open_keypads(kit, kit.keypads, lambda event: calls.put((event, time.perf_counter())), pin_factory=factory)
    time.sleep(0.2)
    cost("keypads at rest", matrices)
    with matrices[0].held("5"):
        calls.get()
        cost("one key held", matrices)
    calls.get()
    delays = []
    for press in range(PRESSES):
        time.sleep(0.05)
        matrix, key = matrices[press % 2], "123A456B"[press % 8]
        before = time.perf_counter()
        matrix.press(key)
        delays.append(calls.get()[1] - before)
        matrix.release(key)
        calls.get()
    driver.close()
    print(
        f"key to driver call: median {statistics.median(delays) * 1000:.1f} ms, worst of {PRESSES} "
        f"{max(delays) * 1000:.1f} ms; {kit.keypads[0].debounce_scans} scans {DEFAULT_TIMING.scan * 1000:.0f} ms apart"
    )


if __name__ == "__main__":
    main()
