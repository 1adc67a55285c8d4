"""The quick-start card: keys, lights and the rules in eight lines, at true size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiring.drawing.drawing import GREY, INK, Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.drawing.text import text_width
from wiring.plans.keypad import NUMBER_PAD, NUMBER_PAD_DIGITS, PadKey
from wiring.plans.style import LINE, PALE
from wiring.players import BLINKS, KEYS, LIGHTS, RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 184.0, 148.0
"""In mm: as wide as an A4 page within its margins."""

EDGE_MM = 8.0
WIDE_ENOUGH = 10.0
"""Keys from this width on have room for words."""

LOW_ROW = 12.0
"""Rows of less than this height hold their words closer together."""

COLUMN = 97.0
"""Where the right column begins."""


def quick_start_card(layout: Sequence[str] | None) -> Drawing:
    """Draw the card for a keypad with this layout (one text a row), or with None for a USB number pad."""
    drawing = Drawing(
        title="Broadside: quick start",
        description="What the keys do, what the lights mean, and the rules in eight lines.",
        width=WIDTH,
        height=HEIGHT,
        unit="mm",
    )
    drawing.block(Area(2, 2, WIDTH - 2, HEIGHT - 2), pen=Pen(INK, 0.4, (2, 1.4)), radius=3)
    drawing.label(EDGE_MM, 14, "Broadside", 7, bold=True)
    drawing.label(WIDTH - EDGE_MM, 14, "quick start: keep me in the box", 3.4, anchor="end", colour=GREY)
    pad = NUMBER_PAD if layout is None else _matrix(layout)
    _keys(drawing, pad, 21.0)
    _lights(drawing, 21.0)
    _rules(drawing, pad, 99.0)
    return drawing


def _heading(drawing: Drawing, x: float, y: float, text: str) -> None:
    drawing.label(x, y, text, 4, bold=True)


def _matrix(layout: Sequence[str]) -> tuple[PadKey, ...]:
    return tuple(
        PadKey(key, key, column, row, 1, 1) for row, keys in enumerate(layout) for column, key in enumerate(keys)
    )


def _printed(pad: Sequence[PadKey]) -> dict[str, str]:
    """Return what is printed on each key."""
    return {key.key: key.printed for key in pad}


def _keys(drawing: Drawing, pad: Sequence[PadKey], top: float) -> None:
    _heading(drawing, EDGE_MM, top + 3, "Keys")
    width = 44.0 / max(key.column + key.wide for key in pad)
    height = 52.0 / max(key.row + key.high for key in pad)
    for printed, key, column, row, wide, high in pad:
        left, y = EDGE_MM + column * width, top + 6 + row * height
        area = Area(left, y, left + wide * width, y + high * height)
        drawing.block(area.grown(-0.4), fill=PALE, pen=Pen(LINE, 0.2), radius=1)
        centre = (area.left + area.right) / 2
        y += (high - 1) * height / 2
        # Below what is printed, what it does; closer together where the rows are low.
        below = 4.8 if height > LOW_ROW else 3.8
        drawing.label(centre, y + below, printed, 3.6 if len(printed) == 1 else 2.5, anchor="middle", bold=True)
        if width >= WIDE_ENOUGH:
            words = KEYS[key].cap
            size, pitch = (4.0 if len(words[0]) == 1 else 2.5, 2.9) if height > LOW_ROW else (2.4, 2.45)
            first = y + below + (4.6 if len(words) == 1 else 3.3 if height > LOW_ROW else 2.9)
            for line, word in enumerate(words):
                drawing.label(centre, first + line * pitch, word, size, anchor="middle")
    on = _printed(pad)
    x, y = EDGE_MM + 47, top + 9.0
    lines = (
        ("1 – 9", "move; held: repeats"),
        (f"5, {on['#']}", "place, fire, yes"),
        ("0", "turn the ship"),
        (on["A"], "AUTO: a whole fleet"),
        (on["B"], "look back"),
        (on["C"], "pick up a ship"),
        (on["D"], f"dial: {on['D']} 2 7 is B7"),
        (on["*"], "back, no"),
        (f"{on['*']} held", "the menu"),
    )
    for name, meaning in lines:
        drawing.label(x, y, name, 2.7, bold=True)
        drawing.label(x + 13.5, y, meaning, 2.4)
        y += 5.6
    if pad is NUMBER_PAD:
        drawing.label(EDGE_MM, top + 61.6, NUMBER_PAD_DIGITS, 2.2, bold=True)
    drawing.label(EDGE_MM, top + 66, "Menu: 1 rules, 2 opponent, 3 kingdom, 4 brightness, 5 sound,", 2.7)
    last = f"6 blinking, 7 take back, 8 leave, * close. Asked? {on['#']} yes, * no."
    drawing.label(EDGE_MM, top + 70.4, last, 2.6)


def _lights(drawing: Drawing, top: float) -> None:
    _heading(drawing, COLUMN + 2, top + 3, "Lights")
    y = top + 9.0
    for light in LIGHTS:
        drawing.disc(COLUMN + 4.5, y - 1, 2.2, fill=light.colour, pen=Pen(INK, 0.2))
        drawing.label(COLUMN + 9, y, light.name, 2.7, bold=True)
        drawing.label(COLUMN + 9 + text_width(light.name, 2.7, bold=True) + 1.5, y, light.meaning, 2.6)
        y += 5.4
    y += 1.5
    for words in BLINKS:
        drawing.label(COLUMN + 2.4, y, words, 2.6)
        y += 4.7


def _rules(drawing: Drawing, pad: Sequence[PadKey], top: float) -> None:
    on = _printed(pad)
    _heading(drawing, EDGE_MM, top, "The rules in eight lines")
    for number, words in enumerate(RULES, start=1):
        y = top + 0.8 + number * 5
        on_pad = words.replace("press A ", f"press {on['A']} ").replace("#", on["#"])
        drawing.label(EDGE_MM + 4, y, f"{number}.", 2.9, anchor="end", bold=True)
        drawing.label(EDGE_MM + 6, y, on_pad, 2.9)
