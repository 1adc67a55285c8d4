"""A match: commands in, events out. The whole of RULES, and nothing of files, screens or time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from companion.game.errors import IllegalMove
from companion.game.events import (
    Abandon,
    AnswerTakeBack,
    AskTakeBack,
    Command,
    DrawFleet,
    Ending,
    Event,
    Fire,
    FleetConfirmed,
    FleetDrawn,
    GameBegan,
    GameEnded,
    LayFleet,
    Leave,
    Lift,
    Mark,
    Outcome,
    Phase,
    Place,
    Sail,
    SalvoMarked,
    ShipLifted,
    ShipPlaced,
    Shot,
    ShotsTold,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
)
from companion.game.fleet import Ship, check_fleet, check_off_grid, check_ship, random_fleet
from companion.game.ruleset import (
    HouseRule,
    Opener,
    Placing,
    Repeat,
    Ruleset,
    Shots,
    SinkingTells,
    with_house_rules,
)
from companion.game.squares import NEIGHBOURS, SQUARES, Square


class TakeBack(NamedTuple):
    """A line of the history: the move before it was undone."""


class Sea:
    """One seat's own sea: its fleet and what fell on it."""

    def __init__(self) -> None:
        self.fleet: list[Ship] = []
        self.confirmed = False
        self.clear_shots()

    def clear_shots(self) -> None:
        """Forget all that fell here; the fleet stays."""
        self.ship_at: dict[Square, int] = {square: n for n, ship in enumerate(self.fleet) for square in ship.squares}
        self.squares_left = [len(ship.squares) for ship in self.fleet]
        self.afloat = len(self.fleet)
        self.shots: dict[Square, Outcome] = {}
        self.open_water: set[Square] = set()
        self.untried = len(SQUARES)


class Match:
    """The state of one game, folded from its events.

    `decide` turns a command into events without changing anything; `apply` folds one event in; `do` is both. Seats
    are 1 and 2. `history` holds the told moves and the take-backs in order, as a record lists them.
    """

    def __init__(self, began: GameBegan) -> None:
        self.began = began
        self.rules: Ruleset = with_house_rules(began.ruleset, began.house_rules)
        self.phase = Phase.PLACING
        self.to_move = began.opener
        self.shots_due = 0
        self.marked: tuple[Square, ...] = ()
        self.moves: list[ShotsTold] = []
        self.history: list[ShotsTold | TakeBack] = []
        self.take_back_asked_by: int | None = None
        self.ended: GameEnded | None = None
        self._seas = (Sea(), Sea())

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> Match:
        """Fold a match from all its events. Raises ValueError where they do not begin with GameBegan."""
        rest = iter(events)
        first = next(rest, None)
        if not isinstance(first, GameBegan):
            raise ValueError("a game begins with GameBegan")
        match = cls(first)
        for event in rest:
            match.apply(event)
        return match

    def sea(self, seat: int) -> Sea:
        """Return a seat's own sea: the whole truth, for the rules alone."""
        return self._seas[seat - 1]

    def placing_now(self, seat: int) -> bool:
        """Whether a seat may lay ships now."""
        if self.phase is not Phase.PLACING or self.sea(seat).confirmed:
            return False
        opener = self.began.opener
        return self.rules.placing is Placing.TOGETHER or seat == opener or self.sea(opener).confirmed

    @property
    def take_back_possible(self) -> bool:
        """Whether there is a newest call that may be undone: never two in a row."""
        return bool(self.moves) and not isinstance(self.history[-1], TakeBack)

    def do(self, command: Command, chance: Random | None = None) -> tuple[Event, ...]:
        """Carry a command out and return its events. Raises IllegalMove, and then nothing has changed."""
        events = self.decide(command, chance)
        for event in events:
            self.apply(event)
        return events

    def decide(self, command: Command, chance: Random | None = None) -> tuple[Event, ...]:
        """Return the events that a command leads to, without changing anything.

        `chance` is drawn from by DrawFleet alone. Raises IllegalMove with the reason.
        """
        if isinstance(command, Fire):
            return self._decide_fire(command.seat, command.squares)
        if self.phase is Phase.ENDED:
            raise IllegalMove("The game is over")
        match command:
            case Mark():
                return self._decide_mark(command.seat, command.square)
            case AskTakeBack():
                return self._decide_ask_take_back(command.seat)
            case AnswerTakeBack():
                return self._decide_answer_take_back(command.seat, command.agree)
            case Leave():
                if self.phase is Phase.PLACING:
                    return (GameEnded(0, Ending.ABANDONED),)
                return (GameEnded(3 - command.seat, Ending.RESIGNED),)
            case Abandon():
                return (GameEnded(0, Ending.ABANDONED),)
        self._require_placing(command.seat)
        return self._decide_placing(command, chance)

    def _require_placing(self, seat: int) -> None:
        if self.sea(seat).confirmed:
            raise IllegalMove("Your fleet has sailed; no ship can be moved any more")
        if not self.placing_now(seat):
            raise IllegalMove("{player} places first", player=self.began.players[self.began.opener - 1])

    def _decide_placing(
        self, command: Place | Lift | DrawFleet | LayFleet | Sail, chance: Random | None
    ) -> tuple[Event, ...]:
        seat = command.seat
        sea = self.sea(seat)
        match command:
            case Place(ship=name, bow=bow, direction=direction):
                squares = check_off_grid(name, bow, direction, self.rules)
                check_ship(name, squares, sea.fleet, self.rules)
                return (ShipPlaced(seat, Ship(name, squares)),)
            case Lift(square=square):
                ship = next((ship for ship in sea.fleet if square in ship.squares), None)
                if ship is None:
                    raise IllegalMove("There is no ship on {square}", square=square)
                return (ShipLifted(seat, ship),)
            case DrawFleet():
                if chance is None:
                    raise TypeError("a fleet is drawn from a random source that is handed in")
                return (FleetDrawn(seat, random_fleet(self.rules, chance)),)
            case LayFleet(ships=ships):
                check_fleet(ships, self.rules)
                return (FleetDrawn(seat, ships),)
            case Sail():
                check_fleet(sea.fleet, self.rules)
                return (FleetConfirmed(seat),)

    def _require_turn(self, seat: int) -> None:
        if self.phase is Phase.ENDED:
            raise IllegalMove("The game is over")
        if self.phase is Phase.PLACING:
            raise IllegalMove("Battle has not begun: both fleets must sail first")
        if self.take_back_asked_by is not None:
            raise IllegalMove("First answer: shall the last shot be taken back?")
        if seat != self.to_move:
            raise IllegalMove("It is {player}'s turn", player=self.began.players[self.to_move - 1])

    def _require_open(self, foe: Sea, square: Square) -> None:
        """Refuse a square that is known already; `wasted` is told by the caller."""
        if square in foe.shots:
            if self.rules.repeat is Repeat.REFUSED:
                raise IllegalMove("You have fired at {square} before; choose another square", square=square)
        elif square in foe.open_water:
            raise IllegalMove("{square} is known to be open water; choose another square", square=square)

    def _decide_mark(self, seat: int, square: Square) -> tuple[Event, ...]:
        self._require_turn(seat)
        if self.rules.shots is not Shots.ONE_FOR_EACH_SHIP_AFLOAT:
            raise IllegalMove("Squares are marked only in a salvo")
        if square in self.marked:
            return (SalvoMarked(seat, tuple(marked for marked in self.marked if marked is not square)),)
        self._require_open(self.sea(3 - seat), square)
        if len(self.marked) >= self.shots_due:
            raise IllegalMove("The salvo is full: # fires, 5 on a marked square unmarks it")
        return (SalvoMarked(seat, (*self.marked, square)),)

    def _decide_fire(self, seat: int, squares: tuple[Square, ...]) -> tuple[Event, ...]:
        self._require_turn(seat)
        foe = self._seas[2 - seat]
        if len(squares) != self.shots_due:
            if self.rules.shots is not Shots.ONE_FOR_EACH_SHIP_AFLOAT:
                raise IllegalMove("One shot a turn: name one square")
            raise IllegalMove(
                "The salvo is not full: {chosen} of {shots} squares are marked",
                chosen=len(squares),
                shots=self.shots_due,
            )
        for square in squares:
            self._require_open(foe, square)
        if len(squares) > 1 and len(set(squares)) < len(squares):
            raise IllegalMove("The squares of a salvo must all be different")
        told, left = self._results(foe, squares)
        events: tuple[Event, ...] = (ShotsTold(seat, told),)
        return events if left else (*events, GameEnded(seat, Ending.FLEET_SUNK))

    def result_at(self, square: Square) -> str:
        """Return what the player to move would be told for one square alone, changing nothing.

        Raises IllegalMove where that square is refused.
        """
        foe = self.sea(3 - self.to_move)
        self._require_open(foe, square)
        (shot,), _ = self._results(foe, (square,))
        return shot.result

    def _results(self, foe: Sea, squares: tuple[Square, ...]) -> tuple[tuple[Shot, ...], int]:
        """Return the shots with their results as told, and how many ships stay afloat."""
        rules = self.rules
        shots = []
        afloat = foe.afloat
        struck: dict[int, int] = {}
        for square in squares:
            ship = foe.ship_at.get(square)
            if square in foe.shots:
                shots.append(Shot(square, Outcome.WASTED))
            elif ship is None:
                shots.append(Shot(square, Outcome.MISS))
            else:
                struck[ship] = struck.get(ship, 0) + 1
                name = foe.fleet[ship].name
                if struck[ship] < foe.squares_left[ship]:
                    shots.append(Shot(square, Outcome.HIT, name if rules.hit_tells_ship else None))
                    continue
                afloat -= 1
                if rules.sinking_tells is SinkingTells.NOTHING:
                    shots.append(Shot(square, Outcome.SUNK))
                elif rules.sinking_tells is SinkingTells.NAME:
                    shots.append(Shot(square, Outcome.SUNK, name))
                else:
                    shots.append(Shot(square, Outcome.SUNK, name, foe.fleet[ship].squares))
        return tuple(shots), afloat

    def _decide_ask_take_back(self, seat: int) -> tuple[Event, ...]:
        if self.take_back_asked_by is not None:
            raise IllegalMove("A take-back is asked for already")
        if not self.moves:
            raise IllegalMove("There is no shot to take back yet")
        if isinstance(self.history[-1], TakeBack):
            raise IllegalMove("Only one shot in a row can be taken back")
        return (TakeBackAsked(seat),)

    def _decide_answer_take_back(self, seat: int, agree: bool) -> tuple[Event, ...]:
        if self.take_back_asked_by is None:
            raise IllegalMove("Nobody has asked for a take-back")
        if not agree:
            return (TakeBackDeclined(seat),)
        if seat == self.take_back_asked_by:
            raise IllegalMove("{player} must agree to the take-back", player=self.began.players[2 - seat])
        return (TakenBack(seat),)

    def apply(self, event: Event) -> None:
        """Fold one event in. Events are the truth: they are not checked again."""
        match event:
            case ShotsTold():
                self.history.append(event)
                self._apply_shots(event)
                self._begin_turn(self._next_to_move(event))
            case SalvoMarked(squares=squares):
                self.marked = squares
            case ShipPlaced(seat=seat, ship=ship):
                self.sea(seat).fleet.append(ship)
            case ShipLifted(seat=seat, ship=ship):
                self.sea(seat).fleet.remove(ship)
            case FleetDrawn(seat=seat, ships=ships):
                self.sea(seat).fleet = list(ships)
            case FleetConfirmed(seat=seat):
                self._apply_confirmed(self.sea(seat))
            case TakeBackAsked(seat=seat):
                self.take_back_asked_by = seat
            case TakeBackDeclined():
                self.take_back_asked_by = None
            case TakenBack():
                self._apply_taken_back()
            case GameEnded():
                self.phase = Phase.ENDED
                self.ended = event
                self.take_back_asked_by = None
                self.marked = ()
            case GameBegan():
                raise ValueError("a game begins only once")

    def _apply_confirmed(self, sea: Sea) -> None:
        sea.confirmed = True
        sea.clear_shots()
        if all(each.confirmed for each in self._seas):
            self.phase = Phase.BATTLE
            self._begin_turn(self.began.opener)

    def _begin_turn(self, seat: int) -> None:
        self.to_move = seat
        self.marked = ()
        if self.rules.shots is Shots.ONE_FOR_EACH_SHIP_AFLOAT:
            self.shots_due = min(self._seas[seat - 1].afloat, self._seas[2 - seat].untried)
        else:
            self.shots_due = 1

    def _next_to_move(self, told: ShotsTold) -> int:
        again = self.rules.shots is Shots.ONE_AND_ANOTHER_AFTER_A_HIT and told.shots[-1].outcome in (
            Outcome.HIT,
            Outcome.SUNK,
        )
        return told.seat if again else 3 - told.seat

    def _apply_shots(self, told: ShotsTold) -> None:
        self.moves.append(told)
        foe = self._seas[2 - told.seat]
        sunk = []
        for shot in told.shots:
            outcome = shot.outcome
            if outcome is Outcome.WASTED:
                continue
            square = shot.square
            foe.shots[square] = outcome
            foe.untried -= 1
            if outcome is Outcome.MISS:
                continue
            ship = foe.ship_at[square]
            foe.squares_left[ship] -= 1
            if outcome is Outcome.SUNK:
                foe.afloat -= 1
                sunk.append(foe.fleet[ship])
        if self.rules.mark_water_around_sunk:
            # When the whole salvo is told, since a later shot of it may have gone into that water.
            for ship_sunk in sunk:
                self._mark_water(foe, ship_sunk)

    @staticmethod
    def _mark_water(foe: Sea, ship: Ship) -> None:
        around = {near for square in ship.squares for near in NEIGHBOURS[square.index]}.difference(ship.squares)
        new = {square for square in around if square not in foe.shots and square not in foe.open_water}
        foe.open_water |= new
        foe.untried -= len(new)

    def _apply_taken_back(self) -> None:
        undone = self.moves[-1]
        kept = self.moves[:-1]
        self.history.append(TakeBack())
        self.take_back_asked_by = None
        self.moves = []
        for sea in self._seas:
            sea.clear_shots()
        for told in kept:
            self._apply_shots(told)
        self._begin_turn(undone.seat)


def choose_opener(rule: Opener, chance: Random, *, previous: int | None = None, first: int = 1) -> int:
    """Return who opens: 1 or 2.

    `previous` is who opened the game before, in a row of rematches; `first` is the person against a captain or the
    host, else player 1 (RULES: Who opens).
    """
    if rule is Opener.COIN_FLIP:
        return chance.choice((1, 2))
    if previous is not None:
        return 3 - previous
    return first if rule is Opener.PERSON_OR_HOST else 1


def begin(
    rules: str,
    ruleset: Ruleset,
    players: tuple[str, str],
    chance: Random,
    *,
    house_rules: Sequence[HouseRule] = (),
    first: int = 1,
    previous: GameBegan | None = None,
) -> GameBegan:
    """Begin a game: `previous` is the game that this is a rematch of.

    Raises RulesetError where the house rules contradict the rule set.
    """
    effective = with_house_rules(ruleset, house_rules)
    opener = choose_opener(effective.opener, chance, previous=previous.opener if previous else None, first=first)
    number = previous.number + 1 if previous else 1
    return GameBegan(rules, ruleset, tuple(house_rules), players, opener, number)
