"""Boxes, lines and circles, and whether they meet. All lengths are in the drawing's own unit; y grows downwards."""

from __future__ import annotations

import math
from typing import NamedTuple


class Point(NamedTuple):
    """A place on the page."""

    x: float
    y: float


class Area(NamedTuple):
    """A rectangle with its sides along the page."""

    left: float
    top: float
    right: float
    bottom: float

    def grown(self, by: float) -> Area:
        """Return this area with `by` more (or, when negative, less) on every side."""
        return Area(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def meets(self, other: Area) -> bool:
        """Whether the two areas share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: Area) -> bool:
        """Whether the other area lies wholly in this one."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The four corners, clockwise from the top left."""
        return (
            Point(self.left, self.top),
            Point(self.right, self.top),
            Point(self.right, self.bottom),
            Point(self.left, self.bottom),
        )


def line_meets_area(start: Point, end: Point, area: Area) -> bool:
    """Whether a straight line runs through the inside of an area (Liang and Barsky's clipping)."""
    enter, leave = 0.0, 1.0
    run, fall = end.x - start.x, end.y - start.y
    for along, gap in (
        (-run, start.x - area.left),
        (run, area.right - start.x),
        (-fall, start.y - area.top),
        (fall, area.bottom - start.y),
    ):
        if along == 0:
            if gap <= 0:
                return False
        elif along < 0:
            enter = max(enter, gap / along)
        else:
            leave = min(leave, gap / along)
    return enter < leave


def lines_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the lines ab and cd share a point that is not merely an end of one of them."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def lines_overlap(a: Point, b: Point, c: Point, d: Point, within: float) -> bool:
    """Whether two lines along the page run side by side, nearer than `within`, for more than that length."""
    for this, across in ((0, 1), (1, 0)):
        if a[across] == b[across] and c[across] == d[across] and abs(a[across] - c[across]) < within:
            shared = min(max(a[this], b[this]), max(c[this], d[this])) - max(
                min(a[this], b[this]), min(c[this], d[this])
            )
            return shared > within
    return False


def circle_meets_area(centre: Point, radius: float, area: Area) -> bool:
    """Whether a filled circle and an area share a point."""
    near = Point(min(max(centre.x, area.left), area.right), min(max(centre.y, area.top), area.bottom))
    return math.dist(centre, near) < radius


def circle_holds_area(centre: Point, radius: float, area: Area) -> bool:
    """Whether an area lies wholly in a circle."""
    return all(math.dist(centre, corner) <= radius for corner in area.corners)
