from __future__ import annotations

import asyncio
import time

import numpy as np
import pygame
import pytest

from hardware.board import Tone
from hardware.simulator.voice import LOUDNESS, RATE, Voice, samples


def test_a_tone_has_its_pitch_and_length_and_does_not_click() -> None:
    wave = samples([Tone(440, 500)])
    assert wave.shape == (RATE // 2,)
    assert wave.dtype == np.int16
    strongest = np.abs(np.fft.rfft(wave.astype(float))).argmax() * 2
    assert strongest == pytest.approx(440, abs=2)
    assert abs(int(wave[0])) < 50
    assert abs(int(wave[-1])) < 50
    assert np.abs(wave.astype(int)).max() <= LOUDNESS * 32767


def test_a_frequency_of_nothing_is_silence() -> None:
    wave = samples([Tone(0, 100), Tone(880, 100)])
    assert not wave[: RATE // 10].any()
    assert wave[RATE // 10 :].any()
    assert samples([]).shape == (0,)


def test_plays_and_lets_the_device_go() -> None:
    async def run() -> None:
        voice = Voice()
        voice.play([Tone(440, 50)])
        end = time.monotonic() + 5
        while pygame.mixer.get_init() is None:
            assert time.monotonic() < end
            await asyncio.sleep(0.01)
        voice.close()
        voice.close()
        assert pygame.mixer.get_init() is None

    asyncio.run(run())


def test_without_a_sound_device_the_game_goes_on_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")

    async def run() -> None:
        voice = Voice()
        voice.play([Tone(440, 50)])
        await asyncio.sleep(0.2)
        voice.play([Tone(440, 50)])
        assert pygame.mixer.get_init() is None
        voice.close()

    asyncio.run(run())
