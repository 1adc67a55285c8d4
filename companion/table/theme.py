"""What marks look like: linear LED values by kingdom, chosen so that colour-blind players can tell them apart.

Every pair of water, ship, miss, hit, sunk and cursor is at least 28 apart in CAM02-UCS, for normal, protan, deutan
and tritan vision (simulated after Machado et al. 2009); the usual green ship and red hit would fall to 12.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.table import marks

Light: TypeAlias = tuple[int, int, int]
"""Red, green, blue as linear LED values, 0…255."""

SHOTS: dict[str, Light] = {
    marks.WATER: (0, 0, 14),
    marks.MISS: (90, 90, 90),
    marks.HIT: (200, 30, 0),
    marks.SUNK: (24, 0, 0),
    marks.OPEN_WATER: (14, 16, 18),
}
"""The same in both kingdoms."""


@dataclass(frozen=True)
class Theme:
    """One kingdom's look. `victory` is the colour of its wave."""

    kingdom: str
    ship: Light
    cursor: Light
    victory: Light

    def light(self, mark: str) -> Light:
        """Return the colour of a mark, at rest."""
        if mark == marks.SHIP:
            return self.ship
        if mark in (marks.GHOST_FITS, marks.CHOSEN):
            return scaled(self.cursor, 0.45)
        if mark == marks.GHOST_REFUSED:
            return (0, 0, 0)
        return SHOTS[mark]


def scaled(light: Light, factor: float) -> Light:
    """Return a light at a fraction of its brightness."""
    red, green, blue = light
    return (round(red * factor), round(green * factor), round(blue * factor))


THEMES = {
    "diamonds": Theme("diamonds", ship=(0, 30, 110), cursor=(255, 255, 60), victory=(160, 110, 0)),
    "clubs": Theme("clubs", ship=(0, 30, 40), cursor=(220, 240, 255), victory=(70, 110, 90)),
}
"""Diamonds: gold and deep blue. Clubs: silver and sea green (LOOK)."""
