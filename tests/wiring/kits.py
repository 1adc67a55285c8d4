"""Kits that hobbyists might build, beside the shipped ones."""

from __future__ import annotations

from hardware.kit import Kit, parse_kit
from tests.hardware.kits import SHIPPED, changed, changed_text, shipped

EVERYTHING_ELSE = """
kit = 1
title = "Odd one"
model = "pi5"
[leds]
driver = "ws2812_pio"
[[leds.chains]]
pin = 18
order = "GRBW"
panels = [ { seat = 2, grid = "target", first = "bottom right", along = "columns", rotation = 90 } ]
[[leds.chains]]
pin = 13
panels = [ { seat = 1, grid = "ocean", serpentine = false } ]
[[leds.chains]]
pin = 12
panels = [ { seat = 1, grid = "target", rotation = 270 } ]
[[leds.chains]]
pin = 20
order = "RGB"
panels = [ { seat = 2, grid = "ocean", first = "top right", along = "columns", serpentine = false } ]
[power]
supply_ma = 60000
budget_ma = 30000
panel_budget_ma = 8000
[[keypads]]
seat = 1
driver = "evdev"
device = "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.1:1.0-event-kbd"
[[keypads]]
seat = 2
rows = [5, 6]
columns = [2, 3, 4, 7, 8, 9, 10, 11]
layout = ["123A456B", "789C*0#D"]
"""

ODD = parse_kit(EVERYTHING_ELSE, "odd")
"""Four data lines, RGBW, every way to turn a panel, a number pad beside a 2×8 matrix, no buzzer and no button."""

ZERO = changed("one-chain", ('model = "pi4"', 'model = "zero2"'), ("[buzzer]\npin = 25 # header pin 22\n", ""))
"""A Zero 2 W with one chain and no buzzer."""

PICO_ON_A_PI = changed("pico", ('model = "any"', 'model = "pi4"'))

BUTTON_AND_PICO = parse_kit(
    changed_text("pico", ('model = "any"', 'model = "pi4"')) + "[power_button]\npin = 3\n[buzzer]\npin = 25\n", "button"
)
"""The LEDs and keypads on a Pico, buzzer and button on the Pi that it hangs on."""

KITS: dict[str, Kit] = {
    **{name: shipped(name) for name in SHIPPED},
    "odd": ODD,
    "zero": ZERO,
    "pico-on-a-pi": PICO_ON_A_PI,
    "button-and-pico": BUTTON_AND_PICO,
}
