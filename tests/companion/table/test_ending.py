from __future__ import annotations

from companion.game.events import Phase
from companion.settings import Settings
from tests.companion.table.living import Living, live


def test_both_fleets_are_shown_and_the_loser_can_look_back() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.win(1)
        told = living.told()
        assert "*> Ana wins: the whole fleet is sunk" in told
        assert told[-2:] == ["1> # plays again, * goes to the lobby", "2> # plays again, * goes to the lobby"]
        assert "".join(living.console(2).target.marks).count("S") == 17, "Ana's survivors"
        assert not any(silhouette.afloat for silhouette in living.console(2).fleet)
        await living.tap(2, "B")
        shot = [move for move in living.match.moves if move.seat == 2][-1].shots[0]
        assert living.caption(2).endswith(f": {shot.square} {shot.result}")
        assert living.console(2).target.cursor == (shot.square.row, shot.square.column)
        await living.tap(2, "#")
        assert not living.table.desk(2).wants_rematch, "the key only ended the look back"
        await living.tap(2, "B*")
        assert living.table.views is not None
        await living.tap(2, "6")
        assert living.caption(2) == "6 does nothing now"

    live(play)


def test_a_rematch_wants_both() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.win(1)
        first = living.match
        await living.tap(1, "###")
        assert living.caption(1) == "Rui is asked"
        assert living.caption(2).endswith("Ana wants to play again: # yes, * no")
        assert living.match is first
        await living.tap(2, "#")
        assert living.match is not first
        assert living.match.began.number == 2
        assert living.match.phase is Phase.PLACING
        assert not any(living.table.desk(seat).wants_rematch for seat in (1, 2))

    living = live(play)
    assert len(living.store.games) == 2


def test_a_no_to_the_rematch_goes_to_the_lobby() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.win(2)
        await living.tap(1, "#")
        await living.tap(2, "*")
        assert living.table.views is None
        assert living.caption(1).startswith("Rules: 1 Classic")

    live(play)


def test_a_captain_always_plays_again_and_the_next_opener_opens() -> None:
    async def play(living: Living) -> None:
        openers = []
        for _ in range(3):
            await living.to_battle()
            openers.append(living.match.began.opener)
            await living.hold(1)
            await living.tap(1, "8#")
            await living.tap(1, "#")
        assert openers == [1, 2, 1]

    live(play, rules="kingdoms", against="jack", settings=Settings(names=("Ana", "Rui"), captain_pause=0))


def test_the_wave_and_the_darkness_end_in_both_fleets() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.win(1)
        assert {effect.kind for effect in living.table.effects} == {"sinking", "victory", "defeat"}
        await living.wait(2.4)
        loser = living.console(2).ocean.frame
        assert loser is not None
        assert not loser[0].any(), "row by row"
        await living.wait(3)
        assert not living.moving()
        loser = living.console(2).ocean.frame
        assert loser is not None
        assert loser.any(axis=2).all()

    live(play)


def test_without_blinking_the_end_stands_at_once() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.win(1)
        assert not living.moving()
        frame = living.console(2).ocean.frame
        assert frame is not None
        assert frame.any(axis=2).all()

    live(play, settings=Settings(names=("Ana", "Rui"), blinking=False))
