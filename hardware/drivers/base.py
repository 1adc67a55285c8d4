"""The faces of LED and keypad drivers. Another package can add one through an entry point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.keys import KeyEvent
    from hardware.kit import Keypad, Kit


class DriverError(RuntimeError):
    """A device that cannot be opened or has failed; the text says what is wrong and what to do."""


class LedDriver(Protocol):
    """Sends wire bytes to LED chains. Opened by its factory; blanks the LEDs when it closes."""

    def write(self, chains: Sequence[bytes]) -> None:
        """Send one picture: for each chain of the kit its bytes in wire order, 3 (or 4) a LED. May block while it is
        sent; called from one thread only. Raises DriverError or OSError where the device fails."""

    def close(self) -> None:
        """Blank every LED and let the device go; may be called twice."""


class KeypadDriver(Protocol):
    """Scans keypads and hands in debounced key events from a thread of its own."""

    def close(self) -> None:
        """Stop scanning and let the pins go; may be called twice."""


@runtime_checkable
class TellsTrouble(Protocol):
    """A driver that notices by itself, in its own thread, that a device has gone or come back. A driver may have this;
    one that has nothing to tell leaves it out."""

    def tell_trouble_to(self, listener: Callable[[str], None], /) -> None:
        """Hand every such sentence to the listener, from any thread; first those from before anyone listened."""


class LedDriverFactory(Protocol):
    """What the entry point group `broadside.leds` names: opens the kit's chains or raises DriverError."""

    def __call__(self, kit: Kit, /) -> LedDriver:
        """Open the LED chains of a kit."""


class KeypadDriverFactory(Protocol):
    """What the entry point group `broadside.keypads` names: opens these keypads or raises DriverError."""

    def __call__(self, kit: Kit, keypads: Sequence[Keypad], on_key: Callable[[KeyEvent], None], /) -> KeypadDriver:
        """Open keypads; `on_key` is called from the driver's own thread."""
