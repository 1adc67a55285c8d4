"""The smallest fuse that carries a current for long, and none where there is none."""

from __future__ import annotations

import pytest

from hardware.fuses import BLADE_FUSES_MA, MOST_FUSED_MA, fuse_ma


@pytest.mark.parametrize(
    ("limit_ma", "rating_ma"),
    [(4000, 5000), (4001, 7500), (8000, 10_000), (100, 1000), (32_000, 40_000)],
)
def test_a_fuse_is_loaded_to_80_per_cent_at_most(limit_ma: int, rating_ma: int) -> None:
    assert fuse_ma(limit_ma) == rating_ma


def test_what_no_fuse_carries_has_none() -> None:
    assert max(BLADE_FUSES_MA) * 0.8 == MOST_FUSED_MA
    with pytest.raises(ValueError, match="32000"):
        fuse_ma(MOST_FUSED_MA + 1)
