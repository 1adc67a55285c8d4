"""One panel's data path: where its first LED is and how the chain runs, from the front and from the back."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hardware.layout import wire_order
from wiring.drawing.drawing import GREY, INK, PAPER, Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.plans.style import EDGE, GREEN, PALE

if TYPE_CHECKING:
    from hardware.kit import PanelSpec

CELL = 44
SIDE = 10 * CELL
TOP = 124
FRONT_X = 70
BACK_X = FRONT_X + SIDE + 110
WIDTH = BACK_X + SIDE + 50
RADIUS = 15
PATH = Pen(GREEN, 3)


def panel_path(panel: PanelSpec, names: str) -> Drawing:
    """Draw the data path of a panel; `names` says which panels of the kit are wired like this."""
    drawing = Drawing(
        title=f"Data path of {names}",
        description=(
            f"The chain enters at the {_corner(panel)} corner seen from the front and runs on from LED 1 to LED 100; "
            "beside it the same panel from the back, where left and right change places."
        ),
        width=WIDTH,
        height=TOP + SIDE + 76,
    )
    drawing.label(WIDTH / 2, 36, drawing.title, 21, anchor="middle", bold=True)
    _view(drawing, panel, FRONT_X, "From the front, as the players see it", mirrored=False)
    _view(drawing, panel, BACK_X, "From the back, as you solder it", mirrored=True)
    text = "Black: LED 1, where DIN is. Double ring: LED 100, where DOUT is. The numbers count along the wire."
    drawing.label(WIDTH / 2, TOP + SIDE + 54, text, 13.5, anchor="middle")
    return drawing


def _corner(panel: PanelSpec) -> str:
    row, column = divmod(int(wire_order(panel)[0]), 10)
    return f"{'top' if row < 5 else 'bottom'} {'left' if column < 5 else 'right'}"


def _view(drawing: Drawing, panel: PanelSpec, left: float, heading: str, *, mirrored: bool) -> None:
    drawing.label(left + SIDE / 2, 74, heading, 15, anchor="middle", bold=True)
    drawing.block(Area(left, TOP, left + SIDE, TOP + SIDE), fill=PALE, pen=EDGE, radius=6, solid=False)
    for index in range(10):
        letter = "ABCDEFGHIJ"[9 - index if mirrored else index]
        drawing.label(left + (index + 0.5) * CELL, TOP - 10, letter, 13, anchor="middle", colour=GREY)
        drawing.label(left - 8, TOP + (index + 0.5) * CELL + 5, str(index + 1), 13, anchor="end", colour=GREY)
    centres = []
    for square in wire_order(panel).tolist():
        row, column = divmod(square, 10)
        centres.append((left + ((9 - column if mirrored else column) + 0.5) * CELL, TOP + (row + 0.5) * CELL))
    for (x1, y1), (x2, y2) in pairwise(centres):
        if abs(x1 - x2) + abs(y1 - y2) <= CELL * 1.5:
            drawing.wire(_between((x1, y1), (x2, y2)), "", PATH)
        else:
            _jump(drawing, (x1, y1), (x2, y2))
    for number, (x, y) in enumerate(centres, start=1):
        first, last = number == 1, number == len(centres)
        drawing.disc(x, y, RADIUS, fill=INK if first else PAPER, pen=Pen(INK if first or last else GREEN, 1.6))
        if last:
            drawing.disc(x, y, RADIUS - 3, pen=Pen(INK, 1.2))
        size = 12.5 if number < 100 else 9.5
        ink = PAPER if first else INK
        drawing.label(x, y + 4, str(number), size, anchor="middle", bold=first or last, colour=ink)


def _between(start: tuple[float, float], end: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the line from the edge of one LED to the edge of the next, along a row or a column."""
    (x1, y1), (x2, y2) = start, end
    dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    return (x1 + dx * RADIUS, y1 + dy * RADIUS), (x2 - dx * RADIUS, y2 - dy * RADIUS)


def _jump(drawing: Drawing, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw the way back to the next run of a panel that is not serpentine: between the rows or columns of LEDs."""
    (x1, y1), (x2, y2) = start, end
    if abs(x1 - x2) > abs(y1 - y2):
        y = (y1 + y2) / 2
        points = ((x1, y1 + _towards(y1, y) * RADIUS), (x1, y), (x2, y), (x2, y2 + _towards(y2, y) * RADIUS))
    else:
        x = (x1 + x2) / 2
        points = ((x1 + _towards(x1, x) * RADIUS, y1), (x, y1), (x, y2), (x2 + _towards(x2, x) * RADIUS, y2))
    drawing.wire(points, "", Pen(GREEN, 1.6, (5, 3)))


def _towards(start: float, end: float) -> int:
    return 1 if end > start else -1
