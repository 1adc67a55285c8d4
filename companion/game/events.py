"""What happens in a match, and what a player may ask for: plain values that serialise to JSON.

Events are the truth: a match is a fold over them. Commands are requests, which a match turns into events or refuses.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeAlias

import msgspec

from companion.game.fleet import Ship
from companion.game.ruleset import HouseRule, Ruleset
from companion.game.squares import Direction, Square


class Outcome(StrEnum):
    """What a shot came to."""

    MISS = "miss"
    HIT = "hit"
    SUNK = "sunk"
    WASTED = "wasted"


class Phase(StrEnum):
    """Where a match stands."""

    PLACING = "placing"
    BATTLE = "battle"
    ENDED = "ended"


class Ending(StrEnum):
    """How a game came to its end (RECORD)."""

    FLEET_SUNK = "fleet sunk"
    RESIGNED = "resigned"
    INACTIVITY = "inactivity"
    ABANDONED = "abandoned"
    UNFINISHED = "unfinished"


class Shot(msgspec.Struct, frozen=True):
    """One shot with its result as it is told to both: `ship` and `squares` (bow to stern) are filled in only where
    the rules tell them."""

    square: Square
    outcome: Outcome
    ship: str | None = None
    squares: tuple[Square, ...] = ()

    @property
    def result(self) -> str:
        """The result in the record's words: "miss", "hit", "hit SHIP", "sunk", "sunk SHIP" or "wasted"."""
        return f"{self.outcome} {self.ship}" if self.ship else str(self.outcome)

    def __str__(self) -> str:
        return f"{self.square}: {self.result}"


class _Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base of the events."""


class GameBegan(_Event, frozen=True, tag="game began"):
    """A game began: its rules, its players, who opens (1 or 2), and which game of a row of rematches it is."""

    rules: str
    ruleset: Ruleset
    house_rules: tuple[HouseRule, ...]
    players: tuple[str, str]
    opener: int
    number: int = 1


class ShipPlaced(_Event, frozen=True, tag="ship placed"):
    """A seat laid a ship."""

    seat: int
    ship: Ship


class ShipLifted(_Event, frozen=True, tag="ship lifted"):
    """A seat picked a ship up again."""

    seat: int
    ship: Ship


class FleetDrawn(_Event, frozen=True, tag="fleet drawn"):
    """A seat had its whole fleet laid by chance."""

    seat: int
    ships: tuple[Ship, ...]


class FleetConfirmed(_Event, frozen=True, tag="fleet confirmed"):
    """A seat sailed: its fleet stands."""

    seat: int


class SalvoMarked(_Event, frozen=True, tag="salvo marked"):
    """A seat chose squares for its salvo, in this order."""

    seat: int
    squares: tuple[Square, ...]


class ShotsTold(_Event, frozen=True, tag="shots told"):
    """A seat fired, and the results were told to both: one shot, or a whole salvo in the order chosen."""

    seat: int
    shots: tuple[Shot, ...]


class TakeBackAsked(_Event, frozen=True, tag="take-back asked"):
    """A seat asked to undo the newest told call."""

    seat: int


class TakeBackDeclined(_Event, frozen=True, tag="take-back declined"):
    """A seat said no, or the one who asked withdrew."""

    seat: int


class TakenBack(_Event, frozen=True, tag="taken back"):
    """Both agreed: the newest told call is undone. `seat` said yes."""

    seat: int


class GameEnded(_Event, frozen=True, tag="game ended"):
    """The game is over; `winner` is 0 where nobody won."""

    winner: int
    ending: Ending


Event: TypeAlias = (
    GameBegan
    | ShipPlaced
    | ShipLifted
    | FleetDrawn
    | FleetConfirmed
    | SalvoMarked
    | ShotsTold
    | TakeBackAsked
    | TakeBackDeclined
    | TakenBack
    | GameEnded
)


class _Command(msgspec.Struct, frozen=True, tag_field="command"):
    """Base of the commands."""

    seat: int


class Place(_Command, frozen=True, tag="place"):
    """Lay a ship from its bow on."""

    ship: str
    bow: Square
    direction: Direction


class Lift(_Command, frozen=True, tag="lift"):
    """Pick up the ship that lies on a square."""

    square: Square


class DrawFleet(_Command, frozen=True, tag="draw fleet"):
    """Lay the whole fleet by chance."""


class LayFleet(_Command, frozen=True, tag="lay fleet"):
    """Lay a whole fleet at once, each ship by its squares."""

    ships: tuple[Ship, ...]


class Sail(_Command, frozen=True, tag="sail"):
    """Confirm the fleet as it stands."""


class Mark(_Command, frozen=True, tag="mark"):
    """Choose a square for the salvo, or unmark it."""

    square: Square


class Fire(_Command, frozen=True, tag="fire"):
    """Fire at one square, or at all squares of a salvo in this order."""

    squares: tuple[Square, ...]


class AskTakeBack(_Command, frozen=True, tag="ask take-back"):
    """Ask to undo the newest told call."""


class AnswerTakeBack(_Command, frozen=True, tag="answer take-back"):
    """Agree or not; the one who asked may only withdraw."""

    agree: bool


class Leave(_Command, frozen=True, tag="leave"):
    """Leave: a loss once battle has begun, else the game is abandoned."""


class Abandon(_Command, frozen=True, tag="abandon"):
    """End the game with no winner; the seat does not matter."""


Command: TypeAlias = (
    Place | Lift | DrawFleet | LayFleet | Sail | Mark | Fire | AskTakeBack | AnswerTakeBack | Leave | Abandon
)


def _encode_square(value: object) -> str:
    if isinstance(value, Square):
        return value.name
    raise NotImplementedError(f"{type(value).__name__} has no place in an event")


def _decode_square(kind: type, value: object) -> Square:
    if kind is Square and isinstance(value, str):
        return Square.parse(value)
    raise NotImplementedError(f"{kind.__name__} has no place in an event")


_encoder = msgspec.json.Encoder(enc_hook=_encode_square)
_event_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Event, dec_hook=_decode_square)
_command_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Command, dec_hook=_decode_square)


def encode(value: object) -> bytes:
    """Write an event, a command or a view as JSON."""
    return _encoder.encode(value)


def decode_event(data: bytes | str) -> Event:
    """Read an event. Raises msgspec.DecodeError where it is none."""
    event: Event = _event_decoder.decode(data)
    return event


def decode_command(data: bytes | str) -> Command:
    """Read a command. Raises msgspec.DecodeError where it is none."""
    command: Command = _command_decoder.decode(data)
    return command


def decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    """Return a decoder for another type that holds squares, such as a view."""
    return msgspec.json.Decoder(kind, dec_hook=_decode_square)
