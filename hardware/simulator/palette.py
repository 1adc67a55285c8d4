"""Colours of the simulated board, and the way between sRGB and linear light."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rgb: TypeAlias = tuple[int, int, int]
"""An sRGB colour, 0…255 a channel."""

Light: TypeAlias = "NDArray[np.float32]"
"""Linear light, 0 is black and 1 is the screen's white; the last axis is red, green, blue."""

CAPTION: Rgb = (243, 234, 214)
CAPTION_GLASS: Rgb = (10, 11, 14)
FAINT: Rgb = (166, 160, 148)
LEGEND: Rgb = (240, 233, 218)
GLASS: Rgb = (7, 8, 11)
LENS: Rgb = (21, 23, 28)
CHIP: Rgb = (40, 42, 50)
WALL: Rgb = (24, 26, 32)
ACCENT: Rgb = (244, 186, 92)


class Livery(NamedTuple):
    """How a kingdom's console is made: lacquer, metal of trim and name plate, and the enamel of its key caps."""

    body: Rgb
    metal: Rgb
    engraving: Rgb
    enamel: Rgb


DIAMONDS = Livery(body=(25, 38, 76), metal=(222, 178, 92), engraving=(52, 34, 8), enamel=(150, 108, 34))
CLUBS = Livery(body=(16, 56, 52), metal=(198, 207, 211), engraving=(22, 34, 36), enamel=(62, 118, 108))


def livery(suit: str) -> Livery:
    """Return the livery of a suit: "clubs", or anything else for diamonds."""
    return CLUBS if suit == "clubs" else DIAMONDS


def to_linear(srgb: NDArray[np.uint8]) -> Light:
    """Decode sRGB bytes of any shape into linear light (IEC 61966-2-1)."""
    return np.asarray(_decoding().take(srgb))


def linear(colour: Rgb) -> Light:
    """Decode one colour into linear light, shape (3,)."""
    return to_linear(np.array(colour, np.uint8))


@cache
def _decoding() -> Light:
    value = np.arange(256, dtype=np.float64) / 255
    decoded = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.asarray(decoded, np.float32)


ENCODING_STEPS = 8191
"""The finest step of the encoding table: a quarter of a grey level where sRGB is steepest."""


@cache
def encoding() -> NDArray[np.uint8]:
    """Return the table that encodes linear light, given in 1/8191 steps, as an sRGB byte."""
    value = np.arange(ENCODING_STEPS + 1, dtype=np.float64) / ENCODING_STEPS
    encoded = np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(encoded * 255), np.uint8)


def to_srgb(light: Light) -> NDArray[np.uint8]:
    """Encode linear light of any shape as sRGB bytes; what is brighter than the screen's white is white."""
    steps = np.clip(light * np.float32(ENCODING_STEPS) + np.float32(0.5), 0, ENCODING_STEPS).astype(np.uint16)
    return np.asarray(encoding().take(steps))
