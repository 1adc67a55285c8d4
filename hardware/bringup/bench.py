"""What a bring-up test works on: raw LEDs, raw contacts and a voice, opened only when the test needs them."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

from hardware.bringup.contacts import KeyContacts, PinContacts
from hardware.drivers import registry
from hardware.drivers.pins import default_pin_factory
from hardware.sound import Buzzer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.board import Tone
    from hardware.bringup.contacts import Contacts
    from hardware.bringup.wire import Leds
    from hardware.kit import Kit


class Bench(Protocol):
    """A board, or something that stands for one."""

    def leds(self) -> Leds:
        """Open the LED chains. Raises DriverError."""

    def contacts(self) -> Contacts:
        """Open the keypads. Raises DriverError."""

    def play(self, tones: Sequence[Tone]) -> None:
        """Play tones; asked only with a kit that has a buzzer. Raises DriverError where it cannot be opened."""

    def pause(self, seconds: float) -> None:
        """Let a person watch for a while."""

    def shown(self) -> None:
        """Called before each question: time to describe what a person would see."""

    def caption(self, text: str) -> None:
        """Called with everything that is said, for boards that have room for it."""

    def close(self) -> None:
        """Leave every LED dark and every pin free."""


class BuiltBench:
    """The board that was built, through the drivers that its kit names."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._opened = ExitStack()
        self._buzzer: Buzzer | None = None

    def leds(self) -> Leds:
        """Open the LED chains with the kit's driver."""
        leds = registry.open_leds(self._kit)
        self._opened.callback(leds.close)
        return leds

    def contacts(self) -> Contacts:
        """Open the keypads: matrices on this machine's pins wire by wire, others through their drivers."""
        if all(keypad.driver == "gpio" for keypad in self._kit.keypads):
            pins = PinContacts(self._kit.keypads, default_pin_factory())
            self._opened.callback(pins.close)
            return pins
        contacts = KeyContacts(self._kit)
        keypads = registry.open_keypads(self._kit, contacts.key)
        self._opened.callback(keypads.close)
        return contacts

    def play(self, tones: Sequence[Tone]) -> None:
        """Play tones on the kit's buzzer."""
        assert self._kit.buzzer is not None, "what plays nothing is not asked to play"
        if self._buzzer is None:
            self._buzzer = Buzzer(self._kit.buzzer.pin)
            self._opened.callback(self._buzzer.close)
        self._buzzer.play(tones)

    def pause(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)

    def shown(self) -> None:
        """A built board shows by itself."""

    def caption(self, text: str) -> None:
        """A built board has no captions."""

    def close(self) -> None:
        """Close what was opened; may be called twice."""
        self._opened.close()
