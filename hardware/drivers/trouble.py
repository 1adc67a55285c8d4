"""Sentences about a device, from a driver's thread to whoever listens."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class TroubleLine:
    """Keeps what is said until somebody listens, so that trouble while a driver opens is not lost."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[str] = []
        self._listener: Callable[[str], None] | None = None

    def say(self, sentence: str) -> None:
        """Hand one sentence on, or keep it; from any thread."""
        with self._lock:
            listener = self._listener
            if listener is None:
                self._kept.append(sentence)
        if listener is not None:
            listener(sentence)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Hand everything kept, and from now on everything said, to the listener."""
        with self._lock:
            self._listener = listener
            kept, self._kept = self._kept, []
        for sentence in kept:
            listener(sentence)
