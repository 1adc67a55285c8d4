"""The LED driver and the keypad driver named "pico". Both of a kit share one link."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from firmware_bridge.configuration import configuration, pico_keypads
from firmware_bridge.link import Link
from hardware.drivers.base import DriverError
from hardware.keys import KeyEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from firmware_bridge.link import LinkStatus
    from hardware.kit import Keypad, Kit

_links: dict[bytes, tuple[Link, int]] = {}
"""The open links by configuration, each with how many drivers use it."""

_lock = threading.Lock()


def _take(kit: Kit) -> tuple[bytes, Link]:
    config = configuration(kit)
    with _lock:
        link, users = _links.get(config, (None, 0))
        if link is None:
            link = Link(config)
            link.open()
        _links[config] = (link, users + 1)
    return config, link


def _leave(config: bytes) -> None:
    with _lock:
        link, users = _links[config]
        if users > 1:
            _links[config] = (link, users - 1)
            return
        del _links[config]
    link.close()


class _PicoDriver:
    """What the two drivers have in common."""

    def __init__(self, kit: Kit) -> None:
        self._config, self._link = _take(kit)
        self._open = True

    def tell_trouble_to(self, listener: Callable[[str], None], /) -> None:
        """Hand every sentence about the Pico to the listener, from the link's thread."""
        self._link.trouble.listen(listener)

    def status(self) -> LinkStatus:
        """Return what is connected."""
        return self._link.status()

    def _leave(self) -> None:
        if self._open:
            self._open = False
            _leave(self._config)


class PicoLeds(_PicoDriver):
    """LED chains on a Pico. Pictures go to the link, which never keeps the writer waiting."""

    def __init__(self, kit: Kit) -> None:
        super().__init__(kit)
        self._sizes = [chain.led_count * chain.led_bytes for chain in kit.leds.chains]
        # It may still show what a program left that was ended by force.
        self._darken()

    def write(self, chains: Sequence[bytes]) -> None:
        """Show one picture: for each chain its bytes in wire order. Raises DriverError where they don't fit the kit."""
        if [len(chain) for chain in chains] != self._sizes:
            raise DriverError(f"The picture does not fit the kit, whose chains have {self._sizes} bytes.")
        if self._open:
            self._link.write(chains)

    def settled(self, wait: float) -> bool:
        """Wait, at most so many seconds, until the newest picture is lit; return whether it is."""
        return self._link.settled(wait)

    def close(self) -> None:
        """Blank every LED and let the link go; may be called twice. While the keypads are open the link stays."""
        if self._open:
            self._darken()
        self._leave()

    def _darken(self) -> None:
        self._link.write([bytes(size) for size in self._sizes])


class PicoKeypads(_PicoDriver):
    """Keypads on a Pico."""

    def __init__(self, kit: Kit, keypads: Sequence[Keypad], on_key: Callable[[KeyEvent], None]) -> None:
        numbers = {pico_keypads(kit).index(keypad): keypad for keypad in keypads}
        super().__init__(kit)

        def hand_in(pad: int, key: int, down: bool, when: float) -> None:
            keypad = numbers.get(pad)
            if keypad is not None and key < len(keypad.rows) * len(keypad.columns):
                name = keypad.layout[key // len(keypad.columns)][key % len(keypad.columns)]
                on_key(KeyEvent(keypad.seat, name, down, when))

        self._link.listen(hand_in)

    def close(self) -> None:
        """Stop handing in keys and let the link go; may be called twice."""
        if self._open:
            self._link.listen(None)
        self._leave()


def open_leds(kit: Kit, /) -> PicoLeds:
    """Open the LED chains of a kit on the Pico; waits some seconds for it at most. Raises DriverError."""
    return PicoLeds(kit)


def open_keypads(kit: Kit, keypads: Sequence[Keypad], on_key: Callable[[KeyEvent], None], /) -> PicoKeypads:
    """Open these keypads on the Pico. Raises DriverError."""
    return PicoKeypads(kit, keypads, on_key)
