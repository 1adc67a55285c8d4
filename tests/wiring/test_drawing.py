from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from wiring.drawing.check import problems
from wiring.drawing.drawing import Drawing, Pen
from wiring.drawing.geometry import Area, Point, line_meets_area, lines_cross, lines_overlap
from wiring.drawing.text import text_width

WIRE = Pen("#d55e00", 4)


def page() -> Drawing:
    return Drawing("Title", "What it shows", 400, 300)


def found(drawing: Drawing) -> str:
    (problem,) = problems(drawing)
    return problem


def test_a_clear_drawing_has_no_problem() -> None:
    drawing = page()
    drawing.block(Area(20, 20, 120, 80))
    drawing.label(70, 55, "inside", 12, anchor="middle")
    drawing.wire(((120, 50), (300, 50)), "+5 V", WIRE)
    drawing.label(200, 44, "beside", 12, anchor="middle")
    drawing.wire(((310, 20), (310, 200)), "data", WIRE)
    assert problems(drawing) == []


@pytest.mark.parametrize("turned", [False, True])
def test_a_label_across_a_wire_is_found(turned: bool) -> None:
    drawing = page()
    drawing.wire(((0, 100), (400, 100)) if not turned else ((100, 0), (100, 300)), "0 V", WIRE)
    drawing.label(100, 102, "crossed", 12, turned=turned)
    assert found(drawing) == "the label 'crossed' crosses a wire of '0 V'"


def test_a_label_that_stands_too_near_a_thick_wire_is_found() -> None:
    drawing = page()
    drawing.wire(((0, 100), (400, 100)), "0 V", Pen("#000000", 12))
    drawing.label(100, 93, "near", 12)
    assert "crosses a wire" in found(drawing)


def test_a_label_across_a_slanting_line_is_found() -> None:
    drawing = page()
    drawing.wire(((0, 0), (300, 300)), "", Pen("#000000", 1))
    drawing.label(150, 155, "crossed", 12, anchor="middle")
    assert "crosses a wire" in found(drawing)


def test_overlapping_labels_are_found() -> None:
    drawing = page()
    drawing.label(100, 100, "one", 12)
    drawing.label(110, 104, "other", 12)
    assert found(drawing) == "the labels 'one' and 'other' overlap"


def test_a_label_across_an_edge_is_found() -> None:
    drawing = page()
    drawing.block(Area(100, 80, 200, 120))
    drawing.label(190, 100, "too long for it", 12)
    assert "crosses the edge of a block" in found(drawing)


def test_a_label_that_is_too_wide_for_its_disc_is_found() -> None:
    drawing = page()
    drawing.disc(100, 100, 10)
    drawing.label(100, 104, "wide", 12, anchor="middle")
    assert "crosses the edge of a disc" in found(drawing)


def test_a_label_on_an_arrow_head_is_found() -> None:
    drawing = page()
    drawing.arrow(100, 100, 1, 0, size=10, colour="#000000")
    drawing.label(96, 104, "x", 12)
    assert "covers an arrow head" in found(drawing)


def test_a_label_that_leaves_the_page_is_found() -> None:
    drawing = page()
    drawing.label(380, 100, "leaves", 12)
    assert "leaves the page" in found(drawing)


def test_a_wire_through_a_part_is_found_and_one_that_ends_there_is_not() -> None:
    drawing = page()
    drawing.block(Area(100, 80, 200, 120))
    drawing.wire(((0, 100), (100, 100)), "data", WIRE)
    assert problems(drawing) == []
    drawing.wire(((0, 110), (400, 110)), "data", WIRE)
    assert "runs through a part" in found(drawing)


def test_wires_of_different_nets_must_not_lie_on_each_other() -> None:
    drawing = page()
    drawing.wire(((0, 100), (200, 100)), "data", WIRE)
    drawing.wire(((100, 102), (300, 102)), "+5 V", WIRE)
    assert "on top of each other" in found(drawing)


def test_wires_of_different_nets_cross_squarely_or_not_at_all() -> None:
    drawing = page()
    drawing.wire(((0, 100), (200, 100)), "data", WIRE)
    drawing.wire(((100, 50), (100, 150)), "+5 V", WIRE)
    assert problems(drawing) == []
    drawing.wire(((10, 40), (60, 160)), "0 V", WIRE)
    assert "cross at a slant" in found(drawing)


def test_wires_of_one_net_may_meet() -> None:
    drawing = page()
    drawing.wire(((0, 100), (200, 100)), "0 V", WIRE)
    drawing.wire(((100, 100), (100, 200)), "0 V", WIRE)
    assert problems(drawing) == []


def test_the_svg_is_well_formed_and_says_what_it_shows() -> None:
    drawing = page()
    drawing.label(20, 20, "R < 500 Ω & more", 12)
    root = ET.fromstring(drawing.svg())
    assert root.attrib["viewBox"] == "0 0 400 300"
    assert root.findtext("{*}title") == "Title"
    assert root.findtext("{*}desc") == "What it shows"
    assert [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")] == ["R < 500 Ω & more"]


def test_a_long_label_is_written_with_the_width_that_was_checked() -> None:
    drawing = page()
    drawing.label(20, 20, "GPIO18 (pin 12)", 15, bold=True)
    (text,) = ET.fromstring(drawing.svg()).iter("{http://www.w3.org/2000/svg}text")
    (label,) = drawing.labels
    assert float(text.attrib["textLength"]) == pytest.approx(label.area.right - label.area.left, abs=0.01)
    assert label.width == pytest.approx(text_width("GPIO18 (pin 12)", 15, bold=True))


def test_a_drawing_at_true_size_says_so_in_millimetres() -> None:
    assert 'width="81mm" height="100mm"' in Drawing("Card", "", 81, 100, "mm").svg()


def test_the_paper_edge_of_a_crossing_lies_between_the_two_wires() -> None:
    drawing = page()
    drawing.wire(((0, 100), (200, 100)), "below", Pen("#111111", 4))
    drawing.wire(((100, 50), (100, 150)), "above", Pen("#222222", 2))
    strokes = [path.attrib["stroke"] for path in ET.fromstring(drawing.svg()).iter("{http://www.w3.org/2000/svg}path")]
    assert strokes == ["#ffffff", "#111111", "#ffffff", "#222222"]


@pytest.mark.parametrize(
    ("start", "end", "meets"),
    [((0, 5), (20, 5), True), ((0, 15), (20, 15), False), ((0, 0), (9, 0), False), ((-5, 12), (12, -5), True)],
)
def test_line_meets_area(start: tuple[float, float], end: tuple[float, float], meets: bool) -> None:
    assert line_meets_area(Point(*start), Point(*end), Area(0, 0, 10, 10)) is meets


def test_lines_that_touch_at_an_end_do_not_cross() -> None:
    a, b, c, d = Point(0, 0), Point(10, 0), Point(5, 0), Point(5, 9)
    assert not lines_cross(a, b, c, d)
    assert lines_cross(a, b, Point(5, -5), d)
    assert lines_overlap(a, b, Point(2, 1), Point(20, 1), within=2)
    assert not lines_overlap(a, b, Point(2, 3), Point(20, 3), within=2)
