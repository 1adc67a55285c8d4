"""Currents, fuses and wires of a kit, computed from what it says about its panels and its supply.

Currents are in mA, voltages in V, lengths in m.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.kit import Chain, Kit, PanelSpec

LEDS_A_PANEL = 100

BLADE_FUSES_MA = (1000, 2000, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000)
"""Ratings of blade fuses (ISO 8820-3)."""

FUSE_MARGIN = 1.25
"""A fuse carries at most 80 % of its rating for long (usual rule for blade fuses), so it is this much larger than the
current that the software allows."""

SHIFTER_FUSE_MA = 1000
"""The smallest usual blade fuse: the shifter itself takes a few mA."""

SUPPLY_VOLTS = 5.0

LENGTH_M = 1.0
"""How far the guide takes a panel to be from the fuses, and the fuses from the supply."""

MOST_DROP_V = 0.25
"""How much voltage a wire may lose, out and back, at its fuse's rating: a twentieth of 5 V."""

OHMS_A_METRE = {20: 0.0333, 18: 0.02095, 16: 0.01317, 14: 0.008286, 12: 0.005211, 10: 0.003277}
"""Resistance of copper wire by AWG number, at 20 °C (ASTM B258)."""

SQUARE_MM = {20: 0.5, 18: 0.75, 16: 1.5, 14: 2.5, 12: 4.0, 10: 6.0}
"""The metric cable (IEC 60228) that is at least as thick, or for AWG 20 and 18 nearly so, in mm²."""

USUAL_MA_A_PANEL = 650
"""What a panel takes in an evening's game: about 2.6 A for four (computed from the colours of a usual picture)."""

LED_US = 30.0
"""How long the data of one three-colour LED takes: 24 bits of 1.25 µs (WS2812B data sheet)."""

RESET_US = 280.0
"""How long the line stays low after a frame (WS2812B data sheet, newer version)."""


def fuse_ma(limit_ma: float) -> int:
    """Return the rating of the smallest blade fuse that carries a current for long."""
    wanted = limit_ma * FUSE_MARGIN
    return next((rating for rating in BLADE_FUSES_MA if rating >= wanted), BLADE_FUSES_MA[-1])


def drop_volts(awg: int, current_ma: float, length_m: float = LENGTH_M) -> float:
    """Return the voltage lost in a pair of wires, out and back."""
    return 2 * length_m * OHMS_A_METRE[awg] * current_ma / 1000


def wire_awg(current_ma: float, length_m: float = LENGTH_M) -> int:
    """Return the AWG number of the thinnest wire whose pair loses no more than MOST_DROP_V at that current."""
    fits = [awg for awg in OHMS_A_METRE if drop_volts(awg, current_ma, length_m) <= MOST_DROP_V]
    return max(fits, default=min(OHMS_A_METRE))


def wire_name(awg: int) -> str:
    """Return how a wire is bought: "AWG 18 (0.75 mm²)"."""
    return f"AWG {awg} ({SQUARE_MM[awg]:g} mm²)"


def amperes(current_ma: float) -> str:
    """Return a current as a person reads it: "4 A", "7.5 A", "0.05 A"."""
    return f"{current_ma / 1000:.2g} A" if current_ma < 1000 else f"{current_ma / 1000:.3g} A"


@dataclass(frozen=True)
class Feed:
    """One panel's power: its place in the kit, the fuse that guards it and the wires to it."""

    number: int
    chain: Chain
    panel: PanelSpec
    limit_ma: int

    @property
    def name(self) -> str:
        """What the panel is called: "seat 1 ocean"."""
        return panel_name(self.panel)

    @property
    def fuse_ma(self) -> int:
        """The rating of its fuse."""
        return fuse_ma(self.limit_ma)

    @property
    def awg(self) -> int:
        """Its wires, both of them."""
        return wire_awg(self.fuse_ma)


def panel_name(panel: PanelSpec) -> str:
    """Return what a panel is called: "seat 1 ocean", or "seat 1" where it is the seat's only one."""
    return f"seat {panel.seat}" if panel.grid == "either" else f"seat {panel.seat} {panel.grid}"


@dataclass(frozen=True)
class Electrics:
    """All that the guide says about the currents of a kit."""

    kit: Kit

    @cached_property
    def feeds(self) -> tuple[Feed, ...]:
        """One feed for each panel, in chain order, numbered from 1."""
        panels = [(chain, panel) for chain in self.kit.leds.chains for panel in chain.panels]
        limit = min(self.kit.power.panel_budget_ma, self.kit.power.budget_ma)
        return tuple(Feed(number, chain, panel, limit) for number, (chain, panel) in enumerate(panels, start=1))

    @property
    def leds(self) -> int:
        """How many LEDs there are."""
        return LEDS_A_PANEL * len(self.feeds)

    @property
    def idle_ma(self) -> float:
        """What all LEDs take while they are dark."""
        return self.leds * self.kit.power.idle_ma

    @property
    def panel_white_ma(self) -> float:
        """What the hungriest panel would take if every LED were white and nothing limited it."""
        return max(
            LEDS_A_PANEL * (self.kit.power.idle_ma + len(chain.order) * self.kit.power.channel_ma)
            for chain in self.kit.leds.chains
        )

    @property
    def white_ma(self) -> float:
        """What all panels would take if every LED were white and nothing limited it."""
        return sum(
            LEDS_A_PANEL * len(chain.panels) * (self.kit.power.idle_ma + len(chain.order) * self.kit.power.channel_ma)
            for chain in self.kit.leds.chains
        )

    @property
    def usual_ma(self) -> float:
        """What an evening's game takes."""
        return min(USUAL_MA_A_PANEL * len(self.feeds), self.kit.power.budget_ma)

    @property
    def main_fuse_ma(self) -> int:
        """The rating of the fuse between the supply and the panels' fuses."""
        return fuse_ma(self.kit.power.budget_ma)

    @property
    def trunk_awg(self) -> int:
        """The wires between the supply and the fuses, and between the supply and the 0 V bar."""
        return wire_awg(self.main_fuse_ma)

    def frame_ms(self, chain: Chain) -> float:
        """Return how long one frame takes on a chain's data line, in ms."""
        bits = len(chain.order) / 3
        return (LEDS_A_PANEL * len(chain.panels) * LED_US * bits + RESET_US) / 1000
