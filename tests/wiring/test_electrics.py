from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wiring.kits import KITS, ODD
from wiring.electrics import (
    BLADE_FUSES_MA,
    MOST_DROP_V,
    OHMS_A_METRE,
    Electrics,
    amperes,
    drop_volts,
    fuse_ma,
    wire_awg,
    wire_name,
)


def test_the_full_table_has_the_usual_fuses_and_wires() -> None:
    electrics = Electrics(KITS["full"])
    assert [feed.fuse_ma for feed in electrics.feeds] == [5000] * 4
    assert [feed.name for feed in electrics.feeds] == ["seat 1 target", "seat 1 ocean", "seat 2 target", "seat 2 ocean"]
    assert electrics.main_fuse_ma == 10_000
    assert (electrics.feeds[0].awg, electrics.trunk_awg) == (18, 14)
    assert (electrics.leds, electrics.idle_ma, electrics.white_ma, electrics.usual_ma) == (400, 400, 24_400, 2600)


@pytest.mark.parametrize(
    ("awg", "current_ma", "volts"),
    [(20, 5000, 0.33), (18, 5000, 0.21), (16, 5000, 0.13), (16, 10_000, 0.26), (14, 10_000, 0.17), (12, 10_000, 0.10)],
)
def test_drops_over_a_metre_out_and_back(awg: int, current_ma: int, volts: float) -> None:
    assert drop_volts(awg, current_ma) == pytest.approx(volts, abs=0.005)


@pytest.mark.parametrize(("name", "frame_ms"), [("compact", 3.28), ("full", 6.28), ("one-chain", 12.28)])
def test_how_long_a_frame_takes(name: str, frame_ms: float) -> None:
    electrics = Electrics(KITS[name])
    assert max(electrics.frame_ms(chain) for chain in KITS[name].leds.chains) == pytest.approx(frame_ms)


def test_four_colours_take_longer_and_draw_more() -> None:
    electrics = Electrics(ODD)
    assert electrics.frame_ms(ODD.leds.chains[0]) == pytest.approx(4.28)
    assert electrics.white_ma == 8100 + 3 * 6100


@given(st.integers(400, 32_000))
def test_a_fuse_carries_the_limit_and_is_the_smallest_that_does(limit_ma: int) -> None:
    rating = fuse_ma(limit_ma)
    assert rating in BLADE_FUSES_MA
    assert limit_ma <= 0.8 * rating
    assert all(smaller * 0.8 < limit_ma for smaller in BLADE_FUSES_MA if smaller < rating)


@given(st.sampled_from(BLADE_FUSES_MA), st.floats(0.2, 3))
def test_a_wire_loses_no_more_than_allowed_unless_it_is_the_thickest(current_ma: int, length_m: float) -> None:
    awg = wire_awg(current_ma, length_m)
    assert drop_volts(awg, current_ma, length_m) <= MOST_DROP_V or awg == min(OHMS_A_METRE)
    assert wire_name(awg).startswith(f"AWG {awg} (")


@pytest.mark.parametrize(
    ("current_ma", "text"), [(400, "0.4 A"), (50, "0.05 A"), (4000, "4 A"), (7500, "7.5 A"), (24_400, "24.4 A")]
)
def test_currents_are_read_as_amperes(current_ma: float, text: str) -> None:
    assert amperes(current_ma) == text
