"""Looks ahead to the end of the game: how many shots a first square leads to, over all fleets that may be there.

From each first square on the game is played to its end against every fleet at once, always with the likeliest square
of the fleets that the results so far leave. Fleets that have answered alike so far are a group; all groups of all
first squares are moved on together, one shot at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from companion.captains.whole_fleets import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.captains.told import Told
    from companion.captains.whole_fleets import Fleets


class Seas(NamedTuple):
    """Fleets as they answer shots, without what was hit before.

    `ship_at` is the number of the ship on each square, from 1, or 0 for water: shape (fleets, 100). `squares_left` is
    how many squares of each ship are left, shape (fleets, ships + 1); its first column stands for water and is never
    used up. `hit` and `sunk` are what the answers are told apart by for each ship, shape (ships + 1).
    """

    ship_at: NDArray[np.uint8]
    squares_left: NDArray[np.int8]
    hit: NDArray[np.intp]
    sunk: NDArray[np.intp]


_MANY = 127


def seas(told: Told, fleets: Fleets, *, sinkings_named: bool, hits_named: bool) -> Seas:
    """Prepare fleets to be fired at."""
    number = fleets.size
    ships = len(fleets.lengths)
    rows = np.arange(number)[:, None]
    ship_at = np.zeros((number, 100), np.uint8)
    left = np.full((number, ships + 1), _MANY, np.int8)
    for ship, length in enumerate(fleets.lengths):
        ship_at[rows, table(length, told.may_touch).cells[fleets.ways[ship]]] = ship + 1
        left[:, ship + 1] = length
    for square in range(100):
        if told.hits >> square & 1:
            left[rows[:, 0], ship_at[:, square]] -= 1
            ship_at[:, square] = 0
    kind = np.array([0, *(number for number, each in enumerate(told.kinds, 1) for _ in range(each.ships))], np.intp)
    kinds = len(told.kinds)
    hit = kind if hits_named else np.minimum(kind, 1)
    sunk = kinds + (kind if sinkings_named else np.minimum(kind, 1))
    return Seas(ship_at, left, hit, sunk)


def expected_shots(seas: Seas, first: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the mean number of further shots to the end, over all fleets, for each first square (an index)."""
    number = len(seas.ship_at)
    choices = len(first)
    used = np.flatnonzero(seas.ship_at.any(axis=0))
    column_of = np.full(100, -1, np.intp)
    column_of[used] = np.arange(len(used))
    ship_at = np.ascontiguousarray(seas.ship_at[:, used])
    answers = int(seas.sunk.max()) + 1
    # Every fleet has the same number of squares, and so many of them left.
    left_in_each = np.nonzero(ship_at)[1].astype(np.int16).reshape(number, -1)
    gone = len(used)

    # A row is one fleet after one first square. Rows of a group stand together.
    fleet = np.tile(np.arange(number), choices)
    choice = np.repeat(np.arange(choices), number)
    squares = np.tile(left_in_each, (choices, 1))
    squares_left = np.tile(seas.squares_left, (choices, 1))
    to_hit = np.full(number * choices, left_in_each.shape[1])
    group = choice
    target = column_of[first]
    shots = np.zeros(choices)
    while len(fleet):
        column = target[group]
        shots += np.bincount(choice, minlength=choices)
        rows = np.arange(len(fleet))
        ship = ship_at[fleet, column]
        squares_left[rows, ship] -= ship > 0
        to_hit -= ship > 0
        answer = np.where(squares_left[rows, ship] == 0, seas.sunk[ship], seas.hit[ship])
        squares[squares == column.astype(np.int16)[:, None]] = gone
        key = group * answers + answer
        order = np.argsort(key, kind="stable")
        sizes = _groups(key[order])
        alone = np.repeat(sizes == 1, sizes)
        # What is left of a fleet that is known is hit without a miss.
        shots += np.bincount(choice[order[alone]], to_hit[order[alone]], choices)
        order = order[~alone & (to_hit[order] > 0)]
        if not len(order):
            break
        fleet, choice, squares = fleet[order], choice[order], squares[order]
        squares_left, to_hit = squares_left[order], to_hit[order]
        sizes = _groups(key[order])
        group = np.repeat(np.arange(len(sizes)), sizes)
        counts = np.bincount((group[:, None] * (gone + 1) + squares).ravel(), minlength=len(sizes) * (gone + 1))
        target = counts.reshape(len(sizes), gone + 1)[:, :gone].argmax(axis=1)
    return shots / number


def _groups(keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the length of each run of equal keys."""
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return np.diff(np.append(begins, len(keys)))
