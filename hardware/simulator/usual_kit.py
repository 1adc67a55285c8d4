"""The kit whose current the simulator shows when it is not given one: four panels on a 10 A supply."""

from __future__ import annotations

from hardware.frame import SEATS
from hardware.kit import KIT_VERSION, Chain, Kit, Leds, PanelGrid, PanelSpec, PiModel, Power

USUAL_KIT = Kit(
    kit=KIT_VERSION,
    title="four panels",
    model=PiModel.ANY,
    leds=Leds(
        driver="none",
        chains=tuple(
            Chain(
                pin=seat,
                panels=(PanelSpec(seat=seat, grid=PanelGrid.OCEAN), PanelSpec(seat=seat, grid=PanelGrid.TARGET)),
            )
            for seat in SEATS
        ),
    ),
    keypads=(),
    power=Power(supply_ma=10_000, budget_ma=8_000),
)
