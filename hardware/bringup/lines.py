"""Lines from a file descriptor, for a thread that must be able to stop waiting for them."""

from __future__ import annotations

import os
import select


class Lines:
    """Reads lines of UTF-8 text. `interrupt`, from any thread, ends them: a window was closed, say."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._wake_out, self._wake_in = os.pipe()
        self._waiting = b""

    def readline(self) -> str:
        """Return the next line with its end, or "" where there is none any more."""
        while b"\n" not in self._waiting:
            ready, _, _ = select.select([self._descriptor, self._wake_out], [], [])
            if self._wake_out in ready:
                return ""
            more = os.read(self._descriptor, 4096)
            if not more:
                rest, self._waiting = self._waiting, b""
                return rest.decode(errors="replace")
            self._waiting += more
        line, _, self._waiting = self._waiting.partition(b"\n")
        return f"{line.decode(errors='replace')}\n"

    def interrupt(self) -> None:
        """End the lines; whoever waits for one gets the end."""
        os.write(self._wake_in, b"\0")

    def close(self) -> None:
        """Give up what this took; the descriptor itself stays open."""
        os.close(self._wake_in)
        os.close(self._wake_out)
