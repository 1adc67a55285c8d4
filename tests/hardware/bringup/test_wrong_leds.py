"""LED chains wired wrongly in many ways: each fault is found, and the written kit shows the intended picture."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

import msgspec
import numpy as np
import pytest

import wiring.kits
from hardware.bringup.answers import panel_name
from hardware.bringup.asker import UnclearError
from hardware.bringup.colours import find_colours
from hardware.bringup.kit_file import corrected_text
from hardware.bringup.layout import find_layout
from hardware.bringup.simulated import SimulatedBoard
from hardware.kit import Along, Corner, Kit, PanelGrid, PanelSpec, load_kit, parse_kit
from hardware.layout import wire_order
from hardware.lighting import Lighting
from tests.hardware.bringup.person import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.bringup.asker import Outcome

T = TypeVar("T")

KITS = Path(next(iter(wiring.kits.__path__)))
SHIPPED = sorted(path.stem for path in KITS.glob("*.toml"))

Wrong = "Callable[[Kit], Kit]"


class FirstTheSquare(Person):
    """Says a square without its panel first, and then what is handed in, before the panel."""

    def __init__(self, board: SimulatedBoard, *then: str) -> None:
        super().__init__(board)
        self._then = list(then)

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        if "On which panel?" not in question:
            return super().ask(question, read)
        self.asked.append(question)
        while True:
            try:
                return read(self._then.pop(0) if self._then else self.answer("where is it?"))
            except UnclearError as error:
                self.heard.append(str(error))

    def answer(self, question: str) -> str:
        place = super().answer(question)
        return place.split()[-1] if "first light" in question else place


@pytest.mark.parametrize(
    ("then", "told"),
    [((), None), (("again",), None), (("1 target j10",), "J10 cannot be: this light stands at A1"),
     (("top left",), "cannot be read"), (("2",), "does not say which panel"), (("what",), "cannot be read")],
)  # fmt: skip
def test_a_panel_that_is_asked_for_may_be_told_with_its_square(then: tuple[str, ...], told: str | None) -> None:
    kit = load_kit(KITS / "full.toml")
    board = SimulatedBoard(kit)
    person = FirstTheSquare(board, *then)
    outcome = find_layout(kit, board, person)
    assert outcome.passed
    if told is not None:
        assert told in person.heard[1]
    assert ("From the beginning." in person.heard) == (then == ("again",))


def test_a_panel_that_is_asked_for_may_stay_dark() -> None:
    kit = load_kit(KITS / "full.toml")
    board = SimulatedBoard(kit)
    outcome = find_layout(kit, board, FirstTheSquare(board, "none"))
    assert not outcome.passed
    assert "stays dark" in outcome.told[0]


def with_panels(kit: Kit, panels: Sequence[PanelSpec]) -> Kit:
    """Return a kit with other panels at the places of the old ones, chain by chain."""
    left = list(panels)
    chains = tuple(
        msgspec.structs.replace(chain, panels=tuple(left.pop(0) for _ in chain.panels)) for chain in kit.leds.chains
    )
    return msgspec.structs.replace(kit, leds=msgspec.structs.replace(kit.leds, chains=chains))


def panels_of(kit: Kit) -> list[PanelSpec]:
    return [panel for chain in kit.leds.chains for panel in chain.panels]


def every_panel(**changes: object) -> Callable[[Kit], Kit]:
    return lambda kit: with_panels(kit, [msgspec.structs.replace(panel, **changes) for panel in panels_of(kit)])


def one_panel(number: int, **changes: object) -> Callable[[Kit], Kit]:
    def wrong(kit: Kit) -> Kit:
        panels = panels_of(kit)
        panels[number] = msgspec.structs.replace(panels[number], **changes)
        return with_panels(kit, panels)

    return wrong


def rearranged(*numbers: int) -> Callable[[Kit], Kit]:
    def wrong(kit: Kit) -> Kit:
        panels = panels_of(kit)
        return with_panels(kit, [panels[number] for number in numbers])

    return wrong


def orders(*names: str) -> Callable[[Kit], Kit]:
    def wrong(kit: Kit) -> Kit:
        chains = tuple(
            msgspec.structs.replace(chain, order=order) for chain, order in zip(kit.leds.chains, names, strict=True)
        )
        return msgspec.structs.replace(kit, leds=msgspec.structs.replace(kit.leds, chains=chains))

    return wrong


def both(*wrongs: Callable[[Kit], Kit]) -> Callable[[Kit], Kit]:
    def wrong(kit: Kit) -> Kit:
        for each in wrongs:
            kit = each(kit)
        return kit

    return wrong


def as_it_is(kit: Kit) -> Kit:
    return kit


COLOURS = {
    "red and green swapped on one chain": ("full", orders("RGB", "GRB")),
    "blue first on both chains": ("full", orders("BRG", "BGR")),
    "two orders at once": ("full", orders("RBG", "GBR")),
    "four-colour LEDs": ("full", orders("GRBW", "GRB")),
    "four-colour LEDs, white first": ("one-chain", orders("WRGB")),
    "four-colour LEDs in an odd order": ("pico", orders("RGBW", "BWGR")),
}

LAYOUTS = {
    "every second row mirrored": ("full", every_panel(serpentine=False)),
    "chain starts at the bottom": ("full", every_panel(first="bottom left")),
    "chain starts at the right": ("full", every_panel(first="top right")),
    "chain runs along columns": ("one-chain", every_panel(along="columns")),
    "columns, and not serpentine": ("pi5", every_panel(along="columns", serpentine=False)),
    "one panel turned by 90": ("full", one_panel(1, rotation=90)),
    "one panel upside down": ("full", one_panel(2, rotation=180)),
    "one panel turned by 270": ("pico", one_panel(3, rotation=270)),
    "ocean and target swapped": ("full", rearranged(1, 0, 2, 3)),
    "chains of the seats swapped": ("full", rearranged(2, 3, 0, 1)),
    "one panel of each seat swapped": ("full", rearranged(0, 2, 1, 3)),
    "chain goes round the other way": ("one-chain", rearranged(3, 2, 1, 0)),
    "seats swapped with one panel each": ("compact", rearranged(1, 0)),
    "swapped, turned and mirrored": (
        "full",
        both(rearranged(3, 0, 1, 2), one_panel(0, rotation=90, first="bottom right"), one_panel(2, serpentine=False)),
    ),
}


def seen_frames(board: SimulatedBoard) -> dict[str, np.ndarray]:
    """What each panel shows, white added to all three colours."""
    return {str(panel): shown[..., :3].astype(int) + shown[..., 3:] for panel, shown in board.panels.items()}


def assert_shows_what_is_meant(kit: Kit, built: Kit) -> None:
    """Light a picture through the kit and look at the board as it is built."""
    lighting = Lighting(kit)
    draw = np.random.default_rng(7)
    frames = {}
    for panel in lighting.panels:
        frame = np.zeros((10, 10, 3), dtype=np.uint8)
        frame[draw.random((10, 10)) < 0.3] = draw.integers(0, 256, 3)
        frames[str(panel_name(panel))] = frame
    board = SimulatedBoard(built)
    board.write(lighting.light_frames([frames[str(panel_name(panel))] for panel in lighting.panels]).chains)
    meant = {
        name: np.rint((frame / 255) ** kit.leds.gamma * kit.leds.brightness * 255).astype(int)
        for name, frame in frames.items()
    }
    shown = seen_frames(board)
    assert shown.keys() == meant.keys()
    for name in meant:
        np.testing.assert_array_equal(shown[name], meant[name])


def rewritten(name: str, outcome: Outcome) -> Kit:
    """Write what was found into the kit's text and read it back; every comment of the text is still there."""
    text = (KITS / f"{name}.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, name)
    new = corrected_text(text, kit, outcome.kit)
    comments = [line.split("#", 1)[1] for line in text.splitlines() if "#" in line]
    assert [line.split("#", 1)[1] for line in new.splitlines() if "#" in line] == comments
    return parse_kit(new, name)


@pytest.mark.parametrize("wrong", COLOURS)
def test_colours(wrong: str) -> None:
    name, change = COLOURS[wrong]
    kit = load_kit(KITS / f"{name}.toml")
    built = change(kit)
    outcome = find_colours(kit, board := SimulatedBoard(built), Person(board, typos=("violet",)))
    assert not outcome.passed
    assert outcome.kit == built
    assert not board.lit
    assert_shows_what_is_meant(rewritten(name, outcome), built)


def test_three_colour_leds_where_the_kit_says_four() -> None:
    built = load_kit(KITS / "full.toml")
    kit = orders("RGBW", "GRBW")(built)
    outcome = find_colours(kit, board := SimulatedBoard(built), Person(board))
    assert outcome.kit == built


@pytest.mark.parametrize("wrong", LAYOUTS)
def test_layouts(wrong: str) -> None:
    name, change = LAYOUTS[wrong]
    kit = load_kit(KITS / f"{name}.toml")
    built = change(kit)
    outcome = find_layout(kit, board := SimulatedBoard(built), Person(board))
    assert not outcome.passed
    assert outcome.told
    assert not board.lit
    assert_shows_what_is_meant(rewritten(name, outcome), built)


def test_everything_wrong_at_once() -> None:
    kit = load_kit(KITS / "full.toml")
    built = both(LAYOUTS["swapped, turned and mirrored"][1], orders("BGR", "WRGB"))(kit)
    board = SimulatedBoard(built)
    colours = find_colours(kit, board, Person(board))
    layout = find_layout(colours.kit, board, Person(board))
    assert_shows_what_is_meant(layout.kit, built)
    assert find_layout(layout.kit, board, Person(board)).passed
    assert find_colours(layout.kit, board, Person(board)).passed


@pytest.mark.parametrize("name", SHIPPED)
def test_a_board_that_is_right_stays_as_it_is(name: str) -> None:
    kit = load_kit(KITS / f"{name}.toml")
    for find in (find_colours, find_layout):
        board = SimulatedBoard(kit)
        outcome = find(kit, board, Person(board))
        assert outcome.passed
        assert outcome.kit == kit


def test_every_wiring_is_found_with_two_lights_a_panel() -> None:
    kit = load_kit(KITS / "full.toml")
    ways = list(product(get_args(Corner), get_args(Along), (True, False), (0, 90, 180, 270)))
    for number in range(0, len(ways), 4):
        panels = [
            msgspec.structs.replace(panel, first=first, along=along, serpentine=serpentine, rotation=rotation)
            for panel, (first, along, serpentine, rotation) in zip(
                panels_of(kit), ways[number : number + 4], strict=True
            )
        ]
        built = with_panels(kit, panels)
        person = Person(board := SimulatedBoard(built))
        found = find_layout(kit, board, person).kit
        assert len(person.asked) == 2 * len(panels) + 1
        for panel, true in zip(panels_of(found), panels, strict=True):
            np.testing.assert_array_equal(wire_order(panel), wire_order(true))


def test_the_fewest_keys_change() -> None:
    kit = load_kit(KITS / "full.toml")
    for changes in ({"rotation": 90}, {"serpentine": False}, {"first": "bottom left"}):
        built = one_panel(0, **changes)(kit)
        board = SimulatedBoard(built)
        assert find_layout(kit, board, Person(board)).kit == built


def test_a_dark_board_is_sent_to_the_first_test() -> None:
    kit = load_kit(KITS / "full.toml")
    for find in (find_colours, find_layout):
        board = SimulatedBoard(kit, cut={0: 0, 1: 0})
        outcome = find(kit, board, Person(board))
        assert not outcome.passed
        assert outcome.kit == kit
        assert "broadside test leds" in outcome.told[0]


def test_answers_that_cannot_be_are_asked_again() -> None:
    kit = load_kit(KITS / "full.toml")
    board = SimulatedBoard(kit)
    person = Person(board, typos=("b5", "3 target a1", "somewhere", "1 a1", ""))
    assert find_layout(kit, board, person).passed
    assert len(person.heard) >= 5
    assert PanelGrid.OCEAN in {panel.grid for panel in panels_of(kit)}
