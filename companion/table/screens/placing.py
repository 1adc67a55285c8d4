"""Placing: a ghost that shows whether a ship fits, AUTO, and the hand-off where both look at one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.errors import IllegalMove
from companion.game.events import DrawFleet, Lift, Place, Sail
from companion.game.fleet import check_off_grid, check_ship
from companion.game.ruleset import Placing
from companion.game.squares import SQUARES, Direction, Square
from companion.game.views import SeatView
from companion.table.marks import Sheet, put_ghost, ship_on, unplaced
from companion.table.moves import ARROWS, STEPS
from companion.table.screens.screen import Screen
from companion.table.words import mark
from hardware.frame import Grid

if TYPE_CHECKING:
    from companion.table.table import Table


class PlacingScreen(Screen):
    """Both seats lay their fleets, together or in turn.

    Where two people share a screen, they lay them one after the other: `_ready` is the seat whose player has said that
    the other looks away.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._ready: int | None = None
        for seat in (1, 2):
            desk, fleet = table.desk(seat), table.view(seat).fleet
            desk.cursor = SQUARES[0]
            desk.direction = Direction.ACROSS
            if self._take_next(seat) is not None and fleet:
                # A game that goes on looks as it did when the last ship was laid.
                desk.cursor, desk.direction = fleet[-1].squares[0], fleet[-1].direction
                self._go_where_it_fits(seat)

    @property
    def _hands_off(self) -> bool:
        return self.table.features.shared_screen and self.table.two_people

    @property
    def placer(self) -> int | None:
        """The seat whose turn it is to lay its fleet, where that is one after the other."""
        view = self.table.view(1)
        if not self._hands_off and view.ruleset.placing is Placing.TOGETHER:
            return None
        first = view.opener if view.ruleset.placing is Placing.IN_TURN else 1
        return 3 - first if self.table.view(first).fleet_confirmed else first

    def enter(self) -> None:
        """Say who places."""
        for seat in (1, 2):
            if self.table.is_person(seat):
                self._prompt(seat)

    def _prompt(self, seat: int) -> None:
        table = self.table
        view = table.view(seat)
        if view.fleet_confirmed:
            table.say(seat, "Your fleet has sailed: {player} still lays theirs", player=view.enemy)
        elif self.placer not in (None, seat):
            table.say(seat, "{player} places first", player=view.enemy)
        elif self._hands_off and self._ready != seat:
            table.say(
                seat, "{player}: press # when {other_player} looks away", player=view.player, other_player=view.enemy
            )
        elif unplaced(view):
            table.say(seat, "Place your fleet, {player}: 5 places, 0 turns, A lays all", player=view.player)
        else:
            table.say(seat, "All ships are placed: # sails")

    def sailed(self, seat: int) -> None:
        """A fleet was confirmed: the other seat comes next."""
        self._ready = None
        other = 3 - seat
        waited = self.placer is not None
        if waited and self.table.is_person(other) and not self.table.view(other).fleet_confirmed:
            self._prompt(other)

    def curtained(self, seat: int) -> bool:
        """Only the player who has said that the other looks away is shown a sea."""
        return seat != self._ready

    def curtain(self, seat: int) -> str:
        """The sea of the player who lays ships next is uncovered when that player is ready."""
        return self.table.words("# uncovers") if self.placer == seat else ""

    def tap(self, seat: int, key: str) -> None:
        """Take a key of a seat."""
        table = self.table
        view = table.view(seat)
        if view.fleet_confirmed:
            table.refuse(seat, "Your fleet has sailed; no ship can be moved any more")
        elif self.placer not in (None, seat):
            table.refuse(seat, "{player} places first", player=view.enemy)
        elif self._hands_off and self._ready != seat:
            if key in "#50":
                self._ready = seat
            self._prompt(seat)
        elif key in STEPS or key == "D" or table.dials(seat, key):
            if table.move(seat, key):
                self._say_ghost(seat)
        else:
            self._act(seat, key)

    def _act(self, seat: int, key: str) -> None:
        table = self.table
        if key == "A":
            self._draw(seat)
        elif key == "0":
            self._turn(seat)
        elif key == "C":
            self._pick_up(seat)
        elif key in "5#":
            self._place_or_sail(seat, key)
        elif key == "B":
            table.refuse(seat, "There are no shots to look back on yet")
        else:
            self.nothing(seat, key)

    def _draw(self, seat: int) -> None:
        if self.table.attempt(DrawFleet(seat)):
            self.table.desk(seat).hand = None
            self.table.say(seat, "AUTO: your fleet is laid; # sails, A lays another")

    def _turn(self, seat: int) -> None:
        desk = self.table.desk(seat)
        if desk.hand is None:
            self.table.refuse(seat, "No ship is in hand: C picks one up")
            return
        desk.direction = desk.direction.turned
        self._say_ghost(seat)

    def _pick_up(self, seat: int) -> None:
        table = self.table
        desk, view = table.desk(seat), table.view(seat)
        left = unplaced(view)
        under = ship_on(view.fleet, desk.cursor)
        if under is None and left:
            names = list(dict.fromkeys(left))
            desk.hand = names[(names.index(desk.hand) + 1) % len(names)] if desk.hand in names else names[0]
            self._say_ghost(seat)
            return
        ship = under or view.fleet[0]
        if table.attempt(Lift(seat, ship.squares[0])):
            desk.hand, desk.direction = ship.name, ship.direction
            desk.cursor = min(ship.squares)
            self._say_ghost(seat)

    def _place_or_sail(self, seat: int, key: str) -> None:
        table = self.table
        desk = table.desk(seat)
        if desk.hand is not None:
            name = desk.hand
            if not table.attempt(Place(seat, name, desk.cursor, desk.direction)):
                return
            table.host.sound("placed", seat)
            following = self._take_next(seat)
            self._go_where_it_fits(seat)
            if following is None:
                table.say(seat, "All ships are placed: # sails")
            else:
                table.say(seat, "{ship} is placed; now the {other}", ship=name, other=following)
        elif key == "#":
            table.attempt(Sail(seat))
        else:
            table.say(seat, "All ships are placed: # sails")

    def _take_next(self, seat: int) -> str | None:
        left = unplaced(self.table.view(seat))
        self.table.desk(seat).hand = left[0] if left else None
        return self.table.desk(seat).hand

    def _go_where_it_fits(self, seat: int) -> None:
        """Move the cursor on to the nearest square below where the next ship fits, as it lies, if there is one."""
        desk, view = self.table.desk(seat), self.table.view(seat)
        if desk.hand is None or self._refusal(seat) is None:
            return
        here = desk.cursor
        for square in (*SQUARES[here.index :], *SQUARES[: here.index]):
            if refusal(desk.hand, square, desk.direction, view) is None:
                desk.cursor = square
                return

    def _refusal(self, seat: int) -> IllegalMove | None:
        """Why the ship in hand doesn't fit where the cursor is, or None."""
        desk, view = self.table.desk(seat), self.table.view(seat)
        assert desk.hand is not None
        return refusal(desk.hand, desk.cursor, desk.direction, view)

    def _say_ghost(self, seat: int) -> None:
        table = self.table
        desk = table.desk(seat)
        if desk.hand is None:
            ship = ship_on(table.view(seat).fleet, desk.cursor)
            if ship is None:
                table.say_plainly(seat, desk.cursor.name)
            else:
                table.say(seat, "{square}, the {ship}: C picks it up", square=desk.cursor, ship=ship.name)
            return
        refused = self._refusal(seat)
        if refused is None:
            table.say(seat, "{ship} on {square}: fits", ship=desk.hand, square=desk.cursor)
        else:
            reason = GHOST_REASONS.get(refused.template, refused.template)
            table.say(seat, reason, **refused.values)

    def _ghost(self, seat: int) -> list[Square]:
        """The squares of the ship in hand, as far as they are on the grid."""
        desk = self.table.desk(seat)
        assert desk.hand is not None
        length = self.table.view(seat).ruleset.lengths[desk.hand]
        line = (
            [square for square in SQUARES if square.row == desk.cursor.row and square.column >= desk.cursor.column]
            if desk.direction is Direction.ACROSS
            else [square for square in SQUARES if square.column == desk.cursor.column and square.row >= desk.cursor.row]
        )
        return line[:length]

    def _lays(self, seat: int) -> bool:
        """Whether a seat's player lays ships right now."""
        if not self.table.is_person(seat) or self.table.view(seat).fleet_confirmed:
            return False
        return self.placer in (None, seat) and not (self._hands_off and self._ready != seat)

    def marks(self, seat: int, grid: Grid) -> Sheet:
        """Return the marks of one panel, the ghost over the own sea."""
        sheet = super().marks(seat, grid)
        if grid is Grid.OCEAN and self._lays(seat) and self.table.desk(seat).hand is not None:
            put_ghost(sheet, self._ghost(seat), fits=self._refusal(seat) is None)
        return sheet

    def cursor(self, seat: int, grid: Grid) -> Square | None:
        """The cursor stands on the own sea while its player lays ships."""
        return self.table.desk(seat).cursor if grid is Grid.OCEAN and self._lays(seat) else None

    def legend(self, seat: int) -> dict[str, str]:
        """Say what each key does now."""
        words = self.table.words
        if not self._lays(seat):
            waits = self._hands_off and self.placer == seat and self._ready != seat
            return {"#": words("ready"), "*": words("menu")} if waits else {"*": words("menu")}
        in_hand = self.table.desk(seat).hand is not None
        legend = ARROWS | {"A": "AUTO", "C": words("pick up"), "D": words("dial"), "*": words("menu")}
        if in_hand:
            return legend | {"5": words("place"), "#": words("place"), "0": words("turn")}
        return legend | {"#": words("sail")}


def refusal(ship: str, bow: Square, direction: Direction, view: SeatView) -> IllegalMove | None:
    """Return why a ship cannot lie there beside those that a seat has laid, or None where it can."""
    try:
        check_ship(ship, check_off_grid(ship, bow, direction, view.ruleset), view.fleet, view.ruleset)
    except IllegalMove as error:
        return error
    return None


GHOST_REASONS = {
    "The {ship} doesn't fit: off the grid": mark("Doesn't fit: off the grid"),
    "The {ship} doesn't fit: overlaps the {other}": mark("Doesn't fit: overlaps the {other}"),
    "The {ship} doesn't fit: touches the {other}": mark("Doesn't fit: touches the {other}"),
}
"""The refusals of a placement, as said of a ghost whose ship is known."""
