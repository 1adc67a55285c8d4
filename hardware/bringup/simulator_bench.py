"""Bring-up on the simulator: the test runs in a thread of its own, the window in the run loop."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from typing import TYPE_CHECKING

import numpy as np

from hardware.bringup.asker import LeaveError
from hardware.bringup.contacts import KeyContacts
from hardware.bringup.simulated import SimulatedBoard
from hardware.frame import SIZE, Console, Grid, Panel, Picture
from hardware.kit import PanelGrid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from hardware.board import Board, Tone
    from hardware.bringup.answers import PanelName
    from hardware.bringup.lines import Lines
    from hardware.frame import Frame
    from hardware.keys import KeyEvent
    from hardware.kit import Kit

SCREEN_GAMMA = 2.2
"""A LED's light grows with its value; a screen's with this power of it."""

_LABELS = {"ocean": "Ocean", "target": "Target", "current": "Current", "help": "Questions and answers: in the terminal"}

_BLANK = ("." * SIZE,) * SIZE


class SimulatorLeds(SimulatedBoard):
    """Calls `changed` when the LEDs have changed."""

    def __init__(self, built: Kit, changed: Callable[[], None]) -> None:
        super().__init__(built)
        self._changed = changed

    def write(self, chains: Sequence[bytes]) -> None:
        """Light up and say so."""
        super().write(chains)
        self._changed()


def picture(panels: Mapping[PanelName, NDArray[np.uint8]], caption: str = "") -> Picture:
    """Return a picture of raw LED values: shape (10, 10, 4) for each panel, red, green, blue and white."""
    one, two = (_console(seat, panels, caption) for seat in (1, 2))
    return Picture((one, two), labels=_LABELS)


def _console(seat: int, panels: Mapping[PanelName, NDArray[np.uint8]], caption: str) -> Console:
    shown = {panel.grid: _frame(values) for panel, values in panels.items() if panel.seat == seat}
    either = shown.get(PanelGrid.EITHER)
    return Console(
        seat=seat,
        name=f"Seat {seat}",
        suit="diamonds" if seat == 1 else "clubs",
        ocean=Panel(_BLANK, frame=shown.get(PanelGrid.OCEAN, np.zeros((SIZE, SIZE, 3), dtype=np.uint8))),
        target=Panel(_BLANK, frame=shown.get(PanelGrid.TARGET, either)),
        caption=caption,
        focus=Grid.TARGET,
    )


def _frame(values: NDArray[np.uint8]) -> Frame:
    light = values[..., :3].astype(np.float64) + values[..., 3:]
    frame: Frame = np.rint(255 * (np.minimum(light, 255) / 255) ** (1 / SCREEN_GAMMA)).astype(np.uint8)
    return frame


class SimulatorBench:
    """The bench of a board on the screen, built as a kit says; also the host of that board.
    Closing the window interrupts `answers` and every wait for a key.

    `open` and `end` belong into the run loop, everything else into the test's thread.
    """

    def __init__(self, built: Kit, board: Board, answers: Lines) -> None:
        self._board = board
        self._answers = answers
        self._contacts = KeyContacts(built)
        self._leds = SimulatorLeds(built, self._show)
        self._caption = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._left = threading.Event()

    def open(self) -> None:
        """Open the window, dark. Raises BoardError where there is no display."""
        self._loop = asyncio.get_running_loop()
        self._board.open(self)
        self._board.show(picture(self._leds.panels))

    def leds(self) -> SimulatorLeds:
        """Return LEDs that light up in the window."""
        return self._leds

    def contacts(self) -> KeyContacts:
        """Return the keys of the window."""
        return self._contacts

    def play(self, tones: Sequence[Tone]) -> None:
        """Play tones through the computer's speaker."""
        self._call(lambda: self._board.sound(tones))

    def pause(self, seconds: float) -> None:
        """Sleep. Raises LeaveError once the window was closed."""
        time.sleep(seconds)
        if self._left.is_set():
            raise LeaveError

    def shown(self) -> None:
        """The window shows by itself."""

    def caption(self, text: str) -> None:
        """Show under both consoles what is said; a question without the answers that end it in brackets."""
        self._caption = re.sub(r" \([^()]*\)$", "", text.removeprefix("? "))
        self._show()

    def close(self) -> None:
        """The window stays until `end`: the test's last question is still to be answered."""

    def end(self) -> None:
        """Close the window; belongs into the run loop."""
        self._board.close()

    def key(self, event: KeyEvent) -> None:
        """Hand a key event to the test."""
        self._contacts.key(event)

    async def settled(self) -> None:
        """Nothing follows a key here."""

    def stop(self, *, power_off: bool = False) -> None:
        """Let the test leave, wherever it waits: the window was closed."""
        self._left.set()
        self._answers.interrupt()
        self._contacts.leave()

    def trouble(self, text: str) -> None:
        """Raise what the board has to tell."""
        raise RuntimeError(text)

    def _show(self) -> None:
        shown = picture(self._leds.panels, self._caption)
        self._call(lambda: self._board.show(shown))

    def _call(self, what: Callable[[], None]) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(what)
