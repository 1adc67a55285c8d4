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
    from wiring.drawing.drawing import Drawing, Wire

CLEARANCE = 0.5
"""The least paper between a label and a wire or another label, in the drawing's unit (px); a tenth of it in mm."""


def problems(drawing: Drawing) -> list[str]:
    """Return one sentence for each fault of a drawing's geometry; none for a clear drawing.

    A label may stand wholly inside or wholly outside a block or disc, and nowhere near a wire or another label. No
    wire runs through a solid block, and wires of different nets cross squarely or not at all.
    """
    clearance = CLEARANCE if drawing.unit == "px" else CLEARANCE / 10
    labels = [(label, label.area) for label in drawing.labels]
    wires = [(wire, _around(wire)) for wire in drawing.wires]
    found: list[str] = []
    for label, area in labels:
        found += _at_edges(drawing, label.text, area)
        found += [
            f"the label {label.text!r} crosses a wire of {wire.net!r}"
            for wire, around in wires
            if around.grown(clearance).meets(area) and _wire_meets(wire, area.grown(wire.pen.width / 2 + clearance))
        ]
    found += [
        f"the labels {one.text!r} and {other.text!r} overlap"
        for (one, area), (other, other_area) in combinations(labels, 2)
        if area.grown(clearance).meets(other_area)
    ]
    found += [
        f"a wire of {wire.net!r} runs through a part at {tuple(block.area)}"
        for wire, around in wires
        for block in drawing.blocks
        if wire.net
        and block.solid
        and around.meets(block.area)
        and _wire_meets(wire, block.area.grown(-wire.pen.width))
    ]
    for (one, around), (other, other_around) in combinations(wires, 2):
        if one.net != other.net and around.grown(1).meets(other_around):
            found += _between_wires(one, other)
    return found


def _around(wire: Wire) -> Area:
    """Return the area that a wire takes, with its width."""
    xs, ys = zip(*wire.points, strict=True)
    return Area(min(xs), min(ys), max(xs), max(ys)).grown(wire.pen.width / 2)


def _at_edges(drawing: Drawing, text: str, area: Area) -> list[str]:
    found = []
    if not Area(0, 0, drawing.width, drawing.height).holds(area):
        found.append(f"the label {text!r} leaves the page")
    found += [
        f"the label {text!r} crosses the edge of a block at {tuple(block.area)}"
        for block in drawing.blocks
        if block.area.meets(area) and not block.area.holds(area)
    ]
    found += [
        f"the label {text!r} crosses the edge of a disc at {tuple(disc.centre)}"
        for disc in drawing.discs
        if circle_meets_area(disc.centre, disc.radius, area) and not circle_holds_area(disc.centre, disc.radius, area)
    ]
    found += [
        f"the label {text!r} covers an arrow head at {tuple(arrow.tip)}"
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
