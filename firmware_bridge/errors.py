"""What can go wrong on the line to a Pico."""

from __future__ import annotations

from hardware.drivers.base import DriverError


class PicoError(DriverError):
    """A Pico that cannot be used until somebody does something: the text says what is wrong and what to do."""


class NoPicoError(PicoError):
    """There is no Pico, or none yet that is ready."""


class LineLostError(Exception):
    """The line is gone or silent; the link opens it again by itself."""
