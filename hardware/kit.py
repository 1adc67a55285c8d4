"""The kit: what was built, read from a TOML file and checked against the 40-pin header."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal

import msgspec

from hardware.frame import SIZE
from hardware.header import PiModel
from hardware.keys import KEYPAD_ROWS
from hardware.kit_check import check_kit
from hardware.kit_faults import explain
from hardware.kit_text import KIT_VERSION, KitError, kit_tables, one_line, read_kit

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "KIT_VERSION",
    "PANEL_LEDS",
    "Along",
    "Chain",
    "Corner",
    "Keypad",
    "Kit",
    "KitError",
    "Leds",
    "PanelGrid",
    "PanelSpec",
    "PiModel",
    "Pin",
    "Power",
    "check_kit",
    "load_kit",
    "parse_kit",
]

PANEL_LEDS = SIZE * SIZE
"""LEDs of one panel."""

Corner = Literal["top left", "top right", "bottom left", "bottom right"]
Along = Literal["rows", "columns"]


class PanelGrid(StrEnum):
    """Which grid a panel shows; EITHER is a kit with one panel a seat, which shows the one that matters now."""

    OCEAN = "ocean"
    TARGET = "target"
    EITHER = "either"


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the tables in a kit file: immutable, strict about keys."""


class PanelSpec(_Part, frozen=True, kw_only=True):
    """One 10×10 panel in a chain, seen from the front.

    `first` is the corner of the first LED and `along` whether the chain runs along rows or columns first, both as the
    panel's maker drew them; `serpentine` whether every second run comes back. `rotation` (degrees clockwise: 0, 90,
    180, 270) is how far the panel was then turned when it was mounted.
    """

    seat: int
    grid: PanelGrid
    first: Corner = "top left"
    along: Along = "rows"
    serpentine: bool = True
    rotation: int = 0


class Chain(_Part, frozen=True, kw_only=True):
    """One data line. `pin` is a BCM GPIO number (with the driver "pico" the Pico's GP number); `panels` stand in wire
    order; `order` is the colour order on the wire: a permutation of RGB, or of RGBW for four-colour LEDs."""

    pin: int
    panels: tuple[PanelSpec, ...]
    order: str = "GRB"

    @property
    def led_count(self) -> int:
        """How many LEDs stand in this chain."""
        return PANEL_LEDS * len(self.panels)

    @property
    def led_bytes(self) -> int:
        """How many bytes one LED takes on the wire: 3, or 4 for four-colour LEDs."""
        return len(self.order)


class Leds(_Part, frozen=True, kw_only=True):
    """The LED chains and how they are driven. `brightness` (0…1) scales every LED; `gamma` is the exponent of the
    panels' transfer curve.

    `dma` is the DMA channel that rpi_ws281x uses; only 10 is safe (channel 5 destroys SD cards: jgarff/rpi_ws281x,
    issue 224). `spi_buffer` is the kernel's `spidev.bufsiz` in bytes, which limits a chain on SPI.
    """

    driver: str
    chains: tuple[Chain, ...]
    brightness: float = 1.0
    gamma: float = 2.2
    dma: int = 10
    spi_buffer: int = 4096

    @property
    def led_count(self) -> int:
        """How many LEDs stand in all chains."""
        return sum(chain.led_count for chain in self.chains)


class Power(_Part, frozen=True, kw_only=True):
    """The supply and the budgets, in mA.

    `supply_ma` is the supply's rated current and `budget_ma` what all LEDs together may draw, 80 % of it at best: both
    have to be written, since fuses and wires follow from them. The default `panel_budget_ma` keeps each panel under a
    5 A fuse. By rule of thumb a WS2812B draws 1 mA dark and 20 mA more for each full channel (measured batches lie
    below that).
    """

    supply_ma: int
    budget_ma: int
    panel_budget_ma: int = 4_000
    idle_ma: float = 1.0
    channel_ma: float = 20.0


class Keypad(_Part, frozen=True, kw_only=True):
    """One seat's keypad.

    A matrix on GPIO pins has `rows` and `columns` (BCM numbers; with the driver "pico" the Pico's GP numbers); a USB
    number pad (driver "evdev") has `device`, its name below /dev/input/by-path. `layout` is one string a row. A change
    of a matrix counts after `debounce_scans` equal scans: more for a keypad whose contacts bounce for long.
    """

    seat: int
    driver: str = "gpio"
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    device: str | None = None
    layout: tuple[str, ...] = KEYPAD_ROWS
    debounce_scans: int = 2


class Pin(_Part, frozen=True, kw_only=True):
    """A single part on one BCM pin: buzzer or power button."""

    pin: int


class Kit(_Part, frozen=True, kw_only=True):
    """Everything that was built. `kit` is the version of the file format."""

    kit: int
    title: str
    model: PiModel
    leds: Leds
    keypads: tuple[Keypad, ...]
    power: Power
    buzzer: Pin | None = None
    power_button: Pin | None = None


def load_kit(path: Path) -> Kit:
    """Read and check a kit file. Raises KitError, one sentence that names the file, the key, the value and the cure."""
    return parse_kit(read_kit(path), str(path))


def parse_kit(text: str, where: str) -> Kit:
    """Read and check a kit; `where` (its file) begins every message. Raises KitError."""
    data = kit_tables(text, where)
    try:
        kit = msgspec.convert(data, Kit)
    except msgspec.ValidationError as error:
        raise KitError(f"{where}: {one_line(explain(str(error), data, Kit))}") from error
    try:
        check_kit(kit)
    except KitError as error:
        raise KitError(f"{where}: {one_line(str(error))}") from error
    return kit
