"""Reads what people answer: yes and no, colours, panels, corners and squares. Lower case, spaces single."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hardware.bringup.asker import AgainError, UnclearError
from hardware.frame import SIZE
from hardware.kit import PanelGrid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hardware.kit import PanelSpec

T = TypeVar("T")

COLUMNS = "ABCDEFGHIJ"

_YES = {"yes", "y", "ja", "ok", "1", "true"}
_NO = {"no", "n", "nein", "0", "false"}
_CORNERS = {
    "top left": (0, 0),
    "top right": (0, SIZE - 1),
    "bottom left": (SIZE - 1, 0),
    "bottom right": (SIZE - 1, SIZE - 1),
}
_SHORT = {"tl": "top left", "tr": "top right", "bl": "bottom left", "br": "bottom right"}
_GRIDS = {"ocean": PanelGrid.OCEAN, "o": PanelGrid.OCEAN, "target": PanelGrid.TARGET, "t": PanelGrid.TARGET}


class PanelName(NamedTuple):
    """A panel as people name it."""

    seat: int
    grid: PanelGrid

    def __str__(self) -> str:
        return f"seat {self.seat}" if self.grid is PanelGrid.EITHER else f"seat {self.seat} {self.grid}"


@dataclass(frozen=True)
class Place:
    """Where a light is seen: (row, column) from 0, and the panel, where it was named."""

    square: tuple[int, int]
    panel: PanelName | None = None


def panel_name(panel: PanelSpec) -> PanelName:
    """Return how people name a panel of a kit."""
    return PanelName(panel.seat, panel.grid)


def square_name(square: tuple[int, int]) -> str:
    """Return a square's name: A1 is row 0, column 0."""
    row, column = square
    return f"{COLUMNS[column]}{row + 1}"


def listed(names: Iterable[object], word: str = "or") -> str:
    """Return names as people list them: "A1, J1 or A10"."""
    *firsts, last = [str(name) for name in names]
    return f"{', '.join(firsts)} {word} {last}" if firsts else last


def yes_or_no(answer: str) -> bool:
    """Read yes or no."""
    if answer in _YES:
        return True
    if answer in _NO:
        return False
    raise UnclearError(f"{answer!r} is neither yes nor no; answer y or n.")


def one_of(words: Mapping[str, T]) -> Callable[[str], T]:
    """Return a reader of one word out of several; the first letters are enough where they are clear. `again` asks for
    the same light once more."""

    def read(answer: str) -> T:
        if answer == "again":
            raise AgainError
        if answer in words:
            return words[answer]
        values = [value for word, value in words.items() if answer and word.startswith(answer)]
        if values and all(value == values[0] for value in values):
            return values[0]
        raise UnclearError(f"{answer!r} is none of the answers; say {listed(words)}.")

    return read


def read_place(answer: str, panels: Sequence[PanelName]) -> Place:
    """Read a square or a corner, with or without its panel: "A1", "top left", "1 target J10", "seat 2 ocean A1".

    `panels` are the kit's. Raises UnclearError.
    """
    rest = f" {answer.replace(',', ' ').replace(':', ' ')} "
    square = None
    for short, corner in _SHORT.items():
        rest = rest.replace(f" {short} ", f" {corner} ")
    for corner, at in _CORNERS.items():
        if f" {corner} " in rest:
            square, rest = at, rest.replace(f" {corner} ", " ")
    if match := re.search(r"\b([a-j]) ?(10|[1-9])\b", rest):
        square = (int(match[2]) - 1, COLUMNS.index(match[1].upper()))
        rest = rest[: match.start()] + " " + rest[match.end() :]
    if square is None:
        raise UnclearError(f"{answer!r} names no square; say it like {_example(panels)}, or a corner like top left.")
    words = [word for word in rest.split() if word not in {"seat", "panel", "grid", "the", "of", "in", "on", "at"}]
    return Place(square, _panel(words, panels, answer) if words else None)


def read_panel(answer: str, panels: Sequence[PanelName]) -> PanelName:
    """Read a panel: "1 target", "seat 2 ocean"; with one panel a seat "1". Raises UnclearError."""
    words = [word for word in answer.replace(",", " ").split() if word not in {"seat", "panel", "grid", "the"}]
    return _panel(words, panels, answer)


def _panel(words: Sequence[str], panels: Sequence[PanelName], answer: str) -> PanelName:
    left = list(panels)
    for word in words:
        matched = re.fullmatch(r"([12]?)(ocean|target|o|t)?", word)
        if matched is None:
            raise UnclearError(f"{answer!r} cannot be read; say it like {_example(panels)}.")
        if matched[1]:
            left = [panel for panel in left if panel.seat == int(matched[1])]
        if matched[2]:
            left = [panel for panel in left if panel.grid in {_GRIDS[matched[2]], PanelGrid.EITHER}]
    if len(left) != 1:
        raise UnclearError(f"{answer!r} does not say which panel; the panels are {listed(panels, 'and')}.")
    return left[0]


def _example(panels: Sequence[PanelName]) -> str:
    return f"{str(panels[-1]).removeprefix('seat ')} A1"
