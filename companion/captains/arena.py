"""Lets captains play many games: alone against a fleet, or against each other. The one place here that sees a match."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from companion.captains import captain
from companion.game.events import Fire, GameBegan, LayFleet, Phase, Sail, ShotsTold
from companion.game.fleet import random_fleet
from companion.game.match import Match, choose_opener
from companion.game.ruleset import with_house_rules
from companion.game.views import view

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.captains import Captain
    from companion.game.fleet import Ship
    from companion.game.ruleset import HouseRule, Ruleset

CHUNK = 10
"""Games that a process plays before it reports."""

Fleets = tuple[tuple["Ship", ...], ...]


class Contest(NamedTuple):
    """What is played: one captain alone or two against each other, under which rules, how often, from which seed.

    `fleets` are given ones: for a captain alone those to sink, one a game, and for two captains their own in pairs;
    they are gone through again where there are fewer than games. Without any, those to sink are drawn uniformly, and
    two captains place their own.
    """

    captains: tuple[str, ...]
    rules: str
    ruleset: Ruleset
    house_rules: tuple[HouseRule, ...]
    games: int
    seed: int
    fleets: Fleets = ()


class Thinking(NamedTuple):
    """Processor time that a captain took in a game (ms): in all, and for its longest answer."""

    total: float
    longest: float


class Result(NamedTuple):
    """One game: its number, who opened and who won (1 or 2), and for each captain the shots fired and the time."""

    game: int
    opener: int
    winner: int
    shots: tuple[int, ...]
    thinking: tuple[Thinking, ...]


class Alone(Match):
    """A game in which nobody answers: seat 1 fires until it has sunk all."""

    def _next_to_move(self, told: ShotsTold) -> int:
        return told.seat


def play_game(contest: Contest, game: int) -> Result:
    """Play one game, counted from 0. Its chance depends on the seed and its number alone, and the fleet to sink on
    nothing else, so all captains meet the same fleets."""
    chance = Random(f"{contest.seed} game {game}")
    return _alone(contest, game, chance) if len(contest.captains) == 1 else _duel(contest, game, chance)


def fleet_to_sink(contest: Contest, game: int) -> tuple[Ship, ...]:
    """Return the fleet that a captain alone meets in a game."""
    if contest.fleets:
        return contest.fleets[game % len(contest.fleets)]
    effective = with_house_rules(contest.ruleset, contest.house_rules)
    return random_fleet(effective, Random(f"{contest.seed} fleet {game}"))


def _alone(contest: Contest, game: int, chance: Random) -> Result:
    names = (contest.captains[0], "the sea")
    match = Alone(GameBegan(contest.rules, contest.ruleset, contest.house_rules, names, opener=1))
    fleet = fleet_to_sink(contest, game)
    _sail(match, {1: fleet, 2: fleet})
    return _battle(match, {1: captain(names[0])}, game, chance)


def _duel(contest: Contest, game: int, chance: Random) -> Result:
    rule = with_house_rules(contest.ruleset, contest.house_rules).opener
    before = None if game == 0 else 2 - game % 2
    opener = choose_opener(rule, chance, previous=before)
    names = (contest.captains[0], contest.captains[1])
    match = Match(GameBegan(contest.rules, contest.ruleset, contest.house_rules, names, opener))
    captains = {seat: captain(name) for seat, name in enumerate(names, 1)}
    if contest.fleets:
        pair = 2 * (game % (len(contest.fleets) // 2))
        fleets = {1: contest.fleets[pair], 2: contest.fleets[pair + 1]}
    else:
        fleets = {seat: each.place(view(match, seat), chance) for seat, each in captains.items()}
    _sail(match, fleets)
    return _battle(match, captains, game, chance)


def _sail(match: Match, fleets: dict[int, tuple[Ship, ...]]) -> None:
    opener = match.began.opener
    for seat in (opener, 3 - opener):
        match.do(LayFleet(seat, fleets[seat]))
        match.do(Sail(seat))


def _battle(match: Match, captains: dict[int, Captain], game: int, chance: Random) -> Result:
    shots = dict.fromkeys(captains, 0)
    total = dict.fromkeys(captains, 0.0)
    longest = dict.fromkeys(captains, 0.0)
    while match.phase is Phase.BATTLE:
        seat = match.to_move
        seen = view(match, seat)
        began = time.process_time()
        squares = captains[seat].fire(seen, chance)
        took = (time.process_time() - began) * 1000
        match.do(Fire(seat, squares))
        shots[seat] += len(squares)
        total[seat] += took
        longest[seat] = max(longest[seat], took)
    assert match.ended is not None
    thinking = tuple(Thinking(total[seat], longest[seat]) for seat in captains)
    return Result(game, match.began.opener, match.ended.winner, tuple(shots.values()), thinking)


def _play_games(contest: Contest, games: range) -> list[Result]:
    return [play_game(contest, game) for game in games]


def play(contest: Contest, jobs: int, progress: Callable[[int], None] = lambda _: None) -> list[Result]:
    """Play all games in so many processes and return the results in the order of the games, which do not depend on
    the number of processes. `progress` is told how many more games are done."""
    # The arrays are small: threads of the linear algebra would only get in each other's way.
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    chunks = [range(first, min(first + CHUNK, contest.games)) for first in range(0, contest.games, CHUNK)]
    results: list[Result] = []
    if jobs == 1 or len(chunks) == 1:
        for game in range(contest.games):
            results.append(play_game(contest, game))
            progress(1)
        return results
    # Ctrl-C ends this process, which then ends the others.
    ignore = (signal.SIGINT, signal.SIG_IGN)
    workers = min(jobs, len(chunks))
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=signal.signal, initargs=ignore) as pool:
        waiting = [pool.submit(_play_games, contest, chunk) for chunk in chunks]
        try:
            for done in as_completed(waiting):
                results += done.result()
                progress(len(done.result()))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return sorted(results)


def fleets_in_pairs(fleets: Sequence[tuple[tuple[Ship, ...], tuple[Ship, ...]]]) -> Fleets:
    """Join the two fleets of each record into one row."""
    return tuple(fleet for pair in fleets for fleet in pair)
