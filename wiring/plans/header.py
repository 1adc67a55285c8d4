"""The header map: every pin of a board, with what is connected to it at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wiring.drawing.drawing import GREY, INK, PAPER, Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.pins import Use
from wiring.plans.style import AMBER, BLUE, GREEN, LINE, ORANGE, PALE, PINK, SKY, YELLOW

if TYPE_CHECKING:
    from wiring.drawing.drawing import Anchor
    from wiring.pins import HeaderUse, PinUse

PITCH = 38
TOP = 118
WIDTH = 1120
MIDDLE = WIDTH / 2
RADIUS = 13.5

WORDS = {
    Use.DATA: "LED data",
    Use.ROW: "keypad row",
    Use.COLUMN: "keypad column",
    Use.BUZZER: "buzzer",
    Use.BUTTON: "power button",
}

FILLS = {
    Use.DATA: (GREEN, PAPER),
    Use.ROW: (BLUE, PAPER),
    Use.COLUMN: (SKY, INK),
    Use.BUZZER: (PINK, INK),
    Use.BUTTON: (YELLOW, INK),
}
MARK_FILLS = {"0V": ("#222222", PAPER), "+5": (ORANGE, PAPER), "3V": (AMBER, INK), "X": ("#bdbdbd", INK)}


class _Place(NamedTuple):
    """Where one pin is drawn: its centre and which way its words run (-1 left, 1 right)."""

    x: float
    y: float
    side: int


def header_map(board: HeaderUse) -> Drawing:
    """Draw a board's header, seen from above, with every pin's number, name and use."""
    bottom = TOP + 20 * PITCH
    used = sum(pin.use not in {Use.NONE} for pin in board.pins)
    drawing = Drawing(
        title=f"{board.board}: where every wire goes",
        description=f"All 40 pins of the header seen from above; {used} of them get a wire.",
        width=WIDTH,
        height=bottom + 112,
    )
    drawing.label(MIDDLE, 34, drawing.title, 21, anchor="middle", bold=True)
    how = "USB socket at the top" if board.is_pico else "SD card at the top, the header along the right edge"
    drawing.label(MIDDLE, 62, f"Seen from above, parts side up: {how}", 14, anchor="middle", colour=GREY)
    _body(drawing, board, bottom)
    for use in board.pins:
        _pin(drawing, use, _place(use.pin.number, board.is_pico), board.is_pico)
    _key(drawing, board, bottom + 50)
    return drawing


def _place(number: int, is_pico: bool) -> _Place:
    if not is_pico:
        side = -1 if number % 2 else 1
        return _Place(MIDDLE + side * 21, TOP + ((number - 1) // 2 + 0.5) * PITCH, side)
    left = number <= 20
    row = number - 1 if left else 40 - number
    return _Place(MIDDLE + (-62 if left else 62), TOP + (row + 0.5) * PITCH, -1 if left else 1)


def _body(drawing: Drawing, board: HeaderUse, bottom: float) -> None:
    half = 84 if board.is_pico else 45
    body = Area(MIDDLE - half, TOP - 6, MIDDLE + half, bottom + 6)
    drawing.block(body, fill="#e7f2ea" if board.is_pico else "#3a3a3a", pen=Pen(INK, 1.5), radius=8)
    if board.is_pico:
        drawing.block(Area(MIDDLE - 26, TOP - 20, MIDDLE + 26, TOP + 28), fill="#d0d0d0", radius=3)
        drawing.label(MIDDLE, TOP + 9, "USB", 14, anchor="middle", bold=True)
        drawing.block(Area(MIDDLE - 30, TOP + 340, MIDDLE + 30, TOP + 400), fill="#333333", radius=2)
        drawing.label(MIDDLE, TOP + 375, "RP2040", 12, anchor="middle", colour=PAPER)
    else:
        drawing.label(MIDDLE, TOP - 16, "SD card end", 12, anchor="middle", colour=GREY)
        drawing.label(MIDDLE, bottom + 24, "other end", 12, anchor="middle", colour=GREY)


def _pin(drawing: Drawing, use: PinUse, place: _Place, is_pico: bool) -> None:
    fill, ink = FILLS.get(use.use) or MARK_FILLS.get(use.mark, (PAPER, INK))
    x, y, side = place
    anchor: Anchor = "end" if side < 0 else "start"
    inner: Anchor = "start" if side < 0 else "end"
    baseline = y + 5
    edge = MIDDLE + side * (84 if is_pico else 45)
    wired = use.use is not Use.NONE
    if use.pin.number == 1:
        # The square pin of every header: soldered with a square pad on the board.
        drawing.block(Area(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS), fill=fill, pen=Pen(INK, 1.2))
    else:
        drawing.disc(x, y, RADIUS, fill=fill)
    drawing.label(x, y + 4.2, use.mark, 11.5, anchor="middle", bold=True, colour=ink)
    drawing.label(edge + side * 34, baseline, str(use.pin.number), 15, anchor=inner, bold=wired)
    if use.pin.gpio is not None:
        drawing.label(edge + side * 48, baseline, use.pin.name, 14, anchor=anchor, colour=INK if wired else GREY)
    if wired:
        colour = INK if use.use is Use.GROUND else fill
        start, end = edge + side * 124, edge + side * 172
        # Seat 2's wires are dashed, so that the two seats differ by more than their number.
        dashes = (15, 4) if use.seat == 2 else ()
        drawing.wire(((start, y), (end, y)), "", Pen(colour, 2.5 if use.use is Use.GROUND else 4, dashes))
    drawing.label(edge + side * 182, baseline, use.label, 15, anchor=anchor, bold=wired, colour=INK if wired else GREY)


def _key(drawing: Drawing, board: HeaderUse, y: float) -> None:
    marks = [f"{use} = {WORDS[use]}" for use in WORDS if board.with_use(use)]

    rest = "0V = ground, +5 = 5 V, 3V = 3.3 V, X = leave empty, no letter = free. Square: pin 1. Dashed line: seat 2."
    drawing.block(Area(110, y - 6, WIDTH - 110, y + 48), fill=PALE, pen=Pen(LINE, 1), radius=6)
    drawing.label(MIDDLE, y + 15, "Letter in the pin: " + ", ".join(marks) + ".", 13.5, anchor="middle")
    drawing.label(MIDDLE, y + 36, rest, 13.5, anchor="middle")
