"""The simulator: pygame, and a display to open its window on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning
from hardware.doctor.subject import Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject


def check_simulator(subject: Subject) -> Iterator[Finding]:
    """Whether the simulator can open its window here."""
    if subject.target is Target.BOARD:
        return
    machine = subject.machine
    if subject.target is Target.TEXT:
        yield ok("simulator", "the text board needs no more than a terminal")
        return
    version = machine.package("pygame-ce") or machine.package("pygame")
    if version is None:
        yield error("simulator", "pygame is not installed", "make setup installs it; --board text plays without")
        return
    yield ok("simulator", f"pygame {version}")
    display = next((name for name in ("WAYLAND_DISPLAY", "DISPLAY") if machine.environment(name)), None)
    if display is None and machine.environment("SDL_VIDEODRIVER") is None:
        yield warning(
            "simulator",
            "there is no display (over SSH there is none), so play opens the text board",
            "start it in the desktop's own terminal for the simulator, or be content with --board text",
        )
    else:
        yield ok("simulator", "there is a display for its window")
