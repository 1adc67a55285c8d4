"""The fleet still afloat: one small silhouette a ship, dark once it is sunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygame import Rect

from hardware.simulator.palette import LEGEND, livery
from hardware.simulator.shapes import Box, Hull
from hardware.simulator.texts import rendered, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.frame import Silhouette
    from hardware.simulator.canvas import Canvas

NAMED = 6
"""A fleet of more ships than this is shown by its silhouettes alone."""

WRECK = (30, 32, 38)
WRECK_NAME = (112, 110, 106)


def draw_fleet(
    canvas: Canvas, rect: Rect, unit: float, ships: Sequence[Silhouette], suit: str, *, heading: bool
) -> None:
    """Paint a fleet into its tray, below the heading that is engraved there."""
    room = rect.inflate(-round(30 * unit), -round(16 * unit))
    if heading:
        space = round(17 * unit)
        room = Rect(room.left, room.top + space, room.width, room.height - space)
    if not ships:
        return
    if len(ships) <= NAMED:
        _named(canvas, room, unit, ships, suit)
    else:
        _packed(canvas, room, unit, ships, suit)


def _named(canvas: Canvas, room: Rect, unit: float, ships: Sequence[Silhouette], suit: str) -> None:
    longest = max(ship.length for ship in ships)
    step = min(room.height / len(ships), 30 * unit)
    square = min(22 * unit, room.width * 0.46 / longest)
    size = max(8, round(12.5 * unit))
    top = room.top + (room.height - step * len(ships)) / 2
    names = room.left + round(longest * square + 12 * unit)
    for index, ship in enumerate(ships):
        middle = round(top + (index + 0.5) * step)
        _ship(canvas, (room.left, middle), square, min(15 * unit, step * 0.62), ship, unit, suit)
        text = rendered(shortened(ship.name, size, room.right - names), size)
        place = text.get_rect(midleft=(names, middle))
        colour = LEGEND if ship.afloat else WRECK_NAME
        canvas.stamp(text, place.topleft, colour, 0.92)
        if not ship.afloat:
            canvas.fill(Box(Rect(place.left, middle, place.width, max(1, round(unit)))), WRECK_NAME, 0.9)


def _packed(canvas: Canvas, room: Rect, unit: float, ships: Sequence[Silhouette], suit: str) -> None:
    gap = 9 * unit
    square = 20 * unit
    while square > 4 and len(_rows(ships, square, gap, room.width)) * square * 1.25 > room.height:
        square -= 0.5
    rows = _rows(ships, square, gap, room.width)
    for width in range(room.width, room.width // 2, -4):
        narrower = _rows(ships, square, gap, width)
        if len(narrower) > len(rows):
            break
        rows = narrower
    step = min(room.height / len(rows), square * 1.7)
    top = room.top + (room.height - step * len(rows)) / 2
    for index, row in enumerate(rows):
        wide = sum(ship.length for ship in row) * square + gap * (len(row) - 1)
        x = room.left + (room.width - wide) / 2
        for ship in row:
            middle = round(top + (index + 0.5) * step)
            _ship(canvas, (round(x), middle), square, min(15 * unit, square * 0.75), ship, unit, suit)
            x += ship.length * square + gap


def _rows(ships: Sequence[Silhouette], square: float, gap: float, width: int) -> list[list[Silhouette]]:
    rows: list[list[Silhouette]] = [[]]
    used = 0.0
    for ship in ships:
        needed = ship.length * square + (gap if rows[-1] else 0)
        if rows[-1] and used + needed > width:
            rows.append([])
            used, needed = 0.0, ship.length * square
        rows[-1].append(ship)
        used += needed
    return rows


def _ship(
    canvas: Canvas, start: tuple[int, int], square: float, beam: float, ship: Silhouette, unit: float, suit: str
) -> None:
    rect = Rect(start[0], 0, max(4, round(ship.length * square - 2 * unit)), max(4, round(beam)))
    rect.centery = start[1]
    hull = Hull(rect)
    if not ship.afloat:
        canvas.fill(hull, WRECK)
        canvas.line(hull, (70, 70, 74), max(1.0, unit), 0.5, inset=0.5)
        return
    metal = livery(suit).metal
    canvas.fill(hull, metal, 0.16, feather=4 * unit, grow=2 * unit)
    canvas.fill(hull, metal, 0.95)
    canvas.bevel(hull, 3 * unit, 0.6)
    for index in range(ship.length):
        deck = Rect(0, 0, max(2, round(square * 0.34)), max(2, round(rect.height * 0.26)))
        deck.center = (round(rect.left + (index + 0.42) * square), rect.centery)
        canvas.fill(Box(deck, unit), livery(suit).engraving, 0.75)
