"""What is wrong with a drawing's geometry: labels across wires or labels, wires through parts or along each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from wiring.drawing.geometry import (
    Area,
    circle_holds_area,
    circle_meets_area,
    line_meets_area,
    lines_cross,
    lines_overlap,
)

if TYPE_CHECKING:
    from wiring.drawing.drawing import Drawing, Label, Wire

CLEARANCE = 0.5
"""The least paper between a label and a wire or another label, in the drawing's unit (px); a tenth of it in mm."""


def problems(drawing: Drawing) -> list[str]:
    """Return one sentence for each fault of a drawing's geometry; none for a clear drawing.

    A label may stand wholly inside or wholly outside a block or disc, and nowhere near a wire or another label. No
    wire runs through a solid block, and wires of different nets cross squarely or not at all.
    """
    clearance = CLEARANCE if drawing.unit == "px" else CLEARANCE / 10
    found = [problem for label in drawing.labels for problem in _around_label(drawing, label, clearance)]
    found += [
        f"the labels {one.text!r} and {other.text!r} overlap"
        for one, other in combinations(drawing.labels, 2)
        if one.area.grown(clearance).meets(other.area)
    ]
    found += [
        f"a wire of {wire.net!r} runs through a part at {tuple(block.area)}"
        for wire in drawing.wires
        for block in drawing.blocks
        if wire.net and block.solid and _wire_meets(wire, block.area.grown(-wire.pen.width))
    ]
    for one, other in combinations(drawing.wires, 2):
        if one.net != other.net:
            found += _between_wires(one, other)
    return found


def _around_label(drawing: Drawing, label: Label, clearance: float) -> list[str]:
    area, found = label.area, []
    if not Area(0, 0, drawing.width, drawing.height).holds(area):
        found.append(f"the label {label.text!r} leaves the page")
    found += [
        f"the label {label.text!r} crosses a wire of {wire.net!r}"
        for wire in drawing.wires
        if _wire_meets(wire, area.grown(wire.pen.width / 2 + clearance))
    ]
    found += [
        f"the label {label.text!r} crosses the edge of a block at {tuple(block.area)}"
        for block in drawing.blocks
        if block.area.meets(area) and not block.area.holds(area)
    ]
    found += [
        f"the label {label.text!r} crosses the edge of a disc at {tuple(disc.centre)}"
        for disc in drawing.discs
        if circle_meets_area(disc.centre, disc.radius, area) and not circle_holds_area(disc.centre, disc.radius, area)
    ]
    found += [
        f"the label {label.text!r} covers an arrow head at {tuple(arrow.tip)}"
        for arrow in drawing.arrows
        if area.meets(Area(*arrow.tip, *arrow.tip).grown(arrow.size / 2))
    ]
    return found


def _wire_meets(wire: Wire, area: Area) -> bool:
    return (
        area.left < area.right and area.top < area.bottom and any(line_meets_area(*line, area) for line in wire.lines)
    )


def _between_wires(one: Wire, other: Wire) -> list[str]:
    near = (one.pen.width + other.pen.width) / 2 + 1
    found = []
    for a, b in one.lines:
        for c, d in other.lines:
            if lines_overlap(a, b, c, d, near):
                found.append(f"wires of {one.net!r} and {other.net!r} run on top of each other at {tuple(a)}")
            square = (a.x == b.x and c.y == d.y) or (a.y == b.y and c.x == d.x)
            if lines_cross(a, b, c, d) and not square:
                found.append(f"wires of {one.net!r} and {other.net!r} cross at a slant at {tuple(a)}")
    return found
