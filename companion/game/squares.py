"""Squares of the 10×10 grid and the two directions of a ship."""

from __future__ import annotations

import re
from enum import StrEnum

COLUMNS = "ABCDEFGHIJ"
SIZE = 10
"""Columns A–J and rows 1–10 (RULES: Words)."""

_SQUARE = re.compile(r"([A-Ja-j])-?(10|[1-9])", re.ASCII)


class SquareError(ValueError):
    """A text that names no square."""


class Square:
    """One square, such as B7. There is one object for each of the 100, so squares compare and hash by identity.

    `column` and `row` count from 0 (A and 1); `index` is row × 10 + column.
    """

    __slots__ = ("column", "index", "name", "row")

    column: int
    row: int
    index: int
    name: str

    def __new__(cls, name: str) -> Square:
        """Return the square of that name; the same as `Square.parse`."""
        return cls.parse(name)

    @staticmethod
    def parse(text: str) -> Square:
        """Read "B7", "b7", "B-7" or " J10 ".

        Raises SquareError, saying what a square looks like, for anything else.
        """
        found = _SQUARE.fullmatch(text.strip(" "))
        if found is None:
            raise SquareError(f"{text!r} is no square: a square is a column A to J and a row 1 to 10, such as B7")
        return SQUARES[(int(found[2]) - 1) * SIZE + COLUMNS.index(found[1].upper())]

    @staticmethod
    def at(row: int, column: int) -> Square:
        """Return the square at a row and column, counted from 0.

        Raises SquareError off the grid.
        """
        if 0 <= row < SIZE and 0 <= column < SIZE:
            return SQUARES[row * SIZE + column]
        raise SquareError(f"row {row + 1}, column {column + 1} is off the grid")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Square({self.name!r})"

    def __lt__(self, other: Square) -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[type[Square], tuple[str]]:
        return (Square, (self.name,))

    def __copy__(self) -> Square:
        return self

    def __deepcopy__(self, memo: object) -> Square:
        return self


def _make(index: int) -> Square:
    square = object.__new__(Square)
    square.row, square.column = divmod(index, SIZE)
    square.index = index
    square.name = f"{COLUMNS[square.column]}{square.row + 1}"
    return square


SQUARES: tuple[Square, ...] = tuple(_make(index) for index in range(SIZE * SIZE))
"""All squares, row by row: A1, B1 … J10."""


def _neighbours(square: Square) -> tuple[Square, ...]:
    rows = range(max(0, square.row - 1), min(SIZE, square.row + 2))
    columns = range(max(0, square.column - 1), min(SIZE, square.column + 2))
    return tuple(
        SQUARES[row * SIZE + column]
        for row in rows
        for column in columns
        if (row, column) != (square.row, square.column)
    )


NEIGHBOURS: tuple[tuple[Square, ...], ...] = tuple(_neighbours(square) for square in SQUARES)
"""For each square's index its up to eight neighbours, corners included."""


class Direction(StrEnum):
    """How a ship lies, from its bow."""

    ACROSS = "across"
    DOWN = "down"

    @property
    def turned(self) -> Direction:
        """The other direction."""
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS
