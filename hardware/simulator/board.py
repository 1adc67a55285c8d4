"""The simulator as a board: a window that shows pictures and hands in keys."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import pygame

from hardware.board import Board, BoardError
from hardware.simulator.controls import Controls, clickable
from hardware.simulator.picture import save
from hardware.simulator.recording import Recording
from hardware.simulator.snapshot import snapshot_path
from hardware.simulator.view import View
from hardware.simulator.voice import Voice
from hardware.simulator.window import is_unseen, open_window, toggle_fullscreen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hardware.board import BoardHost, Tone
    from hardware.frame import Picture
    from hardware.keys import KeyEvent
    from hardware.kit import Kit

FRAME = 1 / 60
"""Seconds between two drawings at least."""

WATCHFUL, CALM, ASLEEP = 1 / 60, 1 / 20, 1 / 4
"""Seconds between two looks at the window's events: in use, not in use, and hidden. SDL has nothing that a run loop
could wait for instead."""

STAYS_WATCHFUL = 1.0
"""Seconds after the last key or click for which the window is in use."""

NOTICE = 3.5
"""Seconds that a notice stands."""

SETTLES = 0.15
"""Seconds without a further change of size after which the table is painted anew."""


class SimulatorBoard(Board):
    """The finished board in a window.

    `screenshot` names a PNG that is written of the newest picture when the board closes, `record` an animated GIF of
    all pictures; with either of them the board opens without a display, too. `size` is the window's, in pixels. `kit`
    is what the current is estimated for: without one, four panels with the default budgets.
    """

    name = "simulator"
    lit = True
    shared_screen = True
    paced = True

    def __init__(
        self,
        *,
        screenshot: Path | None = None,
        record: Path | None = None,
        size: tuple[int, int] = (1280, 720),
        kit: Kit | None = None,
    ) -> None:
        self._screenshot = screenshot
        self._record = record
        self._size = size
        self._kit = kit
        self._host: BoardHost | None = None
        self._view: View | None = None
        self._picture: Picture | None = None
        self._controls = Controls(self._hand_in)
        self._recording = Recording() if record else None
        self._voice = Voice()
        self._in_use_until = 0.0
        self._drawn_at = 0.0
        self._whole = True
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def open(self, host: BoardHost) -> None:
        """Open the window. Raises BoardError where there is no display, or where a file cannot be written."""
        _check_place(self._screenshot, ".png")
        _check_place(self._record, ".gif")
        window = open_window(self._size, unseen=bool(self._screenshot or self._record))
        self._view = View(window, self._kit)
        self._host = host
        self._poll()

    def show(self, picture: Picture) -> None:
        """Show a picture, at most 60 a second; of those that come faster the newest."""
        if self._view is None:
            return
        self._picture = picture
        if self._recording is not None:
            self._recording.add(picture, time.monotonic())
        self._draw_soon()

    def sound(self, tones: Sequence[Tone]) -> None:
        """Play tones through the computer's speaker, if it has one."""
        if self._view is not None and not is_unseen():
            self._voice.play(tones)

    def close(self) -> None:
        """Close the window and write what was asked for. Raises BoardError where that fails."""
        if self._view is None:
            return
        for timer in self._timers.values():
            timer.cancel()
        size, self._view = self._view.size, None
        self._voice.close()
        try:
            self._write_files(size)
        finally:
            pygame.display.quit()

    def _write_files(self, size: tuple[int, int]) -> None:
        if self._picture is None:
            return
        if self._screenshot is not None:
            with _told(self._screenshot):
                save(self._picture, self._screenshot, size, self._kit)
        if self._record is not None and self._recording is not None:
            with _told(self._record):
                self._recording.write(self._record, size, time.monotonic(), self._kit)

    def _later(self, name: str, delay: float, call: Callable[[], None]) -> None:
        """Call something once after so many seconds, in place of what was to be called under this name."""
        if (timer := self._timers.get(name)) is not None:
            timer.cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(delay, call)

    def _draw_soon(self, *, whole: bool = False) -> None:
        self._whole = self._whole or whole
        if "draw" not in self._timers:
            self._later("draw", max(0.0, self._drawn_at + FRAME - time.monotonic()), self._draw)

    def _draw(self) -> None:
        self._timers.pop("draw", None)
        if self._view is None or self._picture is None:
            return
        self._view.draw(self._picture, self._controls.pressed, whole=self._whole)
        self._whole = False
        self._drawn_at = time.monotonic()

    def _poll(self) -> None:
        """Look at the window's events, and again later: soon while it is in use."""
        now = time.monotonic()
        for event in pygame.event.get():
            if event.type in _BY_HAND:
                self._in_use_until = now + STAYS_WATCHFUL
            self._handle(event)
        if self._view is not None:
            pause = WATCHFUL if now < self._in_use_until else CALM if pygame.display.get_active() else ASLEEP
            self._later("poll", pause, self._poll)

    def _handle(self, event: pygame.event.Event) -> None:
        view = self._view
        if view is None or self._host is None:
            return
        if event.type == pygame.QUIT:
            self._host.stop()
        elif event.type == pygame.VIDEORESIZE:
            self._resized(view)
        elif event.type == pygame.WINDOWEXPOSED or (event.type in _OPENING and self._window_key(view, event)):
            self._draw_soon(whole=True)
        elif event.type == pygame.MOUSEMOTION:
            _point(clickable(view.layout.at(event.pos), self._picture))
        elif self._controls.handle(event, view.layout, self._picture):
            self._draw_soon()

    def _window_key(self, view: View, event: pygame.event.Event) -> bool:
        """Follow a key that is the window's own; return whether it was. While the help is open, every key closes it."""
        key = event.key if event.type == pygame.KEYDOWN else None
        if key == pygame.K_F12:
            self._snapshot(view)
        elif key == pygame.K_F11:
            toggle_fullscreen(self._size)
            self._resized(view)
        elif view.help_open:
            view.help_open = False
        elif key == pygame.K_F1 and self._picture is not None:
            view.help_open = True
        else:
            return False
        return True

    def _resized(self, view: View) -> None:
        view.follow()
        self._draw_soon(whole=True)
        self._later("settle", SETTLES, self._settle)

    def _settle(self) -> None:
        if self._view is not None:
            self._view.settle()
            self._draw_soon(whole=True)

    def _snapshot(self, view: View) -> None:
        if self._picture is None:
            return
        path = snapshot_path(datetime.now().astimezone())
        try:
            save(self._picture, path, view.size, self._kit)
        except OSError as error:
            view.notice = f"{path}: {error.strerror or error}"
        else:
            view.notice = str(path)
        self._later("notice", NOTICE, self._notice_over)

    def _notice_over(self) -> None:
        if self._view is not None:
            self._view.notice = ""
            self._draw_soon(whole=True)

    def _hand_in(self, event: KeyEvent) -> None:
        if self._host is not None:
            self._host.key(event)


_OPENING = frozenset({pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN})
_BY_HAND = _OPENING | {pygame.KEYUP, pygame.MOUSEBUTTONUP}


def _point(hand: bool) -> None:
    """Show the pointer as a hand, or as an arrow, where it isn't yet."""
    cursor = pygame.SYSTEM_CURSOR_HAND if hand else pygame.SYSTEM_CURSOR_ARROW
    if pygame.mouse.get_cursor().data != (cursor,):
        pygame.mouse.set_cursor(cursor)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what goes wrong with a file into one sentence."""
    try:
        yield
    except OSError as error:
        raise BoardError(f"{path} could not be written: {error.strerror or error}.") from error


def _check_place(path: Path | None, suffix: str) -> None:
    """Refuse a file that could not be written at the end, before a game is played for it."""
    if path is None:
        return
    if path.suffix.lower() != suffix:
        raise BoardError(f"{path} should end in {suffix}.")
    if not path.absolute().parent.is_dir():
        raise BoardError(f"{path} cannot be written: there is no folder {path.absolute().parent}.")
