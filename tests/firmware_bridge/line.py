"""The cable between the host and the emulated Pico, and what can happen to bytes on it."""

from __future__ import annotations

import os
import random
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

TO_PICO = "to the Pico"
TO_HOST = "to the host"

Disturb = Callable[[str, bytes], "list[Piece]"]
"""Takes the direction and what was sent, returns what arrives."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that arrive, so many seconds after they were sent."""

    data: bytes
    delay: float = 0.0


def undisturbed(_direction: str, data: bytes) -> list[Piece]:
    """Everything arrives."""
    return [Piece(data)]


class Faults:
    """Disturbs a share of what is sent, at random places; repeatable by its seed. `made` counts the faults."""

    def __init__(self, kind: str, share: float, seed: int) -> None:
        self._kind = kind
        self._share = share
        self._random = random.Random(seed)
        self.made = 0
        self.on = True

    def __call__(self, _direction: str, data: bytes) -> list[Piece]:
        if self._kind == "cut at 64 bytes":
            pieces = [data[place : place + 64] for place in range(0, len(data), 64)]
            self.made += len(pieces) - 1
            return [Piece(piece, 0.0005 * number) for number, piece in enumerate(pieces)]
        if not self.on or self._random.random() >= self._share:
            return [Piece(data)]
        self.made += 1
        start = self._random.randrange(len(data))
        end = min(len(data), start + self._random.choice((1, 2, 7, 64, 700)))
        if self._kind == "lost":
            return [Piece(data[:start] + data[end:])]
        if self._kind == "doubled":
            return [Piece(data[:end] + data[start:])]
        if self._kind == "changed":
            changed = bytes(byte ^ self._random.randrange(1, 256) for byte in data[start:end])
            return [Piece(data[:start] + changed + data[end:])]
        if self._kind == "delayed":
            return [Piece(data[:start]), Piece(data[start:], self._random.uniform(0.01, 0.15))]
        if self._kind == "made up":
            return [Piece(data[:start] + self._random.randbytes(end - start) + data[start:])]
        raise ValueError(self._kind)


_TICK = 0.02


class Line:
    """Passes bytes between the master of a pseudo-terminal and the Pico's end, disturbed."""

    def __init__(self, master: int, disturb: Disturb) -> None:
        self._master: int | None = master
        self._near, self.far = socket.socketpair()
        self._near.setblocking(False)
        self.far.setblocking(False)
        self._disturb = disturb
        self._waiting: dict[str, deque[tuple[float, bytes]]] = {TO_PICO: deque(), TO_HOST: deque()}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="line", daemon=True)
        self._thread.start()

    def lead_to(self, master: int | None) -> None:
        """Connect the host's end with another pseudo-terminal, or with none; what was on its way is lost."""
        self._master = master
        for queue in self._waiting.values():
            queue.clear()
        # Until the thread has certainly let the old one go.
        time.sleep(3 * _TICK)

    def close(self) -> None:
        """Pull the cable."""
        self._closing.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._near.close()
        self.far.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            now = time.monotonic()
            due = [queue[0][0] for queue in self._waiting.values() if queue]
            left = max(0.0, min([*due, now + _TICK]) - now)
            master = self._master
            near = self._near.fileno()
            ends = [near] if master is None else [near, master]
            readable = select.select(ends, [], [], left)[0]
            if master in readable and not self._take(TO_PICO):
                time.sleep(0.002)
            if near in readable:
                self._take(TO_HOST)
            self._deliver()

    def _take(self, direction: str) -> bool:
        """Read what was sent; return False where nobody has the other end open."""
        master = self._master
        try:
            if direction == TO_HOST:
                data = self._near.recv(4096)
            else:
                data = os.read(master, 4096) if master is not None else b""
        except BlockingIOError:
            return True
        except OSError:
            return False
        if data:
            queue = self._waiting[direction]
            now = time.monotonic()
            for piece in self._disturb(direction, data):
                # A cable delays, but never lets anything overtake.
                queue.append((max(now + piece.delay, queue[-1][0] if queue else 0.0), piece.data))
        return True

    def _deliver(self) -> None:
        for direction, queue in self._waiting.items():
            while queue and queue[0][0] <= time.monotonic() and not self._closing.is_set():
                data = queue.popleft()[1]
                try:
                    if direction == TO_PICO:
                        self._near.sendall(data)
                    elif self._master is not None:
                        os.write(self._master, data)
                except OSError:
                    # Nobody has the other end open, or nobody reads: the bytes are lost, as on a cable.
                    continue
