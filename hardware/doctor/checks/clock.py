"""The time: games and records carry it, and a Pi without a network starts in the past."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""No machine that has this version of Broadside can be earlier."""


def check_clock(subject: Subject) -> Iterator[Finding]:
    """Whether the clock can be right, and whether something keeps it right."""
    now = subject.machine.now()
    cure = "connect the Pi to a network once, or set it: sudo date -s 'YYYY-MM-DD HH:MM'"
    if now < EARLIEST:
        yield error("time", f"the clock says {now:%Y-%m-%d}, which is past; games would carry a wrong date", cure)
        return
    told = subject.machine.output("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if told == "no":
        yield warning("time", f"the clock ({now:%Y-%m-%d %H:%M} UTC) is not synchronised", cure)
    elif told == "yes":
        yield ok("time", "the clock is synchronised")
    else:
        yield ok("time", f"the clock says {now:%Y-%m-%d %H:%M} UTC")
