"""`broadside stats`: each player's games, wins, shots, accuracy and best game, by rule set."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import dataclass

from companion.game.events import Outcome
from companion.game.match import Match
from companion.journal import Archive, KeptGame


@dataclass
class Tally:
    """One player's sums under one rule set. `best` is the fewest shots that won a game."""

    games: int = 0
    wins: int = 0
    shots: int = 0
    hits: int = 0
    best: int | None = None


def configure(parser: ArgumentParser) -> None:
    """This command has no options."""


def run(arguments: Namespace) -> int:
    """Print the table. A game counts when it ended with a winner."""
    tallies = tally(Archive().games())
    if not tallies:
        sys.stdout.write("No game has been won yet: broadside play begins one.\n")
        return 0
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("player", "rules", "games", "wins", "shots", "accuracy", "best game"):
        table.add_column(heading, justify="left" if heading in ("player", "rules") else "right", no_wrap=True)
    for (player, rules), sums in sorted(tallies.items()):
        accuracy = f"{100 * sums.hits / sums.shots:.0f} %" if sums.shots else "-"
        best = f"{sums.best} shots" if sums.best else "-"
        table.add_row(player, rules, str(sums.games), str(sums.wins), str(sums.shots), accuracy, best)
    Console(soft_wrap=True, highlight=False).print(table)
    return 0


def tally(games: Iterable[KeptGame]) -> dict[tuple[str, str], Tally]:
    """Add up games by player and rule set."""
    tallies: dict[tuple[str, str], Tally] = {}
    for kept in games:
        ended = kept.ended
        if ended is None or not ended.winner:
            continue
        match = Match.from_events(kept.events)
        rules = " + ".join([match.began.rules, *match.began.house_rules])
        for seat, player in enumerate(match.began.players, 1):
            shots = [shot for move in match.moves if move.seat == seat for shot in move.shots]
            sums = tallies.setdefault((player, rules), Tally())
            sums.games += 1
            sums.shots += len(shots)
            sums.hits += sum(shot.outcome in (Outcome.HIT, Outcome.SUNK) for shot in shots)
            if ended.winner == seat:
                sums.wins += 1
                if match.sea(3 - seat).afloat == 0:
                    sums.best = min(sums.best or len(shots), len(shots))
    return tallies
