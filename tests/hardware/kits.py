"""Kits for tests: the shipped ones, and small ones made of a few lines."""

from __future__ import annotations

from importlib.resources import files

from hardware.kit import Kit, parse_kit

SHIPPED = ("compact", "full", "one-chain", "pi5", "pico")


def shipped_text(name: str) -> str:
    """Return the TOML text of a shipped kit."""
    return (files("wiring.kits") / f"{name}.toml").read_text(encoding="utf-8")


def shipped(name: str) -> Kit:
    """Return a shipped kit."""
    return parse_kit(shipped_text(name), name)


def changed(name: str, *changes: tuple[str, str]) -> Kit:
    """Return a shipped kit with every occurrence of some texts replaced; each must occur."""
    return parse_kit(changed_text(name, *changes), name)


def changed_text(name: str, *changes: tuple[str, str]) -> str:
    """Return the text of a shipped kit with every occurrence of some texts replaced; each must occur."""
    text = shipped_text(name)
    for old, new in changes:
        assert old in text, f"{old!r} is not in {name}.toml"
        text = text.replace(old, new)
    return text
