"""The kit that the bridge's tests play on: two seats with two panels and a keypad each, all on one Pico."""

from __future__ import annotations

from hardware.kit import Chain, Keypad, Kit, Leds, PanelGrid, PanelSpec, PiModel, Power


def _chain(seat: int, pin: int) -> Chain:
    panels = (
        PanelSpec(seat=seat, grid=PanelGrid.OCEAN),
        PanelSpec(seat=seat, grid=PanelGrid.TARGET, first="bottom right", along="columns"),
    )
    return Chain(pin=pin, panels=panels)


ROWS = ((2, 3, 4, 5), (10, 11, 12, 13))
COLUMNS = ((6, 7, 8, 9), (14, 15, 16, 17))

KIT = Kit(
    kit=1,
    title="Bridge test",
    model=PiModel.ANY,
    leds=Leds(driver="pico", chains=(_chain(1, 0), _chain(2, 1))),
    keypads=(
        Keypad(seat=1, driver="pico", rows=ROWS[0], columns=COLUMNS[0]),
        Keypad(seat=2, driver="pico", rows=ROWS[1], columns=COLUMNS[1]),
    ),
    power=Power(),
)

CHAIN_BYTES = 600
"""Bytes of each of the two chains, on GP0 and GP1."""
