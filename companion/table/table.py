"""The table: takes gestures in, asks for commands, and says what happened. It sees views and never a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.game.errors import IllegalMove
from companion.game.events import (
    Command,
    Ending,
    Event,
    FleetConfirmed,
    FleetDrawn,
    GameBegan,
    GameEnded,
    Outcome,
    Phase,
    Shot,
    ShotsTold,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
)
from companion.game.squares import SIZE, Square
from companion.game.views import SeatView
from companion.settings import Settings
from companion.table.desk import Desk, Dial
from companion.table.effects import Effect, effects_of, fleet_appears
from companion.table.moves import STEPS
from companion.table.screens.battle import BattleScreen
from companion.table.screens.ending import EndScreen
from companion.table.screens.lobby import LobbyScreen
from companion.table.screens.menu import Menu, Question
from companion.table.screens.placing import PlacingScreen
from companion.table.screens.screen import Screen
from companion.table.words import RESULTS, Words
from hardware.frame import Grid
from hardware.keys import Gesture, Hold

PERSON = "person"

RECORDED = "record"
"""A seat whose moves come from a record that is played back."""


class TableHost(Protocol):
    """What the table asks of the run loop."""

    settings: Settings

    def command(self, command: Command) -> None:
        """Carry a command out: journal, match, then `Table.happened`. Raises IllegalMove."""

    def start(self, rules: str, against: str) -> None:
        """Begin a first game. Raises RulesetError where its rules cannot be played."""

    def rematch(self) -> None:
        """Begin the next game between the same players."""

    def settings_changed(self) -> None:
        """Keep the settings and use them."""

    def tell(self, seat: int | None, text: str) -> None:
        """Say a caption line to a seat, or to both."""

    def sound(self, name: str, seat: int | None = None) -> None:
        """Make a sound of that name."""

    def rulesets(self) -> Sequence[str]:
        """Return the names of the rule sets to choose from."""

    def opponents(self) -> Sequence[str]:
        """Return whom one can play against: captains' names, then "friend"."""

    def title(self, rules: str) -> str:
        """Return a rule set's title."""


@dataclass(frozen=True)
class Features:
    """What the board is like: whether it lights up, whether both players look at one screen (so that secrets need a
    curtain), whether whoever reads it is trusted with both seats, whether it shows captions, whether a seat has
    only one panel, and whether people watch in real time."""

    lit: bool = True
    shared_screen: bool = False
    trusted: bool = False
    captions: bool = True
    one_panel: bool = False
    paced: bool = True


class Table:
    """The state of both seats' screens.

    `views` are what each seat may know, None in the lobby; `seats` says who sits there. `effects` are running now.
    """

    def __init__(self, host: TableHost, features: Features, words: Words) -> None:
        self.host = host
        self.features = features
        self.words = words
        self.seats: tuple[str, str] = (PERSON, PERSON)
        self.views: tuple[SeatView, SeatView] | None = None
        self.desks = (Desk(1), Desk(2))
        self.screen: Screen = LobbyScreen(self)
        self.effects: list[Effect] = []
        self.now = 0.0
        self._answered = {1: True, 2: True}

    def desk(self, seat: int) -> Desk:
        """Return a seat's desk."""
        return self.desks[seat - 1]

    def view(self, seat: int) -> SeatView:
        """Return what a seat may know of the game. Raises RuntimeError in the lobby, where there is none."""
        if self.views is None:
            raise RuntimeError("there is no game in the lobby")
        return self.views[seat - 1]

    def is_person(self, seat: int) -> bool:
        """Whether a person sits there."""
        return self.seats[seat - 1] == PERSON

    @property
    def two_people(self) -> bool:
        """Whether both seats are people's."""
        return self.seats == (PERSON, PERSON)

    def name(self, seat: int) -> str:
        """Return the name of the player on a seat."""
        return self.views[seat - 1].player if self.views else self.host.settings.names[seat - 1]

    # What is said

    def say(self, seat: int | None, template: str, /, **values: object) -> None:
        """Say a text of the catalogue to a seat, or to both."""
        self.say_plainly(seat, self.words(template, **values))

    def say_plainly(self, seat: int | None, text: str) -> None:
        """Say a text as it is to a seat, or to both."""
        for desk in self.desks if seat is None else (self.desk(seat),):
            if self._answered[desk.seat]:
                desk.lines = []
                self._answered[desk.seat] = False
            if text not in desk.lines:
                desk.lines.append(text)
            desk.said_at = self.now
        self.host.tell(seat, text)

    def new_moment(self, seat: int | None = None) -> None:
        """Let the next caption replace the ones before."""
        for each in (1, 2) if seat is None else (seat,):
            self._answered[each] = True

    def refuse(self, seat: int, template: str, /, **values: object) -> None:
        """Say why a key does nothing."""
        self.say(seat, template, **values)
        self.host.sound("refused", seat)

    def attempt(self, command: Command) -> bool:
        """Carry a command out, or say why not; return whether it was carried out."""
        try:
            self.host.command(command)
        except IllegalMove as error:
            self.refuse(command.seat, error.template, **error.values)
            return False
        return True

    # Keys

    def handle(self, gesture: Gesture) -> None:
        """Take one gesture of one seat."""
        seat = gesture.seat
        self.new_moment(seat)
        self.effects = []
        if not self.is_person(seat) and self.views is not None:
            if self.nobody_sits and isinstance(gesture, Hold):
                self.say(None, "Close the window or end the program to leave")
            else:
                self.refuse(seat, "{player} plays this seat", player=self.name(seat))
            return
        desk = self.desk(seat)
        if isinstance(gesture, Hold):
            desk.dial = None
            desk.overlay = Menu(self, seat)
            return
        if desk.overlay is not None and not (gesture.key == "B" and self._may_look_back()):
            desk.overlay.tap(gesture.key)
        else:
            self.screen.tap(seat, gesture.key)

    def _may_look_back(self) -> bool:
        """Whether there is a battle to look back on: at any time, also over a menu or a question."""
        return self.views is not None and self.view(1).phase is not Phase.PLACING

    @property
    def nobody_sits(self) -> bool:
        """Whether no person plays: a demonstration or a replay."""
        return PERSON not in self.seats

    def move(self, seat: int, key: str) -> bool:
        """Move a seat's cursor by a move key, or dial; return whether the cursor moved."""
        desk = self.desk(seat)
        if desk.dial is not None:
            return self._dial(desk, key)
        if key == "D":
            desk.dial = Dial()
            self._say_dial(desk)
            return False
        rows, columns = STEPS[key]
        row, column = desk.cursor.row + rows, desk.cursor.column + columns
        if not (0 <= row < SIZE and 0 <= column < SIZE):
            self.say(seat, "The edge of the sea")
            return False
        desk.cursor = Square.at(row, column)
        return True

    def dials(self, seat: int, key: str) -> bool:
        """Whether a key belongs to a square that is being dialled."""
        return self.desk(seat).dial is not None and (key.isdigit() or key in "D*#")

    def _dial(self, desk: Desk, key: str) -> bool:
        assert desk.dial is not None
        if key == "#":
            # Whoever fires in the middle of dialling means the square that is not dialled yet.
            self._say_dial(desk)
            return False
        if not key.isdigit():
            desk.dial = Dial() if key == "D" else None
            if desk.dial:
                self._say_dial(desk)
            else:
                self.say(desk.seat, "Dialling ended")
            return False
        number = (int(key) - 1) % 10
        if desk.dial.column is None:
            desk.dial.column = number
            self._say_dial(desk)
            return False
        desk.cursor = Square.at(number, desk.dial.column)
        desk.dial = None
        return True

    def _say_dial(self, desk: Desk) -> None:
        """Say what is to be dialled next."""
        if desk.dial is None or desk.dial.column is None:
            self.say(desk.seat, "Dial the column: 1 to 9 and 0 for A to J")
        else:
            column = Square.at(0, desk.dial.column).name[0]
            self.say(desk.seat, "Column {column}: dial the row, 1 to 9 and 0 for 10", column=column)

    # What happens

    def enter_lobby(self, rules: str | None = None, against: str | None = None) -> None:
        """Go to the lobby; `rules` and `against` are what is already chosen."""
        self.views = None
        self.seats = (PERSON, PERSON)
        self.effects = []
        self._clear_desks()
        lobby = LobbyScreen(self, rules, against)
        self.screen = lobby
        lobby.enter()

    def sit_down(self, seats: tuple[str, str], views: tuple[SeatView, SeatView], *, resumed: bool) -> None:
        """Begin or go on with a game."""
        self.seats = seats
        self.views = views
        self.effects = []
        self._clear_desks()
        self.new_moment()
        view = views[0]
        values = {"rules": self.host.title(view.rules), "one": view.player, "other_player": view.enemy}
        if resumed:
            self.say(None, "Going on: {rules}, {one} against {other_player}", **values)
        else:
            self.say(None, "{rules}: {one} against {other_player}", **values)
        if view.house_rules:
            self.say(None, "House rules: {house_rules}", house_rules=", ".join(view.house_rules))
        self._choose_screen()
        self.screen.enter()
        for seat in (1, 2):
            self.say_take_back_question(seat)

    def _clear_desks(self) -> None:
        self.desks = (Desk(1), Desk(2))

    def _choose_screen(self) -> None:
        phase = self.view(1).phase
        if phase is Phase.PLACING:
            self.screen = PlacingScreen(self)
        elif phase is Phase.BATTLE:
            self.screen = BattleScreen(self)
        else:
            self.screen = EndScreen(self)

    def happened(self, events: Iterable[Event], views: tuple[SeatView, SeatView]) -> None:
        """Take in what happened: the events of one command, and what each seat knows now."""
        before = self.view(1).phase
        self.views = views
        for event in events:
            self._happened(event)
        if self.view(1).phase is not before:
            for desk in self.desks:
                desk.dial = None
                desk.looking_back = None
                desk.peeking = False
                if isinstance(desk.overlay, Question):
                    # It was asked of the phase that is over.
                    desk.overlay = None
            self._choose_screen()
            self.screen.enter()

    def _happened(self, event: Event) -> None:
        match event:
            case ShotsTold():
                self._told(event)
            case FleetDrawn(seat=seat, ships=ships):
                if self.is_person(seat):
                    self.effects = fleet_appears(seat, ships, self.now)
            case FleetConfirmed(seat=seat):
                self.say(seat, "Your fleet has sailed")
                if self.is_person(seat) and self.view(3 - seat).phase is Phase.PLACING:
                    self.new_moment(3 - seat)
                    self.say(3 - seat, "{player}'s fleet has sailed", player=self.name(seat))
                self.host.sound("sailed", seat)
                if isinstance(self.screen, PlacingScreen):
                    self.screen.sailed(seat)
            case TakeBackAsked(seat=seat):
                self.new_moment()
                other = 3 - seat
                self.say(seat, "{player} is asked", player=self.name(other))
                self.say_take_back_question(other)
                self.host.sound("asked", other)
            case TakeBackDeclined():
                self.new_moment()
                self.say(None, "The last shot stands")
                self.say_turn()
            case TakenBack():
                self.new_moment()
                for desk in self.desks:
                    desk.looking_back = None
                self.effects = []
                self.say(None, "The last shot is taken back")
                self.say_turn()
            case GameEnded(winner=winner, ending=ending):
                self._ended(winner, ending)
            case GameBegan():
                raise ValueError("a game that began is sat down to")

    def _told(self, told: ShotsTold) -> None:
        self.new_moment()
        for desk in self.desks:
            desk.looking_back = None
            desk.peeking = False
            desk.dial = None
        for shot in told.shots:
            for seat in (1, 2):
                self.say_plainly(seat, f"{shot.square}: {self.result(shot)}")
        self.effects = effects_of(told, self.view(told.seat), self.view(3 - told.seat), self.now)
        outcomes = {shot.outcome for shot in told.shots}
        for outcome in (Outcome.SUNK, Outcome.HIT, Outcome.MISS, Outcome.WASTED):
            if outcome in outcomes:
                self.host.sound(str(outcome))
                break
        if self.view(1).phase is Phase.BATTLE:
            self.say_turn(again=self.view(told.seat).my_turn)

    def result(self, shot: Shot) -> str:
        """Return a shot's result as it is read: in the record's words on a text board, which programs read as well,
        else in the players' language."""
        if self.features.trusted:
            return shot.result
        outcome = self.words.name(RESULTS[shot.outcome])
        return f"{outcome} {self.words.name(shot.ship)}" if shot.ship else outcome

    def say_turn(self, *, again: bool = False) -> None:
        """Say to both whose turn it is."""
        for seat in (1, 2):
            self.say_turn_to(seat, again=again)

    def say_turn_to(self, seat: int, *, again: bool = False) -> None:
        """Say to one seat whose turn it is; `again` after a hit that earned another shot."""
        view = self.view(seat)
        if not view.my_turn:
            self.say(seat, "{player}'s turn", player=view.enemy)
        elif view.salvo:
            self.say(
                seat,
                "Your turn, {player}: 5 marks {shots} for the salvo, # fires",
                player=view.player,
                shots=view.shots_due,
            )
        elif again:
            self.say(seat, "Another shot, {player}", player=view.player)
        else:
            self.say(seat, "Your turn, {player}", player=view.player)

    def say_take_back_question(self, seat: int) -> None:
        """Say a take-back's question to a seat that has to answer one."""
        if self.views is not None and self.view(seat).take_back_asked_by == 3 - seat:
            self.say(seat, "{player} asks to take the last shot back: # yes, * no", player=self.name(3 - seat))

    def _ended(self, winner: int, ending: Ending) -> None:
        if winner:
            if self.features.trusted:
                self.say_plainly(None, f"{self.name(winner)} wins: {ending}")
            elif ending is Ending.FLEET_SUNK:
                self.say(None, "{player} wins: the whole fleet is sunk", player=self.name(winner))
            else:
                values = {"player": self.name(winner), "other_player": self.name(3 - winner)}
                self.say(None, "{player} wins: {other_player} has left", **values)
            self.host.sound("won", winner)
        elif ending is Ending.ABANDONED:
            self.say(None, "The game is abandoned")
        else:
            self.say(None, "The game ends with no winner")

    # What may be seen

    def curtained(self, seat: int) -> bool:
        """Whether a seat's own sea must not be seen on this board now."""
        if self.views is None or self.features.trusted or self.view(seat).phase is Phase.ENDED:
            return False
        if not self.is_person(seat):
            return not self.nobody_sits
        if not self.features.shared_screen or not self.two_people:
            return False
        return self.screen.curtained(seat)

    def panel_text(self, seat: int) -> str:
        """Return words that run over a seat's target panel: the game's name in the lobby, and where the board has no
        captions whatever the player is asked."""
        if self.features.captions:
            return "BROADSIDE" if self.views is None else ""
        return self.desk(seat).caption if self._is_asked(seat) else ""

    def _is_asked(self, seat: int) -> bool:
        """Whether a seat's player must read words to go on."""
        if self.views is None or self.desk(seat).overlay is not None:
            return True
        view = self.view(seat)
        asked = view.take_back_asked_by == 3 - seat or (view.phase is Phase.ENDED and self.desk(3 - seat).wants_rematch)
        return asked and self.is_person(seat)

    def focus(self, seat: int) -> Grid:
        """Return the grid that matters now to a seat that has only one panel."""
        if self.views is None or self.panel_text(seat) or self.desk(seat).looking_back is not None:
            return Grid.TARGET
        view = self.view(seat)
        if view.phase is Phase.PLACING or self.desk(seat).peeking:
            return Grid.OCEAN
        for effect in self.effects:
            if effect.seat == seat and effect.began <= self.now < effect.ends:
                return effect.grid
        return Grid.TARGET if view.phase is Phase.ENDED or view.my_turn else Grid.OCEAN
