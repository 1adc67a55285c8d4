"""A whole table, alive in a test: the real run loop on a board in memory, in time that passes only in leaps."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from companion.game.events import DrawFleet, Event, GameBegan, Phase, Sail
from companion.game.match import Match
from companion.game.squares import COLUMNS, SQUARES, Square
from companion.game.views import view
from companion.journal import KeptGame, Setup
from companion.service import Service, Wishes
from companion.settings import Settings
from hardware.frame import Console, Picture
from hardware.keys import HOLD_SECONDS
from hardware.memory import MemoryBoard


class _Leaps(selectors.DefaultSelector):
    """Waits for nothing: where the loop would wait, its clock leaps ahead."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events:
            if timeout is None:
                raise RuntimeError("nothing more would ever happen")
            # Never quite still: a time-out that is rounded down comes true a little later.
            self.now += max(timeout, 1e-7)
        return events


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time leaps from one due moment to the next, and whose executor works at once."""

    def __init__(self) -> None:
        self._leaps = _Leaps()
        super().__init__(self._leaps)

    def time(self) -> float:
        return self._leaps.now

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class MemoryStore:
    """Keeps every event in memory, game by game."""

    def __init__(self) -> None:
        self.games: list[list[Event]] = []

    def begin(self, began: GameBegan, setup: Setup) -> int:
        self.games.append([began])
        return len(self.games)

    def append(self, game: int, number: int, events: Sequence[Event]) -> None:
        kept = self.games[game - 1]
        assert number == len(kept)
        kept.extend(events)


class Living:
    """What a test does at the table, and what it sees there."""

    def __init__(self, service: Service, board: MemoryBoard, store: MemoryStore, loop: LeapingLoop) -> None:
        self.service = service
        self.board = board
        self.store = store
        self.loop = loop

    @property
    def table(self) -> Any:
        return self.service.table

    @property
    def match(self) -> Match:
        assert self.service.game is not None
        return self.service.game.match

    @property
    def picture(self) -> Picture:
        return self.board.picture

    def console(self, seat: int) -> Console:
        return self.picture.consoles[seat - 1]

    def caption(self, seat: int) -> str:
        return self.console(seat).caption

    def moving(self) -> bool:
        """Whether an effect runs."""
        return self.picture.moving

    def told(self) -> list[str]:
        """What was told since the last time that this was asked."""
        lines = [f"{seat or '*'}> {text}" for seat, text in self.board.told]
        self.board.told.clear()
        return lines

    async def tap(self, seat: int, keys: str) -> None:
        """Tap keys, one after the other, a little time apart."""
        for key in keys.replace(" ", ""):
            self.board.press(seat, key)
            await asyncio.sleep(0.01)

    async def hold(self, seat: int, key: str = "*", seconds: float = HOLD_SECONDS + 0.05) -> None:
        """Hold a key down for a time."""
        self.board.hold(seat, key)
        await asyncio.sleep(seconds)
        self.board.release(seat, key)
        await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    async def to_battle(self) -> int:
        """Have both fleets sail without the keys; return who opens."""
        for seat in (self.match.began.opener, 3 - self.match.began.opener):
            if self.table.is_person(seat):
                self.service.carry_on(lambda seat=seat: self.service.command(DrawFleet(seat)))  # type: ignore[misc]
                self.service.carry_on(lambda seat=seat: self.service.command(Sail(seat)))  # type: ignore[misc]
        await self.service.captains_settled()
        assert self.match.phase is Phase.BATTLE
        await self.wait(3)
        return self.match.began.opener

    def water(self, seat: int) -> list[Square]:
        """The squares without a ship that the other seat has not tried, in grid order."""
        sea = self.match.sea(seat)
        return [square for square in SQUARES if square not in sea.ship_at and square not in sea.shots]

    async def fire(self, seat: int, square: Square) -> None:
        """Dial a square and fire."""
        await self.tap(seat, f"{dial(square)}#")

    async def win(self, seat: int) -> None:
        """Play on until a seat wins, the other firing at water."""
        targets = sorted(self.match.sea(3 - seat).ship_at)
        misses = self.water(seat)
        while self.match.phase is Phase.BATTLE:
            mine = self.match.to_move == seat
            await self.fire(self.match.to_move, (targets if mine else misses).pop(0))

    def folds_back(self) -> bool:
        """Whether what was kept of the newest game is what is on the table."""
        kept = Match.from_events(self.store.games[-1])
        return all(view(kept, seat) == view(self.match, seat) for seat in (1, 2))


def dial(square: Square) -> str:
    """The keys that dial a square."""
    return f"D{(COLUMNS.index(square.name[0]) + 1) % 10}{(square.row + 1) % 10}"


Play = Callable[[Living], Coroutine[Any, Any, None]]


def live(
    play: Play,
    *,
    rules: str | None = "classic",
    against: str | None = "friend",
    house: tuple[str, ...] | None = None,
    captains: tuple[str, str] | None = None,
    seed: int = 1,
    settings: Settings | None = None,
    kept: KeptGame | None = None,
    shared: bool = False,
    lit: bool = True,
    paced: bool = True,
    one_panel: bool = False,
    captions: bool = True,
) -> Living:
    """Open a table, play, and close it; return it as it stands then. What fails in `play` is raised here."""
    loop = LeapingLoop()
    board = MemoryBoard(lit=lit, paced=paced, shared_screen=shared, clock=loop.time)
    board.one_panel = one_panel
    board.captions = captions
    store = MemoryStore()
    if kept is not None:
        store.games.append(list(kept.events))
    table: list[Living] = []

    async def errand(service: Service) -> None:
        await play(table[0])
        service.stop()

    service = Service(
        board,
        store,
        settings or Settings(names=("Ana", "Rui")),
        Wishes(rules, against, house, captains, seed),
        kept=kept,
        save=lambda _settings: None,
        clock=loop.time,
        errand=errand,
    )
    table.append(Living(service, board, store, loop))
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(service.serve())
    return table[0]
