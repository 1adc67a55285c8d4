from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drivers.evdev_keypad import PAD_KEYS
from hardware.header import PICO_GPIOS, PIN_OF_GPIO, RESERVED
from hardware.keys import KEYPAD_ROWS
from hardware.kit import PanelGrid, PanelSpec
from hardware.layout import wire_order
from tests.wiring.kits import KITS, ODD
from wiring.drawing.check import problems
from wiring.electrics import Electrics
from wiring.guide import guide_document
from wiring.pins import Use, header_uses
from wiring.plans.card import quick_start_card
from wiring.plans.feed import feed_close_up
from wiring.plans.header import header_map
from wiring.plans.keypad import NUMBER_PAD, NUMBER_PAD_DIGITS, number_pad_overlay, overlay, ribbon
from wiring.plans.panel import panel_path
from wiring.plans.power import power_and_data
from wiring.plans.shifter import shifter_close_up
from wiring.players import KEYS

if TYPE_CHECKING:
    from hardware.kit import Kit

PANELS = st.builds(
    PanelSpec,
    seat=st.just(1),
    grid=st.just(PanelGrid.OCEAN),
    first=st.sampled_from(["top left", "top right", "bottom left", "bottom right"]),
    along=st.sampled_from(["rows", "columns"]),
    serpentine=st.booleans(),
    rotation=st.sampled_from([0, 90, 180, 270]),
)


@pytest.mark.parametrize("name", KITS)
def test_no_label_of_any_drawing_crosses_a_wire_or_another_label(name: str) -> None:
    figures = guide_document(KITS[name], name).figures()
    assert {figure.name: problems(figure.drawing) for figure in figures if problems(figure.drawing)} == {}
    assert len(figures) >= 7


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_any_pins_give_clear_header_maps_and_overviews(data: st.DataObject) -> None:
    kit = data.draw(st.sampled_from([KITS["full"], KITS["pico"], ODD]))
    free = sorted(PICO_GPIOS) if kit.leds.driver == "pico" else sorted(PIN_OF_GPIO.keys() - RESERVED.keys())
    pins = iter(data.draw(st.permutations(free)))
    chains = tuple(msgspec.structs.replace(chain, pin=next(pins)) for chain in kit.leds.chains)
    keypads = tuple(
        msgspec.structs.replace(
            keypad, rows=tuple(next(pins) for _ in keypad.rows), columns=tuple(next(pins) for _ in keypad.columns)
        )
        for keypad in kit.keypads
    )
    kit = msgspec.structs.replace(kit, leds=msgspec.structs.replace(kit.leds, chains=chains), keypads=keypads)
    for board in header_uses(kit):
        assert problems(header_map(board)) == []
        for keypad in kit.keypads:
            if keypad.rows:
                assert problems(ribbon(keypad, board)) == []
    assert problems(power_and_data(kit)) == []
    assert problems(shifter_close_up(kit)) == []
    assert problems(feed_close_up(Electrics(kit))) == []


@settings(deadline=None, max_examples=25)
@given(PANELS)
def test_any_panel_is_drawn_clearly_with_its_numbers_along_the_wire(panel: PanelSpec) -> None:
    drawing = panel_path(panel, "a panel")
    assert problems(drawing) == []
    front = [label for label in drawing.labels if label.text.isdigit() and label.anchor == "middle"][:100]
    assert [label.text for label in front] == [str(number) for number in range(1, 101)]
    corner = min(label.at.x for label in front), min(label.at.y for label in front)
    step = (max(label.at.x for label in front) - corner[0]) / 9
    squares = [round((label.at.y - corner[1]) / step) * 10 + round((label.at.x - corner[0]) / step) for label in front]
    assert squares == wire_order(panel).tolist()


def test_the_back_of_a_panel_mirrors_its_front() -> None:
    drawing = panel_path(PanelSpec(seat=1, grid=PanelGrid.OCEAN), "a panel")
    first_front, first_back = (label.at.x for label in drawing.labels if label.text == "1" and label.anchor == "middle")
    letters = [
        label.text for label in sorted(drawing.labels, key=lambda label: label.at.x) if label.text in "ABCDEFGHIJ"
    ]
    assert "".join(letters) == "ABCDEFGHIJJIHGFEDCBA"
    assert first_front < drawing.width / 2 < first_back
    assert drawing.width - first_back < 120


@pytest.mark.parametrize("name", KITS)
def test_every_pin_of_the_kit_is_labelled_at_its_place(name: str) -> None:
    kit = KITS[name]
    for board in header_uses(kit):
        drawing = header_map(board)
        for use in board.pins:
            (number,) = [label for label in drawing.labels if label.text == str(use.pin.number) and label.size == 15]
            row = {label.text for label in drawing.labels if abs(label.at.y - number.at.y) < 2}
            side = {
                label.text
                for label in drawing.labels
                if label.text in row and (label.at.x < drawing.width / 2) == (number.at.x < drawing.width / 2)
            }
            assert use.label in side
            assert use.pin.gpio is None or use.pin.name in side
    wanted = [chain.pin for chain in kit.leds.chains]
    wanted += [pin for keypad in kit.keypads for pin in (*keypad.rows, *keypad.columns)]
    wanted += [part.pin for part in (kit.buzzer, kit.power_button) if part]
    wired = [use.pin.gpio for board in header_uses(kit) for use in board.pins if use.use not in {Use.NONE, Use.GROUND}]
    assert sorted(wanted) == sorted(gpio for gpio in wired if gpio is not None)


def test_each_part_has_a_ground_pin_of_its_own_beside_it() -> None:
    (board,) = header_uses(KITS["full"])
    grounds = {use.serves: use.pin.number for use in board.with_use(Use.GROUND)}
    assert grounds == {18: 14, 13: 34, 25: 20, 3: 6}


def test_parts_on_a_pico_and_on_its_pi_are_drawn_on_their_own_headers() -> None:
    boards = header_uses(KITS["button-and-pico"])
    assert [(board.board, board.is_pico) for board in boards] == [
        ("Raspberry Pi 4", False),
        ("Raspberry Pi Pico", True),
    ]
    assert {use.use for use in boards[0].pins} >= {Use.BUZZER, Use.BUTTON}
    assert {use.use for use in boards[1].pins} >= {Use.DATA, Use.ROW, Use.COLUMN}


def test_the_overview_names_every_pin_fuse_and_panel() -> None:
    texts = " | ".join(label.text for label in power_and_data(KITS["full"]).labels)
    for wanted in (
        "GPIO18 (pin 12)",
        "GPIO13 (pin 33)",
        "74AHCT125",
        "F0: 10 A",
        "F1: 5 A",
        "F4: 5 A",
        "FS: 1 A",
        "R1, at the panel",
        "330 Ω",
        "C4 1000 µF",
        "seat 2 ocean",
        "AWG 14",
        "0 V bar",
        "24.4 A",
    ):
        assert wanted in texts


def test_the_overlay_is_as_large_as_a_keypad() -> None:
    (first, _second) = KITS["full"].keypads
    drawing = overlay(first)
    outline = drawing.blocks[0].area
    assert drawing.unit == "mm"
    assert (outline.right - outline.left, outline.bottom - outline.top) == (69, 77)
    (ruler, *_marks) = drawing.wires
    assert ruler.points[1].x - ruler.points[0].x == 50


def test_the_number_pad_is_read_as_it_is_drawn() -> None:
    names = {"/": "SLASH", "*": "ASTERISK", "−": "MINUS", "+": "PLUS", "Enter": "ENTER", ".": "DOT"}
    assert {PAD_KEYS[f"KEY_KP{names.get(key.printed, key.printed)}"] for key in NUMBER_PAD} == set(KEYS)
    for key in NUMBER_PAD:
        assert PAD_KEYS[f"KEY_KP{names.get(key.printed, key.printed)}"] == key.key
    above = {key.key: key.row for key in NUMBER_PAD}
    assert above["8"] < above["2"]
    assert (KEYS["8"].sentence, KEYS["2"].sentence.split(";")[0]) == ("down", "up")


def test_the_card_of_a_number_pad_names_the_keys_that_are_printed_on_it() -> None:
    words = [label.text for label in quick_start_card(None).labels]
    assert {"Enter", "/", "+", "−", ".", "5, Enter", "dial: . 2 7 is B7", "* held", NUMBER_PAD_DIGITS} <= set(words)
    assert not any("#" in text or "press A" in text for text in words)
    assert {"5, #", "A", "dial: D 2 7 is B7"} <= {label.text for label in quick_start_card(KEYPAD_ROWS).labels}
    assert " ".join(label.text for label in number_pad_overlay(1).labels if label.size == 2.8) == NUMBER_PAD_DIGITS


def test_a_kit_with_both_kinds_of_keypad_has_both_cards() -> None:
    names = {figure.name for figure in guide_document(ODD, "odd").figures()}
    assert names >= {"quick-start-card", "quick-start-card-number-pad"}


def test_no_second_way_back_for_a_panels_current_is_drawn() -> None:
    """Between shifter and panels runs one data wire a chain; every ground wire of theirs ends at the 0 V bar."""
    drawing = power_and_data(KITS["full"])
    bar = max(point.x for wire in drawing.wires if wire.net == "0 V" for point in wire.points)
    panels = [wire for wire in drawing.wires if wire.net == "0 V" and wire.points[0].x > drawing.width * 0.8]
    assert len(panels) == 4 + 1
    assert all(bar in (wire.points[0].x, wire.points[-1].x) for wire in panels)


def _key_words(kit: Kit) -> dict[str, int]:
    return {keypad.device or str(keypad.rows): keypad.seat for keypad in kit.keypads}


def test_every_keypad_has_an_overlay() -> None:
    for name, kit in KITS.items():
        names = {figure.name for figure in guide_document(kit, name).figures()}
        assert sum("overlay" in figure for figure in names) == len(_key_words(kit))
