"""Currents, fuses and wires of a kit, computed from what it says about its panels and its supply.

Currents are in mA, voltages in V, lengths in m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from hardware.fuses import fuse_ma

if TYPE_CHECKING:
    from hardware.kit import Chain, Kit, PanelSpec

LEDS_A_PANEL = 100

SHIFTER_FUSE_MA = 1000
"""The smallest usual blade fuse: the shifter itself takes a few mA."""

SHIFTER_AWG = 20
"""The thinnest wire of the table is far more than the shifter needs."""

SUPPLY_VOLTS = 5.0

SUPPLY_TOLERANCE_V = 0.25
"""How far the voltage of a usual supply may be off: 5 % either way (data sheets of 5 V desktop supplies)."""

CLOSED_SUPPLY_MA = 10_000
"""The largest 5 V supply that is easily bought closed, with a lead on both sides: 10 A (such as Adafruit 658)."""

LENGTH_M = 1.0
"""How far the guide takes a panel to be from the fuses, and the fuses from the supply."""

MOST_DROP_V = 0.25
"""How much voltage a wire may lose, out and back, at its fuse's rating: a twentieth of 5 V."""


class WireSize(NamedTuple):
    """One size of copper wire.

    `largest_fuse_ma` is the largest fuse that may stand before it, `mm2` the metric cable (IEC 60228) that is at least
    as thick, and `ohms_a_metre` the resistance at 20 °C of the worse of the two.
    """

    largest_fuse_ma: int
    mm2: float
    ohms_a_metre: float


WIRES = {
    20: WireSize(5000, 0.75, 0.0333),
    18: WireSize(7000, 1.0, 0.02095),
    16: WireSize(10_000, 1.5, 0.0133),
    14: WireSize(15_000, 2.5, 0.008286),
    12: WireSize(20_000, 4.0, 0.005211),
    10: WireSize(30_000, 6.0, 0.0033),
    8: WireSize(40_000, 10.0, 0.002061),
}
"""Wires by AWG number, thinnest first.

Fuses: for AWG 18 to 10 the overcurrent protection that the NEC allows for small conductors (NFPA 70, 240.4(D)), for
AWG 8 its column for 60 °C (table 310.16), for AWG 20 NFPA 79 (table 12.5.1). All are meant for wires that lie together
in a closed space, and stay far below what a single wire in free air would bear. Resistances: ASTM B258, and IEC 60228
class 5 (flexible) for 1.5 and 6 mm², which are a little worse."""

USUAL_CHANNELS = 27.5
"""How many full channels' worth of light a panel gives in an evening's game: with 20 mA each and 1 mA dark about 2.6 A
for four panels (computed from the colours of a usual picture)."""

RULE_OF_THUMB = (20.0, 1.0)
"""What a WS2812B takes by the usual rule of thumb: mA for each full channel, and mA dark (see `hardware.kit.Power`)."""

LED_US = 30.0
"""How long the data of one three-colour LED takes: 24 bits of 1.25 µs (WS2812B data sheet)."""

RESET_US = 280.0
"""How long the line stays low after a frame (WS2812B data sheet, newer version)."""


def drop_volts(awg: int, current_ma: float, length_m: float = LENGTH_M) -> float:
    """Return the voltage lost in a pair of wires, out and back."""
    return 2 * length_m * WIRES[awg].ohms_a_metre * current_ma / 1000


def fitting_awg(current_ma: float, length_m: float) -> int | None:
    """Return the AWG number of the thinnest wire that a fuse of that rating guards and whose pair loses no more than
    MOST_DROP_V at it; None where no wire of the table does both."""
    return next(
        (
            awg
            for awg, wire in WIRES.items()
            if current_ma <= wire.largest_fuse_ma and drop_volts(awg, current_ma, length_m) <= MOST_DROP_V
        ),
        None,
    )


def wire_awg(current_ma: float) -> int:
    """Return the AWG number of the thinnest wire that fits a fuse of that rating over LENGTH_M.

    Raises ValueError for more than the largest blade fuse, which no checked kit asks for.
    """
    awg = fitting_awg(current_ma, LENGTH_M)
    if awg is None:
        raise ValueError(f"no wire of the table carries {amperes(current_ma)}")
    return awg


def longest_m(current_ma: float) -> float:
    """Return how long, one way, the thickest wire of the table may be at that current; in steps of 0.1 m."""
    return math.floor(10 * MOST_DROP_V / drop_volts(min(WIRES), current_ma, 1.0)) / 10


def wire_name(awg: int) -> str:
    """Return how a wire is bought: "AWG 18 (1 mm²)"."""
    return f"AWG {awg} ({WIRES[awg].mm2:g} mm²)"


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
    def white_ma(self) -> float:
        """What all panels would take if every LED were white and nothing limited it."""
        return sum(
            LEDS_A_PANEL * len(chain.panels) * (self.kit.power.idle_ma + len(chain.order) * self.kit.power.channel_ma)
            for chain in self.kit.leds.chains
        )

    @property
    def usual_ma(self) -> float:
        """What an evening's game takes."""
        lit_ma = USUAL_CHANNELS * self.kit.power.channel_ma * len(self.feeds)
        return min(self.idle_ma + lit_ma, self.kit.power.budget_ma)

    @property
    def led_currents_from(self) -> str:
        """Where the currents of a single LED come from: the rule of thumb, or the kit where it says otherwise."""
        power = self.kit.power
        return "rule of thumb" if (power.channel_ma, power.idle_ma) == RULE_OF_THUMB else "as the kit says"

    @property
    def main_fuse_ma(self) -> int:
        """The rating of the fuse between the supply and the panels' fuses."""
        return fuse_ma(self.kit.power.budget_ma)

    @property
    def closed_supply(self) -> bool:
        """Whether a supply of this size is sold closed, so that nobody has to touch the mains."""
        return self.kit.power.supply_ma <= CLOSED_SUPPLY_MA

    @property
    def trunk_awg(self) -> int:
        """The wires between the supply and the fuses, and between the supply and the 0 V bar."""
        return wire_awg(self.main_fuse_ma)

    def frame_ms(self, chain: Chain) -> float:
        """Return how long one frame takes on a chain's data line, in ms."""
        bits = len(chain.order) / 3
        return (LEDS_A_PANEL * len(chain.panels) * LED_US * bits + RESET_US) / 1000
