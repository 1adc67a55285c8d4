"""A person in front of a simulated board: looks at it, reads the question, answers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hardware.bringup.answers import square_name
from hardware.bringup.asker import UnclearError
from hardware.bringup.glyphs import panel_glyph
from hardware.bringup.simulated import colour_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.bringup.simulated import SimulatedBoard

T = TypeVar("T")


class Person:
    """Answers by what the board shows. `typos` are given before the right answer, each once."""

    def __init__(self, board: SimulatedBoard, *, typos: tuple[str, ...] = ()) -> None:
        self._board = board
        self._typos = list(typos)
        self.asked: list[str] = []
        self.heard: list[str] = []

    def say(self, text: str) -> None:
        self.heard.append(text)

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        self.asked.append(question)
        while self._typos:
            try:
                return read(self._typos.pop(0))
            except UnclearError as error:
                self.heard.append(str(error))
        return read(self.answer(question))

    def answer(self, question: str) -> str:
        if "where is it" in question:
            return self._where()
        if "what colour" in question:
            return self._colour()
        if "shows its own name" in question:
            return "y" if self._names_can_be_read() else "n"
        if "last LED?" in question:
            return self._walk(question)
        if "Is one LED lit" in question:
            return "y" if self._board.lit else "n"
        if "Is a square dark" in question:
            return self._dark_squares(question)
        raise AssertionError(f"nobody knows what to say to {question!r}")

    def _where(self) -> str:
        if not self._board.lit:
            return "none"
        (seen,) = self._board.lit
        return f"{str(seen.panel).lower()} {square_name(seen.square).lower()}"

    def _colour(self) -> str:
        colours = {colour_name(seen.colour) for seen in self._board.lit}
        if not colours:
            return "none"
        return colours.pop() if len(colours) == 1 else "mixed"

    def _names_can_be_read(self) -> bool:
        panels = [panel for chain in self._board.built.leds.chains for panel in chain.panels]
        shown = self._board.panels.values()
        return all(
            np.array_equal(frame.any(axis=2), panel_glyph(panel).any(axis=2))
            for frame, panel in zip(shown, panels, strict=True)
        )

    def _walk(self, question: str) -> str:
        """The last light of the walk was either at the chain's end, or nothing is lit any more."""
        return "yes" if self._board.lit else "never"

    def _dark_squares(self, question: str) -> str:
        dark = [
            f"{panel} {square_name((int(row), int(column)))}".lower()
            for panel, frame in self._board.panels.items()
            if str(panel) in question
            for row, column in zip(*np.nonzero(~frame.any(axis=2)), strict=True)
        ]
        return ", ".join(dark) or "no"
