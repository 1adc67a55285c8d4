"""Marks stay apart for every player's eyes: at least 28 in CAM02-UCS, colour vision deficiencies simulated in full."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from colorspacious import cspace_convert
from numpy.typing import NDArray

from companion.table import marks
from companion.table.theme import THEMES

APART = 28

VISIONS = [None, "protanomaly", "deuteranomaly", "tritanomaly"]


def appearance(lights: NDArray[np.float64], vision: str | None) -> NDArray[np.float64]:
    """CAM02-UCS coordinates of linear LED values 0…255 (Machado et al. 2009 at severity 100; sRGB viewing)."""
    srgb = cspace_convert(lights / 255, "sRGB1-linear", "sRGB1")
    if vision is not None:
        simulated = {"name": "sRGB1+CVD", "cvd_type": vision, "severity": 100}
        srgb = np.clip(cspace_convert(srgb, simulated, "sRGB1"), 0, 1)
    return np.asarray(cspace_convert(srgb, "sRGB1", "CAM02-UCS"))


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("kingdom", list(THEMES))
def test_marks_are_far_apart_in_both_kingdoms(kingdom: str, vision: str | None) -> None:
    theme = THEMES[kingdom]
    lights = {
        "water": theme.light(marks.WATER),
        "ship": theme.light(marks.SHIP),
        "miss": theme.light(marks.MISS),
        "hit": theme.light(marks.HIT),
        "sunk": theme.light(marks.SUNK),
        "cursor": theme.cursor,
    }
    places = dict(zip(lights, appearance(np.array(list(lights.values()), float), vision), strict=True))
    for one, other in combinations(places, 2):
        assert np.linalg.norm(places[one] - places[other]) >= APART, (one, other)


def test_the_measure_finds_what_is_known_to_be_too_close() -> None:
    """The usual green ship and red hit fall to 12."""
    ship, hit = appearance(np.array([(0, 100, 0), (200, 0, 0)], float), "deuteranomaly")
    assert np.linalg.norm(ship - hit) < APART


def test_hit_miss_and_sunk_are_the_same_in_both_kingdoms() -> None:
    for mark in (marks.WATER, marks.MISS, marks.HIT, marks.SUNK, marks.OPEN_WATER):
        assert THEMES["diamonds"].light(mark) == THEMES["clubs"].light(mark)
    assert THEMES["diamonds"].ship != THEMES["clubs"].ship
    assert THEMES["diamonds"].victory != THEMES["clubs"].victory


def test_no_mark_lights_a_panel_white() -> None:
    for theme in THEMES.values():
        assert all(sum(theme.light(mark)) < 3 * 128 for mark in marks.MARKS)
