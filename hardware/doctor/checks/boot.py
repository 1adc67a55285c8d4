"""The file of boot settings: there, and the right one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.boot_config import overlay_parameters
from hardware.doctor.findings import Finding, error, ok, warning
from hardware.header import I2C_GPIOS, pin_name
from hardware.machine_needs import kit_needs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject


def check_boot_config(subject: Subject) -> Iterator[Finding]:
    """Which config.txt counts, and whether somebody has written into the other one."""
    if not subject.drives_pins or subject.pi is None:
        return
    config = subject.config
    if config is None:
        yield warning(
            "boot", "no config.txt was found", "mount the boot partition: it belongs at /boot/firmware since Bookworm"
        )
        return
    if config.stray is not None:
        yield warning(
            "boot",
            f"{config.stray} has settings that nothing reads; the Pi reads {config.path}",
            f"move the settings to {config.path} and restart the Pi",
        )
    else:
        yield ok("boot", f"boot settings are in {config.path}")
    i2c = sorted(set(I2C_GPIOS) & {*subject.gpio_pins, *subject.data_pins})
    if i2c and config.is_on("i2c_arm"):
        yield error(
            "boot",
            f"I2C is on and takes {', '.join(pin_name(pin) for pin in i2c)}, which the kit uses",
            f"set dtparam=i2c_arm=off in {config.path} and restart the Pi",
        )


def check_led_overlays(subject: Subject) -> Iterator[Finding]:
    """The overlay of the kernel's own LED driver, once for each chain."""
    config = subject.config
    if subject.kit.leds.driver != "ws2812_pio" or not subject.data_pins or config is None:
        return
    there = config.overlays("ws2812-pio")
    wanted = [line for line in kit_needs(subject.kit).boot_lines if line.startswith("dtoverlay=ws2812-pio,")]
    missing = [line for line in wanted if overlay_parameters(line) not in there]
    for line in missing:
        yield error(
            "boot", f"{config.path} lacks an LED chain as the kit has it", f"add {line} there and restart the Pi"
        )
    if not missing:
        yield ok("boot", f"{config.path} has the LED chains as the kit has them")
