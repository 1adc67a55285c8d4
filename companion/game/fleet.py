"""Ships and fleets: legal placement and random fleets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

import msgspec

from companion.game.errors import IllegalMove
from companion.game.ruleset import Ruleset, RulesetError
from companion.game.squares import NEIGHBOURS, SIZE, SQUARES, Direction, Square

REJECTION_TRIES = 3000
"""Whole fleets drawn before the search for a tight one begins. Without touching some 4 % of draws are legal, so a
usual fleet is never missed by this."""

SEARCH_STEPS = 50_000
"""Ships tried by the search before it gives up; about a second on a desktop."""

RESTART_STEPS = 300
"""Ships tried from the first beginning before the search begins anew elsewhere; then a little more each time."""


class Ship(msgspec.Struct, frozen=True):
    """One placed ship: its name and its squares from bow to stern."""

    name: str
    squares: tuple[Square, ...]

    @property
    def direction(self) -> Direction:
        """How it lies; a ship of one square lies across."""
        down = len(self.squares) > 1 and self.squares[0].column == self.squares[1].column
        return Direction.DOWN if down else Direction.ACROSS

    def __str__(self) -> str:
        return f"{self.name} {self.squares[0]}-{self.squares[-1]}"


class Placement(NamedTuple):
    """One way to lay a ship: its squares, and as 100-bit masks by square index the squares themselves and those
    with all their neighbours."""

    squares: tuple[Square, ...]
    mask: int
    halo: int


@cache
def placements(length: int) -> tuple[Placement, ...]:
    """Return every way to lay a ship of a length (1…10 squares) on the grid."""
    found = [run(square, direction, length) for square in SQUARES for direction in Direction]
    legal = dict.fromkeys(squares for squares in found if squares is not None)
    return tuple(Placement(squares, _mask(squares), _halo(squares)) for squares in legal)


def run(bow: Square, direction: Direction, length: int) -> tuple[Square, ...] | None:
    """Return the squares of a ship from its bow on, or None where it leaves the grid."""
    step, last = (1, bow.column + length) if direction is Direction.ACROSS else (SIZE, bow.row + length)
    return tuple(SQUARES[bow.index + step * i] for i in range(length)) if last <= SIZE else None


def _mask(squares: Iterable[Square]) -> int:
    mask = 0
    for square in squares:
        mask |= 1 << square.index
    return mask


def _halo(squares: Sequence[Square]) -> int:
    mask = _mask(squares)
    for square in squares:
        mask |= _mask(NEIGHBOURS[square.index])
    return mask


def check_ship(name: str, squares: tuple[Square, ...], placed: Sequence[Ship], ruleset: Ruleset) -> None:
    """Refuse a ship that cannot lie there beside those already placed.

    Raises IllegalMove with the ship and the reason.
    """
    if name not in ruleset.lengths:
        raise IllegalMove("There is no {ship} in this fleet", ship=name)
    if sum(ship.name == name for ship in placed) >= ruleset.counts[name]:
        raise IllegalMove("The {ship} is already placed", ship=name)
    rows = {square.row for square in squares}
    columns = {square.column for square in squares}
    if len(rows) > 1 and len(columns) > 1:
        raise IllegalMove("The {ship} doesn't fit: diagonal; a ship lies across or down", ship=name)
    length = ruleset.lengths[name]
    if len(squares) != length:
        raise IllegalMove("The {ship} doesn't fit: wrong length; it has {length} squares", ship=name, length=length)
    steps = [after.index - before.index for before, after in pairwise(squares)]
    if any(abs(step) not in (1, SIZE) or step != steps[0] for step in steps):
        raise IllegalMove("The {ship} doesn't fit: its squares are no straight run", ship=name)
    mask = _mask(squares)
    for ship in placed:
        if _mask(ship.squares) & mask:
            raise IllegalMove("The {ship} doesn't fit: overlaps the {other}", ship=name, other=ship.name)
    if not ruleset.may_touch:
        for ship in placed:
            if _halo(ship.squares) & mask:
                raise IllegalMove("The {ship} doesn't fit: touches the {other}", ship=name, other=ship.name)


def check_off_grid(name: str, bow: Square, direction: Direction, ruleset: Ruleset) -> tuple[Square, ...]:
    """Return the squares of a ship laid from its bow on.

    Raises IllegalMove for a ship that this fleet does not have or that leaves the grid.
    """
    if name not in ruleset.lengths:
        raise IllegalMove("There is no {ship} in this fleet", ship=name)
    squares = run(bow, direction, ruleset.lengths[name])
    if squares is None:
        raise IllegalMove("The {ship} doesn't fit: off the grid", ship=name)
    return squares


def check_fleet(ships: Sequence[Ship], ruleset: Ruleset) -> None:
    """Refuse a fleet that is not whole or not legal. Raises IllegalMove."""
    for index, ship in enumerate(ships):
        check_ship(ship.name, ship.squares, ships[:index], ruleset)
    for name, count in ruleset.counts.items():
        if sum(ship.name == name for ship in ships) < count:
            raise IllegalMove("The {ship} is not placed yet", ship=name)


def random_fleet(ruleset: Ruleset, chance: Random) -> tuple[Ship, ...]:
    """Draw a legal fleet, in the order of `ruleset.ships`.

    Whole fleets are drawn and rejected until one is legal, so every legal fleet is equally likely. A fleet too tight
    for that is searched for instead, and then only varied. Raises RulesetError where none is found.
    """
    names = ruleset.ships
    lengths = ruleset.lengths
    longest_first = sorted(range(len(names)), key=lambda ship: -lengths[names[ship]])
    tables = [placements(lengths[names[ship]]) for ship in longest_first]
    laid = _draw(tables, ruleset.may_touch, chance) or _search(tables, ruleset.may_touch, chance)
    by_ship = dict(zip(longest_first, laid, strict=True))
    return tuple(Ship(name, by_ship[ship].squares) for ship, name in enumerate(names))


def _draw(tables: Sequence[Sequence[Placement]], may_touch: bool, chance: Random) -> list[Placement] | None:
    random = chance.random
    for _ in range(REJECTION_TRIES):
        blocked = 0
        laid = []
        for table in tables:
            placement = table[int(random() * len(table))]
            if placement.mask & blocked:
                break
            blocked |= placement.mask if may_touch else placement.halo
            laid.append(placement)
        else:
            return laid
    return None


def _search(tables: Sequence[Sequence[Placement]], may_touch: bool, chance: Random) -> list[Placement]:
    """Find a tight fleet: depth first with restarts, placements that block least first, ties broken by chance."""
    steps, budget = SEARCH_STEPS, RESTART_STEPS
    while steps > 0:
        steps -= budget
        found = _search_once(tables, may_touch, chance, budget)
        if found is not None:
            return found
        # A longer search each time: soon for what is easy, thorough for what is not.
        budget = budget * 21 // 20
    raise RulesetError("fleet: no way was found to lay all these ships; take out a ship, or let ships touch")


def _search_once(
    tables: Sequence[Sequence[Placement]], may_touch: bool, chance: Random, budget: int
) -> list[Placement] | None:
    """Search from one beginning, laying at most `budget` ships."""
    laid: list[Placement] = []
    left = budget

    def lay(depth: int, blocked: int) -> bool:
        nonlocal left
        if depth == len(tables):
            return True
        free = [placement for placement in tables[depth] if not placement.mask & blocked]
        chance.shuffle(free)
        free.sort(key=lambda placement: (placement.halo & ~blocked).bit_count())
        for placement in free:
            if left <= 0:
                return False
            left -= 1
            laid.append(placement)
            if lay(depth + 1, blocked | (placement.mask if may_touch else placement.halo)):
                return True
            laid.pop()
        return False

    return laid if lay(0, 0) else None
