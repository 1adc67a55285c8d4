"""Sounds through the computer's speaker, if it has one."""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
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
"""The strongest sample, as a share of what the device can play."""

EDGE = 6.0
"""Milliseconds in which a tone swells and fades, so that it does not click."""

SILENCE = 20.0
"""Seconds after which an unused sound device is let go: SDL keeps a thread busy as long as it is open."""


def samples(tones: Sequence[Tone]) -> NDArray[np.int16]:
    """Return tones as samples, shape (n,): a sine with one soft overtone, silence for a frequency of 0."""
    parts = [np.zeros(0)]
    for tone in tones:
        seconds = np.arange(round(RATE * tone.duration / 1000)) / RATE
        wave = np.sin(2 * np.pi * tone.frequency * seconds) + 0.25 * np.sin(4 * np.pi * tone.frequency * seconds)
        edge = np.minimum(seconds, seconds[::-1]) * 1000 / EDGE
        parts.append(wave / 1.25 * np.minimum(edge, 1))
    return np.rint(np.concatenate(parts) * LOUDNESS * 32767).astype(np.int16)


def _may_have_a_device() -> bool:
    """Return whether looking for a sound device is worth while. Where Linux has none, its sound library would print a
    page of complaints on the terminal."""
    if not sys.platform.startswith("linux") or {"SDL_AUDIODRIVER", "PULSE_SERVER"} & set(os.environ):
        return True
    servers = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"))
    return any(Path("/dev/snd").glob("pcm*p")) or (servers / "pulse").exists() or (servers / "pipewire-0").exists()


class Voice:
    """Opens the sound device, which can take a moment, in a thread of its own, and closes it after a while of silence.

    Without a device, or when it goes, everything stays silent.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="voice")
        self._lost = not _may_have_a_device()
        self._rest: asyncio.TimerHandle | None = None

    def play(self, tones: Sequence[Tone]) -> None:
        """Play tones, in place of what still plays; to be called in a run loop."""
        if self._lost:
            return
        self._thread.submit(self._play, samples(tones).tobytes())
        if self._rest is not None:
            self._rest.cancel()
        length = sum(tone.duration for tone in tones) / 1000
        self._rest = asyncio.get_running_loop().call_later(length + SILENCE, self._thread.submit, pygame.mixer.quit)

    def close(self) -> None:
        """Fall silent and let the device go; may be called twice."""
        if self._rest is not None:
            self._rest.cancel()
        self._thread.shutdown(cancel_futures=True)
        pygame.mixer.quit()

    def _play(self, sound: bytes) -> None:
        try:
            if pygame.mixer.get_init() is None:
                pygame.mixer.init(RATE, -16, 1, 1024, allowedchanges=0)
            pygame.mixer.stop()
            pygame.mixer.Sound(buffer=sound).play()
        except pygame.error:
            self._lost = True
