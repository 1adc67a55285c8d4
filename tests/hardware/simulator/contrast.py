"""How legible one colour is on another (WCAG 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.simulator.palette import linear

if TYPE_CHECKING:
    from hardware.simulator.palette import Rgb


def luminance(colour: Rgb) -> float:
    """Return the relative luminance of a colour, 0…1 (WCAG 2)."""
    red, green, blue = (float(value) for value in linear(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colours, 1…21 (WCAG 2)."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)
