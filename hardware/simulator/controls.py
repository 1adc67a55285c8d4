"""What keyboard and mouse do: pygame's events become key events of the two keypads."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pygame

from hardware.frame import SIZE, Grid
from hardware.keys import KeyEvent
from hardware.simulator.keyboard import POSITIONS
from hardware.simulator.layout import OnKey, OnSquare

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.frame import Picture
    from hardware.simulator.layout import Layout, Spot

DIGITS = "1234567890"
"""The keys that dial column A…J and row 1…10."""

UNVEILING = "0"
"""The key that a click on a curtain taps."""

_SHORTCUTS = pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META

_POINTER = "pointer"


class Controls:
    """Follows which keys are held, by keyboard and by pointer, and hands in what goes down and up."""

    def __init__(self, hand_in: Callable[[KeyEvent], None]) -> None:
        self._hand_in = hand_in
        self._held: dict[int | str, tuple[int, str]] = {}

    @property
    def pressed(self) -> frozenset[tuple[int, str]]:
        """The (seat, key) of every key that is held."""
        return frozenset(self._held.values())

    def handle(self, event: pygame.event.Event, layout: Layout, picture: Picture | None) -> bool:
        """Follow one event of the window; return whether another key is held than before."""
        before = self.pressed
        if event.type == pygame.KEYDOWN and not event.mod & _SHORTCUTS:
            if event.scancode in POSITIONS:
                self._press(event.scancode, POSITIONS[event.scancode])
        elif event.type == pygame.KEYUP:
            self._release(event.scancode)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._click(event.pos, layout, picture)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT:
            self._release(_POINTER)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.release_all()
        return self.pressed != before

    def release_all(self) -> None:
        """Let every held key go."""
        for source in tuple(self._held):
            self._release(source)

    def _click(self, point: tuple[int, int], layout: Layout, picture: Picture | None) -> None:
        spot = layout.at(point)
        if isinstance(spot, OnKey):
            self._press(_POINTER, (spot.seat, spot.key))
        elif isinstance(spot, OnSquare) and clickable(spot, picture):
            seat, grid = spot.panel
            for key in dialling(spot.row, spot.column) if grid is Grid.TARGET else UNVEILING:
                self._tap(seat, key)

    def _press(self, source: int | str, key: tuple[int, str]) -> None:
        if source in self._held:
            return
        fresh = key not in self._held.values()
        self._held[source] = key
        if fresh:
            self._send(*key, down=True)

    def _release(self, source: int | str) -> None:
        key = self._held.pop(source, None)
        if key is not None and key not in self._held.values():
            self._send(*key, down=False)

    def _tap(self, seat: int, key: str) -> None:
        self._send(seat, key, down=True)
        self._send(seat, key, down=False)

    def _send(self, seat: int, key: str, *, down: bool) -> None:
        self._hand_in(KeyEvent(seat, key, down, time.monotonic()))


def clickable(spot: Spot | None, picture: Picture | None) -> bool:
    """Return whether a click on a spot does something: key caps, target grids and curtains."""
    if isinstance(spot, OnSquare):
        seat, grid = spot.panel
        return picture is not None and (grid is Grid.TARGET or picture.consoles[seat - 1].curtained)
    return spot is not None


def dialling(row: int, column: int) -> str:
    """Return the keys that dial a square; row and column from 0."""
    if not (0 <= row < SIZE and 0 <= column < SIZE):
        raise ValueError(f"no square at row {row}, column {column}")
    return f"D{DIGITS[column]}{DIGITS[row]}"
