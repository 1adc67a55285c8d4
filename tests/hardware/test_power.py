"""The current model and the limiter's arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.kit import Power
from hardware.power import UNSCALED, Limiter

POWER = Power(supply_ma=10_000, budget_ma=8_000)


def sums_of(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def test_four_dark_panels_draw_their_idle_current_alone() -> None:
    limiter = Limiter(POWER, [100] * 4)
    assert limiter.estimate(sums_of(0, 0, 0, 0)) == (400.0, (100.0,) * 4, False)
    assert limiter.scales(sums_of(0, 0, 0, 0)) is None


def test_white_draws_sixty_milliamperes_a_led_beside_its_idle_current() -> None:
    estimate = Limiter(POWER, [100]).estimate(sums_of(100 * 3 * 255))
    assert estimate.total_ma == pytest.approx(100 + 6000)


def test_a_bright_panel_is_scaled_alone() -> None:
    scales = Limiter(POWER, [100] * 4).scales(sums_of(76_500, 1000, 1000, 1000))
    assert scales is not None
    assert scales[0] == pytest.approx(UNSCALED * 3900 / 6000, abs=2)
    assert scales[1:].tolist() == [UNSCALED] * 3


def test_the_idle_current_is_subtracted_before_anything_is_scaled() -> None:
    power = Power(supply_ma=1000, budget_ma=500, panel_budget_ma=500)
    scales = Limiter(power, [100] * 4).scales(sums_of(*[76_500] * 4))
    assert scales is not None
    assert scales[0] == pytest.approx(UNSCALED * 100 / 24_000, abs=2)


@given(
    st.lists(st.integers(0, 100 * 4 * 255), min_size=1, max_size=4),
    st.integers(500, 30_000),
    st.floats(0, 5),
    st.floats(5, 60),
    st.data(),
)
def test_scaled_sums_fit_every_budget(
    sums: list[int], budget: int, idle_ma: float, channel_ma: float, data: st.DataObject
) -> None:
    panels = len(sums)
    least = int(100 * panels * idle_ma + channel_ma) + 1
    budget = max(budget, least)
    panel_budget = data.draw(st.integers(int(100 * idle_ma + channel_ma) + 1, budget))
    power = Power(
        supply_ma=budget, budget_ma=budget, panel_budget_ma=panel_budget, idle_ma=idle_ma, channel_ma=channel_ma
    )
    limiter = Limiter(power, [100] * panels)
    scales = limiter.scales(sums_of(*sums))
    scaled = sums_of(*sums) if scales is None else sums_of(*sums) * scales // UNSCALED
    estimate = limiter.estimate(scaled)
    assert estimate.total_ma <= budget
    assert max(estimate.panels_ma) <= panel_budget
