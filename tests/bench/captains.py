"""How strong and how quick the captains are, how well King hides, and that none of them ever asks for a refused square.

`python -m tests.bench captains` is a short look. `python -m tests.bench.captains fair 10000` plays so many games over
all rule sets and house rules, and `python -m tests.bench.captains hiding classic 1000 200` measures how long King's
fleets last against Ace and King, in so many games each.
"""

from __future__ import annotations

import sys
from random import Random

import numpy as np

from companion.captains import CAPTAINS
from companion.captains.arena import Contest, play, play_game
from companion.captains.figures import shots_summary, time_summary, winning_shots
from companion.captains.hiding import kings_fleet
from companion.game.fleet import Ship, random_fleet
from companion.game.ruleset import HouseRule, Ruleset, preset
from tests.companion.game.strategies import PLAYABLE

COLUMNS: tuple[tuple[str, tuple[HouseRule, ...]], ...] = (
    ("classic", ()),
    ("classic", (HouseRule.SINKINGS_UNNAMED,)),
    ("kingdoms", ()),
    ("naval-warfare", ()),
)
GAMES = {"jack": 100, "ace": 100, "king": 10}

PLACINGS = 4000
"""Fleets that tell which squares a way of placing favours."""


def main() -> None:
    """Take a short look."""
    for name in CAPTAINS:
        for rules, house in COLUMNS:
            contest = Contest((name,), rules, preset(rules), house, GAMES[name], seed=1)
            results = play(contest, jobs=1)
            shots = shots_summary(winning_shots(results, 1))
            time = time_summary(results, 1)
            assert shots is not None
            print(
                f"{name:5} {' '.join([rules, *house]):30} {shots['mean']:5.1f} ± {shots['se']:.1f} shots, "
                f"{time['mean']:.2f} ms a shot, at worst {time['max']:.0f} ms"
            )
    print(f"{fair(len(PLAYABLE))} games under {len(PLAYABLE)} rules, no square refused")


def fair(games: int) -> int:
    """Play games under all rules in turn, one in ten of them with King: a refused square raises IllegalMove."""
    for game in range(games):
        rules, house = PLAYABLE[game % len(PLAYABLE)]
        names = ("king", "ace") if game % 10 == 0 else ("jack", "ace")
        play_game(Contest(names, rules, preset(rules), house, games, seed=1), game)
    return games


def hiding(rules: str, games_of_ace: int, games_of_king: int) -> None:
    """Compare King's fleets with fleets drawn uniformly."""
    ruleset = preset(rules)
    ways = {"by chance": random_fleet, "King's": kings_fleet}
    for name, way in ways.items():
        fleets = tuple(way(ruleset, Random(f"{name} {number}")) for number in range(PLACINGS))
        used = usage(fleets)
        print(
            f"{rules}, fleets laid {name}: the most used square {used.max():.3f}, "
            f"hits in 20 shots at the 20 most used squares {np.sort(used)[-20:].sum():.2f}"
        )
        for captain, games in (("ace", games_of_ace), ("king", games_of_king)):
            print(f"  {captain}: {_mean_shots(captain, rules, ruleset, fleets[:games])}", flush=True)


def usage(fleets: tuple[tuple[Ship, ...], ...]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the share of fleets that use each square."""
    indexes = [square.index for fleet in fleets for ship in fleet for square in ship.squares]
    return np.bincount(indexes, minlength=100) / len(fleets)


def _mean_shots(captain: str, rules: str, ruleset: Ruleset, fleets: tuple[tuple[Ship, ...], ...]) -> str:
    contest = Contest((captain,), rules, ruleset, (), len(fleets), seed=1, fleets=fleets)
    shots = shots_summary(winning_shots(play(contest, jobs=1), 1))
    return f"{shots['mean']:.2f} ± {shots['se']:.2f} shots in {len(fleets)} games" if shots else "no game"


if __name__ == "__main__":
    if sys.argv[1] == "fair":
        print(f"{fair(int(sys.argv[2]))} games, no square refused")
    else:
        hiding(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
