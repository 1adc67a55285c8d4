from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.game.events import Phase, TakeBackAsked
from companion.settings import Settings
from tests.companion.table.living import Living, live


async def two_shots(living: Living) -> tuple[int, Any]:
    """Battle, with one shot of each side into the water; return whose turn it is and where the opener fired."""
    opener = await living.to_battle()
    square = living.water(3 - opener)[0]
    await living.fire(opener, square)
    await living.fire(3 - opener, living.water(opener)[0])
    living.told()
    return opener, square


def test_a_dialled_square_is_fired_at_and_told_to_both() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        living.told()
        await living.tap(opener, "D2")
        assert living.caption(opener) == "Column B: dial the row, 1 to 9 and 0 for 10"
        assert living.console(opener).legend["0"] == "10"
        await living.tap(opener, "0")
        assert living.caption(opener) == "Aim B10"
        assert living.console(opener).target.cursor == (9, 1)
        living.told()
        await living.tap(opener, "#")
        result = "hit" if "B10" in {square.name for square in living.match.sea(3 - opener).ship_at} else "miss"
        assert living.told()[:2] == [f"1> B10: {result}", f"2> B10: {result}"]

    live(play)


def test_nothing_is_fired_while_a_square_is_half_dialled() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        for keys, asked in (("D#", "Dial the column"), ("D2#", "Column B: dial the row")):
            await living.tap(opener, keys)
            assert living.caption(opener).startswith(asked)
            assert not living.match.moves
            await living.tap(opener, "*")
            assert living.caption(opener) == "Dialling ended"
        await living.tap(opener, "D2D37#")
        assert living.match.moves[0].shots[0].square.name == "C7"

    live(play)


def test_the_one_who_waits_can_look_back_and_do_nothing_else() -> None:
    async def play(living: Living) -> None:
        opener, square = await two_shots(living)
        await living.fire(opener, living.water(3 - opener)[0])
        living.told()
        for key in "D5#2":
            await living.tap(opener, key)
            assert living.told() == [f"{opener}> It is {living.match.began.players[2 - opener]}'s turn"]
        for key in "AC":
            await living.tap(opener, key)
            assert "turn" in living.told()[0]
        await living.tap(opener, "0")
        assert living.told() == [f"{opener}> Your own sea is always in view"]
        second = living.match.moves[-1].shots[0].square
        for expected, number in ((second, 2), (square, 1), (second, 2)):
            await living.tap(opener, "B")
            assert living.caption(opener) == f"Your shot {number} of 2: {expected} miss"
            assert living.console(opener).target.cursor == (expected.row, expected.column)
        await living.tap(opener, "*")
        assert living.console(opener).target.cursor is None
        assert len(living.match.moves) == 3

    live(play)


@pytest.mark.parametrize("key", ["5", "#", "*"])
def test_a_key_that_ends_a_look_back_fires_nothing(key: str) -> None:
    async def play(living: Living) -> None:
        opener, _square = await two_shots(living)
        await living.tap(opener, "B")
        await living.tap(opener, key)
        assert len(living.match.moves) == 2
        assert living.caption(opener).startswith("Your turn")
        assert living.console(opener).target.cursor == (
            living.table.desk(opener).cursor.row,
            living.table.desk(opener).cursor.column,
        )

    live(play)


def test_a_salvo_is_marked_unmarked_and_fired_when_it_is_full() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        assert living.caption(opener).endswith("5 marks 5 for the salvo, # fires")
        await living.tap(opener, "D115")
        assert living.caption(opener) == "Marked 1 of 5"
        assert living.console(opener).target.marks[0][0] == "*"
        await living.tap(opener, "5")
        assert living.caption(opener) == "Marked 0 of 5"
        await living.tap(opener, "#")
        assert living.caption(opener) == "The salvo is not full: 0 of 5 squares are marked"
        for column in "12345":
            await living.tap(opener, f"D{column}15")
        assert living.caption(opener) == "Marked 5 of 5: # fires"
        await living.tap(opener, "D61")
        await living.tap(opener, "5")
        assert living.caption(opener) == "The salvo is full: # fires, 5 on a marked square unmarks it"
        await living.tap(opener, "D31")
        assert living.caption(opener) == "Aim C1: marked"
        await living.tap(3 - opener, "5")
        assert "turn" in living.caption(3 - opener)
        assert living.console(opener).target.marks[0][:6] == "*****."
        assert "*" not in "".join(living.console(3 - opener).ocean.marks), "the other does not see what is chosen"
        living.told()
        await living.tap(opener, "#")
        shots = [line for line in living.told() if ": " in line and line[3:5] in {f"{c}1" for c in "ABCDE"}]
        assert [line[:5] for line in shots] == [f"{seat}> {c}1" for c in "ABCDE" for seat in (1, 2)]

    live(play, rules="salvo")


def test_a_refused_shot_keeps_the_turn_and_says_why() -> None:
    async def play(living: Living) -> None:
        opener, square = await two_shots(living)
        await living.fire(opener, square)
        assert living.caption(opener) == f"You have fired at {square} before; choose another square"
        assert living.match.to_move == opener
        assert len(living.board.sounds) > 0

    live(play)


def test_take_back_is_asked_answered_declined_and_withdrawn() -> None:
    async def play(living: Living) -> None:
        opener, _square = await two_shots(living)
        other = 3 - opener
        await living.hold(opener)
        await living.tap(opener, "7")
        assert isinstance(living.store.games[0][-1], TakeBackAsked)
        assert living.caption(other).endswith("asks to take the last shot back: # yes, * no")
        assert living.caption(opener).endswith("is asked")
        assert living.console(other).legend["#"] == "yes"
        assert living.console(opener).legend["*"] == "withdraw"
        await living.tap(opener, "#")
        assert living.caption(opener).endswith("must agree to the take-back")
        await living.fire(opener, living.water(other)[3])
        assert len(living.match.moves) == 2
        await living.tap(opener, "*")
        assert living.caption(other).startswith("The last shot stands")
        await living.hold(opener)
        await living.tap(opener, "7")
        await living.hold(other)
        assert living.caption(other).startswith("Menu")
        await living.tap(other, "*")
        assert "asks to take the last shot back" in living.caption(other), "the question stands again"
        await living.tap(other, "#")
        assert len(living.match.moves) == 1
        assert living.match.to_move == other
        assert living.caption(other).startswith("The last shot is taken back · Your turn")
        await living.hold(other)
        await living.tap(other, "7")
        assert living.caption(other) == "Only one shot in a row can be taken back"

    live(play)


def test_a_captain_always_agrees_to_a_take_back_even_while_it_thinks() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        while living.match.to_move != 1:
            await living.wait(1)
        await living.fire(1, living.water(2)[0])
        assert living.match.to_move == 2
        await living.hold(1, seconds=1.01)
        await living.tap(1, "7")
        await living.wait(10)
        assert living.match.to_move == 1
        assert not [move for move in living.match.moves if move.seat == 1]
        await living.wait(20)
        assert living.match.to_move == 1, "the shot that the captain thought of is not fired"

    live(play, against="jack", settings=Settings(names=("Ana", "Rui"), captain_pause=5))


def test_the_captains_seat_answers_no_keys() -> None:
    async def play(living: Living) -> None:
        await living.tap(2, "A")
        assert living.caption(2) == "Jack plays this seat"
        await living.hold(2)
        assert living.caption(2) == "Jack plays this seat"
        assert living.console(2).legend == {} or set(living.console(2).legend) == {"*"}

    live(play, against="jack")


def test_the_waiting_seat_stands_at_sixty_per_cent() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.wait(2)
        lights = {}
        for seat in (1, 2):
            frame = living.console(seat).target.frame
            assert frame is not None
            srgb = frame[9, 9].astype(float) / 255
            linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4) * 255
            lights[seat] = linear[2]
        assert lights[3 - opener] / lights[opener] == pytest.approx(0.6, abs=0.03)

    live(play)


def test_effects_end_at_once_when_a_key_is_pressed() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.fire(opener, living.water(3 - opener)[0])
        assert living.moving()
        await living.tap(opener, "4")
        assert not living.moving()
        assert living.match.phase is Phase.BATTLE

    live(play)


def test_an_idle_battle_without_blinking_makes_no_picture() -> None:
    async def play(living: Living) -> None:
        opener = await living.to_battle()
        await living.fire(opener, living.water(3 - opener)[0])
        assert not living.moving(), "effects are left out"
        pictures = len(living.board.pictures)
        await living.wait(200)
        assert len(living.board.pictures) == pictures

    live(play, settings=Settings(names=("Ana", "Rui"), blinking=False))


def test_captions_do_not_pile_up() -> None:
    async def play(living: Living) -> None:
        for _ in range(50):
            living.service.trouble("The keypad of seat 2 went away.")
            await living.wait(0.01)
        assert living.caption(1).count("The keypad of seat 2 went away.") == 1
        assert len(living.table.desk(1).lines) < 5

    live(play)
