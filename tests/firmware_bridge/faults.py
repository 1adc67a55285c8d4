"""Plays pictures and key presses over a bad line, and counts what comes out wrong.

`python -m tests.firmware_bridge.faults [--times N]` prints one line a fault: how often it was made, the pictures that
were not what they should be when the line had come to rest, and the key presses and releases that were lost or told
twice.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.configuration import configuration
from firmware_bridge.link import Link
from firmware_bridge.pico import wire
from firmware_bridge.session import Timing
from tests.firmware_bridge.emulator import MISSING, EmulatedPico
from tests.firmware_bridge.kits import CHAIN_BYTES, COLUMNS, KIT, PINS, ROWS
from tests.firmware_bridge.line import TO_HOST, TO_PICO, Disturb, Faults, Piece, undisturbed

TIMING = Timing(hello=0.2, answer=0.12, ping=0.15, search=0.05, answers=30, misses=12)
"""As the product's, but faster; on a line this bad it must not give up as soon."""

REST_S = 5.0

BYTE_FAULTS = ("lost", "doubled", "changed", "made up", "delayed", "cut at 64 bytes")


class Row(NamedTuple):
    """One line of the table."""

    fault: str
    tried: int
    wrong_at_rest: int
    keys_lost: int
    keys_doubled: int


class Play:
    """A link, an emulated Pico, and what should come of what is done with them."""

    def __init__(self, pico: EmulatedPico, seed: int) -> None:
        self.pico = pico
        self.link = Link(configuration(KIT), TIMING, lambda: [str(pico.port)])
        self.random = random.Random(seed)
        self.picture = [bytes(CHAIN_BYTES)] * 2
        self.expected: list[tuple[int, int, bool]] = []
        self.told: list[tuple[int, int, bool]] = []
        self.troubles: list[str] = []
        self.wrong = 0
        self.link.trouble.listen(self.troubles.append)

    def open(self) -> None:
        """Connect, and wait until the scanners have settled."""
        self.link.listen(lambda pad, key, down, _when: self.told.append((pad, key, down)))
        self.link.open(10)
        self.link.write(self.picture)
        self.rest()
        _scanners_started(self.link)

    def show(self, moved: bool | None = None) -> None:
        """Show another picture: a moved cursor, or something wholly new, or now this, now that."""
        if self.random.random() < 0.6 if moved is None else moved:
            chains = [bytearray(chain) for chain in self.picture]
            led = 3 * self.random.randrange(CHAIN_BYTES // 3)
            self.random.choice(chains)[led : led + 3] = self.random.randbytes(3)
            self.picture = [bytes(chain) for chain in chains]
        else:
            # Dim enough for the kit's budgets.
            self.picture = [bytes(self.random.randrange(60) for _ in range(CHAIN_BYTES)) for _ in range(2)]
        self.link.write(self.picture)

    def contact(self, pad: int, key: int, down: bool) -> None:
        """Press or release a key."""
        self.expected.append((pad, key, down))
        self.pico.contact(ROWS[pad][key // 4], COLUMNS[pad][key % 4], down)

    def tap(self) -> None:
        """Press and release some key."""
        pad, key = self.random.randrange(2), self.random.randrange(16)
        self.contact(pad, key, True)
        self.contact(pad, key, False)

    def rest(self) -> None:
        """Wait until the line has come to rest, and look whether the LEDs are right."""
        lit = self.link.settled(REST_S) and self.pico.wait_for(dict(zip(PINS, self.picture, strict=True)), 1.0)
        self.wrong += not lit

    def has_told(self, events: int) -> bool:
        """Whether so many key events have been told."""
        return len(self.told) >= events

    def keys_told(self) -> None:
        """Wait until as many key events have been told as there were: what a Pico has not told yet when it loses power
        is lost with it."""
        deadline = time.monotonic() + REST_S
        while len(self.told) < len(self.expected) and time.monotonic() < deadline:
            time.sleep(0.005)

    def finish(self, fault: str, tried: int) -> Row:
        """Wait for the last key, close, and count."""
        self.keys_told()
        # Time in which a key could still come twice.
        time.sleep(0.15)
        self.link.close()
        expected, told = Counter(self.expected), Counter(self.told)
        lost = (expected - told).total()
        doubled = (told - expected).total()
        for pad in range(2):
            # In the wrong order is as bad as lost. Two keypads have no order: both are scanned at once.
            pair = [[event for event in events if event[0] == pad] for events in (self.told, self.expected)]
            lost += not lost and not doubled and pair[0] != pair[1]
        return Row(fault, tried, self.wrong, lost, doubled)


@contextlib.contextmanager
def playing(disturb: Disturb | None = None, seed: int = 1) -> Iterator[Play]:
    """Plug in an emulated Pico, and make a link to it."""
    with tempfile.TemporaryDirectory() as folder, EmulatedPico(Path(folder), disturb) as pico:
        play = Play(pico, seed)
        try:
            yield play
        finally:
            play.link.close()


def byte_fault(kind: str, times: int, seed: int = 1) -> Row:
    """Disturb every fourth piece of what is sent, from the first HELLO on."""
    faults = Faults(kind, 0.25, seed)
    with playing(faults, seed) as play:
        play.open()
        for number in range(40 * times):
            play.show()
            play.tap()
            if number % 3 == 0:
                play.rest()
            else:
                time.sleep(play.random.random() * 0.01)
        play.rest()
        return play.finish(f"bytes {kind}", faults.made)


def edge_lengths(times: int) -> Row:
    """Send changes whose transmission ends exactly on an edge of 64 bytes, one byte before it and one behind it.

    A transmission is PATCH and SHOW; the patch's one run of changed bytes makes up the length."""
    show = len(wire.pack_show(0, 0, [0, 0]))
    tried = 0
    with playing(Faults("cut at 64 bytes", 1, 1)) as play:
        play.open()
        for number in range(24 * times):
            length = 64 * (1 + number % 8) - show - wire.patch_size(1, 0) + (number // 8) % 3 - 1
            old = play.picture[0]
            piece = bytes(byte ^ 1 for byte in old[:length])
            play.picture = [piece + old[length:], play.picture[1]]
            play.link.write(play.picture)
            tried += 1
            play.rest()
            play.tap()
        return play.finish("frames that end on edges of 64 bytes", tried)


class PullAt:
    """Pulls the cable when a frame of some kind passes, and is `due`: before it, in its middle, or behind it."""

    def __init__(self, direction: str, kind: int, part: float) -> None:
        self._direction = direction
        self._kind = kind
        self._part = part
        self._reader = wire.Reader()
        self.armed = False
        self.due: Callable[[], bool] = lambda: True
        self.pull: Callable[[], None] = lambda: None
        self.pulled = threading.Event()

    def __call__(self, direction: str, data: bytes) -> list[Piece]:
        """Pass everything on until the frame comes."""
        if direction != self._direction or not self.armed:
            return [Piece(data)]
        self._reader.feed(data)
        while message := self._reader.next():
            if message[0] == self._kind and self.due():
                self.armed = False
                threading.Timer(0.004, self._now).start()
                return [Piece(data[: int(len(data) * self._part)])]
        return [Piece(data)]

    def _now(self) -> None:
        self.pull()
        self.pulled.set()


STAGES = (
    ("before HELLO", TO_PICO, wire.HELLO, 0.0),
    ("after HELLO", TO_PICO, wire.HELLO, 1.0),
    ("within the answer to HELLO", TO_HOST, wire.DEVICE, 0.5),
    ("within CONFIG", TO_PICO, wire.CONFIG, 0.5),
    ("before CONFIGURED", TO_HOST, wire.CONFIGURED, 0.0),
    ("within FRAME", TO_PICO, wire.FRAME, 0.5),
    ("within PATCH", TO_PICO, wire.PATCH, 0.3),
    ("before SHOW", TO_PICO, wire.SHOW, 0.0),
    ("before ACK", TO_HOST, wire.ACK, 0.0),
    ("within ACK", TO_HOST, wire.ACK, 0.5),
    ("within PING", TO_PICO, wire.PING, 0.5),
    ("before KEYS_ACK", TO_PICO, wire.KEYS_ACK, 0.0),
)


def unplugged(stage: str, direction: str, kind: int, part: float, times: int) -> Row:
    """Pull the cable at a stage, plug it in again, and look at the picture that was shown meanwhile."""
    pull = PullAt(direction, kind, part)
    with playing(pull) as play:
        play.open()
        tried = 0
        for _ in range(2 * times):
            pull.pull = play.pico.unplug
            pull.pulled.clear()
            if kind in (wire.HELLO, wire.DEVICE, wire.CONFIG, wire.CONFIGURED):
                # These pass when it comes back.
                play.pico.unplug()
                play.pico.plug()
            if kind == wire.KEYS_ACK:
                # Not at an acknowledgement before that of this tap, which would be lost untold.
                pull.due = partial(play.has_told, len(play.expected) + 2)
            pull.armed = True
            if kind == wire.KEYS_ACK:
                play.tap()
            deadline = time.monotonic() + REST_S
            while not pull.pulled.is_set():
                if time.monotonic() > deadline:
                    raise RuntimeError(f"the stage {stage!r} never came")
                play.show(moved=kind == wire.PATCH)
                pull.pulled.wait(0.1)
            tried += 1
            play.show()
            play.pico.plug()
            play.rest()
            _scanners_started(play.link)
            play.tap()
            play.keys_told()
        return play.finish(f"unplugged {stage}", tried)


def unplugged_at_rest(times: int) -> Row:
    """Pull the cable while a key is held, and let it go only when all is well again."""
    with playing() as play:
        play.open()
        for number in range(2 * times):
            play.contact(0, number, True)
            play.keys_told()
            play.pico.unplug()
            # A key that is held on a dead keypad is let go.
            play.expected.append((0, number, False))
            play.keys_told()
            play.show()
            play.pico.plug()
            play.pico.contact(ROWS[0][number // 4], COLUMNS[0][number % 4], True)
            play.rest()
            _scanners_started(play.link)
            play.pico.contact(ROWS[0][number // 4], COLUMNS[0][number % 4], False)
            play.tap()
            play.keys_told()
        return play.finish("unplugged at rest, a key held", 2 * times)


def line_dropped(times: int) -> Row:
    """Take the line away while the Pico keeps its power, and press keys meanwhile: they are told afterwards."""
    with playing(undisturbed) as play:
        play.open()
        for _ in range(4 * times):
            play.tap()
            play.pico.drop_line()
            play.show()
            play.tap()
            play.tap()
            play.pico.restore_line()
            play.rest()
        return play.finish("line dropped, the Pico powered", 4 * times)


def restarted(times: int) -> Row:
    """Start the firmware anew while the line stays."""
    with playing() as play:
        play.open()
        for _ in range(4 * times):
            play.pico.restart()
            play.show()
            play.rest()
            _scanners_started(play.link)
            play.tap()
            play.keys_told()
        return play.finish("firmware restarted", 4 * times)


def _scanners_started(link: Link) -> None:
    """What is down while a scanner starts counts as never pressed; so wait until it has."""
    deadline = time.monotonic() + REST_S
    while not link.status().scanning and time.monotonic() < deadline:
        time.sleep(0.005)


AT_ONCE = 8
"""Cases that run at the same time: nearly all of their time is waiting."""

CASES: dict[str, Callable[..., Row]] = {
    **{f"bytes {kind}": partial(byte_fault, kind) for kind in BYTE_FAULTS},
    "edges of 64 bytes": edge_lengths,
    **{f"unplugged {stage[0]}": partial(unplugged, *stage) for stage in STAGES},
    "unplugged at rest": unplugged_at_rest,
    "line dropped": line_dropped,
    "firmware restarted": restarted,
}


def table(times: int = 1) -> list[Row]:
    """Run every case, so many times as long as usual."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda case: case(times=times), CASES.values()))


def heading() -> str:
    """Return the table's heading."""
    return f"{'fault':40} {'tried':>6} {'wrong at rest':>14} {'keys lost':>10} {'keys doubled':>13}"


def line(row: Row) -> str:
    """Return one line of the table."""
    return f"{row.fault:40} {row.tried:6} {row.wrong_at_rest:14} {row.keys_lost:10} {row.keys_doubled:13}"


def main() -> int:
    """Print the whole table; exit code 1 where anything came out wrong."""
    if MISSING:
        sys.exit(MISSING)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1, help="how many times as long as in the tests")
    rows = table(parser.parse_args().times)
    print("\n".join([heading(), *map(line, rows)]))
    return int(any(row.wrong_at_rest or row.keys_lost or row.keys_doubled for row in rows))


if __name__ == "__main__":
    sys.exit(main())
