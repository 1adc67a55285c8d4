"""Blade fuses: their ratings, and which of them carries a current for long. Currents are in mA."""

from __future__ import annotations

BLADE_FUSES_MA = (1000, 2000, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000)
"""Ratings of blade fuses (ISO 8820-3)."""

FUSE_MARGIN = 1.25
"""A fuse carries at most 80 % of its rating for long (usual rule for blade fuses), so it is this much larger than the
current that the software allows."""

MOST_FUSED_MA = int(BLADE_FUSES_MA[-1] / FUSE_MARGIN)
"""The largest current that a blade fuse carries for long: 80 % of the largest rating."""


def fuse_ma(limit_ma: float) -> int:
    """Return the rating of the smallest blade fuse that carries a current for long.

    Raises ValueError above `MOST_FUSED_MA`, which no blade fuse carries.
    """
    wanted = limit_ma * FUSE_MARGIN
    for rating in BLADE_FUSES_MA:
        if rating >= wanted:
            return rating
    raise ValueError(f"{limit_ma:g} mA is more than a blade fuse carries for long ({MOST_FUSED_MA} mA)")
