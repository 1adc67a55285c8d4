"""A board in memory, for tests and benchmarks: keeps what it is shown and hands in keys when told to."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hardware.board import Board
from hardware.keys import KEYS, KeyEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.board import BoardHost, Tone
    from hardware.frame import Picture


class MemoryBoard(Board):
    """Keeps every picture, told line and sound, the newest last.

    `lit` is whether it is handed frames, `paced` whether it counts as watched in real time. `on_picture` is called for
    each picture. `clock` gives the time of key events in seconds.
    """

    name = "memory"

    def __init__(
        self,
        *,
        lit: bool = True,
        paced: bool = False,
        shared_screen: bool = False,
        on_picture: Callable[[Picture], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.lit = lit
        self.paced = paced
        self.shared_screen = shared_screen
        self.pictures: list[Picture] = []
        self.told: list[tuple[int | None, str]] = []
        self.sounds: list[tuple[Tone, ...]] = []
        self.is_open = False
        self._on_picture = on_picture
        self._clock = clock
        self._host: BoardHost | None = None

    @property
    def picture(self) -> Picture:
        """The newest picture. Raises LookupError before the first."""
        if not self.pictures:
            raise LookupError("no picture has been shown yet")
        return self.pictures[-1]

    def open(self, host: BoardHost) -> None:
        """Begin to hand keys to the host."""
        self._host = host
        self.is_open = True

    def show(self, picture: Picture) -> None:
        """Keep a picture."""
        self.pictures.append(picture)
        if self._on_picture is not None:
            self._on_picture(picture)

    def tell(self, seat: int | None, text: str) -> None:
        """Keep a line."""
        self.told.append((seat, text))

    def sound(self, tones: Sequence[Tone]) -> None:
        """Keep a sound."""
        self.sounds.append(tuple(tones))

    def close(self) -> None:
        """Hand in no more keys; what was kept stays."""
        self._host = None
        self.is_open = False

    def press(self, seat: int, keys: str) -> None:
        """Tap keys one after another, each down and up at once."""
        for key in keys:
            self.hold(seat, key)
            self.release(seat, key)

    def hold(self, seat: int, key: str) -> None:
        """Put one key down. Raises ValueError for what is no key, RuntimeError while the board is closed."""
        self._hand_in(seat, key, down=True)

    def release(self, seat: int, key: str) -> None:
        """Let one key up. Raises as `hold` does."""
        self._hand_in(seat, key, down=False)

    def _hand_in(self, seat: int, key: str, *, down: bool) -> None:
        if len(key) != 1 or key not in KEYS:
            raise ValueError(f"{key!r} is no key; there are {KEYS}")
        if self._host is None:
            raise RuntimeError("the board is not open")
        self._host.key(KeyEvent(seat, key, down, self._clock()))
