"""Puts a machine and a kit through every check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.checks.boot import check_boot_config, check_led_overlays
from hardware.doctor.checks.chips import check_chips
from hardware.doctor.checks.clock import check_clock
from hardware.doctor.checks.desktop import check_simulator
from hardware.doctor.checks.occupied import check_led_devices, check_pins, check_service
from hardware.doctor.checks.packages import check_gpio_packages, check_led_packages, check_numpad_packages
from hardware.doctor.checks.pico import check_pico
from hardware.doctor.checks.rights import check_gpio, check_leds, check_numpads
from hardware.doctor.checks.sound import check_audio
from hardware.doctor.checks.spi import check_spi
from hardware.doctor.checks.storage import check_storage, check_working_folder
from hardware.doctor.checks.supply import check_budget, check_voltage
from hardware.doctor.checks.system import check_model, check_system
from hardware.doctor.findings import Report, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hardware.doctor.findings import Finding
    from hardware.doctor.subject import Subject

CHECKS: tuple[Callable[[Subject], Iterable[Finding]], ...] = (
    check_model,
    check_system,
    check_leds,
    check_gpio,
    check_numpads,
    check_led_packages,
    check_gpio_packages,
    check_numpad_packages,
    check_pico,
    check_audio,
    check_spi,
    check_boot_config,
    check_led_overlays,
    check_chips,
    check_service,
    check_led_devices,
    check_pins,
    check_voltage,
    check_budget,
    check_storage,
    check_working_folder,
    check_simulator,
    check_clock,
)
"""In the order in which a person would look: machine, rights, software, settings, who else is there, power, rest."""


def examine(subject: Subject) -> Report:
    """Return everything there is to say about a machine and a kit."""
    findings = tuple(finding for check in CHECKS for finding in check(subject))
    return Report(
        machine=subject.machine_name,
        kit=subject.kit_name,
        kit_file=subject.kit_file,
        board=subject.target.value,
        ready=all(finding.status is not Status.ERROR for finding in findings),
        findings=findings,
    )
