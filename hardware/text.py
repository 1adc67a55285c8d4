"""The text board: lines in, lines out, for play over SSH, for a screen reader, and for driving from outside.

Standard input takes lines such as `1 D 2 7 #`, `1 hold *`, `show`, `show 1`, `echo WORD` and `quit`; standard output
gives captions (`1> …`, `2> …`, `*> …` for both), panels after `show`, and `!> …` for a line that cannot be read.
"""

from __future__ import annotations

import asyncio
import io
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO

from hardware.board import Board, BoardHost
from hardware.frame import SEATS, SIZE, Grid, Panel, Picture
from hardware.keys import HOLD_SECONDS, KEYS, KeyEvent

_COLUMNS = "ABCDEFGHIJ"


class LineError(ValueError):
    """A line that is no command of the text board; the text says why."""


def parse_keys(words: list[str]) -> list[tuple[str, bool]]:
    """Read keys of one line, each with whether it is held. Raises LineError, and then no key counts."""
    keys = []
    rest = iter(words)
    for word in rest:
        held = word.lower() == "hold"
        key = next(rest, "") if held else word
        if len(key) != 1 or key.upper() not in KEYS:
            named = f"{key!r} is no key" if key else "after hold a key is missing"
            raise LineError(f"{named}: the keys are 0 to 9, A to D, * and #, each on its own, such as 1 D 2 7 #")
        keys.append((key.upper(), held))
    if not keys:
        raise LineError("a seat's line names its keys, such as 1 D 2 7 #")
    return keys


def format_panel(seat: int, grid: Grid, panel: Panel) -> list[str]:
    """Return a panel as lines: heading, column letters, ten rows of ten cells, the cursor's in brackets."""
    lines = [f"seat {seat} {grid}", "  " + "".join(f" {letter} " for letter in _COLUMNS)]
    for row, marks in enumerate(panel.marks):
        cells = (
            f"[{mark}]" if panel.cursor == (row, column) else f" {mark} "
            for column, mark in zip(range(SIZE), marks, strict=True)
        )
        lines.append(f"{row + 1:>2}" + "".join(cells))
    return lines


class TextBoard(Board):
    """Reads one line at a time, and the next one only when all that the last one set going has been told."""

    name = "text"
    lit = False
    paced = False

    def __init__(
        self, lines: IO[str] | None = None, out: IO[str] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._in = sys.stdin if lines is None else lines
        self._out = sys.stdout if out is None else out
        self._clock = clock
        self._time = 0.0
        self._host: BoardHost | None = None
        self._picture: Picture | None = None
        self._task: asyncio.Task[None] | None = None

    def open(self, host: BoardHost) -> None:
        """Begin to read lines."""
        self._host = host
        for stream in (self._in, self._out):
            if isinstance(stream, io.TextIOWrapper):
                # A byte or a letter that the terminal's encoding does not have is no end of the game.
                stream.reconfigure(errors="replace")
        self._task = asyncio.get_running_loop().create_task(self._read(host))

    async def _read(self, host: BoardHost) -> None:
        """Take line after line; a thread waits for them, since standard input may be a file, a pipe or a terminal."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue()

        def wait_for_lines() -> None:
            try:
                for line in self._in:
                    loop.call_soon_threadsafe(queue.put_nowait, line)
                loop.call_soon_threadsafe(queue.put_nowait, None)
            except (OSError, ValueError, RuntimeError):
                # The terminal went away, or the loop has ended before this thread: both end the input.
                if not loop.is_closed():
                    loop.call_soon_threadsafe(queue.put_nowait, None)

        threading.Thread(target=wait_for_lines, name="text board input", daemon=True).start()
        await host.settled()
        while (line := await queue.get()) is not None:
            if not self._take(line, host):
                break
            await host.settled()
        host.stop()

    def _take(self, line: str, host: BoardHost) -> bool:
        """Carry one line out; return False at `quit`."""
        words = line.split()
        if not words:
            return True
        try:
            match words[0].lower(), words[1:]:
                case "quit", []:
                    return False
                case "echo", rest:
                    self._print(f"*> {' '.join(rest)}")
                case "show", rest:
                    self._show(rest)
                case ("1" | "2") as seat, keys:
                    for key, held in parse_keys(keys):
                        self._tap(int(seat), key, host, held=held)
                case word, _:
                    raise LineError(
                        f"{word!r} is no command: a line is a seat with its keys, such as 1 D 2 7 # or 1 hold *, "
                        "or show, show 1, echo WORD, quit"
                    )
        except LineError as error:
            self._print(f"!> {error}")
        return True

    def _tap(self, seat: int, key: str, host: BoardHost, *, held: bool) -> None:
        """Press and let go; a held key jumps ahead on this board's clock instead of waiting."""
        self._time = max(self._time, self._clock())
        host.key(KeyEvent(seat, key, True, self._time))
        if held:
            self._time += HOLD_SECONDS
        host.key(KeyEvent(seat, key, False, self._time))

    def _show(self, rest: list[str]) -> None:
        if rest not in ([], ["1"], ["2"]):
            raise LineError("show takes no more than one seat: show, show 1 or show 2")
        for seat in SEATS if not rest else (int(rest[0]),):
            for line in self._panels(seat):
                self._print(line)

    def _panels(self, seat: int) -> Iterator[str]:
        if self._picture is None:
            return
        console = self._picture.consoles[seat - 1]
        yield from format_panel(seat, Grid.TARGET, console.target)
        yield from format_panel(seat, Grid.OCEAN, console.ocean)

    def show(self, picture: Picture) -> None:
        """Keep the picture for the next `show`."""
        self._picture = picture

    def tell(self, seat: int | None, text: str) -> None:
        """Print a caption."""
        self._print(f"{seat or '*'}> {' '.join(text.splitlines())}")

    def _print(self, line: str) -> None:
        try:
            self._out.write(line + "\n")
            self._out.flush()
        except (OSError, ValueError):
            # Nobody reads any more: the same as the end of the input.
            if self._host is not None:
                self._host.stop()

    def close(self) -> None:
        """Stop reading."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
