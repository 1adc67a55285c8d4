"""The number of the GPIO chip that carries the header: it moved on the Pi 5 (raspberrypi/linux#6144)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.checks.rights import header_chip
from hardware.doctor.findings import Finding, error, ok, warning
from hardware.header import PiModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject


def check_chips(subject: Subject) -> Iterator[Finding]:
    """Whether the header's GPIO chip is found, and at a number that gpiozero looks at (0, on a Pi 5 also 4)."""
    if not subject.has_matrix or subject.pi is None:
        return
    chips = subject.machine.chips()
    if not chips:
        yield warning(
            "gpiochip", "no GPIO chip may be opened, so its number is not known", "see the findings about rights above"
        )
        return
    name = header_chip(subject)
    label = next((chip.label for chip in chips if chip.name == name), "")
    looked_at = {"gpiochip0", "gpiochip4"} if subject.model is PiModel.PI_5 else {"gpiochip0"}
    expected = "pinctrl-rp1" if subject.model is PiModel.PI_5 else "pinctrl-bcm2"
    if not label.startswith(expected) or name not in looked_at:
        yield error(
            "gpiochip",
            f"the header's GPIO chip ({expected}…) is not where gpiozero looks for it",
            "bring the system up to date: sudo apt full-upgrade, then restart the Pi",
        )
    else:
        yield ok("gpiochip", f"the header is {name} ({label})")
