"""Finds LED and keypad drivers by name, through the entry points `broadside.leds` and `broadside.keypads`.

A driver may live in any installed package, as a gpiozero pin factory may.
"""

from __future__ import annotations

from contextlib import ExitStack
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from hardware.drivers.base import DriverError, KeypadDriver, LedDriver, TellsTrouble
from hardware.kit_text import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.keys import KeyEvent
    from hardware.kit import Keypad, Kit

LED_GROUP = "broadside.leds"
KEYPAD_GROUP = "broadside.keypads"


def open_leds(kit: Kit) -> LedDriver:
    """Open the LED chains of a kit with the driver that it names, dark.

    Raises DriverError, one sentence with the cure, where there is no such driver or it cannot open them.
    """
    name = kit.leds.driver
    try:
        driver: LedDriver = _factory(LED_GROUP, name)(kit)
    except OSError as error:
        raise _refused(f"The LED driver {name!r}", error) from error
    return driver


def open_keypads(kit: Kit, on_key: Callable[[KeyEvent], None]) -> KeypadDriver:
    """Open all keypads of a kit, each with the driver that it names; `on_key` is called from the drivers' threads.

    Raises DriverError, one sentence with the cure, where there is no such driver or it cannot open one of them; then
    none stays open.
    """
    by_driver: dict[str, list[Keypad]] = {}
    for keypad in kit.keypads:
        by_driver.setdefault(keypad.driver, []).append(keypad)
    drivers: list[KeypadDriver] = []
    with ExitStack() as on_failure:
        for name, keypads in by_driver.items():
            try:
                driver: KeypadDriver = _factory(KEYPAD_GROUP, name)(kit, keypads, on_key)
            except OSError as error:
                raise _refused(f"The keypad driver {name!r}", error) from error
            on_failure.callback(driver.close)
            drivers.append(driver)
        on_failure.pop_all()
    return drivers[0] if len(drivers) == 1 else SeveralKeypads(drivers)


class SeveralKeypads:
    """Keypads of several drivers, as one."""

    def __init__(self, drivers: list[KeypadDriver]) -> None:
        self._drivers = drivers

    def tell_trouble_to(self, listener: Callable[[str], None]) -> None:
        """Hand what any of the drivers has to tell to the listener."""
        for driver in self._drivers:
            if isinstance(driver, TellsTrouble):
                driver.tell_trouble_to(listener)

    def close(self) -> None:
        """Close every driver, even where one of them fails to; may be called twice."""
        with ExitStack() as closing:
            for driver in self._drivers:
                closing.callback(driver.close)


def _factory(group: str, name: str) -> Callable[..., Any]:
    """Load the factory that an entry point names. Raises DriverError where it is missing or does not load."""
    found = entry_points(group=group)
    for entry in found.select(name=name):
        return _load(entry)
    if not found.names:
        raise DriverError("No driver is installed: install Broadside with pip, a checkout with `pip install -e .`.")
    raise DriverError(f"There is no driver {name!r}: {nearest(name, sorted(found.names))}")


def _load(entry: EntryPoint) -> Callable[..., Any]:
    try:
        factory: Callable[..., Any] = entry.load()
    except (ImportError, AttributeError) as error:
        raise DriverError(
            f"The driver {entry.name!r} cannot be loaded ({error}): install the package that it needs."
        ) from error
    return factory


def _refused(driver: str, error: OSError) -> DriverError:
    return DriverError(f"{driver} was refused its device ({error}): see `broadside doctor`.")
