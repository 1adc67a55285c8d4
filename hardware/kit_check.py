"""Checks a kit against the header, its drivers and its power supply.

Each check raises `KitError` with one sentence that names the key, the value and the cure. Keys are counted as a person
counts: "leds, chain 2: pin" is the key `pin` of the second `[[leds.chains]]`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from unicodedata import category

from hardware.frame import SEATS, SIZE
from hardware.fuses import BLADE_FUSES_MA, MOST_FUSED_MA
from hardware.header import (
    FIXED_PULL_UPS,
    MODEL_NAMES,
    PCM_GPIO,
    PICO_GPIOS,
    PICO_RESERVED,
    PIN_OF_GPIO,
    PWM_CHANNELS,
    RESERVED,
    SPI0_GPIOS,
    SPI_GPIO,
    PiModel,
    pin_name,
)
from hardware.keys import KEYS
from hardware.kit_text import KitError, nearest, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.kit import Chain, Keypad, Kit, Leds, Power

LED_DRIVERS = ("rpi_ws281x", "neopixel", "ws2812_pio", "pico")
KEYPAD_DRIVERS = ("gpio", "evdev", "pico")

SAFE_DMA = 10
"""The DMA channel that rpi_ws281x takes by default. Channel 5 is the SD card's (jgarff/rpi_ws281x, issue 224)."""

LEAST_CHANNEL_MA = 10.0
"""The smallest current of a full channel that a kit may claim, in mA. White has been measured at 33 to 52 mA by batch,
so 11 mA a channel at least; a kit that claims less lets more light through than its fuses carry."""

MOST_CHAINS = {"rpi_ws281x": 2, "neopixel": 1, "ws2812_pio": 4}
"""Data lines that a driver can feed: both PWM channels of one `ws2811_t`; Blinka's single strip (adafruit/
Adafruit_Blinka, issue 103); four instances of the kernel's ws2812-pio (`MAX_INSTANCES` in ws2812-pio-rp1.c)."""

_PIS = tuple(model for model in PiModel if model is not PiModel.ANY)

_DRIVER_MODELS = {
    "rpi_ws281x": (PiModel.ZERO_2, PiModel.PI_3, PiModel.PI_4),
    "neopixel": _PIS,
    "ws2812_pio": (PiModel.PI_5,),
}

_DRIVER_CURES = {
    "rpi_ws281x": 'use "ws2812_pio", "neopixel" (one chain) or "pico"',
    "neopixel": 'use "pico"',
    "ws2812_pio": 'use "rpi_ws281x" or "pico"',
}


def check_kit(kit: Kit) -> None:
    """Check everything of a kit that its types do not say already. Raises KitError for the first fault."""
    _check_title(kit.title)
    _check_leds(kit.leds)
    _check_panels(kit)
    _check_keypads(kit)
    _check_drivers(kit)
    _check_pins(kit)
    _check_led_pins(kit)
    _check_power(kit)


def spi_bytes(leds: int) -> int:
    """Return the bytes that rpi_ws281x hands to SPI for one frame of this many LEDs: three bits on the wire for each
    of four colours' bits, 55 µs of silence at 2.4 MHz, rounded to words (`PCM_BYTE_COUNT` in its ws2811.c)."""
    bits = leds * 4 * 8 * 3 + 55 * 2_400_000 // 1_000_000
    return (bits // 8 // 8 * 8) + 8


def _check_title(title: str) -> None:
    if not title.strip():
        raise KitError(f"title = {show(title)} is empty; say in a few words what was built.")
    if any(category(sign) in {"Cc", "Zl", "Zp"} for sign in title):
        raise KitError(f"title = {show(title)} has line breaks or control characters; write it in one plain line.")


def _check_leds(leds: Leds) -> None:
    if not leds.chains:
        raise KitError("leds: chains = [] leaves nothing to light; add a [[leds.chains]] with its pin and panels.")
    for number, chain in enumerate(leds.chains, start=1):
        if not chain.panels:
            raise KitError(
                f"leds, chain {number}: panels = [] is a chain without panels; add one or take the chain out."
            )
        if sorted(chain.order) not in (sorted("RGB"), sorted("RGBW")):
            raise KitError(
                f"leds, chain {number}: order = {show(chain.order)} is no colour order; write R, G and B (and W for "
                'four-colour LEDs) once each, such as "GRB".'
            )
    _check_range("leds: brightness", leds.brightness, 0.01, 1.0)
    _check_range("leds: gamma", leds.gamma, 1.0, 4.0)
    if leds.dma != SAFE_DMA:
        raise KitError(f"leds: dma = {leds.dma} is not safe (channel 5 destroys SD cards); leave it at {SAFE_DMA}.")


def _check_range(key: str, value: float, low: float, high: float) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise KitError(f"{key} = {value} is out of range; write a number from {low:g} to {high:g}.")


def _check_panels(kit: Kit) -> None:
    seen: dict[tuple[int, str], str] = {}
    for number, chain in enumerate(kit.leds.chains, start=1):
        for position, panel in enumerate(chain.panels, start=1):
            key = f"leds, chain {number}, panel {position}"
            if panel.seat not in SEATS:
                raise KitError(f"{key}: seat = {panel.seat} does not exist; the seats are 1 and 2.")
            if panel.rotation not in (0, 90, 180, 270):
                raise KitError(f"{key}: rotation = {panel.rotation} is not possible; write 0, 90, 180 or 270.")
            if earlier := seen.get((panel.seat, panel.grid)):
                raise KitError(
                    f'{key}: seat = {panel.seat}, grid = "{panel.grid}" is already {earlier}; give each panel '
                    "a seat and grid of its own."
                )
            seen[panel.seat, panel.grid] = key
    for seat in SEATS:
        if not any(owner == seat for owner, _grid in seen):
            raise KitError(f"leds: seat {seat} has no panel; add one with seat = {seat} to a chain's panels.")
    for seat in SEATS:
        grids = {grid for owner, grid in seen if owner == seat}
        if "either" in grids and len(grids) > 1:
            raise KitError(
                f'leds: seat {seat} has grid = "either" beside another panel; "either" is for one panel a seat, '
                'with two write "ocean" and "target".'
            )
        if len(grids) == 1 and "either" not in grids:
            (grid,) = grids
            raise KitError(
                f'leds: seat {seat} has only grid = "{grid}"; write "either" for a panel that shows both in turn, '
                "or add the other one."
            )


def _check_keypads(kit: Kit) -> None:
    seen: set[tuple[int, str]] = set()
    devices: dict[str, str] = {}
    for number, keypad in enumerate(kit.keypads, start=1):
        key = f"keypad {number}"
        if keypad.seat not in SEATS:
            raise KitError(f"{key}: seat = {keypad.seat} does not exist; the seats are 1 and 2.")
        if (keypad.seat, keypad.driver) in seen:
            raise KitError(
                f'{key}: seat = {keypad.seat} has a keypad with driver = "{keypad.driver}" already; one of the two '
                "belongs to the other seat."
            )
        seen.add((keypad.seat, keypad.driver))
        if keypad.driver == "evdev":
            if not keypad.device:
                raise KitError(
                    f"{key}: device is missing; write the name that the number pad has in /dev/input/by-path."
                )
            if earlier := devices.get(keypad.device):
                raise KitError(f"{key}: device = {show(keypad.device)} is {earlier} already; each seat needs its own.")
            devices[keypad.device] = key
            if keypad.rows or keypad.columns:
                raise KitError(f"{key}: rows and columns are pins, and a USB number pad has none; take them out.")
        elif keypad.driver in KEYPAD_DRIVERS:
            _check_matrix(key, keypad)
    for seat in SEATS:
        if not any(keypad.seat == seat for keypad in kit.keypads):
            raise KitError(f"keypads: seat {seat} has no keypad; add [[keypads]] with seat = {seat}.")


def _check_matrix(key: str, keypad: Keypad) -> None:
    if keypad.device is not None:
        raise KitError(
            f'{key}: device = {show(keypad.device)} is for USB number pads; write driver = "evdev" or take it out.'
        )
    layout = keypad.layout
    if not layout or {len(row) for row in layout} != {len(layout[0])}:
        raise KitError(f"{key}: layout = {show(layout)} is no rectangle; write one text a row, all of the same length.")
    if sorted("".join(layout)) != sorted(KEYS):
        raise KitError(f"{key}: layout = {show(layout)} must have each of the keys {KEYS} exactly once.")
    _check_range(f"{key}: debounce_scans", keypad.debounce_scans, 1, 10)
    for name, pins, wanted in (("rows", keypad.rows, len(layout)), ("columns", keypad.columns, len(layout[0]))):
        if len(pins) != wanted:
            raise KitError(f"{key}: {name} = {show(pins)} has {len(pins)} pins; the layout has {wanted} {name}.")


def _check_drivers(kit: Kit) -> None:
    leds, model = kit.leds, kit.model
    _check_driver("leds: driver", leds.driver, LED_DRIVERS, "broadside.leds")
    models = _DRIVER_MODELS.get(leds.driver)
    if models is not None and model not in models:
        raise KitError(
            f'leds: driver = "{leds.driver}" does not work on {MODEL_NAMES[model]}; {_DRIVER_CURES[leds.driver]}.'
        )
    most = MOST_CHAINS.get(leds.driver)
    if most is not None and len(leds.chains) > most:
        raise KitError(
            f'leds: driver = "{leds.driver}" feeds at most {most} chain{"s" * (most > 1)}, and this kit has '
            f"{len(leds.chains)}; put the panels of one behind another's."
        )
    for number, keypad in enumerate(kit.keypads, start=1):
        _check_driver(f"keypad {number}: driver", keypad.driver, KEYPAD_DRIVERS, "broadside.keypads")
        if keypad.driver == "gpio" and model is PiModel.ANY:
            raise KitError(
                f'keypad {number}: driver = "gpio" needs a Pi\'s pins; write the Pi as model, or use "pico".'
            )


def _check_driver(key: str, driver: str, own: tuple[str, ...], group: str) -> None:
    if driver in own:
        return
    # A driver of another package: rare, and this import takes as long as all the rest.
    from importlib.metadata import entry_points

    installed = [entry.name for entry in entry_points(group=group)]
    if driver not in installed:
        raise KitError(f"{key} = {show(driver)} is not installed; {nearest(driver, sorted({*own, *installed}))}")


def _pin_users(kit: Kit) -> Iterator[tuple[str, int, bool]]:
    """Yield (key, GPIO, whether it is a Pico's) for every pin of a kit."""
    on_pico = kit.leds.driver == "pico"
    for number, chain in enumerate(kit.leds.chains, start=1):
        yield f"leds, chain {number}: pin", chain.pin, on_pico
    for number, keypad in enumerate(kit.keypads, start=1):
        for name, pins in (("rows", keypad.rows), ("columns", keypad.columns)):
            for pin in pins:
                yield f"keypad {number}: {name}", pin, keypad.driver == "pico"
    if kit.buzzer:
        yield "buzzer: pin", kit.buzzer.pin, False
    if kit.power_button:
        yield "power_button: pin", kit.power_button.pin, False


def _check_pins(kit: Kit) -> None:
    users: dict[tuple[bool, int], str] = {}
    for key, gpio, on_pico in _pin_users(kit):
        if on_pico:
            _check_pico_pin(key, gpio)
        else:
            _check_pi_pin(key, gpio, kit.model)
            if key == "buzzer: pin" and gpio in FIXED_PULL_UPS:
                raise KitError(
                    f"{key} = {gpio}: {pin_name(gpio)} is pulled up on the board, so the buzzer would be on from "
                    "power-on; use another pin, such as 25."
                )
        name = f"GP{gpio}" if on_pico else pin_name(gpio)
        if earlier := users.get((on_pico, gpio)):
            both = f"{earlier} and {key}" if earlier != key else f"{key} (twice)"
            raise KitError(f"{key} = {gpio}: {name} is used twice, by {both}; move one of them to a free pin.")
        users[on_pico, gpio] = key


def _check_pico_pin(key: str, gpio: int) -> None:
    if gpio in PICO_RESERVED:
        raise KitError(f"{key} = {gpio}: GP{gpio} is reserved for {PICO_RESERVED[gpio]} of the Pico; use another pin.")
    if gpio not in PICO_GPIOS:
        raise KitError(f"{key} = {gpio}: a Pico has no GP{gpio}; use GP0 to GP22 or GP26 to GP28.")


def _check_pi_pin(key: str, gpio: int, model: PiModel) -> None:
    if model is PiModel.ANY:
        raise KitError(f"{key} = {gpio}: {MODEL_NAMES[model]} has no header; write the Pi as model, or take this out.")
    if gpio not in PIN_OF_GPIO:
        raise KitError(f"{key} = {gpio}: the header has no GPIO{gpio}; write a BCM number from 2 to 27.")
    if gpio in RESERVED:
        raise KitError(f"{key} = {gpio}: {pin_name(gpio)} is reserved ({RESERVED[gpio]}); use another pin.")


def _check_led_pins(kit: Kit) -> None:
    """Check the pins that carry LED data where the driver works only on some of them."""
    leds, model = kit.leds, kit.model
    on_bcm = leds.driver == "rpi_ws281x" or (leds.driver == "neopixel" and model is not PiModel.PI_5)
    if not on_bcm:
        return
    for number, chain in enumerate(leds.chains, start=1):
        _check_data_pin(f"leds, chain {number}: pin", chain, leds)
    if leds.driver == "rpi_ws281x" and len(leds.chains) == 2:
        _check_two_chains(leds.chains)
    if any(chain.pin == SPI_GPIO for chain in leds.chains):
        for key, gpio, on_pico in _pin_users(kit):
            if not on_pico and gpio in SPI0_GPIOS and gpio != SPI_GPIO:
                raise KitError(
                    f"{key} = {gpio}: {pin_name(gpio)} is {SPI0_GPIOS[gpio]}, which belongs to SPI while a chain is on "
                    f"{pin_name(SPI_GPIO)}; use another pin."
                )


def _check_data_pin(key: str, chain: Chain, leds: Leds) -> None:
    gpio = chain.pin
    # Blinka sends through rpi_ws281x as well.
    able = sorted([*PWM_CHANNELS, PCM_GPIO, SPI_GPIO])
    if gpio not in able:
        pins = ", ".join(str(pin) for pin in able)
        raise KitError(
            f'{key} = {gpio}: {pin_name(gpio)} cannot carry PWM, PCM or SPI for the driver "{leds.driver}"; use one '
            f"of {pins}."
        )
    if gpio == SPI_GPIO and (needed := spi_bytes(chain.led_count)) > leds.spi_buffer:
        raise KitError(
            f"{key} = {gpio}: {chain.led_count} LEDs on SPI need {needed} bytes and leds: spi_buffer = "
            f"{leds.spi_buffer} takes fewer; add spidev.bufsiz=32768 to cmdline.txt and write spi_buffer = 32768."
        )


def _check_two_chains(chains: tuple[Chain, ...]) -> None:
    channels = [PWM_CHANNELS.get(chain.pin) for chain in chains]
    for number, (chain, channel) in enumerate(zip(chains, channels, strict=True), start=1):
        if channel is None:
            raise KitError(
                f"leds, chain {number}: pin = {chain.pin}: two chains need PWM, and {pin_name(chain.pin)} has none; "
                "use 12 or 18 for one chain and 13 or 19 for the other."
            )
    if channels[0] == channels[1]:
        others = [str(gpio) for gpio, channel in sorted(PWM_CHANNELS.items()) if channel != channels[0]]
        raise KitError(
            f"leds, chain 2: pin = {chains[1].pin}: {pin_name(chains[1].pin)} is on PWM channel {channels[1]}, like "
            f"chain 1's {pin_name(chains[0].pin)}; use {' or '.join(others)}."
        )


def _check_power(kit: Kit) -> None:
    power = kit.power
    if power.idle_ma <= 0:
        raise KitError(
            f"power: idle_ma = {power.idle_ma:g} is impossible, since a dark LED draws current as well; write 1.0, or "
            "what one LED draws while it is dark."
        )
    _check_range("power: idle_ma", power.idle_ma, 0.0, 5.0)
    if power.channel_ma < LEAST_CHANNEL_MA:
        raise KitError(
            f"power: channel_ma = {power.channel_ma:g} is less than any WS2812B draws and would let too much current "
            "through (measured batches draw 33 to 52 mA for white, so 11 mA a channel at least); write "
            f"{LEAST_CHANNEL_MA:g} or more, 20 where nobody measured."
        )
    _check_range("power: channel_ma", power.channel_ma, LEAST_CHANNEL_MA, 60.0)
    if not 500 <= power.supply_ma <= 100_000:
        raise KitError(
            f"power: supply_ma = {power.supply_ma} is no 5 V supply; write its rated current in mA, as 10000."
        )
    _check_budgets(kit)


def _check_budgets(kit: Kit) -> None:
    power = kit.power
    budgets = (
        ("budget_ma", power.budget_ma, kit.leds.led_count),
        ("panel_budget_ma", power.panel_budget_ma, SIZE * SIZE),
    )
    for key, budget, leds in budgets:
        least = least_budget(power, leds)
        if budget < least:
            raise KitError(
                f"power: {key} = {budget} leaves nothing to light with: {leds} LEDs draw {leds * power.idle_ma:g} mA "
                f"when they are dark; write at least {least}."
            )
    if power.budget_ma > power.supply_ma:
        raise KitError(
            f"power: budget_ma = {power.budget_ma} is more than the supply gives (supply_ma = {power.supply_ma}); "
            f"write at most {power.supply_ma}, better {power.supply_ma * 4 // 5}."
        )
    if power.panel_budget_ma > power.budget_ma:
        raise KitError(
            f"power: panel_budget_ma = {power.panel_budget_ma} is more than all panels may draw (budget_ma = "
            f"{power.budget_ma}); write at most {power.budget_ma}."
        )
    for key, budget, _leds in budgets:
        if budget > MOST_FUSED_MA:
            raise KitError(
                f"power: {key} = {budget} is more than any blade fuse carries for long (80 % of "
                f"{BLADE_FUSES_MA[-1] // 1000} A); write at most {MOST_FUSED_MA}."
            )


def least_budget(power: Power, leds: int) -> int:
    """Return the smallest sensible budget in mA for this many LEDs: what they draw dark and one full channel more."""
    return math.ceil(leds * power.idle_ma + power.channel_ma)
