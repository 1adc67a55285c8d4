"""Idle panels: they dim after some minutes, and go dark later."""

from __future__ import annotations

from enum import IntEnum

DIMMED = 0.35
"""How bright dimmed panels stand."""


class Depth(IntEnum):
    """How deeply the panels rest."""

    AWAKE = 0
    DIM = 1
    DARK = 2


class Rest:
    """How long nobody has touched a key. Times are in seconds on the run loop's clock."""

    def __init__(self, now: float) -> None:
        self.depth = Depth.AWAKE
        self._touched = now

    @property
    def brightness(self) -> float:
        """What the panels' brightness is multiplied by."""
        return DIMMED if self.depth is Depth.DIM else 1.0

    def touch(self, now: float) -> None:
        """Somebody is there."""
        self._touched = now
        self.depth = Depth.AWAKE

    def update(self, now: float, *, dim_after: float, dark_after: float) -> float | None:
        """Rest as deeply as is due, by settings in minutes (0: never); return when it goes deeper, or None."""
        due = {
            depth: self._touched + minutes * 60
            for depth, minutes in ((Depth.DIM, dim_after), (Depth.DARK, dark_after))
            if minutes
        }
        self.depth = max((depth for depth, at in due.items() if now >= at), default=Depth.AWAKE)
        return min((at for at in due.values() if at > now), default=None)
