"""Every way that a panel can be wired and mounted gives a bijection, and the right one."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.kit import Along, Corner, PanelGrid, PanelSpec
from hardware.layout import chain_index, led_numbers, wire_order

if TYPE_CHECKING:
    from collections.abc import Iterator

CORNERS: tuple[Corner, ...] = get_args(Corner)
ALONG: tuple[Along, ...] = get_args(Along)
ROTATIONS = (0, 90, 180, 270)

SPECS = [
    PanelSpec(seat=1, grid=PanelGrid.OCEAN, first=first, along=along, serpentine=serpentine, rotation=rotation)
    for first, along, serpentine, rotation in product(CORNERS, ALONG, (False, True), ROTATIONS)
]


def walked(spec: PanelSpec) -> Iterator[tuple[int, int]]:
    """Yield the squares of an unrotated panel by walking from LED to LED, one step at a time."""
    row = 0 if spec.first.startswith("top") else 9
    column = 0 if spec.first.endswith("left") else 9
    down = 1 if row == 0 else -1
    right = 1 if column == 0 else -1
    for _run in range(10):
        start = (row, column)
        for step in range(10):
            yield row, column
            if step < 9 and spec.along == "rows":
                column += right
            elif step < 9:
                row += down
        if spec.serpentine and spec.along == "rows":
            right, row = -right, row + down
        elif spec.serpentine:
            down, column = -down, column + right
        elif spec.along == "rows":
            row, column = start[0] + down, start[1]
        else:
            row, column = start[0], start[1] + right


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{spec.first}-{spec.along}-{spec.serpentine}-{spec.rotation}")
def test_a_layout_is_the_walk_from_led_to_led_turned_as_the_panel_was(spec: PanelSpec) -> None:
    labels = np.zeros((10, 10), dtype=int)
    for led, square in enumerate(walked(spec)):
        labels[square] = led
    seen = np.rot90(labels, -spec.rotation // 90)
    assert np.array_equal(led_numbers(spec), seen)


@given(st.sampled_from(SPECS))
def test_every_layout_is_a_bijection(spec: PanelSpec) -> None:
    assert sorted(wire_order(spec).tolist()) == list(range(100))
    assert led_numbers(spec).ravel()[wire_order(spec)].tolist() == list(range(100))


def test_all_layouts_differ_except_for_a_turned_panel_that_could_be_described_otherwise() -> None:
    assert len({tuple(wire_order(spec)) for spec in SPECS}) == len(SPECS) // 4


def test_a_panel_turned_clockwise_has_its_first_led_at_the_top_right() -> None:
    assert wire_order(PanelSpec(seat=1, grid=PanelGrid.OCEAN, rotation=90))[0] == 9


@given(
    st.lists(st.sampled_from(SPECS), min_size=1, max_size=4),
    st.integers(0, 3),
    st.permutations("RGB").map("".join) | st.permutations("RGBW").map("".join),
)
def test_a_chain_takes_each_channel_of_each_of_its_leds_once(panels: list[PanelSpec], first: int, order: str) -> None:
    channels = len(order)
    index = chain_index(panels, first, order, channels)
    assert sorted(index.tolist()) == list(range(first * 100 * channels, (first + len(panels)) * 100 * channels))
    assert "".join("RGBW"[number % channels] for number in index[:channels].tolist()) == order


def test_a_three_colour_chain_beside_a_four_colour_one_leaves_white_out() -> None:
    index = chain_index([SPECS[0]], 1, "GRB", 4)
    assert len(index) == 300
    assert set((index % 4).tolist()) == {0, 1, 2}
