"""Power: what the Pi's own supply is like, and what the LEDs may draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject

UNDER_VOLTAGE_NOW, THROTTLED_NOW, TOO_HOT_NOW = 1 << 0, 1 << 2, 1 << 3
UNDER_VOLTAGE_SINCE_BOOT, THROTTLED_SINCE_BOOT = 1 << 16, 1 << 18
"""Bits of `vcgencmd get_throttled` (Raspberry Pi documentation, vcgencmd)."""

MOST_OF_SUPPLY = 0.9
"""The share of a supply's rating above which it gets hot and its voltage sags."""


def check_voltage(subject: Subject) -> Iterator[Finding]:
    """Under-voltage and throttling, now and since the Pi was started."""
    if subject.pi is None:
        return
    told = (subject.machine.output("vcgencmd", "get_throttled") or "").partition("=")[2]
    try:
        bits = int(told, 16)
    except ValueError:
        yield warning(
            "supply",
            "vcgencmd does not tell whether the Pi's voltage holds",
            f"sudo usermod -aG video {subject.machine.user().name}, then log in again",
        )
        return
    cure = "give the Pi a supply of its own (5 V, 3 A; a Pi 5 27 W), and feed no LED from the Pi's 5 V pins"
    if bits & UNDER_VOLTAGE_NOW:
        yield error("supply", "the Pi's voltage is too low right now", cure)
    elif bits & UNDER_VOLTAGE_SINCE_BOOT:
        yield warning("supply", "the Pi's voltage was too low since it was started", cure)
    elif bits & (THROTTLED_NOW | TOO_HOT_NOW | THROTTLED_SINCE_BOOT):
        yield warning("supply", "the Pi was slowed down because of heat", "give it air or a heat sink")
    else:
        yield ok("supply", "the Pi's voltage holds")


def check_budget(subject: Subject) -> Iterator[Finding]:
    """The LEDs' current by the kit's own figures. How a frame is kept within it: `hardware.power`."""
    power = subject.kit.power
    leds = subject.kit.leds.led_count
    full = sum(
        chain.led_count * (power.idle_ma + chain.led_bytes * power.channel_ma) for chain in subject.kit.leds.chains
    )
    found = (
        f"{leds} LEDs: {leds * power.idle_ma / 1000:.1f} A dark, {full / 1000:.1f} A all white, held to "
        f"{power.budget_ma / 1000:.1f} A in all and {power.panel_budget_ma / 1000:.1f} A a panel; "
        f"the supply gives {power.supply_ma / 1000:.1f} A"
    )
    if power.budget_ma > MOST_OF_SUPPLY * power.supply_ma:
        yield warning(
            "budget", found, f"set power.budget_ma = {power.supply_ma * 4 // 5} in the kit, 80 % of the supply"
        )
    else:
        yield ok("budget", found)
