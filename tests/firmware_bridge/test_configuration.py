"""What the Pico is told of the kit."""

from __future__ import annotations

import json

import msgspec
import pytest

from firmware_bridge.configuration import configuration, pico_keypads, standby
from firmware_bridge.errors import PicoError
from hardware.kit import Keypad
from tests.firmware_bridge.kits import CHAIN_BYTES, COLUMNS, KIT, PINS, ROWS


def test_holds_pins_orders_keypads_and_limits() -> None:
    told = json.loads(configuration(KIT))
    assert [(chain["pin"], chain["leds"], chain["order"]) for chain in told["chains"]] == [
        (pin, 200, "GRB") for pin in PINS
    ]
    assert told["keypads"] == [
        {"rows": list(rows), "columns": list(columns)} for rows, columns in zip(ROWS, COLUMNS, strict=True)
    ]
    assert [panel[:3] for panel in told["panels"]] == [[0, 0, 300], [0, 300, 600], [1, 0, 300], [1, 300, 600]]
    power = KIT.power
    limits = {panel[3] for panel in told["panels"]}
    assert len(limits) == 1
    for limit, budget, leds in ((limits.pop(), power.panel_budget_ma, 100), (told["limit"], power.budget_ma, 400)):
        draws = [leds * power.idle_ma + total / 255 * power.channel_ma for total in (limit, limit + 1)]
        assert draws[0] <= budget < draws[1]


def test_is_the_same_for_the_same_kit() -> None:
    assert configuration(KIT) == configuration(msgspec.structs.replace(KIT))


def test_the_sign_lights_every_panel_dimly() -> None:
    for chain in standby(KIT):
        assert len(chain) == CHAIN_BYTES
        for panel in (chain[:300], chain[300:]):
            assert 0 < sum(panel) < 100 * 255 * 3 * 0.02


def test_keypads_of_other_drivers_are_left_out() -> None:
    kit = msgspec.structs.replace(KIT, keypads=(Keypad(seat=1, driver="evdev", device="x"), KIT.keypads[1]))
    assert pico_keypads(kit) == KIT.keypads[1:]
    assert len(json.loads(configuration(kit))["keypads"]) == 1


def test_leds_of_another_driver_are_left_out() -> None:
    kit = msgspec.structs.replace(KIT, leds=msgspec.structs.replace(KIT.leds, driver="rpi_ws281x"))
    assert json.loads(configuration(kit))["chains"] == []


def test_more_than_the_line_carries_is_refused() -> None:
    chain = KIT.leds.chains[0]
    many = msgspec.structs.replace(KIT.leds, chains=(chain,) * 9)
    with pytest.raises(PicoError, match="at most 8"):
        configuration(msgspec.structs.replace(KIT, leds=many))
    long = msgspec.structs.replace(KIT.leds, chains=(msgspec.structs.replace(chain, panels=chain.panels * 7),))
    with pytest.raises(PicoError, match="split it"):
        configuration(msgspec.structs.replace(KIT, leds=long))
    wide = msgspec.structs.replace(KIT.keypads[0], rows=tuple(range(6)), columns=tuple(range(6)))
    with pytest.raises(PicoError, match="more than 32 keys"):
        configuration(msgspec.structs.replace(KIT, keypads=(wide,)))
