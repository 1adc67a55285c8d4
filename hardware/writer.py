"""Sends pictures to an LED device from a thread of its own, so that a slow or missing device holds nothing up."""

from __future__ import annotations

import atexit
import threading
from typing import TYPE_CHECKING, Self

from hardware.board import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.drivers.base import LedDriver

Wire = tuple[bytes, ...]
"""One picture: the wire bytes of each chain."""

RESEND_SECONDS = 2.0
"""The standing picture is sent again this often, so that a glitch on a data line heals."""

FIRST_RETRY_SECONDS = 0.25
LAST_RETRY_SECONDS = 8.0
"""A device that fails is tried again after the first wait, then after twice as long, and so on up to the last."""

CLOSE_SECONDS = 5.0
"""How long `close` waits for a frame that is on its way."""


class LedWriter:
    """Keeps an LED device at the newest picture.

    It takes the driver over and closes it, which blanks the LEDs; also when the program ends without closing it.
    `on_trouble` gets one sentence when the device begins to fail and one when it works again, from the writer's thread.
    """

    def __init__(
        self, driver: LedDriver, on_trouble: Callable[[str], None], *, resend_seconds: float = RESEND_SECONDS
    ) -> None:
        self._driver = driver
        self._on_trouble = on_trouble
        self._resend_seconds = resend_seconds
        self._change = threading.Condition()
        self._newest: Wire | None = None
        self._sent: Wire | None = None
        self._closing = False
        self._failing = False
        self._retry_seconds = FIRST_RETRY_SECONDS
        self._thread = threading.Thread(target=self._run, name="LED writer", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def show(self, wire: Wire) -> None:
        """Make this the picture to show. Returns at once; a picture not yet sent is replaced, an equal one dropped."""
        with self._change:
            if wire != self._newest and not self._closing:
                self._newest = wire
                self._change.notify()

    def close(self) -> None:
        """Blank the LEDs and let the device go; waits for a frame that is on its way. May be called twice."""
        with self._change:
            self._closing = True
            self._change.notify()
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSE_SECONDS)
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        try:
            wait: float | None = None
            while (wire := self._next(wait)) is not None:
                wait = self._send(wire)
        finally:
            self._close_driver()

    def _next(self, wait: float | None) -> Wire | None:
        """Wait for a new picture, at most `wait` seconds (None: as long as it takes), and return the newest one; None
        when it is time to close."""
        with self._change:
            if self._failing:
                # A new picture does not make a failing device come back any sooner.
                self._change.wait_for(lambda: self._closing, wait)
            else:
                self._change.wait_for(lambda: self._closing or self._newest is not self._sent, wait)
            return None if self._closing else self._newest

    def _send(self, wire: Wire) -> float:
        """Send a picture and return how many seconds to wait for the next one before sending it again."""
        try:
            self._driver.write(wire)
        except Exception as error:
            # Whatever a driver raises, this thread has to go on: without it the panels would stand still for good.
            if not self._failing:
                self._failing = True
                self._retry_seconds = FIRST_RETRY_SECONDS
                self._on_trouble(Sentence("The panels cannot be reached and will be tried again: {error}", error=error))
            else:
                self._retry_seconds = min(2 * self._retry_seconds, LAST_RETRY_SECONDS)
            return self._retry_seconds
        self._sent = wire
        if self._failing:
            self._failing = False
            self._on_trouble(Sentence("The panels work again."))
        return self._resend_seconds

    def _close_driver(self) -> None:
        try:
            self._driver.close()
        except Exception as error:
            self._on_trouble(Sentence("The panels could not be made dark: {error}", error=error))
