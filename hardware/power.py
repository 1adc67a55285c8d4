"""How much current the LEDs draw, and how a frame is kept within its budgets.

The model is WLED's: every LED draws its idle current whatever it shows, and each channel a share of its full current
in proportion to its value. The idle current is subtracted before anything is scaled, since dimming does not lessen it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hardware.kit import Power

FULL = 255
"""A channel's highest value."""

UNSCALED = 1 << 16
"""The scale of a panel that is left as it is: scales are in 65536ths."""


class Estimate(NamedTuple):
    """What a picture draws after it was limited, in mA: in all, and per panel in the order of the kit's chains.

    `limited` says whether the picture was dimmed to stay within a budget.
    """

    total_ma: float
    panels_ma: tuple[float, ...]
    limited: bool = False


class Limiter:
    """Keeps pictures within a kit's budgets, by the sums of the panels' channel values.

    `panel_leds` is the number of LEDs of each panel, in the order of the kit's chains.
    """

    def __init__(self, power: Power, panel_leds: Sequence[int]) -> None:
        self._panel_idle_ma = np.array(panel_leds, dtype=np.float64) * power.idle_ma
        self._total_idle_ma = float(self._panel_idle_ma.sum())
        self._step_ma = power.channel_ma / FULL
        self._panel_limits = np.array(
            [self._largest_sum(power.panel_budget_ma, float(idle)) for idle in self._panel_idle_ma], dtype=np.int64
        )
        self._total_limit = self._largest_sum(power.budget_ma, self._total_idle_ma)

    def _largest_sum(self, budget_ma: int, idle_ma: float) -> int:
        """Return the largest sum of channel values that a budget leaves room for, by the very formula of `estimate`."""
        largest = max(0, int((budget_ma - idle_ma) / self._step_ma) + 1)
        while largest and idle_ma + largest * self._step_ma > budget_ma:
            largest -= 1
        return largest

    @property
    def panel_limits(self) -> tuple[int, ...]:
        """The largest sum of channel values of each panel."""
        return tuple(self._panel_limits.tolist())

    @property
    def total_limit(self) -> int:
        """The largest sum of all channel values."""
        return self._total_limit

    def estimate(self, sums: NDArray[np.int64], *, limited: bool = False) -> Estimate:
        """Return what panels draw whose channel values have these sums: shape (panels,)."""
        panels = self._panel_idle_ma + sums * self._step_ma
        total = self._total_idle_ma + int(sums.sum()) * self._step_ma
        return Estimate(total, tuple(panels.tolist()), limited)

    def scales(self, sums: NDArray[np.int64]) -> NDArray[np.uint32] | None:
        """Return for each panel the scale, in 65536ths, that keeps it and the whole table within budget, or None where
        nothing needs scaling.

        With `value * scale >> 16` for every channel (which rounds down) no budget is exceeded.
        """
        allowed = np.minimum(sums, self._panel_limits)
        total = int(allowed.sum())
        if total > self._total_limit:
            allowed = allowed * self._total_limit // total
        if np.array_equal(allowed, sums):
            return None
        return (allowed * UNSCALED // np.maximum(sums, 1)).astype(np.uint32)
