"""The finished board on a screen: two consoles on a dark table, drawn with pygame."""

from __future__ import annotations

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from hardware.simulator.board import SimulatorBoard
from hardware.simulator.picture import render, save

__all__ = ["SimulatorBoard", "render", "save"]
