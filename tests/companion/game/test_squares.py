import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game.squares import NEIGHBOURS, SQUARES, Direction, Square, SquareError


@pytest.mark.parametrize("text", ["B7", "b7", "B-7", "b-7", " B7", "B7 ", "  b-7  "])
def test_one_square_has_several_spellings(text: str) -> None:
    assert Square.parse(text) is Square("B7")


@pytest.mark.parametrize(
    "text", ["K1", "A0", "A11", "7B", "", " ", "Ａ１", "A１", "A 1", "A01", "AA1", "A1A", "A--1", "-A1", "B7\n", "１"]
)
def test_anything_else_is_refused_and_shown_what_a_square_looks_like(text: str) -> None:
    with pytest.raises(SquareError, match="such as B7"):
        Square.parse(text)


def test_squares_read_back_what_they_write() -> None:
    assert [Square.parse(str(square)) for square in SQUARES] == list(SQUARES)
    assert [square.name for square in SQUARES[:11]] == [*(f"{column}1" for column in "ABCDEFGHIJ"), "A2"]


@given(st.text(max_size=6))
def test_reading_never_fails_in_another_way(text: str) -> None:
    try:
        square = Square.parse(text)
    except SquareError:
        return
    assert square.name == text.strip(" ").replace("-", "").upper()


def test_a_square_stays_itself_through_copies_and_pickles() -> None:
    square = Square("J10")
    assert copy.deepcopy(square) is square
    assert copy.copy(square) is square
    assert pickle.loads(pickle.dumps(square)) is square


@pytest.mark.parametrize(("row", "column"), [(-1, 0), (0, -1), (10, 0), (0, 10)])
def test_off_the_grid_is_refused(row: int, column: int) -> None:
    with pytest.raises(SquareError, match="off the grid"):
        Square.at(row, column)


def test_neighbours_include_corners() -> None:
    assert {square.name for square in NEIGHBOURS[Square("A1").index]} == {"B1", "A2", "B2"}
    assert len(NEIGHBOURS[Square("E5").index]) == 8


def test_directions_turn() -> None:
    assert Direction.ACROSS.turned is Direction.DOWN
    assert Direction.DOWN.turned is Direction.ACROSS
