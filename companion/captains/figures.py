"""The figures of a contest: means, intervals and quantiles, as JSON has them and as lines to read."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.captains.arena import Contest, Result

Z95 = 1.959964
"""How many standard deviations to either side hold 95 % of a normal distribution."""


def interval95(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of wins, after Wilson (1927)."""
    share = wins / games
    middle = share + Z95**2 / (2 * games)
    half = Z95 * math.sqrt(share * (1 - share) / games + Z95**2 / (4 * games**2))
    scale = 1 + Z95**2 / games
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def shots_summary(shots: Sequence[int]) -> dict[str, float] | None:
    """Return mean, standard error (of the mean), median and 95th percentile of shots, or None without any game.

    The percentile is the least number of shots that 95 % of the games stay within.
    """
    if not shots:
        return None
    error = statistics.stdev(shots) / math.sqrt(len(shots)) if len(shots) > 1 else 0.0
    return {
        "mean": round(statistics.fmean(shots), 3),
        "se": round(error, 3),
        "median": statistics.median(shots),
        "p95": sorted(shots)[math.ceil(0.95 * len(shots)) - 1],
    }


def time_summary(results: Sequence[Result], seat: int) -> dict[str, float]:
    """Return the mean processor time for a shot and that of the longest answer (ms)."""
    shots = sum(result.shots[seat - 1] for result in results)
    return {
        "mean": round(sum(result.thinking[seat - 1].total for result in results) / max(shots, 1), 3),
        "max": round(max(result.thinking[seat - 1].longest for result in results), 3),
    }


def summary(contest: Contest, results: Sequence[Result]) -> dict[str, Any]:
    """Return a contest's figures as they are written as JSON."""
    setting = {
        "rules": contest.rules,
        "house_rules": [str(rule) for rule in contest.house_rules],
        "games": len(results),
        "seed": contest.seed,
    }
    if len(contest.captains) == 1:
        shots = shots_summary(winning_shots(results, 1))
        return {"captain": contest.captains[0], **setting, "shots": shots, "ms_per_shot": time_summary(results, 1)}
    players = []
    for seat, name in enumerate(contest.captains, 1):
        wins = sum(result.winner == seat for result in results)
        players.append(
            {
                "captain": name,
                **_share(wins, len(results)),
                "shots_when_won": shots_summary(winning_shots(results, seat)),
                "ms_per_shot": time_summary(results, seat),
            }
        )
    opened = sum(result.winner == result.opener for result in results)
    return {"captains": list(contest.captains), **setting, "players": players, "opener": _share(opened, len(results))}


def _share(wins: int, games: int) -> dict[str, Any]:
    return {
        "wins": wins,
        "share": round(wins / games, 4),
        "interval95": [round(end, 4) for end in interval95(wins, games)],
    }


def winning_shots(results: Sequence[Result], seat: int) -> list[int]:
    """Return the shots that a seat needed in the games that it won."""
    return [result.shots[seat - 1] for result in results if result.winner == seat]


def number_of_games(number: int) -> str:
    """Return a number of games in words."""
    return "1 game" if number == 1 else f"{number} games"


def lines(figures: dict[str, Any]) -> list[str]:
    """Return a contest's figures as lines to read."""
    rules = ", ".join([figures["rules"], *figures["house_rules"]])
    heading = f"{number_of_games(figures['games'])}, {rules}, seed {figures['seed']}"
    if "captain" in figures:
        name = figures["captain"].capitalize()
        return [f"{name} alone: {heading}", f"  {_shots(figures['shots'])}", f"  {_time(figures['ms_per_shot'])}"]
    names = [player["captain"].capitalize() for player in figures["players"]]
    told = [f"{names[0]} against {names[1]}: {heading}"]
    for name, player in zip(names, figures["players"], strict=True):
        told.append(f"  {name} wins {_wins(player)}")
        if player["shots_when_won"]:
            told.append(f"    in the games won {_shots(player['shots_when_won'])}")
        told.append(f"    {_time(player['ms_per_shot'])}")
    told.append(f"  The opener wins {_wins(figures['opener'])}")
    return told


def _wins(share: dict[str, Any]) -> str:
    low, high = share["interval95"]
    return f"{share['wins']}: {share['share']:.1%} (95 % interval {low:.1%} to {high:.1%})"


def _shots(shots: dict[str, float]) -> str:
    return (
        f"shots to sink all: {shots['mean']:.2f} ± {shots['se']:.2f}, median {shots['median']:g}, "
        f"95th percentile {shots['p95']:g}"
    )


def _time(time: dict[str, float]) -> str:
    return f"processor time a shot: {time['mean']:.1f} ms, at worst {time['max']:.0f} ms"
