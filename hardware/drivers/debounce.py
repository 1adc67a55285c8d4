"""From readings of a whole key matrix to the keys that are down."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple


class Reading(NamedTuple):
    """One look at a whole matrix.

    `rows` has one bit mask for each row: bit c is set where column c was low while that row was. `shorted` has the
    columns that were low while no row was: such a column is joined to ground, and says nothing about its keys.
    """

    rows: tuple[int, ...]
    shorted: int = 0

    @property
    def keys(self) -> tuple[int, ...]:
        """The rows without the shorted columns."""
        return tuple(row & ~self.shorted for row in self.rows)

    @property
    def ambiguous(self) -> bool:
        """Whether some of the keys may be phantoms.

        Without a diode at each key, a row reads every column that closed switches join to it, through other rows too.
        Two rows that share two columns are three held corners of a rectangle, or four: nobody can tell. Where no two
        rows share two columns, no such path exists and the reading is exact.
        """
        shared = (one & other for one, other in combinations(self.keys, 2))
        return any(columns & (columns - 1) for columns in shared)


class Change(NamedTuple):
    """One key of the matrix went down or up; row and column count from 0."""

    row: int
    column: int
    down: bool


class Debounce:
    """Accepts a reading after `equal_scans` equal ones in a row, and never an ambiguous one."""

    def __init__(self, rows: int, equal_scans: int) -> None:
        if equal_scans < 1:
            raise ValueError("equal_scans must be at least 1")
        self._equal_scans = equal_scans
        self._accepted = self._candidate = Reading((0,) * rows)
        self._count = equal_scans

    @property
    def accepted(self) -> Reading:
        """The last reading that stood long enough."""
        return self._accepted

    @property
    def settled(self) -> bool:
        """Whether the last reading has stood long enough, so that another look at once would tell nothing."""
        return self._count >= self._equal_scans

    @property
    def idle(self) -> bool:
        """Whether no key is down, and none was in the last reading."""
        return self._candidate == self._accepted and not any(self._accepted.keys)

    def feed(self, reading: Reading) -> list[Change]:
        """Take a reading; return what changed with it: releases first, then presses, in the order of the rows."""
        self._count = self._count + 1 if reading == self._candidate else 1
        self._candidate = reading
        if self._count < self._equal_scans or reading == self._accepted or reading.ambiguous:
            return []
        return self._accept(reading)

    def forget(self) -> list[Change]:
        """Take every key for released, as nothing can be read; return what changed with that."""
        self._candidate = Reading((0,) * len(self._accepted.rows))
        self._count = self._equal_scans
        return self._accept(self._candidate)

    def _accept(self, reading: Reading) -> list[Change]:
        before, self._accepted = self._accepted.keys, reading
        changes = [
            Change(row, column, bool(now >> column & 1))
            for row, (was, now) in enumerate(zip(before, reading.keys, strict=True))
            for column in range((was ^ now).bit_length())
            if (was ^ now) >> column & 1
        ]
        return sorted(changes, key=lambda change: change.down)
