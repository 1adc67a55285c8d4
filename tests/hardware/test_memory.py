from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.board import Tone
from hardware.memory import MemoryBoard
from tests.hardware.simulator import pictures

if TYPE_CHECKING:
    from hardware.frame import Picture
    from hardware.keys import KeyEvent


class Host:
    def __init__(self) -> None:
        self.keys: list[KeyEvent] = []

    def key(self, event: KeyEvent) -> None:
        self.keys.append(event)

    async def settled(self) -> None:
        """Nothing is ever under way here."""

    def stop(self, *, power_off: bool = False) -> None:
        raise AssertionError("a board in memory stops nothing")

    def trouble(self, text: str) -> None:
        raise AssertionError(text)


def test_keeps_what_it_is_shown() -> None:
    seen: list[Picture] = []
    board = MemoryBoard(on_picture=seen.append)
    with pytest.raises(LookupError, match="no picture"):
        _ = board.picture
    board.open(Host())
    first, second = pictures.battle(), pictures.placing()
    board.show(first)
    board.show(second)
    board.tell(1, "B7: hit")
    board.tell(None, "Ana wins: fleet sunk")
    board.sound([Tone(440, 100)])
    assert board.picture is second
    assert [id(picture) for picture in seen] == [id(picture) for picture in board.pictures] == [id(first), id(second)]
    assert board.told == [(1, "B7: hit"), (None, "Ana wins: fleet sunk")]
    assert board.sounds == [(Tone(440, 100),)]


def test_presses_and_holds_keys() -> None:
    times = iter(range(100))
    board = MemoryBoard(clock=lambda: float(next(times)))
    host = Host()
    board.open(host)
    board.press(1, "D2")
    board.hold(2, "*")
    board.release(2, "*")
    assert [tuple(event) for event in host.keys] == [
        (1, "D", True, 0.0),
        (1, "D", False, 1.0),
        (1, "2", True, 2.0),
        (1, "2", False, 3.0),
        (2, "*", True, 4.0),
        (2, "*", False, 5.0),
    ]


def test_refuses_what_is_no_key_and_keys_of_a_closed_board() -> None:
    board = MemoryBoard()
    with pytest.raises(RuntimeError, match="not open"):
        board.press(1, "5")
    board.open(Host())
    for wrong in ("E", "55", ""):
        with pytest.raises(ValueError, match="is no key"):
            board.hold(1, wrong)
    board.close()
    board.close()
    assert not board.is_open
    with pytest.raises(RuntimeError, match="not open"):
        board.press(1, "5")


def test_says_what_it_is() -> None:
    assert MemoryBoard().lit
    assert not MemoryBoard(lit=False).lit
    assert MemoryBoard(paced=True).paced
    assert not MemoryBoard().shared_screen
