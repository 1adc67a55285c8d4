"""The kit that the bridge's tests play on: the shipped one with two seats on one Pico."""

from __future__ import annotations

from importlib.resources import files

from hardware.kit import parse_kit

KIT = parse_kit((files("wiring.kits") / "pico.toml").read_text(encoding="utf-8"), "pico.toml")

PINS = [chain.pin for chain in KIT.leds.chains]
CHAIN_BYTES = KIT.leds.chains[0].led_count * KIT.leds.chains[0].led_bytes
ROWS = [keypad.rows for keypad in KIT.keypads]
COLUMNS = [keypad.columns for keypad in KIT.keypads]
