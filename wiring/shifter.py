"""The level shifter: a 74AHCT125 in its 14-pin housing, and which pin of it each wire goes to.

Source of the pin numbers: the 74AHCT125 data sheets (Nexperia, Texas Instruments), which agree.
"""

from __future__ import annotations

from typing import NamedTuple

SHIFTER = "74AHCT125"
VCC = 14
GROUND = 7


class Gate(NamedTuple):
    """One of the four drivers: its enable pin (low = on), its input and its output."""

    enable: int
    input: int
    output: int


GATES = (Gate(1, 2, 3), Gate(4, 5, 6), Gate(10, 9, 8), Gate(13, 12, 11))
