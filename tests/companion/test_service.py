"""The run loop: what joins board, match, captains and journal."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from companion.errors import UserError
from companion.game.events import Event, Phase, ShotsTold
from companion.game.views import SeatView
from companion.journal import JournalError, KeptGame, Setup
from companion.service import Service, Wishes
from companion.settings import Settings
from companion.sounds import SOUNDS, tones
from hardware.board import BoardError
from hardware.memory import MemoryBoard
from tests.companion.table.living import LeapingLoop, Living, MemoryStore, live

QUICK = Settings(names=("Ana", "Rui"), captain_pause=0)


def serve(
    board: MemoryBoard, store: MemoryStore, errand: Any, *, against: str = "friend", loop: LeapingLoop | None = None
) -> Service:
    loop = loop or LeapingLoop()
    service = Service(
        board,
        store,
        Settings(names=("Ana", "Rui"), captain_pause=0),
        Wishes("classic", against, seed=1),
        save=lambda _settings: None,
        clock=loop.time,
        errand=errand,
    )
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(service.serve())
    return service


async def play_a_little(service: Service) -> None:
    board = service.board
    assert isinstance(board, MemoryBoard)
    for seat, keys in ((1, "A#"), (2, "A#"), (1, "D11#"), (2, "D11#"), (1, "D21#")):
        board.press(seat, keys)
        await asyncio.sleep(0.01)
    service.stop()


def test_nothing_is_lit_sounded_or_told_before_it_is_kept() -> None:
    board = MemoryBoard()
    kept: list[str] = []
    results = [SOUNDS["miss"], SOUNDS["hit"]]

    class Watchful(MemoryStore):
        """Looks at the board in the very moment in which events come to the disk."""

        def append(self, game: int, number: int, events: Sequence[Event]) -> None:
            for event in events:
                if isinstance(event, ShotsTold):
                    square = event.shots[0].square
                    assert not any(str(event.shots[0]) == text for _seat, text in board.told)
                    panel = board.picture.consoles[event.seat - 1].target
                    assert panel.marks[square.row][square.column] == "."
                    assert sum(sound in results for sound in board.sounds) == len(kept)
                    kept.append(str(event.shots[0]))
            super().append(game, number, events)

    serve(board, Watchful(), play_a_little)
    assert len(kept) >= 2
    assert kept == [text for seat, text in board.told if seat == 1 and text in kept]


def test_a_disk_that_refuses_ends_the_loop_with_its_sentence_and_nothing_has_happened() -> None:
    board = MemoryBoard()

    class Full(MemoryStore):
        def append(self, game: int, number: int, events: Sequence[Event]) -> None:
            if any(isinstance(event, ShotsTold) for event in events):
                raise JournalError("The game cannot be kept: free some space.")
            super().append(game, number, events)

    with pytest.raises(JournalError, match="free some space"):
        serve(board, Full(), play_a_little)
    assert not board.is_open, "the board is closed, dark"
    assert not any(": miss" in text or ": hit" in text for _seat, text in board.told)


def test_a_disk_that_refuses_a_new_game_is_told_in_the_lobby() -> None:
    board = MemoryBoard()

    class Refusing(MemoryStore):
        def begin(self, began: Any, setup: Setup) -> int:
            raise JournalError("The game cannot be kept: free some space.")

    async def look(service: Service) -> None:
        assert service.table.views is None
        service.stop()

    serve(board, Refusing(), look)
    assert (None, "The game cannot be kept: free some space.") in board.told


@pytest.mark.parametrize("where", ["place", "fire"])
def test_a_captain_that_breaks_ends_the_loop_and_is_not_swallowed(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any) -> Any:
        raise ZeroDivisionError("the captain fell overboard")

    from companion.captains.jack import Jack

    monkeypatch.setattr(Jack, where, broken)

    async def wait(service: Service) -> None:
        assert isinstance(service.board, MemoryBoard)
        service.board.press(1, "A#")
        await asyncio.sleep(0.1)
        service.board.press(1, "D11#")
        await asyncio.sleep(100)

    with pytest.raises(ZeroDivisionError, match="overboard"):
        serve(MemoryBoard(), MemoryStore(), wait, against="jack")


def test_an_errand_that_breaks_is_not_swallowed() -> None:
    async def broken(_service: Service) -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        serve(MemoryBoard(), MemoryStore(), broken)


def test_a_board_that_cannot_be_opened_is_closed_again() -> None:
    class Missing(MemoryBoard):
        closed = 0

        def open(self, host: Any) -> None:
            raise BoardError("The LEDs are not there: plug them in.")

        def close(self) -> None:
            Missing.closed += 1

    with pytest.raises(BoardError, match="plug them in"):
        serve(Missing(), MemoryStore(), play_a_little)
    assert Missing.closed == 1


def test_keys_come_from_any_thread_and_none_after_the_end() -> None:
    board = MemoryBoard()

    async def press(service: Service) -> None:
        threads = [threading.Thread(target=lambda seat=seat: board.press(seat, "A#")) for seat in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        await asyncio.sleep(0.1)
        assert service.game is not None
        assert service.game.match.phase is Phase.BATTLE
        service.stop()

    service = serve(board, MemoryStore(), press)
    pictures = len(board.pictures)
    from hardware.keys import KeyEvent

    service.key(KeyEvent(1, "#", True, 0.0))
    service.trouble("Too late.")
    service.stop()
    assert len(board.pictures) == pictures


def test_a_device_in_trouble_is_told_to_both_and_lets_its_keys_go() -> None:
    async def play(living: Living) -> None:
        living.board.hold(1, "6")
        await living.wait(0.1)
        living.service.trouble("The keypad of seat 1 went away.")
        await living.wait(0.01)
        assert all("The keypad of seat 1 went away." in living.caption(seat) for seat in (1, 2))
        cursor = living.console(1).ocean.cursor
        await living.wait(3)
        assert living.console(1).ocean.cursor == cursor

    live(play)


def test_the_power_button_is_remembered() -> None:
    async def off(service: Service) -> None:
        service.stop(power_off=True)

    assert serve(MemoryBoard(), MemoryStore(), off).power_off
    assert not serve(MemoryBoard(), MemoryStore(), play_a_little).power_off


def test_settings_that_cannot_be_written_cost_a_sentence() -> None:
    async def play(living: Living) -> None:
        def refuse(_settings: Settings) -> None:
            raise UserError("The settings cannot be written: free some space.")

        living.service._save = refuse
        await living.hold(1)
        await living.tap(1, "4")
        assert "free some space" in living.caption(2)
        assert living.picture.brightness == 0.2

    live(play)


@pytest.mark.parametrize("keys", [0, 3, 17, 60, 150])
def test_a_game_that_goes_on_looks_as_it_did(keys: int) -> None:
    """What was played is folded from the kept events alone."""
    before: list[tuple[SeatView, ...]] = []
    marks: list[list[tuple[str, ...]]] = []
    kept: list[KeptGame] = []

    def note(living: Living) -> None:
        before.append(living.table.views)
        marks.append([panel.marks for console in living.picture.consoles for panel in (console.ocean, console.target)])

    async def play(living: Living) -> None:
        chance = Random(keys)
        await living.to_battle()
        for _ in range(keys):
            if living.match.phase is not Phase.BATTLE:
                break
            seat = living.match.to_move
            sea = living.match.sea(3 - seat)
            square = chance.choice(sorted(set(living.water(3 - seat)) | set(sea.ship_at)))
            await living.tap(seat, f"D{(square.column + 1) % 10}{(square.row + 1) % 10}5")
            if len(living.match.marked) == living.match.shots_due:
                await living.tap(seat, "#")
        note(living)
        setup = Setup(("person", "person"), 1)
        kept.append(KeptGame(1, datetime.now(UTC), setup, tuple(living.store.games[0])))

    async def look(living: Living) -> None:
        note(living)
        told = living.told()
        assert told[0] == "*> Going on: Salvo, Ana against Rui"
        assert not any(": miss" in line or ": hit" in line for line in told), "old shots are not told again"

    live(play, rules="salvo")
    if before[0][0].phase is Phase.BATTLE:
        live(look, kept=kept[0])
        assert before[0] == before[1]
        assert marks[0] == marks[1]


def test_a_captain_takes_a_visible_moment_where_people_watch_and_none_elsewhere() -> None:
    for paced, pause, least in ((True, 2.0, 2.0), (True, 0.0, 0.0), (False, 9.0, 0.0)):

        async def play(living: Living, least: float = least, paced: bool = paced) -> None:
            await living.to_battle()
            while living.match.to_move != 1:
                await living.wait(1)
            await living.wait(5)
            moves = len(living.match.moves)
            await living.fire(1, living.water(2)[0])
            started = living.loop.time()
            while len(living.match.moves) < moves + 2:
                await living.wait(0.01)
            took = living.loop.time() - started
            assert took >= least
            if not paced:
                assert took < 0.1

        settings = Settings(names=("Ana", "Rui"), captain_pause=pause)
        live(play, against="jack", paced=paced, settings=settings)


def test_house_rules_of_the_household_count_unless_others_are_asked_for() -> None:
    async def play(living: Living) -> None:
        expected.append(living.match.rules.hit_tells_ship)

    expected: list[bool] = []
    settings = Settings(names=("Ana", "Rui"), house_rules=("name-the-ship-hit",))
    live(play, settings=settings)
    live(play, settings=settings, house=())
    assert expected == [True, False]


def test_the_same_seed_is_the_same_game_and_another_is_another() -> None:
    games: list[list[Event]] = []
    for seed in (5, 5, 6):

        async def play(living: Living) -> None:
            await living.tap(1, "A#")
            await living.service.captains_settled()
            for square in ("D11#", "D33#", "D55#"):
                await living.tap(1, square)
                await living.service.captains_settled()

        games.append(live(play, against="jack", seed=seed, settings=QUICK).store.games[0])
    assert games[0] == games[1] != games[2]


def test_a_victory_sounds_as_the_winners_kingdom_does() -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        await living.win(2)
        assert living.board.sounds[-1] == tones("won", "clubs")

    live(play)


def test_every_sound_is_short_and_within_what_a_buzzer_can_do() -> None:
    for name in (*SOUNDS, "won"):
        for kingdom in ("diamonds", "clubs"):
            played = tones(name, kingdom)
            assert 0 < sum(tone.duration for tone in played) < 1500
            assert all(tone.frequency == 0 or 50 <= tone.frequency <= 5000 for tone in played)
    with pytest.raises(KeyError):
        tones("silence", "clubs")
