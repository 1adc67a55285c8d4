"""One process owns the LEDs: a lock on the very device through which they are driven.

Two processes on the two PWM channels swap each other's patterns (jgarff/rpi_ws281x, issue 125). The lock is on the
device file itself, so that it needs no folder to write to and ends with its process, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING, Self

from hardware.drivers.base import DriverError

if TYPE_CHECKING:
    from pathlib import Path


class DeviceLock:
    """Holds a device file open and locked until it is closed; `fileno` is its file descriptor.

    Raises DriverError where another process holds it; OSError where the device cannot be opened.
    """

    def __init__(self, device: Path, flags: int = os.O_RDWR) -> None:
        self._fd: int | None = os.open(device, flags | os.O_CLOEXEC)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.close()
            raise DriverError(
                f"Another program drives the LEDs (it holds {device}): "
                "stop it, perhaps with `sudo systemctl stop broadside`."
            ) from error
        except OSError:
            self.close()
            raise

    @property
    def fileno(self) -> int:
        """The open file descriptor."""
        if self._fd is None:
            raise DriverError("The LED device is closed: open the board again.")
        return self._fd

    def close(self) -> None:
        """Give the device up; may be called twice."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
