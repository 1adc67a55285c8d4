"""Pictures become wire bytes: within every budget, black stays black, hues stay, every square finds its LED."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from hardware.frame import SIZE, Console, Grid, Panel, Picture
from hardware.layout import wire_order
from hardware.lighting import Lighting, estimate
from tests.hardware.kits import SHIPPED, changed, shipped

if TYPE_CHECKING:
    from hardware.frame import Frame
    from hardware.kit import Kit

KITS = {
    **{name: shipped(name) for name in SHIPPED},
    "tight": changed(
        "full", ("budget_ma = 8000", "budget_ma = 1200"), ("panel_budget_ma = 4000", "panel_budget_ma = 400")
    ),
    "free": changed(
        "full",
        ("panel_budget_ma = 4000", "panel_budget_ma = 32000"),
        ("supply_ma = 10000", "supply_ma = 100000"),
        ("budget_ma = 8000", "budget_ma = 32000"),
    ),
    "rgbw": changed("full", ('order = "GRB"', 'order = "GRBW"'), ("panel_budget_ma = 4000", "panel_budget_ma = 3000")),
    "mixed": changed(
        "full",
        ('pin = 18 # header pin 12\norder = "GRB"', 'pin = 18\norder = "WBGR"'),
        ("brightness = 1.0", "brightness = 0.5"),
    ),
    "wrong way round": changed(
        "full", ('first = "top left", along = "rows"', 'first = "bottom right", along = "columns", rotation = 270')
    ),
}
LIGHTING = {name: Lighting(kit) for name, kit in KITS.items()}

frames = npst.arrays(np.uint8, (SIZE, SIZE, 3)) | st.integers(0, 255).map(
    lambda value: np.full((SIZE, SIZE, 3), value, dtype=np.uint8)
)
colours = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))


def panel(frame: Frame | None) -> Panel:
    return Panel(("." * SIZE,) * SIZE, frame=frame)


def picture(
    *four: Frame | None, focus: Grid = Grid.TARGET, curtained: bool = False, brightness: float = 1.0
) -> Picture:
    """Return a picture of seat 1's ocean and target and seat 2's ocean and target frames."""
    ocean1, target1, ocean2, target2 = (panel(frame) for frame in four)
    return Picture(
        (
            Console(1, "Ana", "diamonds", ocean1, target1, focus=focus, curtained=curtained),
            Console(2, "Ben", "clubs", ocean2, target2, focus=focus, curtained=curtained),
        ),
        brightness=brightness,
    )


def plain(*colour: int) -> Frame:
    return np.full((SIZE, SIZE, 3), colour, dtype=np.uint8)


def decoded(kit: Kit, chains: tuple[bytes, ...]) -> list[Frame]:
    """Read wire bytes back into LED values a panel, (10, 10, channels): one LED after the other."""
    read = []
    for chain, data in zip(kit.leds.chains, chains, strict=True):
        width = len(chain.order)
        for number, spec in enumerate(chain.panels):
            frame = np.zeros((SIZE, SIZE, width), dtype=np.uint8)
            for led, square in enumerate(wire_order(spec).tolist()):
                raw = data[(number * 100 + led) * width :][:width]
                frame[divmod(square, SIZE)] = [raw[chain.order.index(letter)] for letter in "RGBW"[:width]]
            read.append(frame)
    return read


@pytest.mark.parametrize("name", KITS)
def test_a_chain_gets_a_byte_for_each_channel_of_each_led(name: str) -> None:
    light = LIGHTING[name].light(picture(*[plain(10, 20, 30)] * 4))
    assert [len(data) for data in light.chains] == [
        chain.led_count * len(chain.order) for chain in KITS[name].leds.chains
    ]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(KITS)), st.lists(frames, min_size=4, max_size=4), st.floats(0, 1))
def test_no_frame_whatever_exceeds_any_budget(name: str, four: list[Frame], brightness: float) -> None:
    kit = KITS[name]
    light = LIGHTING[name].light(picture(*four, brightness=brightness))
    panels_ma = [
        100 * kit.power.idle_ma + int(frame.sum(dtype=int)) * kit.power.channel_ma / 255
        for frame in decoded(kit, light.chains)
    ]
    assert light.estimate.panels_ma == pytest.approx(panels_ma)
    assert light.estimate.total_ma == pytest.approx(sum(panels_ma))
    assert light.estimate.total_ma <= kit.power.budget_ma
    assert max(light.estimate.panels_ma) <= kit.power.panel_budget_ma


@pytest.mark.parametrize("name", KITS)
def test_a_whole_white_table_stays_within_budget_and_uses_it(name: str) -> None:
    power = KITS[name].power
    found = LIGHTING[name].light(picture(*[plain(255, 255, 255)] * 4)).estimate
    assert found.total_ma <= power.budget_ma
    # An RGBW panel shows white with one channel of four, so that its budget may not be reached.
    if name != "free" and not any("W" in chain.order for chain in KITS[name].leds.chains):
        assert found.limited
        assert found.total_ma > 0.9 * min(power.budget_ma, power.panel_budget_ma * len(LIGHTING[name].panels))


@given(st.sampled_from(sorted(KITS)), st.floats(0, 1))
def test_black_stays_black(name: str, brightness: float) -> None:
    light = LIGHTING[name].light(picture(*[plain(0, 0, 0)] * 4, brightness=brightness))
    assert not any(any(data) for data in light.chains)


@settings(deadline=None)
@given(frames, st.sampled_from(["full", "tight", "rgbw", "wrong way round"]))
def test_a_black_square_stays_black_beside_any_others(frame: Frame, name: str) -> None:
    frame = frame.copy()
    frame[3, 7] = 0
    light = LIGHTING[name].light(picture(*[frame] * 4))
    assert not any(panel[3, 7].any() for panel in decoded(KITS[name], light.chains))


@settings(max_examples=50, deadline=None)
@given(frames)
def test_a_limited_frame_keeps_its_hues(frame: Frame) -> None:
    """Every channel of a panel is scaled by the same factor, rounded down."""
    whole = decoded(KITS["free"], LIGHTING["free"].light(picture(*[frame] * 4)).chains)[0].astype(int)
    light = LIGHTING["tight"].light(picture(*[frame] * 4))
    dimmed = decoded(KITS["tight"], light.chains)[0].astype(int)
    if not light.estimate.limited:
        assert np.array_equal(dimmed, whole)
        return
    # Each dimmed value d of w must allow one common factor: d <= f * w < d + 1.
    lit = whole > 0
    assert (dimmed[lit] / whole[lit]).max() < ((dimmed[lit] + 1) / whole[lit]).min()
    assert not dimmed[~lit].any()


def test_frames_are_srgb_and_decoded_by_the_kits_gamma() -> None:
    light = LIGHTING["full"].light(picture(*[plain(188, 255, 68)] * 4, brightness=1.0))
    red, green, blue = decoded(KITS["full"], light.chains)[0][0, 0].tolist()
    scale = 1 if not light.estimate.limited else green / 255
    assert red == pytest.approx(255 * (188 / 255) ** 2.2 * scale, abs=1)
    assert blue == pytest.approx(255 * (68 / 255) ** 2.2 * scale, abs=1)


def test_brightness_of_kit_and_picture_multiply() -> None:
    half = changed("full", ("brightness = 1.0", "brightness = 0.5"))
    light = Lighting(half).light(picture(*[plain(0, 0, 255)] * 4, brightness=0.5))
    assert decoded(half, light.chains)[0][0, 0].tolist() == [0, 0, 64]


@settings(deadline=None)
@given(st.lists(npst.arrays(np.uint8, (SIZE, SIZE, 3), elements=st.integers(0, 60)), min_size=4, max_size=4),
       st.sampled_from(["full", "one-chain", "pi5", "pico", "wrong way round"]))  # fmt: skip
def test_every_square_of_every_panel_lights_its_own_led(four: list[Frame], name: str) -> None:
    kit = KITS[name]
    read = decoded(kit, LIGHTING[name].light(picture(*four)).chains)
    by_panel = dict(zip([(1, "ocean"), (1, "target"), (2, "ocean"), (2, "target")], four, strict=True))
    for spec, found in zip(LIGHTING[name].panels, read, strict=True):
        wanted = np.rint((by_panel[spec.seat, spec.grid.value] / 255) ** 2.2 * 255)
        assert np.array_equal(found, wanted)


def test_four_colour_leds_show_what_the_colours_have_in_common_as_white() -> None:
    kit = changed("full", ('order = "GRB"', 'order = "GRBW"'), ("gamma = 2.2", "gamma = 1.0"))
    light = Lighting(kit).light(picture(*[plain(30, 50, 20)] * 4))
    assert decoded(kit, light.chains)[0][0, 0].tolist() == [10, 30, 0, 20]
    assert light.chains[0][:4] == bytes([30, 10, 0, 20])


def test_a_three_colour_chain_beside_a_four_colour_one_has_no_white() -> None:
    light = LIGHTING["mixed"].light(picture(*[plain(100, 100, 100)] * 4))
    four, three = light.chains
    assert set(four[1:4]) == {0}
    assert four[0] > 0
    assert three[:3] == bytes([four[0]] * 3)


# A kit with one panel a seat.


def shown(found: Picture) -> list[int]:
    """Return the red of the first LED of each panel of the compact kit."""
    return [data[1] for data in LIGHTING["compact"].light(found).chains]


OCEAN, TARGET = plain(100, 0, 0), plain(200, 0, 0)


def test_one_panel_a_seat_shows_the_grid_in_focus() -> None:
    ocean = shown(picture(OCEAN, TARGET, OCEAN, TARGET, focus=Grid.OCEAN))
    target = shown(picture(OCEAN, TARGET, OCEAN, TARGET, focus=Grid.TARGET))
    assert ocean == [round(255 * (100 / 255) ** 2.2)] * 2
    assert target == [round(255 * (200 / 255) ** 2.2)] * 2


def test_one_panel_a_seat_is_dark_while_its_ocean_grid_is_in_focus_and_curtained() -> None:
    assert shown(picture(OCEAN, TARGET, OCEAN, TARGET, focus=Grid.OCEAN, curtained=True)) == [0, 0]
    assert all(shown(picture(OCEAN, TARGET, OCEAN, TARGET, focus=Grid.TARGET, curtained=True)))


def test_a_curtained_ocean_panel_is_dark_whatever_frame_it_was_handed() -> None:
    light = LIGHTING["full"].light(picture(OCEAN, TARGET, OCEAN, TARGET, curtained=True))
    assert [bool(frame.any()) for frame in decoded(KITS["full"], light.chains)] == [True, False, True, False]


def test_a_panel_without_a_frame_is_dark_and_leaves_nothing_of_the_last_picture() -> None:
    lighting = Lighting(KITS["full"])
    lighting.light(picture(*[plain(255, 0, 0)] * 4))
    assert not any(any(data) for data in lighting.light(picture(None, None, None, None)).chains)


def test_one_frame_a_panel_is_wanted() -> None:
    with pytest.raises(ValueError, match="shorter"):
        LIGHTING["full"].light_frames([OCEAN])


def test_the_estimate_alone_is_that_of_the_wire_bytes() -> None:
    found = picture(*[plain(255, 200, 100)] * 4)
    assert estimate(found, KITS["full"]) == LIGHTING["full"].light(found).estimate
    assert LIGHTING["full"].estimate(found).limited


def test_a_usual_picture_is_far_from_any_budget() -> None:
    assert KITS["full"].power.budget_ma > 2 * estimate(picture(*[plain(0, 0, 68)] * 4), KITS["full"]).total_ma
