"""Where everything lies in the window, and what lies under the pointer.

All measures are given for a window of 1280×720 and scaled; only the panels' cells are rounded first, so that every LED
sits on whole pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from pygame import Rect

from hardware.frame import SEATS, SIZE, Grid, PanelId
from hardware.keys import KEYPAD_ROWS

WIDTH, HEIGHT = 1280, 720
"""The window that the measures are given for."""

SMALLEST = (320, 180)
"""A smaller window is drawn as if it had this size."""

MARGIN = 12
GAP = 14
CONSOLE_WIDTH = 621
CONSOLE_HEIGHT = 632
PADDING = 14
CELL = 27
BEZEL = 4
LETTERS = 18
NUMBERS = 22
TITLE = 20
PLATE = 48
KEYPAD = 342
CAP_GAP = 5
CAPTION = 38
FOOTER = 22


class OnKey(NamedTuple):
    """The pointer is on a key cap."""

    seat: int
    key: str


class OnSquare(NamedTuple):
    """The pointer is on a square of a panel; row and column from 0."""

    panel: PanelId
    row: int
    column: int


Spot: TypeAlias = OnKey | OnSquare


@dataclass(frozen=True)
class PanelPlace:
    """Where a panel lies: its sunken glass, the 10×10 cells within, and the strip for its name."""

    glass: Rect
    cells: Rect
    cell: int
    title: Rect

    @property
    def margin(self) -> int:
        """Pixels of dark glass around the cells."""
        return self.cells.left - self.glass.left

    def square(self, row: int, column: int) -> Rect:
        """Return the rectangle of one square."""
        return Rect(self.cells.left + column * self.cell, self.cells.top + row * self.cell, self.cell, self.cell)


@dataclass(frozen=True)
class ConsolePlace:
    """Where one seat's things lie."""

    body: Rect
    panels: dict[Grid, PanelPlace]
    plate: Rect
    fleet: Rect
    well: Rect
    keys: dict[str, Rect]
    caption: Rect


@dataclass(frozen=True)
class Layout:
    """Where everything lies in a window of one size; `unit` is one pixel of the measures."""

    size: tuple[int, int]
    unit: float
    consoles: tuple[ConsolePlace, ConsolePlace]
    footer: Rect

    def px(self, measure: float) -> int:
        """Scale a measure to pixels, at least one."""
        return max(1, round(measure * self.unit))

    def cap_room(self, cap: Rect) -> Rect:
        """Return what a key cap may cover with its shadow, which falls to its lower side."""
        gap = self.px(CAP_GAP)
        beside = (gap - 1) // 2
        return Rect(cap.left - beside, cap.top, cap.width + 2 * beside, cap.height + gap - 1)

    def at(self, point: tuple[int, int]) -> Spot | None:
        """Return the key cap or the square at a point of the window."""
        for seat, console in zip(SEATS, self.consoles, strict=True):
            for key, rect in console.keys.items():
                if rect.collidepoint(point):
                    return OnKey(seat, key)
            for grid, place in console.panels.items():
                if place.cells.collidepoint(point):
                    column = (point[0] - place.cells.left) // place.cell
                    row = (point[1] - place.cells.top) // place.cell
                    return OnSquare(PanelId(seat, grid), row, column)
        return None


@lru_cache(maxsize=8)
def layout_for(size: tuple[int, int]) -> Layout:
    """Return the layout of a window of this size in pixels."""
    width, height = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
    unit = min(width / WIDTH, height / HEIGHT)
    # Height that is left over first makes the captions roomier, which small windows need, then spreads evenly.
    spare = height - HEIGHT * unit
    roomier = min(spare * 0.6, CAPTION * 1.2 * unit)
    top = (spare - roomier) / 2 + 9 * unit
    left = (width - WIDTH * unit) / 2 + MARGIN * unit
    consoles = [_console(left + index * (CONSOLE_WIDTH + GAP) * unit, top, unit, roomier) for index in range(2)]
    below = consoles[0].caption.bottom + round(4 * unit)
    footer = Rect(round(left), below, round((2 * CONSOLE_WIDTH + GAP) * unit), round(FOOTER * unit))
    return Layout((width, height), unit, (consoles[0], consoles[1]), footer)


def _console(left: float, top: float, unit: float, roomier: float) -> ConsolePlace:
    def px(measure: float) -> int:
        return max(1, round(measure * unit))

    body = Rect(round(left), round(top), px(CONSOLE_WIDTH), px(CONSOLE_HEIGHT))
    cell = max(1, int(CELL * unit + 0.01))
    bezel = px(BEZEL)
    side = SIZE * cell + 2 * bezel
    panels = {}
    glass_left = body.left + px(PADDING - 3) + px(NUMBERS)
    space = (body.height - 2 * (side + px(LETTERS))) / 3
    for index, grid in enumerate((Grid.TARGET, Grid.OCEAN)):
        glass_top = round(body.top + space * (index + 1) + index * (side + px(LETTERS))) + px(LETTERS)
        glass = Rect(glass_left, glass_top, side, side)
        title = Rect(glass.right + px(2), glass.top, px(TITLE), side)
        panels[grid] = PanelPlace(glass, glass.inflate(-2 * bezel, -2 * bezel), cell, title)
    column_left = panels[Grid.TARGET].title.right + px(8)
    column_width = body.right - px(PADDING + 2) - column_left
    column_top = panels[Grid.TARGET].glass.top - px(LETTERS) + px(3)
    column_bottom = panels[Grid.OCEAN].glass.bottom
    plate = Rect(column_left, column_top, column_width, px(PLATE))
    well = Rect(column_left, column_bottom - px(KEYPAD), column_width, px(KEYPAD))
    fleet = Rect(column_left, plate.bottom + px(12), column_width, well.top - plate.bottom - px(24))
    caption = Rect(body.left, body.bottom + px(7), body.width, px(CAPTION) + round(roomier))
    return ConsolePlace(body, panels, plate, fleet, well, _keys(well, px(8), px(CAP_GAP)), caption)


def _keys(well: Rect, edge: int, gap: int) -> dict[str, Rect]:
    width = (well.width - 2 * edge - 3 * gap) / 4
    height = (well.height - 2 * edge - 3 * gap) / 4
    return {
        key: Rect(
            round(well.left + edge + column * (width + gap)),
            round(well.top + edge + row * (height + gap)),
            int(width),
            int(height),
        )
        for row, keys in enumerate(KEYPAD_ROWS)
        for column, key in enumerate(keys)
    }
