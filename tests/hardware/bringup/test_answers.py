"""How answers are read, and what is said to those that cannot be."""

from __future__ import annotations

import io

import pytest

from hardware.bringup.answers import PanelName, Place, listed, one_of, read_panel, read_place, square_name, yes_or_no
from hardware.bringup.asker import AgainError, LeaveError, TerminalAsker, UnclearError
from hardware.kit import PanelGrid

FOUR = [PanelName(seat, grid) for seat in (1, 2) for grid in (PanelGrid.OCEAN, PanelGrid.TARGET)]
TWO = [PanelName(seat, PanelGrid.EITHER) for seat in (1, 2)]


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("a1", Place((0, 0))),
        ("j10", Place((9, 9))),
        ("c 7", Place((6, 2))),
        ("top left", Place((0, 0))),
        ("br", Place((9, 9))),
        ("1 target j1", Place((0, 9), FOUR[1])),
        ("seat 2 ocean, a10", Place((9, 0), FOUR[2])),
        ("2o bottom right", Place((9, 9), FOUR[2])),
        ("a10 of the 1 ocean panel", Place((9, 0), FOUR[0])),
        ("b7 on 2t", Place((6, 1), FOUR[3])),
    ],
)
def test_places_on_four_panels(answer: str, place: Place) -> None:
    assert read_place(answer, FOUR) == place


@pytest.mark.parametrize(("answer", "panel"), [("1 a1", TWO[0]), ("seat 2 a1", TWO[1]), ("2 target a1", TWO[1])])
def test_places_with_one_panel_a_seat(answer: str, panel: PanelName) -> None:
    assert read_place(answer, TWO) == Place((0, 0), panel)


@pytest.mark.parametrize("answer", ["", "k1", "a11", "1 a1", "ocean a1", "3 target a1", "red", "1 target", "a0", "top"])
def test_places_that_cannot_be_read_are_answered_with_an_example(answer: str) -> None:
    with pytest.raises(UnclearError) as refused:
        read_place(answer, FOUR)
    assert "seat" in str(refused.value) or "A1" in str(refused.value)


def test_every_square_can_be_named_and_read() -> None:
    for row in range(10):
        for column in range(10):
            assert read_place(square_name((row, column)).lower(), FOUR) == Place((row, column))


def test_panels() -> None:
    assert read_panel("1 ocean", FOUR) == FOUR[0]
    assert read_panel("2t", FOUR) == FOUR[3]
    assert read_panel("seat 2", TWO) == TWO[1]
    for answer in ("", "1", "ocean", "x"):
        with pytest.raises(UnclearError):
            read_panel(answer, FOUR)


def test_words() -> None:
    assert yes_or_no("y")
    assert not yes_or_no("no")
    read = one_of({"green": 1, "grey": 2, "red": 3})
    assert (read("gree"), read("r")) == (1, 3)
    for answer in ("gr", "", "blue"):
        with pytest.raises(UnclearError, match="green, grey or red"):
            read(answer)
    with pytest.raises(AgainError):
        read("again")
    with pytest.raises(UnclearError):
        yes_or_no("perhaps")
    assert listed(["A1"]) == "A1"
    assert listed(["A1", "B1", "C1"]) == "A1, B1 or C1"


def test_the_terminal_asks_until_it_is_clear() -> None:
    out = io.StringIO()
    followed: list[str] = []

    class Bench:
        def shown(self) -> None:
            followed.append("time to look")

        def caption(self, text: str) -> None:
            followed.append(text)

    asker = TerminalAsker(io.StringIO("perhaps\n  YES \n"), out, Bench())
    assert asker.ask("Lit?", yes_or_no)
    assert out.getvalue().splitlines() == [
        "? Lit?",
        "! 'perhaps' is neither yes nor no; answer y or n.",
        "? Lit?",
    ]
    assert followed == [
        "time to look",
        "? Lit?",
        "! 'perhaps' is neither yes nor no; answer y or n.",
        "time to look",
        "? Lit?",
    ]


@pytest.mark.parametrize("typed", ["", "quit\n", "Exit\n", "maybe\n"])
def test_the_end_of_the_answers_is_a_polite_leave(typed: str) -> None:
    with pytest.raises(LeaveError):
        TerminalAsker(io.StringIO(typed), io.StringIO()).ask("Lit?", yes_or_no)
