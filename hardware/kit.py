"""The kit: what was built, read from a TOML file and checked against the 40-pin header."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from hardware.header import PiModel
from hardware.keys import KEYPAD_ROWS

KIT_VERSION = 1

Corner = Literal["top left", "top right", "bottom left", "bottom right"]
Along = Literal["rows", "columns"]


class PanelGrid(StrEnum):
    """Which grid a panel shows; EITHER is a kit with one panel a seat, which shows the one that matters now."""

    OCEAN = "ocean"
    TARGET = "target"
    EITHER = "either"


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the tables in a kit file: immutable, strict about keys."""


class PanelSpec(_Part):
    """One 10×10 panel in a chain, seen from the front.

    `first` is the corner of the first LED, `along` whether the chain runs along rows or columns first, `serpentine`
    whether every second run comes back. `rotation` (degrees clockwise: 0, 90, 180, 270) is how the panel was mounted.
    """

    seat: int
    grid: PanelGrid
    first: Corner = "top left"
    along: Along = "rows"
    serpentine: bool = True
    rotation: int = 0


class Chain(_Part):
    """One data line. `pin` is a BCM GPIO number; `panels` stand in wire order; `order` is the colour order on the
    wire: a permutation of RGB, or of RGBW for four-colour LEDs."""

    pin: int
    panels: tuple[PanelSpec, ...]
    order: str = "GRB"


class Leds(_Part):
    """The LED chains and how they are driven. `brightness` (0…1) scales every LED; `gamma` is the exponent of the
    panels' transfer curve."""

    driver: str
    chains: tuple[Chain, ...]
    brightness: float = 1.0
    gamma: float = 2.2


class Power(_Part):
    """The supply and the budgets, in mA. Defaults: HARDWARE_FACTS (10 A supply, 8 A in all, 4 A a panel; 1 mA dark
    and 20 mA for a full channel of each LED)."""

    supply_ma: int = 10_000
    budget_ma: int = 8_000
    panel_budget_ma: int = 4_000
    idle_ma: float = 1.0
    channel_ma: float = 20.0


class Keypad(_Part):
    """One seat's keypad. A matrix on GPIO pins has `rows` and `columns` (BCM numbers); a USB number pad (driver
    "evdev") has `device`, its path below /dev/input/by-path. `layout` is one string a row."""

    seat: int
    driver: str = "gpio"
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    device: str | None = None
    layout: tuple[str, ...] = KEYPAD_ROWS


class Pin(_Part):
    """A single part on one BCM pin: buzzer or power button."""

    pin: int


class Kit(_Part):
    """Everything that was built."""

    kit: int
    title: str
    model: PiModel
    leds: Leds
    keypads: tuple[Keypad, ...]
    power: Power = Power()
    buzzer: Pin | None = None
    power_button: Pin | None = None
