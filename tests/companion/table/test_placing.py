from __future__ import annotations

import pytest

from companion.game.events import Phase, ShipLifted, ShipPlaced
from tests.companion.table.living import Living, live


def ocean(living: Living, seat: int) -> tuple[str, ...]:
    return living.console(seat).ocean.marks


def test_a_ghost_says_whether_the_ship_fits_and_why_not() -> None:
    async def play(living: Living) -> None:
        assert ocean(living, 1)[0] == "?????....."
        await living.tap(1, "0")
        assert [row[0] for row in ocean(living, 1)] == ["?"] * 5 + ["."] * 5
        assert living.caption(1) == "Carrack on A1: fits"
        await living.tap(1, "0D01")
        assert ocean(living, 1)[0] == ".........!"
        assert living.caption(1) == "Doesn't fit: off the grid"
        await living.tap(1, "5")
        assert living.caption(1) == "The Carrack doesn't fit: off the grid"
        await living.tap(1, "D115D12")
        assert living.caption(1) == "Doesn't fit: touches the Carrack"
        await living.tap(1, "2")
        assert living.caption(1) == "Doesn't fit: overlaps the Carrack"
        assert ocean(living, 1)[0] == "!!!!S....."
        await living.tap(1, "88")
        assert living.caption(1) == "Galley on A3: fits"

    live(play, rules="kingdoms")


def test_an_outline_is_all_that_a_ghost_shows_that_does_not_fit() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "D05")
        frame = living.console(1).ocean.frame
        assert frame is not None
        water = frame[0, 0].tolist()
        # A second later the cursor is out for a moment.
        await living.wait(1 / 3)
        frame = living.console(1).ocean.frame
        assert frame is not None
        assert living.console(1).ocean.marks[4] == ".........!"
        assert frame[4, 9].tolist() == [0, 0, 0]
        for row, column in ((3, 8), (3, 9), (4, 8), (5, 8), (5, 9)):
            assert frame[row, column].tolist() > water
        assert frame[6, 9].tolist() == water

    live(play, rules="kingdoms")


def test_a_placed_ship_is_picked_up_turned_and_moved() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "D115 D13")
        assert living.caption(1) == "Galley on A3: fits"
        await living.tap(1, "D31C")
        assert living.caption(1) == "Carrack on A1: fits"
        assert ocean(living, 1)[0] == "?????....."
        await living.tap(1, "0D225D08")
        assert [row[1] for row in ocean(living, 1)] == [".", *"SSSSS", *"...."]
        assert isinstance(living.store.games[0][1], ShipPlaced)
        assert isinstance(living.store.games[0][2], ShipLifted)

    live(play, rules="kingdoms")


def test_c_goes_through_the_ships_that_are_left() -> None:
    async def play(living: Living) -> None:
        hands = []
        for _ in range(6):
            await living.tap(1, "C")
            hands.append(living.caption(1).split(" on ")[0])
        assert hands == ["Galley", "Cog", "Caravel", "Barque", "Carrack", "Galley"]

    live(play, rules="kingdoms")


def test_every_way_of_turning_and_moving_on_the_edges() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "2")
        assert living.caption(1) == "The edge of the sea"
        await living.tap(1, "9")
        assert living.console(1).ocean.cursor == (1, 1)
        for key, place in (("1", (0, 0)), ("6", (0, 1)), ("8", (1, 1)), ("7", (2, 0)), ("3", (1, 1)), ("4", (1, 0))):
            await living.tap(1, key)
            assert living.console(1).ocean.cursor == place

    live(play)


def test_holding_a_move_key_repeats_and_holding_another_does_not() -> None:
    async def play(living: Living) -> None:
        await living.hold(1, "6", 1.3)
        assert living.console(1).ocean.cursor == (0, 9), "once, and from 0.4 s on every 0.12 s"
        await living.hold(1, "0", 3)
        assert living.table.desk(1).direction == "down"

    live(play)


def test_sailing_is_refused_until_every_ship_lies() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "D115D125D135D145")
        await living.tap(1, "D11#")
        assert "doesn't fit: overlaps" in living.caption(1)
        await living.tap(1, "D15")
        assert living.caption(1) == "Patrol Boat on A5: fits"
        await living.tap(1, "#")
        assert living.caption(1) == "All ships are placed: # sails"
        assert living.console(1).legend["#"] == "sail"
        await living.tap(1, "5")
        assert living.caption(1) == "All ships are placed: # sails"
        assert not living.match.sea(1).confirmed
        await living.tap(1, "#")
        assert living.match.sea(1).confirmed
        for key in "5A0C2D":
            await living.tap(1, key)
            assert living.caption(1) == "Your fleet has sailed; no ship can be moved any more"
        assert living.match.phase is Phase.PLACING

    live(play)


def test_the_opener_places_first_where_the_rules_say_so() -> None:
    async def play(living: Living) -> None:
        await living.tap(2, "A")
        assert living.caption(2) == "Ana places first"
        assert not living.match.sea(2).fleet
        await living.tap(1, "A#")
        assert "Place your fleet, Rui" in living.caption(2)
        await living.tap(2, "A#")
        assert living.match.phase is Phase.BATTLE

    live(play, rules="naval-warfare")


def test_auto_shows_the_ships_one_by_one() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "A")
        shown = []
        for _ in range(6):
            frame = living.console(1).ocean.frame
            assert frame is not None
            marks = "".join(living.console(1).ocean.marks)
            water = frame.reshape(100, 3)[marks.index(".", 1)]
            shown.append(
                sum(
                    mark == "S" and not (light == water).all()
                    for mark, light in zip(marks, frame.reshape(100, 3), strict=True)
                )
            )
            await living.wait(0.1)
        assert shown[0] < shown[1] < shown[2] < shown[3]
        assert shown[-1] in (16, 17), "the cursor may stand on one"

    live(play)


@pytest.mark.parametrize("key", ["*", "B"])
def test_keys_that_do_nothing_while_placing_say_so(key: str) -> None:
    async def play(living: Living) -> None:
        before = ocean(living, 1)
        await living.tap(1, key)
        assert living.caption(1) in ("* does nothing now", "There are no shots to look back on yet")
        assert living.board.sounds
        assert ocean(living, 1) == before

    live(play)
