"""What one seat may know of a match: all that a panel, a captain or a friend's device is fed with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.game.events import Ending, Outcome, Phase, Shot, decoder, encode
from companion.game.fleet import Ship
from companion.game.ruleset import HouseRule, Ruleset, Shots, SinkingTells
from companion.game.squares import Square

if TYPE_CHECKING:
    from companion.game.match import Match, Sea


class Grid(msgspec.Struct, frozen=True):
    """What is known of one sea, as squares in grid order.

    `sunk` are squares of which it is known that their ship sank; they are not in `hits`. `water` is marked open water
    that was never fired at.
    """

    misses: tuple[Square, ...] = ()
    hits: tuple[Square, ...] = ()
    sunk: tuple[Square, ...] = ()
    water: tuple[Square, ...] = ()


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """All that one seat may know, and nothing else.

    `fired` and `received` are the told moves of this seat and of the other, in order; a move is one shot or a salvo.
    `to_move` is the seat whose turn it is (in battle), `shots_due` how many squares that turn names. `enemy_sunk` is
    how many ships of the other fleet sank, `enemy_named` their names where they were told. `enemy_survivors` is empty
    until the end.
    """

    seat: int
    players: tuple[str, str]
    rules: str
    house_rules: tuple[HouseRule, ...]
    ruleset: Ruleset
    phase: Phase
    opener: int
    to_move: int | None
    shots_due: int
    placing_now: bool
    fleet: tuple[Ship, ...]
    fleet_confirmed: bool
    enemy_confirmed: bool
    marked: tuple[Square, ...]
    fired: tuple[tuple[Shot, ...], ...]
    received: tuple[tuple[Shot, ...], ...]
    ocean: Grid
    target: Grid
    own_sunk: tuple[Ship, ...]
    enemy_sunk: int
    enemy_named: tuple[str, ...]
    enemy_survivors: tuple[Ship, ...]
    take_back_asked_by: int | None
    take_back_possible: bool
    winner: int | None
    ending: Ending | None

    @property
    def player(self) -> str:
        """This seat's own name."""
        return self.players[self.seat - 1]

    @property
    def enemy(self) -> str:
        """The other player's name."""
        return self.players[2 - self.seat]

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to fire."""
        return self.to_move == self.seat

    @property
    def salvo(self) -> bool:
        """Whether shots are fired in salvos."""
        return self.ruleset.shots is Shots.ONE_FOR_EACH_SHIP_AFLOAT


def view(match: Match, seat: int) -> SeatView:
    """Return what a seat (1 or 2) may know of a match."""
    own, foe = match.sea(seat), match.sea(3 - seat)
    fired = tuple(move.shots for move in match.moves if move.seat == seat)
    received = tuple(move.shots for move in match.moves if move.seat != seat)
    ended = match.phase is Phase.ENDED
    sinkings = [shot for move in fired for shot in move if shot.outcome is Outcome.SUNK]
    survivors = (
        tuple(ship for n, ship in enumerate(foe.fleet) if foe.squares_left[n]) if ended and foe.confirmed else ()
    )
    return SeatView(
        seat=seat,
        players=match.began.players,
        rules=match.began.rules,
        house_rules=match.began.house_rules,
        ruleset=match.rules,
        phase=match.phase,
        opener=match.began.opener,
        to_move=match.to_move if match.phase is Phase.BATTLE else None,
        shots_due=match.shots_due if match.phase is Phase.BATTLE else 0,
        placing_now=match.placing_now(seat),
        fleet=tuple(own.fleet),
        fleet_confirmed=own.confirmed,
        enemy_confirmed=foe.confirmed,
        marked=match.marked if match.to_move == seat else (),
        fired=fired,
        received=received,
        ocean=_ocean(own),
        target=_target(foe, match.rules, sinkings),
        own_sunk=tuple(ship for n, ship in enumerate(own.fleet) if own.confirmed and not own.squares_left[n]),
        enemy_sunk=len(sinkings),
        enemy_named=tuple(shot.ship for shot in sinkings if shot.ship is not None),
        enemy_survivors=survivors,
        take_back_asked_by=match.take_back_asked_by,
        take_back_possible=match.phase is Phase.BATTLE and match.take_back_possible,
        winner=match.ended.winner if match.ended else None,
        ending=match.ended.ending if match.ended else None,
    )


def _ocean(sea: Sea) -> Grid:
    """The own sea: a sunk ship always shows whole."""
    if not sea.confirmed:
        return Grid()
    sunk = {square for n, ship in enumerate(sea.fleet) if not sea.squares_left[n] for square in ship.squares}
    return _grid(sea, sunk)


def _target(sea: Sea, ruleset: Ruleset, sinkings: list[Shot]) -> Grid:
    """The other sea: a sunk ship shows whole where its squares were told, or where ships never touch and so the
    unbroken run of hits is the ship; else only the last square does (RULES: Rule sets)."""
    if not sea.confirmed:
        return Grid()
    sunk: set[Square] = set()
    for shot in sinkings:
        if not ruleset.may_touch or ruleset.sinking_tells is SinkingTells.NAME_AND_SQUARES:
            sunk.update(sea.fleet[sea.ship_at[shot.square]].squares)
        else:
            sunk.add(shot.square)
    return _grid(sea, sunk)


def _grid(sea: Sea, sunk: set[Square]) -> Grid:
    misses = sorted(square for square, outcome in sea.shots.items() if outcome is Outcome.MISS)
    hits = sorted(square for square, outcome in sea.shots.items() if outcome is not Outcome.MISS and square not in sunk)
    return Grid(tuple(misses), tuple(hits), tuple(sorted(sunk)), tuple(sorted(sea.open_water)))


_view_decoder = decoder(SeatView)


def view_to_json(seat_view: SeatView) -> bytes:
    """Write a view as JSON."""
    return encode(seat_view)


def view_from_json(data: bytes | str) -> SeatView:
    """Read a view. Raises msgspec.DecodeError where it is none."""
    seat_view: SeatView = _view_decoder.decode(data)
    return seat_view
