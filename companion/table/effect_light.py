"""How effects light up: each is a function of its age, drawn over one panel's linear light.

A light is an array of shape (10, 10, 3), float32, linear LED values 0…255, row 0 at the top; each function changes
it in place. `age` is in seconds from the effect's beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.game.squares import Square
from companion.table import marks
from companion.table.effects import APPEAR_STEP, SINKING_STEP, Effect, Kind
from companion.table.theme import SHOTS, Theme

LightArray: TypeAlias = NDArray[np.float32]

_ROWS, _COLUMNS = np.mgrid[0:10, 0:10].astype(np.float32)
_RING = np.array((0, 22, 46), np.float32)
_FLARE = np.array((150, 150, 160), np.float32)
_WARM = np.array((255, 120, 30), np.float32)
_EMBER = np.array((60, 8, 0), np.float32)
_HIT = np.array(SHOTS[marks.HIT], np.float32)

_EDGE = (
    [(0, column) for column in range(10)]
    + [(row, 9) for row in range(1, 10)]
    + [(9, column) for column in range(8, -1, -1)]
    + [(row, 0) for row in range(8, 0, -1)]
)
"""The squares around the edge of a panel, clockwise from the top left."""


def _distance(square: Square) -> NDArray[np.float32]:
    distance: NDArray[np.float32] = np.hypot(_ROWS - square.row, _COLUMNS - square.column).astype(np.float32)
    return distance


def _splash(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """The square flares for 120 ms; a ring of dim blue runs out two squares wide in 500 ms."""
    square = effect.squares[0]
    radius = age / effect.duration * 2.5
    ring = np.clip(1 - np.abs(_distance(square) - radius) / 0.8, 0, 1) * (1 - age / effect.duration)
    light += ring[..., None] * _RING
    if age < 0.12:
        light[square.row, square.column] = _FLARE


def _strike(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """Warm flare 100 ms, falling to the hit colour; the four neighbours glow like embers for 300 ms."""
    square = effect.squares[0]
    fall = min(1.0, max(0.0, (age - 0.1) / 0.4))
    light[square.row, square.column] = _WARM + (_HIT - _WARM) * fall
    if age < 0.3:
        beside = np.abs(_ROWS - square.row) + np.abs(_COLUMNS - square.column) == 1
        light[beside] += _EMBER * (1 - age / 0.3)


def _sinking(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """The ship lights up square by square from bow to stern, then sinks into its dark red."""
    lit = SINKING_STEP * len(effect.squares)
    fade = 1.0 if age < lit else max(0.0, 1 - (age - lit) / (effect.duration - lit))
    for number, square in enumerate(effect.squares):
        if age >= SINKING_STEP * number:
            here = light[square.row, square.column]
            here += (_WARM - here) * fade
        else:
            light[square.row, square.column] = _HIT


def _turn(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """One light runs once around the edge of the target panel."""
    head = age / effect.duration * len(_EDGE)
    for tail in range(4):
        row, column = _EDGE[int(head - tail) % len(_EDGE)]
        if head - tail >= 0:
            light[row, column] += np.array(theme.cursor, np.float32) * 0.5 ** (tail + 1)


def _appear(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """Ships appear one by one."""
    for square, step in zip(effect.squares, effect.steps, strict=True):
        if age < APPEAR_STEP * step:
            light[square.row, square.column] = SHOTS[marks.WATER]


def _victory(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """A wave in the kingdom's colour from the last hit outwards."""
    radius = age / effect.duration * 15
    wave = np.clip(1 - np.abs(_distance(effect.squares[0]) - radius) / 2.5, 0, 1)
    light += wave[..., None] * np.array(theme.victory, np.float32)


def _defeat(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """The panel goes dark row by row; then both fleets are shown."""
    light[: int(age / effect.duration * 11)] = 0


def _swell(effect: Effect, age: float, light: LightArray, theme: Theme) -> None:
    """A slow swell over the sea when nobody plays."""
    envelope = np.sin(np.pi * age / effect.duration)
    wave = (1 + np.sin(_ROWS * 0.7 + _COLUMNS * 0.4 - age * 1.6)) / 2
    light += (wave * envelope)[..., None] * _RING * 0.6


_DRAW: dict[Kind, Callable[[Effect, float, LightArray, Theme], None]] = {
    Kind.SPLASH: _splash,
    Kind.STRIKE: _strike,
    Kind.SINKING: _sinking,
    Kind.TURN: _turn,
    Kind.APPEAR: _appear,
    Kind.VICTORY: _victory,
    Kind.DEFEAT: _defeat,
    Kind.SWELL: _swell,
}


def draw(effect: Effect, now: float, light: LightArray, theme: Theme) -> None:
    """Draw an effect at a time (s) over a panel's light. Nothing before its beginning and after its end."""
    age = now - effect.began
    if 0 <= age < effect.duration:
        _DRAW[effect.kind](effect, age, light, theme)
