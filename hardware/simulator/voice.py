"""Sounds through the computer's speaker, if it has one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import numpy as np
import pygame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hardware.board import Tone

RATE = 44_100
"""Samples a second."""

LOUDNESS = 0.22
EDGE_MS = 6.0
"""Every tone swells and fades this long, so that it does not click."""

SILENCE = 20.0
"""Seconds after which an unused sound device is let go: SDL keeps a thread busy for it."""


def samples(tones: Sequence[Tone]) -> NDArray[np.int16]:
    """Return tones as samples, shape (n,), with one soft overtone."""
    parts = [np.zeros(0)]
    for tone in tones:
        seconds = np.arange(round(RATE * tone.duration / 1000)) / RATE
        wave = np.sin(2 * np.pi * tone.frequency * seconds) + 0.25 * np.sin(4 * np.pi * tone.frequency * seconds)
        edge = np.minimum(seconds, seconds[::-1]) * 1000 / EDGE_MS
        parts.append(wave / 1.25 * np.minimum(edge, 1) * (tone.frequency > 0))
    return np.rint(np.concatenate(parts) * LOUDNESS * 32767).astype(np.int16)


class Voice:
    """Opens the sound device when there is something to play and closes it after a while of silence."""

    def __init__(self) -> None:
        self._missing = False
        self._rest: asyncio.TimerHandle | None = None

    def play(self, tones: Sequence[Tone]) -> None:
        """Play tones, in place of what still plays. Without a sound device nothing is heard."""
        if self._missing or not tones:
            return
        try:
            if pygame.mixer.get_init() is None:
                pygame.mixer.init(RATE, -16, 1, 1024, allowedchanges=0)
            pygame.mixer.stop()
            pygame.mixer.Sound(buffer=samples(tones).tobytes()).play()
        except pygame.error:
            # No sound device, or it has gone: the game is played in silence.
            self._missing = True
            return
        if self._rest is not None:
            self._rest.cancel()
        length = sum(tone.duration for tone in tones) / 1000
        self._rest = asyncio.get_running_loop().call_later(length + SILENCE, self.close)

    def close(self) -> None:
        """Let the sound device go; it is opened again when needed."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        pygame.mixer.quit()
