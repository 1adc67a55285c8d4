"""A passive buzzer on a GPIO pin, through gpiozero."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import gpiozero

from hardware.board import Sentence
from hardware.drivers.pins import default_pin_factory, one_line, pin_error
from hardware.drivers.trouble import TroubleLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.board import Tone
    from hardware.drivers.pins import PinFactory

LOUDEST_DUTY = 0.5
"""Share of each period for which the pin is high; a square wave is the loudest that a piezo plays."""


class Buzzer:
    """Plays tones in a thread of its own, which sleeps while there is nothing to play.

    `pin` is a BCM number. Raises DriverError where the pin is in use or the pin factory has no PWM.
    """

    def __init__(self, pin: int, *, pin_factory: PinFactory | None = None) -> None:
        factory = default_pin_factory() if pin_factory is None else pin_factory
        try:
            self._device = gpiozero.PWMOutputDevice(pin, pin_factory=factory)
            self._quiet()
        except Exception as error:
            raise pin_error(pin, "the buzzer", error) from error
        self._trouble = TroubleLine()
        self._changed = threading.Condition()
        self._tones: Sequence[Tone] | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tones: Sequence[Tone]) -> None:
        """Start to play; tones that still play are cut off. Does not wait."""
        with self._changed:
            self._tones = tuple(tones)
            self._changed.notify()

    def tell_trouble_to(self, listener: Callable[[str], None]) -> None:
        """Hand a sentence to the listener when the buzzer fails; the game goes on without it."""
        self._trouble.listen(listener)

    def close(self) -> None:
        """Fall silent and let the pin go; may be called twice."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()
        self._device.close()

    def _run(self) -> None:
        try:
            while self._wait_for_tones():
                self._play()
        except Exception as error:
            self._trouble.say(
                Sentence("The buzzer fails ({error}): the game goes on without sound.", error=one_line(error))
            )

    def _wait_for_tones(self) -> bool:
        """Sleep until there are tones; return False when the buzzer is to close."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._tones is not None)
            return not self._closing

    def _play(self) -> None:
        with self._changed:
            tones, self._tones = self._tones or (), None
        end = time.monotonic()
        for tone in tones:
            if tone.frequency > 0:
                self._device.frequency = tone.frequency
                self._device.value = LOUDEST_DUTY
            else:
                self._quiet()
            end += tone.duration / 1000
            with self._changed:
                if self._changed.wait_for(lambda: self._closing or self._tones is not None, end - time.monotonic()):
                    break
        self._quiet()

    def _quiet(self) -> None:
        # Without a frequency nothing pulses the pin: the software PWM of lgpio would go on with a duty of 0.
        self._device.value = 0
        self._device.frequency = None
