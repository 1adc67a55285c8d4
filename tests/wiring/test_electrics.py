from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.fuses import BLADE_FUSES_MA, MOST_FUSED_MA, fuse_ma
from tests.hardware.kits import changed
from tests.wiring.kits import KITS, ODD
from wiring.electrics import (
    LENGTH_M,
    MOST_DROP_V,
    WIRES,
    Electrics,
    amperes,
    drop_volts,
    fitting_awg,
    longest_m,
    wire_awg,
    wire_name,
)
from wiring.guide import guide_files


def test_the_full_table_has_the_usual_fuses_and_wires() -> None:
    electrics = Electrics(KITS["full"])
    assert [feed.fuse_ma for feed in electrics.feeds] == [5000] * 4
    assert [feed.name for feed in electrics.feeds] == ["seat 1 target", "seat 1 ocean", "seat 2 target", "seat 2 ocean"]
    assert electrics.main_fuse_ma == 10_000
    assert (electrics.feeds[0].awg, electrics.trunk_awg) == (18, 14)
    assert (electrics.leds, electrics.idle_ma, electrics.white_ma, electrics.usual_ma) == (400, 400, 24_400, 2600)


@pytest.mark.parametrize(
    ("awg", "current_ma", "volts"),
    [(20, 5000, 0.33), (18, 5000, 0.21), (16, 5000, 0.13), (16, 10_000, 0.27), (14, 10_000, 0.17), (12, 10_000, 0.10)],
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


@given(st.integers(400, MOST_FUSED_MA))
def test_over_a_metre_every_fuse_has_a_wire_that_it_guards_and_that_loses_little(limit_ma: int) -> None:
    fuse = fuse_ma(limit_ma)
    awg = wire_awg(fuse)
    assert fuse <= WIRES[awg].largest_fuse_ma
    assert drop_volts(awg, fuse) <= MOST_DROP_V
    assert wire_name(awg).startswith(f"AWG {awg} (")


@given(st.sampled_from(BLADE_FUSES_MA), st.floats(0.2, 3))
def test_a_wire_is_the_thinnest_that_keeps_both_rules_or_there_is_none(fuse: int, length_m: float) -> None:
    awg = fitting_awg(fuse, length_m)

    def keeps(each: int) -> bool:
        return fuse <= WIRES[each].largest_fuse_ma and drop_volts(each, fuse, length_m) <= MOST_DROP_V

    if awg is None:
        assert not any(map(keeps, WIRES))
        assert longest_m(fuse) < length_m
        assert fitting_awg(fuse, longest_m(fuse)) == min(WIRES)
    else:
        assert keeps(awg)
        assert not any(keeps(thinner) for thinner in WIRES if thinner > awg)


def test_metric_cables_are_at_least_as_thick() -> None:
    for awg, wire in WIRES.items():
        # The definition of AWG (ASTM B258): 0.127 mm times 92 to the power of (36 - n) / 39.
        diameter = 0.127 * 92 ** ((36 - awg) / 39)
        assert wire.mm2 >= 3.1416 / 4 * diameter**2


def test_a_current_that_nothing_carries_is_no_wire() -> None:
    with pytest.raises(ValueError, match="no wire of the table carries 50 A"):
        wire_awg(50_000)


@pytest.mark.parametrize(
    "budgets", [(1000, 1000, 500), (5000, 4000, 2000), (60_000, 32_000, 8000), (40_000, 32_000, 32_000)]
)
def test_no_guide_prints_a_wire_that_breaks_the_rules(budgets: tuple[int, int, int]) -> None:
    supply, budget, panel = budgets
    kit = changed(
        "full",
        ("supply_ma = 10000", f"supply_ma = {supply}"),
        ("budget_ma = 8000", f"budget_ma = {budget}"),
        ("panel_budget_ma = 4000", f"panel_budget_ma = {panel}"),
    )
    electrics = Electrics(kit)
    for fuse, awg in (
        (electrics.main_fuse_ma, electrics.trunk_awg),
        (electrics.feeds[0].fuse_ma, electrics.feeds[0].awg),
    ):
        assert fuse <= WIRES[awg].largest_fuse_ma
        assert drop_volts(awg, fuse, LENGTH_M) <= MOST_DROP_V
    table = guide_files(kit, "big.toml", "")["guide.md"].decode().split("### Longer wires")[1].split("> **")[0]
    lost = [float(volts) for volts in re.findall(r"(\d\.\d\d) V", table.split("---")[-1])]
    assert lost
    assert max(lost) <= MOST_DROP_V
    assert ("too long: at most 1.5 m of AWG 8" in table) == (budget == 32_000)


def test_currents_of_a_led_are_a_rule_of_thumb_unless_the_kit_says_otherwise() -> None:
    assert Electrics(KITS["full"]).led_currents_from == "rule of thumb"
    measured = Electrics(changed("full", ("panel_budget_ma = 4000", "panel_budget_ma = 4000\nchannel_ma = 12.0")))
    assert measured.led_currents_from == "as the kit says"
    assert measured.usual_ma == pytest.approx(400 + 4 * 330)


@pytest.mark.parametrize(
    ("current_ma", "text"), [(400, "0.4 A"), (50, "0.05 A"), (4000, "4 A"), (7500, "7.5 A"), (24_400, "24.4 A")]
)
def test_currents_are_read_as_amperes(current_ma: float, text: str) -> None:
    assert amperes(current_ma) == text
