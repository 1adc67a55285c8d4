"""What a board shows: frames of light, the same squares as marks, captions and key legends.

A `Picture` is all that a board is ever handed. It holds no rule and no secret beyond what each seat may see, and
importing this module does not import numpy, so that a board without LEDs stays small.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Frame: TypeAlias = NDArray[np.uint8]
    """Shape (10, 10, 3), dtype uint8, sRGB. Row 0 is grid row 1 (top), column 0 is grid column A."""

SIZE = 10
"""Rows and columns of a panel."""

SEATS = (1, 2)


class Grid(StrEnum):
    """Which of a seat's two grids a panel shows."""

    OCEAN = "ocean"
    TARGET = "target"


class PanelId(NamedTuple):
    """One panel of the table."""

    seat: int
    grid: Grid


class Silhouette(NamedTuple):
    """One ship of the fleet display: its name as shown, its length in squares, and whether it is still afloat."""

    name: str
    length: int
    afloat: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel's squares, as marks and (for boards that light up) as a frame.

    `marks` holds ten strings of ten mark characters, the top row first: `.` water or unknown, `S` ship, `o` miss,
    `x` hit, `#` sunk, `~` marked open water, `?` a ghost that fits, `!` one that doesn't, `*` marked for the salvo.
    `cursor` is (row, column) from 0, or None. `frame` is None for a board that is not lit.
    """

    marks: tuple[str, ...]
    cursor: tuple[int, int] | None = None
    frame: Frame | None = None


@dataclass(frozen=True, slots=True)
class Console:
    """All that one seat's side of the table shows.

    `suit` is the kingdom: "diamonds" or "clubs". `legend` says for each key that can do something now what it does,
    in at most some ten characters. `focus` is the grid that matters now, for a kit with one panel a seat. When
    `curtained` is true the ocean grid is hidden from the shared screen: its marks are already blank, its frame dark,
    and `curtain` says what uncovers it, where something does.
    """

    seat: int
    name: str
    suit: str
    ocean: Panel
    target: Panel
    caption: str = ""
    legend: Mapping[str, str] = field(default_factory=dict)
    fleet: tuple[Silhouette, ...] = ()
    focus: Grid = Grid.TARGET
    curtained: bool = False
    curtain: str = ""

    def panel(self, grid: Grid) -> Panel:
        """Return this seat's panel for one grid."""
        return self.ocean if grid is Grid.OCEAN else self.target


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of the whole table.

    `brightness` (0…1) scales every LED beside the kit's own limit. `labels` and `help` are the words that a board
    with a screen prints beside the panels, in the players' language: labels has the keys "ocean", "target",
    "current", "fleet", "help" (how to open it). `moving` is true while an
    effect runs.
    """

    consoles: tuple[Console, Console]
    brightness: float = 1.0
    labels: Mapping[str, str] = field(default_factory=dict)
    help: tuple[str, ...] = ()
    moving: bool = False

    def panel(self, panel: PanelId) -> Panel:
        """Return one panel of the table."""
        return self.consoles[panel.seat - 1].panel(panel.grid)
