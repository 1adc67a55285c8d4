"""The quick-start card: keys, lights and the rules in eight lines, at true size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiring.drawing.drawing import GREY, INK, Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.drawing.text import text_width
from wiring.plans.style import LINE, PALE
from wiring.players import BLINKS, KEYS, LIGHTS, RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 184.0, 148.0
"""In mm: as wide as an A4 page within its margins."""

EDGE_MM = 8.0
WIDE_ENOUGH = 10.0
"""Keys from this width on have room for words."""

COLUMN = 97.0
"""Where the right column begins."""


def quick_start_card(layout: Sequence[str]) -> Drawing:
    """Draw the card for a keypad with this layout (one text a row)."""
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
    _keys(drawing, layout, 21.0)
    _lights(drawing, 21.0)
    _rules(drawing, 99.0)
    return drawing


def _heading(drawing: Drawing, x: float, y: float, text: str) -> None:
    drawing.label(x, y, text, 4, bold=True)


def _keys(drawing: Drawing, layout: Sequence[str], top: float) -> None:
    _heading(drawing, EDGE_MM, top + 3, "Keys")
    columns, rows = len(layout[0]), len(layout)
    width, height = 44.0 / columns, 52.0 / rows
    for row, keys in enumerate(layout):
        for column, key in enumerate(keys):
            left, y = EDGE_MM + column * width, top + 6 + row * height
            drawing.block(
                Area(left + 0.4, y + 0.4, left + width - 0.4, y + height - 0.4), fill=PALE, pen=Pen(LINE, 0.2), radius=1
            )
            centre = left + width / 2
            drawing.label(centre, y + 4.8, key, 3.8, anchor="middle", bold=True)
            if width >= WIDE_ENOUGH:
                words = KEYS[key].cap
                size = 4 if len(words[0]) == 1 else 2.5
                first = y + (9.4 if len(words) == 1 else 8.1)
                for line, word in enumerate(words):
                    drawing.label(centre, first + line * 2.9, word, size, anchor="middle")
    x, y = EDGE_MM + 47, top + 9.0
    lines = (
        ("1 – 9", "move; held: repeats"),
        ("5 or #", "place, fire, yes"),
        ("0", "turn the ship"),
        ("A", "AUTO: a whole fleet"),
        ("B", "look back"),
        ("C", "pick up a ship"),
        ("D", "dial: D 2 7 is B7"),
        ("*", "back, no"),
        ("* held", "the menu"),
    )
    for name, meaning in lines:
        drawing.label(x, y, name, 2.7, bold=True)
        drawing.label(x + 11.5, y, meaning, 2.5)
        y += 5.6
    drawing.label(EDGE_MM, top + 64, "Menu: 1 rules, 2 opponent, 3 kingdom, 4 brightness, 5 sound,", 2.7)
    drawing.label(EDGE_MM, top + 68.4, "6 blinking, 7 take back, 8 leave, * close. Asked? # yes, * no.", 2.7)


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


def _rules(drawing: Drawing, top: float) -> None:
    _heading(drawing, EDGE_MM, top, "The rules in eight lines")
    for number, words in enumerate(RULES, start=1):
        y = top + 0.8 + number * 5
        drawing.label(EDGE_MM + 4, y, f"{number}.", 2.9, anchor="end", bold=True)
        drawing.label(EDGE_MM + 6, y, words, 2.9)
