from __future__ import annotations

from itertools import combinations

import pygame
from hypothesis import given
from hypothesis import strategies as st

from hardware.frame import SEATS, SIZE, Grid, PanelId
from hardware.keys import KEYS
from hardware.simulator.layout import Layout, OnKey, OnSquare, layout_for

sizes = st.tuples(st.integers(500, 2600), st.integers(300, 1600))


def parts(layout: Layout) -> list[pygame.Rect]:
    boxes = [layout.footer]
    for console in layout.consoles:
        boxes += [console.plate, console.fleet, console.caption]
        boxes += [layout.cap_room(cap) for cap in console.keys.values()]
        boxes += [panel.glass for panel in console.panels.values()]
    return boxes


@given(sizes)
def test_nothing_overlaps_and_nothing_lies_outside(size: tuple[int, int]) -> None:
    layout = layout_for(size)
    window = pygame.Rect((0, 0), size)
    for box in parts(layout):
        assert window.contains(box)
    for one, other in combinations(parts(layout), 2):
        assert not one.colliderect(other)


@given(sizes)
def test_every_square_and_cap_is_found_under_the_pointer(size: tuple[int, int]) -> None:
    layout = layout_for(size)
    for seat, console in zip(SEATS, layout.consoles, strict=True):
        for key in KEYS:
            assert layout.at(console.keys[key].center) == OnKey(seat, key)
        for grid in Grid:
            place = console.panels[grid]
            for row in range(SIZE):
                for column in range(SIZE):
                    square = place.square(row, column)
                    for point in (square.center, square.topleft, (square.right - 1, square.bottom - 1)):
                        assert layout.at(point) == OnSquare(PanelId(seat, grid), row, column)


@given(sizes)
def test_everything_scales_with_the_window(size: tuple[int, int]) -> None:
    layout = layout_for(size)
    share = min(size[0] / 1280, size[1] / 720)
    for console, usual in zip(layout.consoles, layout_for((1280, 720)).consoles, strict=True):
        assert abs(console.body.width - usual.body.width * share) <= 1
        glass, usual_glass = console.panels[Grid.TARGET].glass, usual.panels[Grid.TARGET].glass
        assert usual_glass.width * share * 0.9 <= glass.width + 1 <= usual_glass.width * share + 3


def test_the_table_and_bare_wood_are_nothing() -> None:
    layout = layout_for((1280, 720))
    assert layout.at((2, 2)) is None
    assert layout.at(layout.consoles[0].plate.center) is None
