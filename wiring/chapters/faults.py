"""Symptom, cause, cure."""

from __future__ import annotations

from wiring.document.blocks import Chapter, Table, Text
from wiring.faults import FAULTS
from wiring.steps import FAULTS as TITLE
from wiring.subject import Subject


def faults(subject: Subject) -> Chapter:
    """Return the chapter."""
    rows = tuple((f"**{fault.kind}** {fault.symptom}", fault.cause, fault.cure, fault.link) for fault in FAULTS)
    return Chapter(
        TITLE,
        (
            Text(
                "All of these were met by people who built something alike; the last column links to the public report (owner/repository#number on GitHub). "
                f"When you are stuck: `{subject.command('doctor')}` first, then the test of the part you connected last."
            ),
            Table(("You see", "Because", "Do", "Met in"), rows, (23, 19, 36, 22)),
        ),
    )
