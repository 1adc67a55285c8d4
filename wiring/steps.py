"""The chapters' titles in their order, so that one chapter can point to another by its number."""

from __future__ import annotations

WHAT_YOU_GET = "What you get"
DANGERS = "Dangers"
CHOOSE = "Choose a kit"
PARTS = "Parts list"
TOOLS = "Tools"
PIN_MAP = "Pin map"
POWER = "Power alone"
ONE_PANEL = "One panel"
ALL_PANELS = "All panels"
KEYPADS = "Keypads"
EXTRAS = "Buzzer and button"
DOCTOR = "The doctor"
SERVICE = "The service"
FAULTS = "Symptom, cause, cure"
CHANGING = "Changing pins"

TITLES = (
    WHAT_YOU_GET,
    DANGERS,
    CHOOSE,
    PARTS,
    TOOLS,
    PIN_MAP,
    POWER,
    ONE_PANEL,
    ALL_PANELS,
    KEYPADS,
    EXTRAS,
    DOCTOR,
    SERVICE,
    FAULTS,
    CHANGING,
)


def step(title: str) -> int:
    """Return a chapter's number."""
    return TITLES.index(title) + 1


def see(title: str) -> str:
    """Return how a chapter is pointed to: "step 7"."""
    return f"step {step(title)}"
