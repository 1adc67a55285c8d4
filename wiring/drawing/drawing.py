"""A drawing: shapes, wires and labels, kept as geometry and written as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape, quoteattr

from wiring.drawing.geometry import Area, Point
from wiring.drawing.text import ASCENT, DESCENT, FONT_FAMILY, text_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Anchor = Literal["start", "middle", "end"]

INK = "#1a1a1a"
GREY = "#5a5a5a"
PAPER = "#ffffff"

SHORT = 3
"""Labels of up to this many letters are written without their width: no font is so different that it would matter."""

BRIDGE = 2.5
"""How much paper is left on each side of a wire where it crosses another one without touching it."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How a line looks. Wires of different kinds differ in width or dashes as well as in colour."""

    colour: str
    width: float
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Wire:
    """A line along `points` that belongs to an electrical net. Wires of one net may meet; others must keep apart or
    cross squarely. Net "" is a line that is no wire: a measure, a pointer."""

    points: tuple[Point, ...]
    net: str
    pen: Pen

    @property
    def lines(self) -> tuple[tuple[Point, Point], ...]:
        """The straight pieces, as pairs of points."""
        return tuple(zip(self.points, self.points[1:], strict=False))


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle. `solid` ones are parts that no wire runs through; others are frames."""

    area: Area
    fill: str
    pen: Pen
    radius: float = 0.0
    solid: bool = True


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, drawn above the wires."""

    centre: Point
    radius: float
    fill: str
    pen: Pen


@dataclass(frozen=True, slots=True)
class Arrow:
    """A filled triangle that points along (dx, dy), one of which is 0; its tip lies at `tip`."""

    tip: Point
    dx: int
    dy: int
    size: float
    colour: str


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text. (x, y) is on the baseline, at the start, middle or end of the text; `turned` text runs
    upwards."""

    at: Point
    text: str
    size: float
    anchor: Anchor = "start"
    bold: bool = False
    colour: str = INK
    turned: bool = False

    @property
    def width(self) -> float:
        """The room along the baseline."""
        return text_width(self.text, self.size, bold=self.bold)

    @property
    def area(self) -> Area:
        """The room that the text takes on the page."""
        before = {"start": 0.0, "middle": self.width / 2, "end": self.width}[self.anchor]
        up, down = self.size * ASCENT, self.size * DESCENT
        if self.turned:
            return Area(self.at.x - up, self.at.y - self.width + before, self.at.x + down, self.at.y + before)
        return Area(self.at.x - before, self.at.y - up, self.at.x - before + self.width, self.at.y + down)


@dataclass(slots=True)
class Drawing:
    """A page of shapes, wires and labels.

    `unit` is "px" for a drawing that may be scaled to its page, and "mm" for one that is printed at true size.
    `description` is what a screen reader says.
    """

    title: str
    description: str
    width: float
    height: float
    unit: Literal["px", "mm"] = "px"
    blocks: list[Block] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    discs: list[Disc] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def block(
        self, area: Area, *, fill: str = PAPER, pen: Pen = Pen(INK, 1.5), radius: float = 0.0, solid: bool = True
    ) -> None:
        """Add a rectangle; later ones lie above earlier ones."""
        self.blocks.append(Block(area, fill, pen, radius, solid))

    def wire(self, points: Sequence[tuple[float, float]], net: str, pen: Pen) -> None:
        """Add a wire along points."""
        self.wires.append(Wire(tuple(Point(*point) for point in points), net, pen))

    def disc(self, x: float, y: float, radius: float, *, fill: str = PAPER, pen: Pen = Pen(INK, 1.2)) -> None:
        """Add a circle."""
        self.discs.append(Disc(Point(x, y), radius, fill, pen))

    def arrow(self, x: float, y: float, dx: int, dy: int, *, size: float, colour: str) -> None:
        """Add an arrow head with its tip at (x, y)."""
        self.arrows.append(Arrow(Point(x, y), dx, dy, size, colour))

    def label(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        anchor: Anchor = "start",
        bold: bool = False,
        colour: str = INK,
        turned: bool = False,
    ) -> None:
        """Add one line of text with its baseline at y."""
        if text:
            self.labels.append(Label(Point(x, y), text, size, anchor, bold, colour, turned))

    def svg(self) -> str:
        """Return the drawing as an SVG file: the same bytes for the same drawing, whatever machine draws it."""
        width, height = _number(self.width), _number(self.height)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}{self.unit}" height="{height}{self.unit}" '
            f'viewBox="0 0 {width} {height}" '
            f'role="img" aria-label={quoteattr(self.title)} font-family="{FONT_FAMILY}">',
            f"<title>{escape(self.title)}</title>",
            f"<desc>{escape(self.description)}</desc>",
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
            *map(_block, self.blocks),
            *self._wire_lines(),
            *map(_arrow, self.arrows),
            *_grouped((_disc_style(disc), _disc(disc)) for disc in self.discs),
            *_grouped((_label_style(label), _label(label)) for label in self.labels),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _wire_lines(self) -> list[str]:
        # A net's paper edge is drawn before the net itself, so that it parts the nets below it and not its own joints.
        lines: list[str] = []
        for net in dict.fromkeys(wire.net for wire in self.wires):
            members = [wire for wire in self.wires if wire.net == net]
            if net:
                for width, group in groupby(members, key=lambda wire: wire.pen.width):
                    lines.append(_path([_shortened(wire.points) for wire in group], Pen(PAPER, width + 2 * BRIDGE)))
            for pen, group in groupby(members, key=lambda wire: wire.pen):
                lines.append(_path([wire.points for wire in group], pen))
        return lines


def _grouped(elements: Iterable[tuple[str, str]]) -> list[str]:
    """Join neighbours with the same style into one group, which keeps the file small."""
    lines: list[str] = []
    for style, group in groupby(elements, key=lambda element: element[0]):
        members = [text for _style, text in group]
        lines += [f"<g{style}>", *members, "</g>"]
    return lines


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _pen(pen: Pen) -> str:
    if pen.width == 0:
        return ""
    dashes = f' stroke-dasharray="{" ".join(map(_number, pen.dashes))}"' if pen.dashes else ""
    return f' stroke="{pen.colour}" stroke-width="{_number(pen.width)}"{dashes}'


def _block(block: Block) -> str:
    left, top, right, bottom = block.area
    place = f'x="{_number(left)}" y="{_number(top)}" width="{_number(right - left)}" height="{_number(bottom - top)}"'
    radius = f' rx="{_number(block.radius)}"' if block.radius else ""
    return f'<rect {place}{radius} fill="{block.fill}"{_pen(block.pen)}/>'


def _shortened(points: Sequence[Point]) -> list[Point]:
    """Draw a wire's paper edge a little shorter than the wire, so that it doesn't nibble at the parts at its ends."""

    def nearer(end: Point, towards: Point) -> Point:
        length = math.dist(end, towards)
        share = min(2 * BRIDGE, length / 2) / length
        return Point(end.x + (towards.x - end.x) * share, end.y + (towards.y - end.y) * share)

    return [nearer(points[0], points[1]), *points[1:-1], nearer(points[-1], points[-2])]


def _path(lines: Sequence[Sequence[Point]], pen: Pen) -> str:
    data = "".join("M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points) for points in lines)
    return f'<path d="{data}" fill="none"{_pen(pen)} stroke-linejoin="round"/>'


def _disc_style(disc: Disc) -> str:
    return f' fill="{disc.fill}"{_pen(disc.pen)}'


def _disc(disc: Disc) -> str:
    return f'<circle cx="{_number(disc.centre.x)}" cy="{_number(disc.centre.y)}" r="{_number(disc.radius)}"/>'


def _arrow(arrow: Arrow) -> str:
    (x, y), half = arrow.tip, arrow.size / 2
    back_x, back_y = x - arrow.dx * arrow.size, y - arrow.dy * arrow.size
    corners = (
        (x, y),
        (back_x - arrow.dy * half, back_y - arrow.dx * half),
        (back_x + arrow.dy * half, back_y + arrow.dx * half),
    )
    return f'<polygon points="{" ".join(f"{_number(a)},{_number(b)}" for a, b in corners)}" fill="{arrow.colour}"/>'


def _label_style(label: Label) -> str:
    anchor = f' text-anchor="{label.anchor}"' if label.anchor != "start" else ""
    weight = ' font-weight="bold"' if label.bold else ""
    return f' font-size="{_number(label.size)}" fill="{label.colour}"{anchor}{weight}'


def _label(label: Label) -> str:
    x, y = _number(label.at.x), _number(label.at.y)
    turned = f' transform="rotate(-90 {x} {y})"' if label.turned else ""
    length = f' textLength="{_number(label.width)}" lengthAdjust="spacingAndGlyphs"' if len(label.text) > SHORT else ""
    return f'<text x="{x}" y="{y}"{turned}{length}>{escape(label.text)}</text>'
