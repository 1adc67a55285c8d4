"""The GPIO pins: which of gpiozero's pin factories is used, and what to do where one cannot be."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import gpiozero

from hardware.drivers.base import DriverError

PinFactory = Any
"""A gpiozero pin factory; gpiozero has no type information."""


def default_pin_factory() -> PinFactory:
    """Return the process's pin factory, opening one where there is none yet.

    `gpiozero.Device.pin_factory` and the environment variable GPIOZERO_PIN_FACTORY are honoured; else it is lgpio, the
    only one that works on every Pi up to the Pi 5. gpiozero's own fallbacks are not used: they hide why lgpio failed,
    and its last one, on a machine without pins, only fails later.

    Raises DriverError where there is no such factory, or no pins.
    """
    device = gpiozero.Device
    if device.pin_factory is None:
        try:
            device.pin_factory = _named_factory() if os.environ.get("GPIOZERO_PIN_FACTORY") else _lgpio_factory()
        except Exception as error:
            raise DriverError(_why_no_factory(error)) from error
    return device.pin_factory


def _named_factory() -> PinFactory:
    with warnings.catch_warnings(action="ignore", category=gpiozero.PinFactoryFallback):
        gpiozero.Device.ensure_pin_factory()
    return gpiozero.Device.pin_factory


def _lgpio_factory() -> PinFactory:
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def _why_no_factory(error: Exception) -> str:
    name = os.environ.get("GPIOZERO_PIN_FACTORY")
    if name:
        return f"The pin factory {name!r} cannot be used ({one_line(error)}): unset GPIOZERO_PIN_FACTORY to use lgpio."
    if isinstance(error, ImportError):
        return (
            "The Python package lgpio is missing: run `sudo apt install python3-lgpio` and make the virtual "
            "environment with `python3 -m venv --system-site-packages`."
        )
    if isinstance(error, gpiozero.PinUnknownPi):
        return "This computer has no GPIO pins that gpiozero knows: run this on the Raspberry Pi."
    if ".lgd-nfy" in str(error):
        return f"lgpio cannot make its FIFO in the folder {Path.cwd()}: start in a folder that can be written to."
    return (
        f"The GPIO pins cannot be opened ({one_line(error)}): add the user to the group gpio with "
        "`sudo usermod -aG gpio $USER` and log in again."
    )


def pin_error(number: int, use: str, error: Exception) -> DriverError:
    """Say in one sentence why a BCM pin cannot be used for something, and what to do."""
    reason = one_line(error)
    if isinstance(error, gpiozero.GPIOPinInUse) or "busy" in reason.lower():
        cure = "something else uses it; stop that (`broadside doctor` names it), or change the pin in the kit"
    elif isinstance(error, gpiozero.PinInvalidPin):
        cure = "this board has no such pin; change it in the kit"
    elif isinstance(error, gpiozero.PinPWMUnsupported):
        cure = "these pins have no PWM; install python3-lgpio"
    else:
        cure = f"{reason}; check the wiring, and that nothing else uses the pin"
    return DriverError(f"GPIO{number} cannot be used for {use}: {cure}.")


def one_line(error: Exception) -> str:
    """Return what an exception says, in one line without a full stop."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
