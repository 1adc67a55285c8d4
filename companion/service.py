"""The run loop: the only place that joins board, match, captains and journal."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from companion.captains import CAPTAINS
from companion.errors import UserError
from companion.game.errors import IllegalMove
from companion.game.events import Command, Event, GameBegan
from companion.game.match import begin
from companion.game.ruleset import HouseRule, RulesetError, parse_house_rules
from companion.journal import KeptGame, Setup
from companion.notify import notify, watchdog_interval
from companion.rest import Depth, Rest
from companion.rulesets import find_ruleset, ruleset_names
from companion.running_game import RunningGame, Store
from companion.settings import Settings, save_settings
from companion.sounds import tones
from companion.table.effects import swell
from companion.table.picture import make_picture
from companion.table.table import PERSON, Features, Table
from companion.table.words import Words
from companion.thinking import decision
from hardware.board import Board, Sentence
from hardware.keys import KeyEvent, KeyReader


@dataclass(frozen=True)
class Wishes:
    """What the command line asks of the first game: rules and opponent (None: the lobby asks), house rules, the
    captains of a demonstration, and the seed."""

    rules: str | None = None
    against: str | None = None
    house_rules: tuple[str, ...] | None = None
    captains: tuple[str, str] | None = None
    seed: int = 0


def _can_be_played(rules: str) -> bool:
    try:
        find_ruleset(rules)
    except RulesetError:
        return False
    return True


Errand: TypeAlias = "Callable[[Service], Coroutine[Any, Any, None]]"
"""Something that goes on beside the keys: a demonstration's games, a replay, the end after one picture."""


class Service:
    """Runs one table on one board until the board or a signal ends it.

    It is the table's host and the board's host. `clock` gives seconds on a monotonic clock.
    """

    def __init__(
        self,
        board: Board,
        store: Store,
        settings: Settings,
        wishes: Wishes,
        *,
        kept: KeptGame | None = None,
        save: Callable[[Settings], None] = save_settings,
        clock: Callable[[], float] = time.monotonic,
        errand: Errand | None = None,
    ) -> None:
        self.board = board
        self.settings = settings
        self.game: RunningGame | None = None
        self.power_off = False
        self._store = store
        self._wishes = wishes
        self._kept = kept
        self._save = save
        self._clock = clock
        self._errand = errand
        self._errand_task: asyncio.Task[None] | None = None
        self._begun = 0
        self._reader = KeyReader()
        self._features = Features(
            lit=board.lit,
            shared_screen=board.shared_screen,
            trusted=not board.lit,
            captions=board.captions,
            one_panel=board.one_panel,
            paced=board.paced,
        )
        self.table = Table(self, self._features, Words(settings.language))
        self._painter = None
        if board.lit:
            from companion.table.painter import Painter

            self._painter = Painter(blinking=settings.blinking)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None
        self._rest = Rest(clock())

    # Life

    def run(self) -> None:
        """Run until stopped. Raises BoardError where the board cannot be opened, UserError where the disk refuses."""
        asyncio.run(self.serve())

    async def serve(self) -> None:
        """Run inside a loop until stopped; the board is closed at the end, whatever happens."""
        self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self._loop.add_signal_handler(number, self.stop)
        watchdog = asyncio.create_task(self._feed_watchdog())
        try:
            with self.board:
                self.board.open(self)
                self._guarded(self._open_table)
                if self._failure is None:
                    notify("READY=1")
                if self._errand is not None:
                    self._errand_task = asyncio.create_task(self._watched(self._errand))
                await self._stopped.wait()
                notify("STOPPING=1")
                self._end_tasks(watchdog)
        finally:
            self._end_tasks(watchdog)
        if self._failure is not None:
            raise self._failure

    def _end_tasks(self, watchdog: asyncio.Task[None]) -> None:
        for task in (watchdog, self._thinking, self._errand_task):
            if task is not None:
                task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    async def _watched(self, work: Errand) -> None:
        """Do work beside the keys; what fails in it ends the loop."""
        try:
            await work(self)
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """End the loop; the error is raised again from `serve`, when the board is closed."""
        self._failure = self._failure or error
        self.stop()

    async def _feed_watchdog(self) -> None:
        """Feed the service manager's watchdog from this loop and from nothing else: a loop that hangs is restarted."""
        interval = watchdog_interval()
        while interval is not None:
            notify("WATCHDOG=1")
            await asyncio.sleep(interval)

    def _open_table(self) -> None:
        if self._kept is not None:
            self._take_game(RunningGame.resume(self._store, self._kept), resumed=True)
        elif self._wishes.captains is not None:
            self._begin_first(self._wishes.rules or self.settings.rules, self._wishes.captains)
        else:
            self.table.enter_lobby(self._wishes.rules, self._wishes.against)

    def _guarded(self, step: Callable[[], None]) -> None:
        """Do a step and refresh the board; what fails ends the loop and is raised from `serve`."""
        try:
            self.table.now = self._clock()
            step()
            self._refresh()
            self._let_captains_move()
        except Exception as error:
            self._fail(error)

    def stop(self, *, power_off: bool = False) -> None:
        """End the program with the game kept; may be called from any thread."""
        self.power_off = self.power_off or power_off
        if self._loop is not None and self._stopped is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stopped.set)

    # The board's host

    def key(self, event: KeyEvent) -> None:
        """Take a key event from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._guarded, lambda: self._on_key(event))

    def trouble(self, text: str) -> None:
        """Tell both players about a device; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._guarded, lambda: self._on_trouble(text))

    def _on_trouble(self, text: str) -> None:
        self._reader.release()
        if isinstance(text, Sentence):
            self.table.say(None, text.template, **text.values)
        else:
            self.table.say_plainly(None, text)

    async def settled(self) -> None:
        """Wait until all that the keys so far have set going has been told, the captains' answers included."""
        # The keys so far stand in the loop's queue before this task's next turn.
        await asyncio.sleep(0)
        await self.captains_settled()
        if self._errand_task is not None:
            await asyncio.wait([self._errand_task])

    async def captains_settled(self) -> None:
        """Wait until no captain has anything to decide."""
        while self._thinking is not None and not self._thinking.done():
            await asyncio.wait([self._thinking])

    def _on_key(self, event: KeyEvent) -> None:
        was_dark = self._rest.depth is Depth.DARK
        if event.down:
            self._rest.touch(self._clock())
        if was_dark and event.down:
            return
        for gesture in self._reader.feed(event):
            self.table.handle(gesture)

    # Pictures

    def _refresh(self) -> None:
        """Show the newest picture and sleep until something changes by itself."""
        table = self.table
        now = table.now = self._clock()
        rest_due = self._update_rest(now)
        table.effects = [effect for effect in table.effects if effect.ends > now and self.settings.blinking]
        brightness = self.settings.brightness / 100 * self._rest.brightness
        dark = self._rest.depth is Depth.DARK
        picture, change = make_picture(table, self._painter, brightness=brightness, dark=dark)
        self.board.show(picture)
        due = [moment for moment in (change, rest_due, self._reader.next_due) if moment is not None]
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due and self._loop is not None:
            self._timer = self._loop.call_later(max(0.0, min(due) - now), self._guarded, self._on_timer)

    def _on_timer(self) -> None:
        for gesture in self._reader.advance(self._clock()):
            self.table.handle(gesture)

    def _update_rest(self, now: float) -> float | None:
        """Dim and darken idle panels; return when they rest more deeply, or None."""
        if not self.board.paced:
            return None
        if (self._thinking is not None and not self._thinking.done()) or self.table.nobody_sits:
            self._rest.touch(now)
        before = self._rest.depth
        due = self._rest.update(now, dim_after=self.settings.dim_after, dark_after=self.settings.dark_after)
        if (before, self._rest.depth) == (Depth.AWAKE, Depth.DIM):
            self.table.effects = swell(now)
        return due

    # The table's host

    def tell(self, seat: int | None, text: str) -> None:
        """Say a caption line."""
        self.board.tell(seat, text)

    def sound(self, name: str, seat: int | None = None) -> None:
        """Make a sound, in the kingdom of a seat."""
        if self.settings.sound:
            self.board.sound(tones(name, self.settings.kingdoms[(seat or 1) - 1]))

    def settings_changed(self) -> None:
        """Keep the settings and use them; a disk that refuses is told and costs no more than that."""
        if self._painter is not None:
            self._painter.blinking = self.settings.blinking
        self.table.words = Words(self.settings.language)
        try:
            self._save(self.settings)
        except UserError as error:
            self.table.say_plainly(None, str(error))

    def rulesets(self) -> Sequence[str]:
        """Return the names of the rule sets to choose from: those that can be played."""
        return [name for name in ruleset_names() if _can_be_played(name)]

    def opponents(self) -> Sequence[str]:
        """Return whom one can play against."""
        return (*CAPTAINS, "friend")

    def title(self, rules: str) -> str:
        """Return a rule set's title; of one that cannot be read its name."""
        if self.game is not None and self.game.match.began.rules == rules:
            return self.game.match.began.ruleset.title or rules
        try:
            return find_ruleset(rules)[1].title or rules
        except RulesetError:
            return rules

    def start(self, rules: str, against: str) -> None:
        """Begin a first game."""
        self._begin_first(rules, (PERSON, PERSON if against == "friend" else against))

    def _house_rules(self) -> tuple[HouseRule, ...]:
        wished = self._wishes.house_rules
        return parse_house_rules(self.settings.house_rules if wished is None else wished)

    def _begin_first(self, rules: str, seats: tuple[str, str]) -> None:
        name, ruleset = find_ruleset(rules)
        setup = Setup(seats, self._wishes.seed + self._begun)
        self._begun += 1
        one, other = (self.settings.names[n] if seat == PERSON else seat.capitalize() for n, seat in enumerate(seats))
        if PERSON in seats and one.casefold() == other.casefold():
            raise UserError(f"Both players are called {one}: choose another name, so that they can be told apart.")
        chance = Random(f"{setup.seed}/opener")
        began = begin(name, ruleset, (one, other), chance, house_rules=self._house_rules())
        self._sit_down(began, setup)

    def rematch(self) -> None:
        """Begin the next game between the same players; the next opener opens."""
        game = self.game
        if game is None:
            raise RuntimeError("a rematch follows a game")
        before = game.match.began
        chance = Random(f"{game.setup.seed}/{before.number + 1}/opener")
        began = begin(
            before.rules, before.ruleset, before.players, chance, house_rules=before.house_rules, previous=before
        )
        self._sit_down(began, game.setup)

    def _sit_down(self, began: GameBegan, setup: Setup) -> None:
        self._take_game(RunningGame.begin(self._store, began, setup), resumed=False)

    def _take_game(self, game: RunningGame, *, resumed: bool) -> None:
        self.game = game
        self.table.sit_down(game.setup.seats, game.views, resumed=resumed)

    def command(self, command: Command) -> None:
        """Carry a command out: on disk first, then in the match, then on the table. Raises IllegalMove."""
        if self.game is None:
            raise IllegalMove("There is no game yet")
        self.happen(self.game.match.decide(command, self.game.chance()))

    def happen(self, events: Sequence[Event]) -> None:
        """Let events happen in the game on the table: kept, folded in, told. Raises JournalError, and then nothing of
        them has happened."""
        if self.game is None:
            raise RuntimeError("events happen in a game")
        self.game.happen(events)
        self.table.happened(events, self.game.views)

    def carry_on(self, step: Callable[[], None]) -> None:
        """Do a step of an errand and refresh the board."""
        self._guarded(step)

    def time_left_to_watch(self) -> float:
        """How long (s) effects still run, where people watch."""
        running = max((effect.ends for effect in self.table.effects), default=0.0) - self._clock()
        return max(0.0, running) if self.board.paced else 0.0

    # Captains

    def _captain_to_move(self) -> int | None:
        """The seat whose captain has something to decide now; in the lobby nobody has."""
        return None if self.game is None or self.table.views is None else self.game.captain_to_move()

    def _let_captains_move(self) -> None:
        if self._captain_to_move() is None or self._loop is None:
            return
        if self._thinking is None or self._thinking.done():
            self._thinking = self._loop.create_task(self._watched(Service._captains_move))

    async def _captains_move(self) -> None:
        """Let captains decide, one after the other, until it is a person's turn."""
        while (seat := self._captain_to_move()) is not None and not self._is_stopped:
            game = self.game
            assert game is not None
            events = game.events
            commands = await decision(game, seat, self._moment())
            if self.game is game and game.events == events and self._captain_to_move() == seat:
                self._guarded(lambda commands=commands: self._carry_out(commands))  # type: ignore[misc]

    @property
    def _is_stopped(self) -> bool:
        return self._stopped is None or self._stopped.is_set() or self._failure is not None

    def _carry_out(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self.command(command)

    def _moment(self) -> float:
        """How long (s) people watch before a captain fires: the effects that still run, and a visible moment."""
        return self.time_left_to_watch() + self.settings.captain_pause if self.board.paced else 0.0
