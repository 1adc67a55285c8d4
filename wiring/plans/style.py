"""Colours and pens that all plans share. The colours are those of Okabe and Ito, which colour-blind people can tell
apart; none of them is ever the only cue."""

from __future__ import annotations

from wiring.drawing.drawing import INK, Pen

ORANGE = "#d55e00"
AMBER = "#e69f00"
BLUE = "#0072b2"
SKY = "#56b4e9"
GREEN = "#009e73"
YELLOW = "#f0e442"
PINK = "#cc79a7"
SEAT_TINTS = {1: "#eef5fb", 2: "#fcf3ec"}
PALE = "#f4f4f4"
LINE = "#9a9a9a"

SUPPLY_TRUNK = Pen(ORANGE, 7)
SUPPLY = Pen(ORANGE, 4.5)
SUPPLY_THIN = Pen(ORANGE, 2.5)
GROUND_TRUNK = Pen(INK, 7)
GROUND = Pen(INK, 4.5)
GROUND_THIN = Pen(INK, 2.5)
DATA = Pen(GREEN, 2.5, (9, 4))
POINTER = Pen(LINE, 1.2)
EDGE = Pen(INK, 1.8)
THIN_EDGE = Pen(LINE, 1)
