"""Questions to the person in front of the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.kit import Kit

T = TypeVar("T")


class UnclearError(ValueError):
    """An answer that cannot be read; the text says how it could be given."""


class LeaveError(Exception):
    """The person wants to stop, or there is nobody left to answer."""


class AgainError(Exception):
    """The person wants to see the same thing once more."""


@dataclass(frozen=True)
class Outcome:
    """What a test found. `told` is one sentence a line, `passed` whether all is as the kit says, and `kit` the kit as
    it should be written: the same one where nothing in it has to change."""

    passed: bool
    told: tuple[str, ...]
    kit: Kit


class Answers(Protocol):
    """Where answers come from, one a line: standard input, or anything that can `readline`."""

    def readline(self) -> str:
        """Return the next line, or "" at the end."""


class Asker(Protocol):
    """Says something to a person and asks until the answer is clear."""

    def say(self, text: str) -> None:
        """Tell one line."""

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        """Return an answer as `read` understands it. `read` raises UnclearError for one that cannot be read, which is
        then said, and the question asked again. Raises LeaveError at `quit` or at the end of the answers."""


class Onlooker(Protocol):
    """A board that follows the talk: one that is text itself, or one with a line for captions."""

    def shown(self) -> None:
        """Called before each question."""

    def caption(self, text: str) -> None:
        """Called with everything that is said."""


class TerminalAsker:
    """Asks in lines of text. `bench` is told what is said, and before each question that it is time to be looked at."""

    def __init__(self, answers: Answers, out: TextIO, bench: Onlooker | None = None) -> None:
        self._answers = answers
        self._out = out
        self._bench = bench

    def say(self, text: str) -> None:
        """Tell one line."""
        self._out.write(f"{text}\n")
        self._out.flush()
        if self._bench is not None:
            self._bench.caption(text)

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        """Return an answer as `read` understands it, asking again as often as it takes."""
        while True:
            if self._bench is not None:
                self._bench.shown()
            self.say(f"? {question}")
            line = self._answers.readline()
            answer = " ".join(line.split()).lower()
            if not line or answer in {"quit", "exit", "stop"}:
                raise LeaveError
            try:
                return read(answer)
            except UnclearError as error:
                self.say(f"! {error}")
