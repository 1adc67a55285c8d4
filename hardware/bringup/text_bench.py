"""A board in words: says what would be lit, and takes key presses as lines.

The questions and this board share standard input and output, so that a whole test can be driven from outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from hardware.bringup.answers import COLUMNS, square_name
from hardware.bringup.asker import LeaveError
from hardware.bringup.contacts import Press, wires_by_key
from hardware.bringup.simulated import SimulatedBoard, colour_name
from hardware.frame import SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.board import Tone
    from hardware.bringup.answers import PanelName
    from hardware.bringup.simulated import Seen
    from hardware.kit import Kit

FEW = 12
"""Up to so many squares of one colour are named; more are drawn."""

DARK = "."
"""A square that is not lit, where a panel is drawn."""


class TextLeds(SimulatedBoard):
    """Remembers what ran past since it was last described."""

    def __init__(self, built: Kit) -> None:
        super().__init__(built)
        self._singles: list[Seen] = []
        self._pictures = 0

    def write(self, chains: Sequence[bytes]) -> None:
        """Light up, and keep where a single light was."""
        super().write(chains)
        self._pictures += 1
        lit = self.lit
        if len(lit) == 1:
            self._singles.append(lit[0])

    def describe(self) -> list[str]:
        """Return in lines what was to be seen since the last time; nothing if nothing was written."""
        pictures, singles = self._pictures, self._singles
        self._pictures, self._singles = 0, []
        if not pictures:
            return []
        if pictures > 1 and len(singles) > 1:
            return [f"one light ran from {singles[0]} to {singles[-1]}, over {len(singles)} squares"]
        lit = self.lit
        if not lit:
            return ["everything is dark"]
        return [line for panel in dict.fromkeys(seen.panel for seen in lit) for line in _panel_lines(panel, lit)]


def _panel_lines(panel: PanelName, lit: Sequence[Seen]) -> list[str]:
    here = {seen.square: colour_name(seen.colour) for seen in lit if seen.panel == panel}
    colours = sorted(set(here.values()))
    if len(here) == SIZE * SIZE and len(colours) == 1:
        return [f"{panel}: all {SIZE * SIZE} squares {colours[0]}"]
    if len(here) <= FEW:
        return [
            f"{panel}: {' '.join(square_name(square) for square in sorted(here) if here[square] == colour)} {colour}"
            for colour in colours
        ]
    lines = [f"{panel}, each square by its colour's first letter:", f"   {' '.join(COLUMNS)}"]
    for row in range(SIZE):
        letters = [here.get((row, column), DARK)[0].upper() for column in range(SIZE)]
        lines.append(f"{row + 1:>2} {' '.join(letters)}")
    return lines


class TextContacts:
    """Keys as lines: "1 5" is key 5 of seat 1, "none" lets the time run out."""

    def __init__(self, built: Kit, answers: TextIO, out: TextIO) -> None:
        self._wires = wires_by_key(built)
        self._keys = {(keypad.seat, key) for keypad in built.keypads for line in keypad.layout for key in line}
        self._answers = answers
        self._out = out

    def closed(self) -> list[Press]:
        """Return nothing: no key stays down here."""
        return []

    def press(self, seconds: float) -> Press | None:
        """Read lines until one names a key. Raises LeaveError at `quit` and at the end of the lines."""
        while True:
            line = self._answers.readline()
            words = line.upper().split()
            if not line or words in (["QUIT"], ["EXIT"], ["STOP"]):
                raise LeaveError
            if words == ["NONE"]:
                return None
            if len(words) == 2 and words[0].isdigit() and (int(words[0]), words[1]) in self._keys:
                seat, key = int(words[0]), words[1]
                return Press(seat, key, self._wires.get((seat, key)))
            self._out.write(f"! {line.strip()!r} is no key; say the seat and the key, like 1 5, or none.\n")
            self._out.flush()

    def close(self) -> None:
        """Nothing is open here."""


class TextBench:
    """The bench of the text board, built as a kit says."""

    def __init__(self, built: Kit, answers: TextIO, out: TextIO) -> None:
        self._built = built
        self._answers = answers
        self._out = out
        self._leds: TextLeds | None = None

    def leds(self) -> TextLeds:
        """Return LEDs in words."""
        self._leds = TextLeds(self._built)
        return self._leds

    def contacts(self) -> TextContacts:
        """Return keys as lines."""
        return TextContacts(self._built, self._answers, self._out)

    def play(self, tones: Sequence[Tone]) -> None:
        """Say the tones."""
        heard = ", ".join(f"{tone.frequency:g} Hz" for tone in tones if tone.frequency)
        self._tell([f"tones of {heard}"])

    def pause(self, seconds: float) -> None:
        """Go on at once: nobody has to follow with the eyes."""

    def shown(self) -> None:
        """Say what is lit."""
        if self._leds is not None:
            self._tell(self._leds.describe())

    def caption(self, text: str) -> None:
        """What is said stands in the same text already."""

    def close(self) -> None:
        """Nothing is open here."""

    def _tell(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._out.write(f"  {line}\n")
        self._out.flush()
