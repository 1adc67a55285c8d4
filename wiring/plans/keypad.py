"""A matrix keypad: its ribbon to the header pins, and an overlay for its keys to print at true size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wiring.drawing.drawing import GREY, INK, Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.plans.style import BLUE, EDGE, LINE, PALE, SKY, THIN_EDGE
from wiring.players import KEYS

if TYPE_CHECKING:
    from hardware.kit import Keypad
    from wiring.pins import HeaderUse

WIDTH = 1060
KEY = 60
PAD_LEFT = 620
PAD_TOP = 88
STEP = 31
ROW_PEN = Pen(BLUE, 3)
COLUMN_PEN = Pen(SKY, 3, (10, 4))

CELL_MM = (15.0, 17.0)
MARGIN_MM = (4.5, 4.5)
"""A membrane keypad of 4 × 4 keys measures 69 × 77 mm outside (Parallax 27899: 6.9 × 7.6 cm): four cells and a margin
each way. Others differ, so the guide has the maker measure first."""


def ribbon(keypad: Keypad, board: HeaderUse) -> Drawing:
    """Draw a keypad from the front with its ribbon and the header pin of each wire."""
    columns, rows = len(keypad.columns), len(keypad.rows)
    pad = Area(PAD_LEFT, PAD_TOP, PAD_LEFT + columns * KEY + 20, PAD_TOP + rows * KEY + 20)
    wires = [(f"row {number}", gpio, ROW_PEN) for number, gpio in enumerate(keypad.rows, start=1)]
    wires += [(f"column {number}", gpio, COLUMN_PEN) for number, gpio in enumerate(keypad.columns, start=1)]
    first_y = pad.bottom + 50
    drawing = Drawing(
        title=f"Keypad of seat {keypad.seat}: ribbon to header",
        description="The keypad from the front, ribbon at the bottom; each of its wires with its header pin.",
        width=max(WIDTH, pad.right + 60),
        height=first_y + len(wires) * STEP + 24,
    )
    drawing.label(drawing.width / 2, 36, drawing.title, 21, anchor="middle", bold=True)
    drawing.block(pad, fill=PALE, pen=EDGE, radius=8)
    for row, keys in enumerate(keypad.layout):
        for column, key in enumerate(keys):
            left, top = pad.left + 10 + column * KEY, pad.top + 10 + row * KEY
            drawing.block(Area(left + 5, top + 5, left + KEY - 5, top + KEY - 5), pen=THIN_EDGE, radius=5)
            drawing.label(left + KEY / 2, top + KEY / 2 + 9, key, 20, anchor="middle", bold=True)
        drawing.label(
            pad.left - 12, pad.top + 10 + (row + 0.5) * KEY + 5, f"row {row + 1}", 13, anchor="end", colour=GREY
        )
    for column in range(columns):
        x = pad.left + 10 + (column + 0.5) * KEY
        drawing.label(x, pad.top - 10, f"column {column + 1}", 11, anchor="middle", colour=GREY)
    pitch = min(28.0, (pad.right - pad.left - 60) / max(len(wires) - 1, 1))
    first_x = (pad.left + pad.right) / 2 - pitch * (len(wires) - 1) / 2
    drawing.label(first_x - 10, pad.bottom + 22, "1", 13, anchor="end", bold=True)
    drawing.label(first_x + pitch * (len(wires) - 1) + 10, pad.bottom + 22, str(len(wires)), 13, bold=True)
    for index, (name, gpio, pen) in enumerate(wires):
        x, y = first_x + index * pitch, first_y + index * STEP
        drawing.wire(((x, pad.bottom), (x, y), (560, y)), name, pen)
        drawing.label(545, y + 5, f"wire {index + 1}, {name}   →   {board.place(gpio)}", 15, anchor="end", bold=True)
    drawing.label(60, PAD_TOP + 20, "Seen from the front, ribbon at the bottom.", 14)
    drawing.label(60, PAD_TOP + 44, "Solid, dark: rows. Dashed, light: columns.", 14)
    drawing.label(60, PAD_TOP + 68, "No resistor, no ground, no 3.3 V: a keypad", 14)
    drawing.label(60, PAD_TOP + 88, "is wires and contacts alone.", 14)
    drawing.label(60, PAD_TOP + 124, "Other order on your ribbon? Hold a key down and", 14)
    drawing.label(60, PAD_TOP + 144, "find the two wires that beep on the meter:", 14)
    drawing.label(60, PAD_TOP + 164, "they are that key's row and column.", 14)
    return drawing


def overlay(keypad: Keypad) -> Drawing:
    """Draw what each key does, in mm, to print at 100 %, cut out and lay over or beside the keys."""
    columns, rows = len(keypad.layout[0]), len(keypad.layout)
    width, height = columns * CELL_MM[0] + 2 * MARGIN_MM[0], rows * CELL_MM[1] + 2 * MARGIN_MM[1]
    left, top = 6.0, 6.0
    drawing = Drawing(
        title=f"Keypad overlay, seat {keypad.seat}",
        description="What each key does, at true size.",
        width=max(width, 56) + 12,
        height=height + 24,
        unit="mm",
    )
    drawing.block(Area(left, top, left + width, top + height), pen=Pen(INK, 0.3, (1.5, 1)), radius=2)
    for row, keys in enumerate(keypad.layout):
        for column, key in enumerate(keys):
            x, y = left + MARGIN_MM[0] + column * CELL_MM[0], top + MARGIN_MM[1] + row * CELL_MM[1]
            drawing.block(
                Area(x + 0.6, y + 0.6, x + CELL_MM[0] - 0.6, y + CELL_MM[1] - 0.6), pen=Pen(LINE, 0.2), radius=1.5
            )
            _cap(drawing, x + CELL_MM[0] / 2, y, key, key)
    _ruler(drawing, left, top + height + 7)
    return drawing


def _cap(drawing: Drawing, centre: float, y: float, printed: str, key: str) -> None:
    """Write what is printed on a key, and below it what the key does."""
    drawing.label(centre, y + 6.2, printed, 5 if len(printed) == 1 else 3.4, anchor="middle", bold=True)
    words = KEYS[key].cap
    size = 5.5 if len(words[0]) == 1 else 3
    for line, word in enumerate(words):
        drawing.label(centre, y + (12.4 if len(words) == 1 else 10.8) + line * 3.6, word, size, anchor="middle")


def _ruler(drawing: Drawing, left: float, y: float) -> None:
    drawing.wire(((left, y), (left + 50, y)), "", Pen(INK, 0.3))
    for mark in range(6):
        drawing.wire(((left + 10 * mark, y - 1.5), (left + 10 * mark, y + 1.5)), "", Pen(INK, 0.3))
    drawing.label(left, y + 6, "This line is 50 mm long: print at 100 %.", 2.6)


class PadKey(NamedTuple):
    """One key of a pad: what is printed on it, which of our keys it is, its place and its size in keys."""

    printed: str
    key: str
    column: int
    row: int
    wide: int
    high: int


NUMBER_PAD = (
    PadKey("/", "A", 1, 0, 1, 1),
    PadKey("*", "*", 2, 0, 1, 1),
    PadKey("−", "B", 3, 0, 1, 1),
    PadKey("7", "7", 0, 1, 1, 1),
    PadKey("8", "8", 1, 1, 1, 1),
    PadKey("9", "9", 2, 1, 1, 1),
    PadKey("+", "C", 3, 1, 1, 2),
    PadKey("4", "4", 0, 2, 1, 1),
    PadKey("5", "5", 1, 2, 1, 1),
    PadKey("6", "6", 2, 2, 1, 1),
    PadKey("1", "1", 0, 3, 1, 1),
    PadKey("2", "2", 1, 3, 1, 1),
    PadKey("3", "3", 2, 3, 1, 1),
    PadKey("Enter", "#", 3, 3, 1, 2),
    PadKey("0", "0", 0, 4, 2, 1),
    PadKey(".", "D", 2, 4, 1, 1),
)
"""A USB number pad with 17 keys; which of our keys each one is, the evdev driver says."""

NUMBER_PAD_WORDS = ("The digits count as printed:", "8, at the top, moves down, and 2 moves up.")
NUMBER_PAD_DIGITS = " ".join(NUMBER_PAD_WORDS)
"""What surprises whoever knows the arrows of a number pad."""

NUMBER_PAD_PITCH_MM = 19.05
"""The pitch of full-size keys: three quarters of an inch, which nearly all makers keep to."""


def number_pad_overlay(seat: int) -> Drawing:
    """Draw what each key of a USB number pad does, in mm, to print at 100 % and lay beside the pad."""
    pitch, left, top = NUMBER_PAD_PITCH_MM, 6.0, 6.0
    width, height = 4 * pitch + 4, 5 * pitch + 4
    drawing = Drawing(
        title=f"Number pad overlay, seat {seat}",
        description=f"What each key of the USB number pad does, at true size. {NUMBER_PAD_DIGITS}",
        width=width + 12,
        height=height + 32,
        unit="mm",
    )
    drawing.block(Area(left, top, left + width, top + height), pen=Pen(INK, 0.3, (1.5, 1)), radius=2)
    for printed, key, column, row, wide, high in NUMBER_PAD:
        x, y = left + 2 + column * pitch, top + 2 + row * pitch
        drawing.block(Area(x, y, x + wide * pitch, y + high * pitch).grown(-0.7), pen=Pen(LINE, 0.2), radius=1.5)
        _cap(drawing, x + wide * pitch / 2, y + (high - 1) * pitch / 2 + 1.6, printed, key)
    for line, words in enumerate(NUMBER_PAD_WORDS):
        drawing.label(left, top + height + 4.8 + 3.8 * line, words, 2.8, bold=True)
    _ruler(drawing, left, top + height + 15)
    return drawing
