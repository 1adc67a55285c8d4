"""The whole fleets that agree with everything told: all of them where they are few, else an exact random sample.

A fleet that agrees is built in three steps. Each sinking is given its ship: it contains the shot that sank it, and
otherwise squares that were hit by then. Each other hit is given to a ship that is still afloat, so that every hit is
covered exactly once. What is left are free ships, which lie on unknown squares. A cover of the hits stands for as
many fleets as there are ways to lay its free ships, so a cover drawn by that weight, with free ships drawn at random
and thrown away together where they conflict, is a fleet drawn uniformly from all that agree.
"""

from __future__ import annotations

from functools import cache
from math import factorial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from companion.game.fleet import placements

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.captains.told import Told

COVERS = 12_000
"""Covers of the hits kept at any step. Where ships may touch there can be more; then a random part of them stands
for all."""

ENUMERATED = 30_000
"""Fleets, counted before conflicts between free ships, up to which all are enumerated."""

DRAWS = 100_000
"""Fleets drawn at most for one sample. Where the first draws say that these would not do for a quarter of the sample,
the fleets are laid ship by ship and weighted instead."""

_WORD = (1 << 64) - 1


class Table(NamedTuple):
    """Every way to lay a ship of one length: masks of its squares and of what it blocks, each as two 64-bit words of
    shape (2, ways), and the indexes of its squares, of shape (ways, length)."""

    squares: NDArray[np.uint64]
    blocks: NDArray[np.uint64]
    cells: NDArray[np.intp]


class Fleets(NamedTuple):
    """Fleets that agree with what was told.

    `occupied` has two 64-bit words a fleet, shape (2, fleets); `ways` says for each ship which row of its kind's table
    it is, shape (ships, fleets), with the ships in the order of `lengths`. `weights` are None where all weigh the same.
    `complete` is whether these are all fleets that agree.
    """

    lengths: tuple[int, ...]
    occupied: NDArray[np.uint64]
    ways: NDArray[np.int16]
    weights: NDArray[np.float64] | None
    complete: bool

    @property
    def size(self) -> int:
        """How many fleets there are."""
        return int(self.occupied.shape[1])


def words(mask: int) -> tuple[np.uint64, np.uint64]:
    """Split a mask of 100 bits, or the complement of one, into two words."""
    return np.uint64(mask & _WORD), np.uint64(mask >> 64 & _WORD)


@cache
def table(length: int, may_touch: bool) -> Table:
    """Return the table of a length."""
    every = placements(length)

    def split(masks: list[int]) -> NDArray[np.uint64]:
        return np.array([[mask & _WORD for mask in masks], [mask >> 64 for mask in masks]], np.uint64)

    squares = split([way.mask for way in every])
    blocks = squares if may_touch else split([way.halo for way in every])
    return Table(squares, blocks, np.array([[square.index for square in way.squares] for way in every], np.intp))


class _Covers(NamedTuple):
    """Partly built fleets: their squares (2, n), ways (ships, n; -1 for a ship not laid yet), and how many ships of
    each kind are laid (kinds, n)."""

    occupied: NDArray[np.uint64]
    ways: NDArray[np.int16]
    laid: NDArray[np.intp]

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> _Covers:
        return _Covers(self.occupied[:, rows], self.ways[:, rows], self.laid[:, rows])


def _join(parts: list[_Covers]) -> _Covers:
    if len(parts) == 1:
        return parts[0]
    return _Covers(*(np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True)))


class Search:
    """Finds the fleets that agree with what was told. `chance` draws the sample."""

    def __init__(self, told: Told, chance: np.random.Generator) -> None:
        self.told = told
        self.chance = chance
        self.tables = [table(kind.length, told.may_touch) for kind in told.kinds]
        self.counts = np.array([kind.ships for kind in told.kinds], np.intp)
        self.first_slot = np.cumsum(self.counts) - self.counts
        self.lengths = tuple(kind.length for kind in told.kinds for _ in range(kind.ships))
        self.thinned = False

    def run(self, wanted: int) -> Fleets:
        """Return all fleets that agree where they are few, else `wanted` of them, or fewer where they are rare.

        No fleet at all means that what was told contradicts itself, or that a very tight fleet was not found.
        """
        covers = self._covers()
        free = [self._free(number) for number in range(len(self.tables))]
        weights = self._weights(covers, free)
        alive = weights > 0
        if not alive.all():
            covers, weights = covers.take(alive), weights[alive]
        if weights.sum() <= ENUMERATED:
            return self._enumerate(covers, free)
        return self._sample(covers, weights, free, wanted)

    def _covers(self) -> _Covers:
        """Cover every hit exactly once: the sunk ships first, then each hit that is left."""
        told = self.told
        covers = _Covers(
            np.zeros((2, 1), np.uint64),
            np.full((len(self.lengths), 1), -1, np.int16),
            np.zeros((len(told.kinds), 1), np.intp),
        )
        if not told.hits:
            return covers
        agree = [self._agree(number) for number in range(len(told.kinds))]
        sunk_at = 0
        for sinking in told.sinkings:
            sunk_at |= 1 << sinking.square
        for sinking in told.sinkings:
            at = 1 << sinking.square
            never = ~sinking.hits_by_then | (sunk_at & ~at) | (sinking.squares and ~sinking.squares)
            fits = [
                np.flatnonzero(agree[number] & ~self._meets(number, never) & self._meets(number, at))
                if sinking.kind is None or sinking.kind == kind.key
                else _NONE
                for number, kind in enumerate(told.kinds)
            ]
            covers = self._thin(self._lay(covers, fits))
        afloat = [
            agree[number] & ~self._meets(number, sunk_at) & self._meets(number, ~told.hits)
            for number in range(len(told.kinds))
        ]
        for square in range(100):
            at = 1 << square
            if not told.hits & at or sunk_at & at:
                continue
            covered = (covers.occupied[square // 64] & words(at)[square // 64]) != 0
            if covered.all():
                continue
            fits = [np.flatnonzero(ways & self._meets(number, at)) for number, ways in enumerate(afloat)]
            laid = self._lay(covers.take(~covered), fits)
            covers = self._thin(_join([covers.take(covered), laid]))
        return covers

    def _meets(self, number: int, mask: int) -> NDArray[np.bool_]:
        """Which ways to lay a kind have a square in a mask."""
        low, high = words(mask)
        squares = self.tables[number].squares
        meets: NDArray[np.bool_] = ((squares[0] & low) | (squares[1] & high)) != 0
        return meets

    def _agree(self, number: int) -> NDArray[np.bool_]:
        """Which ways to lay a kind contradict neither the water nor the hits that named a ship, nor lie beside a hit
        where ships never touch."""
        told = self.told
        bad = told.water
        for square, key in told.hit_kinds.items():
            if key != told.kinds[number].key:
                bad |= 1 << square
        agree = ~self._meets(number, bad)
        if not told.may_touch:
            low, high = words(told.hits)
            squares, blocks = self.tables[number].squares, self.tables[number].blocks
            agree &= ((blocks[0] & ~squares[0] & low) | (blocks[1] & ~squares[1] & high)) == 0
        return agree

    def _free(self, number: int) -> NDArray[np.intp]:
        """The ways to lay a ship of a kind that has not been hit."""
        low, high = words(self.told.hits)
        blocks = self.tables[number].blocks
        clear = ((blocks[0] & low) | (blocks[1] & high)) == 0
        return np.flatnonzero(clear & ~self._meets(number, self.told.water))

    def _weights(self, covers: _Covers, free: list[NDArray[np.intp]]) -> NDArray[np.float64]:
        """How many ways there are to lay each cover's free ships, before conflicts; ships of a kind are alike."""
        weights = np.ones(covers.laid.shape[1])
        for number, kind in enumerate(self.told.kinds):
            ways = len(free[number])
            by_count = np.array([float(ways) ** left / factorial(left) for left in range(kind.ships + 1)])
            weights *= by_count[kind.ships - covers.laid[number]]
        return weights

    def _lay(self, covers: _Covers, fits: list[NDArray[np.intp]]) -> _Covers:
        """Lay one more ship in every way that fits: `fits` has for each kind rows of its table."""
        parts = []
        for number, ways in enumerate(fits):
            room = covers.laid[number] < self.counts[number]
            if len(ways) and room.any():
                parts.append(self._lay_kind(covers if room.all() else covers.take(room), number, ways))
        return _join(parts) if parts else covers.take(_NONE)

    def _lay_kind(self, covers: _Covers, number: int, ways: NDArray[np.intp], *, ascending: bool = False) -> _Covers:
        """Lay one more ship of a kind; `ascending` lays it only in ways that come after the ship of the kind before."""
        blocks = self.tables[number].blocks[:, ways]
        occupied = covers.occupied
        clear = ((occupied[0][:, None] & blocks[0]) | (occupied[1][:, None] & blocks[1])) == 0
        slots = self.first_slot[number] + covers.laid[number]
        if ascending:
            before = covers.ways[slots - 1, np.arange(len(slots))]
            clear &= ways > before[:, None]
        row, column = np.nonzero(clear)
        laid = covers.take(row)
        way = ways[column]
        laid.ways[slots[row], np.arange(len(row))] = way
        laid.laid[number] += 1
        return laid._replace(occupied=laid.occupied | self.tables[number].squares[:, way])

    def _thin(self, covers: _Covers) -> _Covers:
        """Let a random part stand for all where there are too many covers."""
        if covers.laid.shape[1] <= COVERS:
            return covers
        self.thinned = True
        return covers.take(np.sort(self.chance.permutation(covers.laid.shape[1])[:COVERS]))

    def _enumerate(self, covers: _Covers, free: list[NDArray[np.intp]]) -> Fleets:
        """Lay the free ships in every way."""
        for number, kind in enumerate(self.told.kinds):
            left = kind.ships - covers.laid[number]
            done = []
            for step in range(kind.ships + 1):
                done.append(covers.take(left == 0))
                covers, left = covers.take(left > 0), left[left > 0]
                if not len(left):
                    break
                covers = self._lay_kind(covers, number, free[number], ascending=step > 0)
                left = kind.ships - covers.laid[number]
            covers = _join(done)
        return Fleets(self.lengths, covers.occupied, covers.ways, None, not self.thinned)

    def _sample(
        self, covers: _Covers, weights: NDArray[np.float64], free: list[NDArray[np.intp]], wanted: int
    ) -> Fleets:
        """Draw fleets uniformly: a cover by its weight, its free ships by chance, and away with conflicts."""
        summed = np.cumsum(weights)
        parts: list[_Covers] = []
        found, drawn, batch = 0, 0, wanted
        while found < wanted and drawn < max(DRAWS, 1):
            rows = np.searchsorted(summed, self.chance.random(batch) * summed[-1], side="right")
            parts.append(self._lay_free(covers.take(rows), free))
            drawn += batch
            found += parts[-1].laid.shape[1]
            if 4 * found * DRAWS < wanted * drawn:
                return self._lay_one_by_one(covers, summed, free, max(wanted // 4, 1))
            batch = min(int((wanted - found) * drawn / found * 1.1) + 100, 8 * wanted)
        fleets = _join(parts)
        if found > wanted:
            fleets = fleets.take(np.arange(wanted))
        return Fleets(self.lengths, fleets.occupied, fleets.ways, None, False)

    def _lay_free(self, covers: _Covers, free: list[NDArray[np.intp]]) -> _Covers:
        for number, kind in enumerate(self.told.kinds):
            ways = free[number]
            tabled = self.tables[number]
            for _ in range(kind.ships):
                due = np.flatnonzero(covers.laid[number] < kind.ships)
                if not len(due):
                    break
                way = ways[(self.chance.random(len(due)) * len(ways)).astype(np.intp)]
                blocks = tabled.blocks[:, way]
                occupied = covers.occupied[:, due]
                clear = ((occupied[0] & blocks[0]) | (occupied[1] & blocks[1])) == 0
                covers.occupied[:, due] = occupied | tabled.squares[:, way]
                covers.ways[self.first_slot[number] + covers.laid[number, due], due] = way
                covers.laid[number, due] += 1
                if not clear.all():
                    keep = np.ones(covers.laid.shape[1], np.bool_)
                    keep[due] = clear
                    covers = covers.take(keep)
        return covers

    def _lay_one_by_one(
        self, covers: _Covers, summed: NDArray[np.float64], free: list[NDArray[np.intp]], wanted: int
    ) -> Fleets:
        """Sample fleets too tight to be found by throwing away: lay each free ship in one of the ways that are left,
        and weigh the fleet by how many there were."""
        covers = covers.take(np.searchsorted(summed, self.chance.random(wanted) * summed[-1], side="right"))
        weighed = np.ones(wanted)
        for number, kind in enumerate(self.told.kinds):
            ways = free[number]
            blocks = self.tables[number].blocks[:, ways]
            for _ in range(kind.ships):
                due = np.flatnonzero(covers.laid[number] < kind.ships)
                if not len(due):
                    break
                occupied = covers.occupied[:, due]
                clear = ((occupied[0][:, None] & blocks[0]) | (occupied[1][:, None] & blocks[1])) == 0
                options = clear.sum(axis=1)
                pick = (self.chance.random(len(due)) * options).astype(np.intp) + 1
                way = ways[np.argmax(np.cumsum(clear, axis=1) >= pick[:, None], axis=1)]
                covers.occupied[:, due] = occupied | self.tables[number].squares[:, way]
                covers.ways[self.first_slot[number] + covers.laid[number, due], due] = way
                covers.laid[number, due] += 1
                weighed[due] *= options / len(ways)
                keep = weighed > 0
                covers, weighed = covers.take(keep), weighed[keep]
        return Fleets(self.lengths, covers.occupied, covers.ways, weighed, False)


_NONE: NDArray[np.intp] = np.zeros(0, np.intp)


def squares_of(occupied: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return masks of shape (2, n) as 0 and 1 for each square, shape (n, 100)."""
    octets = np.ascontiguousarray(occupied.T).astype("<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=100, bitorder="little")
