"""What never moves: the dark table, and on it the two consoles with their sunken glass and engraved letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pygame
from PIL import Image

from hardware.frame import SIZE
from hardware.simulator import palette
from hardware.simulator.canvas import Canvas
from hardware.simulator.palette import linear, livery
from hardware.simulator.shapes import Box, Disc
from hardware.simulator.texts import rendered, shortened, spaced

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hardware.simulator.layout import ConsolePlace, Layout, PanelPlace
    from hardware.simulator.palette import Light, Livery

COLUMNS = "ABCDEFGHIJ"

WOOD_DARK = (17, 11, 8)
WOOD_LIGHT = (58, 37, 24)


def backdrop(layout: Layout, suits: tuple[str, str], labels: Mapping[str, str]) -> Canvas:
    """Paint the table and the consoles of these kingdoms for a window."""
    canvas = Canvas(_wood(layout.size, layout.unit))
    for place, suit in zip(layout.consoles, suits, strict=True):
        _console(canvas, layout, place, livery(suit))
        for grid, panel in place.panels.items():
            _panel(canvas, layout, panel, livery(suit), labels.get(grid.value, ""))
        _trays(canvas, layout, place, livery(suit), labels.get("fleet", ""))
    _lamplight(canvas)
    _grain(canvas.pixels)
    return canvas


def diffusion(place: PanelPlace) -> Light:
    """Return how much of the LEDs' light each point of a panel's glass throws back, shape (side, side, 1): all of it
    within a cell, less on the walls between cells and on the rim."""
    side = place.glass.width
    ramp = np.arange(place.cells.width, dtype=np.float32) % place.cell
    wall = np.minimum(ramp + 0.5, place.cell - ramp - 0.5)
    wall = np.clip(0.62 + 0.38 * wall / max(1.0, place.cell * 0.06), 0, 1)
    thrown = np.full((side, side), 0.5, np.float32)
    inner = slice(place.margin, place.margin + place.cells.width)
    thrown[inner, inner] = np.minimum(wall[:, None], wall[None, :])
    return thrown[..., None]


def _noise(shape: tuple[int, int], cells: tuple[int, int], generator: np.random.Generator) -> NDArray[np.float32]:
    """Smooth noise of -1…1: random values on a coarse lattice of `cells`, blown up to `shape` (height, width)."""
    coarse = generator.uniform(-1, 1, cells).astype(np.float32)
    return np.asarray(Image.fromarray(coarse).resize((shape[1], shape[0]), Image.Resampling.BICUBIC))


def _wood(size: tuple[int, int], unit: float) -> Light:
    """Oiled walnut in broad planks. The same seed always, so that equal windows look equal."""
    generator = np.random.default_rng(7)
    width, height = size
    shape = (height, width)
    planks = 5
    y = (np.arange(height, dtype=np.float32) / height * planks)[:, None]
    plank = np.minimum(y.astype(int), planks - 1)
    bend = _noise(shape, (planks * 2, 5), generator)
    shift = generator.uniform(0, 40, planks).astype(np.float32)[plank]
    rings = np.sin((y * 5.0 + shift + bend * 1.4) * 2 * np.pi) * 0.5 + 0.5
    fibre = _noise(shape, (max(2, height // 2), max(2, int(width / unit) // 70)), generator)
    broad = _noise(shape, (planks * 7, 4), generator)
    tone = generator.uniform(-0.12, 0.12, planks).astype(np.float32)[plank]
    amount = np.clip(0.36 + 0.22 * rings**3 + 0.16 * fibre + 0.14 * broad + tone, 0, 1)
    dark, light = linear(WOOD_DARK), linear(WOOD_LIGHT)
    wood = dark + (light - dark) * amount[..., None]
    seam = np.abs(y - np.rint(y)) * height / planks
    wood *= np.clip(0.35 + seam / max(1.0, 1.6 * unit), 0, 1)[..., None]
    return np.asarray(wood, np.float32)


def _lamplight(canvas: Canvas) -> None:
    """One lamp above the table's far edge; the corners of the room stay dark."""
    height, width = canvas.pixels.shape[:2]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    lamp = np.float32(0.42) + np.float32(0.85) * np.exp(-(x**2) / 0.9 - (y + 0.15) ** 2 / 0.85)
    canvas.pixels *= lamp[..., None]


def _grain(pixels: Light) -> None:
    """Add a grey level or so of noise, which hides the steps of dark gradients."""
    generator = np.random.default_rng(11)
    noise = generator.uniform(-1, 1, pixels.shape[:2]).astype(np.float32)
    pixels *= (1 + 0.035 * noise)[..., None]
    pixels += (noise * np.float32(0.00022))[..., None]
    np.maximum(pixels, 0, out=pixels)


def _console(canvas: Canvas, layout: Layout, place: ConsolePlace, metal: Livery) -> None:
    px = layout.px
    body = Box(place.body, 14 * layout.unit)
    shadow = Box(place.body.move(0, px(7)), 14 * layout.unit)
    canvas.fill(shadow, (0, 0, 0), 0.75, feather=16 * layout.unit, grow=2 * layout.unit)
    canvas.fill(shadow, (0, 0, 0), 0.6, feather=5 * layout.unit, grow=-2 * layout.unit)
    canvas.fill(body, metal.body)
    sheen = np.linspace(1.5, 0.72, place.body.height, dtype=np.float32)[:, None]
    canvas.multiply(body, sheen)
    canvas.bevel(body, 6 * layout.unit, 0.9)
    canvas.line(body, metal.metal, max(1.0, 1.3 * layout.unit), 0.55, inset=5 * layout.unit)
    inset = px(9)
    for x in (place.body.left + inset, place.body.right - inset):
        for y in (place.body.top + inset, place.body.bottom - inset):
            _screw(canvas, layout, x, y, metal)


def _screw(canvas: Canvas, layout: Layout, x: int, y: int, metal: Livery) -> None:
    radius = 4.6 * layout.unit
    canvas.fill(Disc(x, y + layout.unit, radius), (0, 0, 0), 0.6, feather=2 * layout.unit)
    canvas.fill(Disc(x, y, radius), metal.metal, 0.82)
    canvas.bevel(Disc(x, y, radius), 2.4 * layout.unit, 0.8)
    slot = pygame.Rect(0, 0, max(2, round(radius * 1.3)), max(1, round(1.4 * layout.unit)))
    slot.center = (x, y)
    canvas.fill(Box(slot), (10, 8, 6), 0.8)


def _panel(canvas: Canvas, layout: Layout, place: PanelPlace, metal: Livery, name: str) -> None:
    px, unit = layout.px, layout.unit
    rim = Box(place.glass.inflate(px(5), px(5)), 5 * unit)
    canvas.fill(rim, metal.metal, 0.5)
    canvas.bevel(rim, 2 * unit, 0.8)
    glass = Box(place.glass, 3 * unit)
    canvas.fill(glass, palette.GLASS)
    cells = canvas.part(place.cells)
    cells[...] = np.tile(_unlit_cell(place.cell, unit), (SIZE, SIZE, 1))
    canvas.hollow(glass, 9 * unit)
    _reflection(canvas, place)
    _letters(canvas, layout, place, metal)
    if name:
        size = px(10.5)
        words = spaced(shortened(name.upper(), size, place.title.height // 2), size, px(4))
        engraved = pygame.transform.rotate(words, -90)
        position = engraved.get_rect(center=place.title.center).topleft
        canvas.engrave(engraved, position, metal.metal, opacity=0.8)


def _unlit_cell(cell: int, unit: float) -> Light:
    """Return one cell of dark glass, shape (cell, cell, 3): a barely visible lens between thin walls."""
    canvas = Canvas(np.zeros((cell, cell, 3), np.float32) + linear(palette.GLASS))
    middle = cell / 2
    canvas.fill(Disc(middle, middle, cell * 0.25), palette.LENS, 0.85, feather=max(0.5, cell * 0.05))
    canvas.fill(Disc(middle, middle, cell * 0.08), palette.CHIP, 0.7, feather=max(0.5, cell * 0.07))
    thin = max(1, round(unit * 0.8))
    for wall in (pygame.Rect(0, 0, cell, thin), pygame.Rect(0, 0, thin, cell)):
        canvas.fill(Box(wall), palette.WALL, 0.55)
    return canvas.pixels


def _reflection(canvas: Canvas, place: PanelPlace) -> None:
    """The lamp's faint reflection across the upper corner of the glass."""
    side = place.glass.width
    across = np.arange(side, dtype=np.float32)[None, :] + np.arange(side, dtype=np.float32)[:, None] * 0.55
    band = np.clip(1 - across / (side * 0.95), 0, 1) * 0.0045
    part = canvas.part(place.glass)
    part += band[..., None]


def _letters(canvas: Canvas, layout: Layout, place: PanelPlace, metal: Livery) -> None:
    size = layout.px(12.5)
    for index in range(SIZE):
        letter = rendered(COLUMNS[index], size)
        above = letter.get_rect(center=(place.square(0, index).centerx, place.glass.top - layout.px(11)))
        canvas.engrave(letter, above.topleft, metal.metal)
        number = rendered(str(index + 1), size)
        beside = number.get_rect(midright=(place.glass.left - layout.px(7), place.square(index, 0).centery))
        canvas.engrave(number, beside.topleft, metal.metal)


def _trays(canvas: Canvas, layout: Layout, place: ConsolePlace, metal: Livery, fleet: str) -> None:
    """The sunken places of fleet, keypad and caption."""
    unit = layout.unit
    for rect in (place.fleet, place.well):
        tray = Box(rect, 7 * unit)
        canvas.line(Box(rect, 7 * unit), (255, 255, 255), max(1.0, unit), 0.10, inset=-0.6 * unit)
        canvas.fill(tray, (8, 10, 15), 0.82)
        canvas.hollow(tray, 6 * unit, 0.7)
    if fleet:
        size = layout.px(10.5)
        engraved = spaced(shortened(fleet.upper(), size, place.fleet.width // 2), size, layout.px(4))
        position = engraved.get_rect(midtop=(place.fleet.centerx, place.fleet.top + layout.px(8))).topleft
        canvas.engrave(engraved, position, metal.metal, opacity=0.8)
    glass = Box(place.caption, 6 * unit)
    canvas.fill(Box(place.caption.move(0, layout.px(3)), 6 * unit), (0, 0, 0), 0.6, feather=5 * unit)
    canvas.fill(glass, palette.CAPTION_GLASS)
    canvas.line(glass, metal.metal, max(1.0, 1.1 * unit), 0.5, inset=0.8 * unit)
