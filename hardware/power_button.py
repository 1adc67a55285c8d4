"""The power button: a short press and a long one, through gpiozero."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import gpiozero

from hardware.drivers.pins import default_pin_factory, pin_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.drivers.pins import PinFactory

HOLD = 2.0
"""Seconds from which on a press is a long one."""

BOUNCE = 0.03
"""Seconds under which a press is a bounce of the contact."""


class PowerButton:
    """A button from a BCM pin to ground.

    A press of less than `hold` seconds calls `on_short` when it ends; a longer one calls `on_long` once, when `hold`
    is reached, and nothing when it ends. Both are called from threads of gpiozero's or of this class. A press that
    began before the button was opened (it woke the Pi) counts for nothing.

    Raises DriverError where the pin is in use or has no edges. gpiozero's own Button is not used, as its hold thread
    wakes up ten times a second.
    """

    def __init__(
        self,
        pin: int,
        on_short: Callable[[], None],
        on_long: Callable[[], None],
        *,
        hold: float = HOLD,
        pin_factory: PinFactory | None = None,
    ) -> None:
        self._on_short = on_short
        self._on_long = on_long
        self._hold = hold
        self._lock = threading.Lock()
        self._since: float | None = None
        self._timer: threading.Timer | None = None
        factory = default_pin_factory() if pin_factory is None else pin_factory
        try:
            self._device = gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
            self._device.when_activated = self._pressed
            self._device.when_deactivated = self._released
        except Exception as error:
            raise pin_error(pin, "the power button", error) from error

    def close(self) -> None:
        """Stop watching and let the pin go; may be called twice."""
        self._device.close()
        self._finish()

    def _pressed(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._since = time.monotonic()
            self._timer = threading.Timer(self._hold, self._held, (self._since,))
            self._timer.daemon = True
            self._timer.start()

    def _released(self) -> None:
        since = self._finish()
        if since is not None and BOUNCE <= time.monotonic() - since < self._hold:
            self._on_short()

    def _held(self, since: float) -> None:
        with self._lock:
            if self._since != since:
                return
            self._since = None
            # If the edge of its release was lost, nobody holds the button.
            held = self._device.is_active
        if held:
            self._on_long()

    def _finish(self) -> float | None:
        """End the press; return when it began, if it still counts."""
        with self._lock:
            since, self._since = self._since, None
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
        return since
