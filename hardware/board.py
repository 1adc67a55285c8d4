"""The face of every board: a picture out, key events in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.frame import Picture
    from hardware.keys import KeyEvent


class BoardError(RuntimeError):
    """A board that cannot be opened or used; the text says what is wrong and what to do."""


class Sentence(str):
    """A sentence for the players: `template` with its `values` filled in, and both kept, so that whoever shows it can
    say it in another language."""

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill the values in."""
        sentence = super().__new__(cls, template.format(**values))
        sentence.template = template
        sentence.values = values
        return sentence


class Tone(NamedTuple):
    """One tone of a sound: frequency in Hz (0 is silence) and duration in ms."""

    frequency: float
    duration: float


class BoardHost(Protocol):
    """What a board may ask of the program that runs it. Every method may be called from any thread."""

    def key(self, event: KeyEvent) -> None:
        """Hand in a key event."""

    async def settled(self) -> None:
        """Wait (in the run loop) until all that the keys so far have set going has been told, captains included."""

    def stop(self, *, power_off: bool = False) -> None:
        """End the program with the game kept: the window was closed, the input ended, the power button was held."""

    def trouble(self, text: str) -> None:
        """Tell the players about a device: unplugged, back again. One clear sentence; a `Sentence` is told in their
        language."""


class Board(ABC):
    """A thing with panels, keypads and perhaps a voice.

    Life cycle: `open(host)` in the run loop, then any number of `show`, `tell` and `sound`, then `close()`, which may
    be called twice and leaves every LED dark. Nothing here blocks: a slow device works in a thread of its own.
    """

    name: str = "board"
    lit: bool = True
    """Whether frames are looked at. A board that is not lit is handed panels without frames."""
    shared_screen: bool = False
    """Whether both players look at one screen, so that secrets need a curtain and a hand-off."""
    captions: bool = True
    """Whether players can read captions on it; where they cannot, words run over the panels when they are needed."""
    one_panel: bool = False
    """Whether a seat has only one panel, which shows the grid that matters now."""
    paced: bool = True
    """Whether people watch in real time: captains take a visible moment, effects run, idle panels go dark."""

    @abstractmethod
    def open(self, host: BoardHost) -> None:
        """Open every device and begin to hand key events to the host; called inside the running asyncio loop.

        Raises BoardError, with one sentence, where a device is missing or refused.
        """

    @abstractmethod
    def show(self, picture: Picture) -> None:
        """Show a picture. The newest one wins; an equal one costs nothing."""

    def tell(self, seat: int | None, text: str) -> None:  # noqa: B027 - a board without a voice has nothing to do
        """Say one caption line to a seat, or to both (None), in order, each once."""

    def sound(self, tones: Sequence[Tone]) -> None:  # noqa: B027 - a board without a speaker stays silent
        """Start a short sound; a new one replaces one that still plays."""

    @abstractmethod
    def close(self) -> None:
        """Leave every LED dark and every device free; may be called twice."""

    def __enter__(self) -> Self:
        """Close at the end of a with block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
