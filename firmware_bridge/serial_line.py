"""One open serial line, exclusive and never waiting."""

from __future__ import annotations

import errno
import fcntl
import os
import termios

import serial

from firmware_bridge.errors import LineLostError, PicoError

_BUSY = {errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK}
_CHUNK = 4096


class SerialLine:
    """A serial line to read and write in pieces. Raises PicoError where it cannot be opened until somebody does
    something, LineLostError where it is gone.

    pyserial opens it, raw and with DTR set; reading and writing go straight to its non-blocking file, because
    pyserial's own calls wait, and its `flush` waits for ever on a device that does not read.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._port = serial.Serial(path, timeout=0, write_timeout=0, exclusive=True)
        except (OSError, termios.error) as error:
            raise _explained(path, error) from error
        try:
            # pyserial's lock keeps out programs that lock as well; this one keeps out all others.
            fcntl.ioctl(self.fileno(), termios.TIOCEXCL)
        except OSError as error:
            self._port.close()
            raise _explained(path, error) from error

    def fileno(self) -> int:
        """Return the file descriptor, to wait for."""
        number: int = self._port.fileno()
        return number

    def read(self) -> bytes:
        """Return what has come. Call it only when there is something to read: then nothing means that it is gone."""
        try:
            data = os.read(self.fileno(), _CHUNK)
        except OSError as error:
            raise LineLostError("The Pico is gone.") from error
        if not data:
            raise LineLostError("The Pico is gone.")
        return data

    def write(self, data: bytes | bytearray) -> int:
        """Send as much as the line takes now; return how many bytes that was."""
        try:
            return os.write(self.fileno(), memoryview(data)[:_CHUNK])
        except BlockingIOError:
            return 0
        except OSError as error:
            raise LineLostError("The Pico is gone.") from error

    def close(self) -> None:
        """Let the port go, at once: while it is held, the Pico comes back under another name (pyserial, issue 36)."""
        if not self._port.is_open:
            return
        try:
            fcntl.ioctl(self.fileno(), termios.TIOCNXCL)
            # What the Pico has not taken by now would hold up the close of some drivers.
            termios.tcflush(self.fileno(), termios.TCOFLUSH)
        except (OSError, termios.error):
            # The device is gone: there is nothing left to let go but the descriptor.
            self._port.close()
            return
        self._port.close()


def _explained(path: str, error: Exception) -> Exception:
    number = getattr(error, "errno", None) or (error.args[0] if error.args else None)
    if number in _BUSY:
        return PicoError(f"Another program uses the Pico's serial line {path}: end it, then start again.")
    if number in (errno.EACCES, errno.EPERM):
        return PicoError(
            f"This user may not open the Pico's serial line {path}: install Broadside's udev rule "
            "(systemd/60-broadside-pico.rules), or add the user to the line's group, and log in again."
        )
    reason = os.strerror(number) if isinstance(number, int) else str(error)
    return LineLostError(f"The serial line {path} cannot be opened ({reason}).")
