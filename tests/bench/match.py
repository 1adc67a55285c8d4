"""How many whole games a second `Match` plays on one core: random fleets, then random shots until one fleet is sunk."""

from __future__ import annotations

import time
from random import Random

from companion.game.events import DrawFleet, Fire, Sail
from companion.game.match import Match, begin
from companion.game.ruleset import PRESETS, preset
from companion.game.squares import SQUARES, Square

GAMES = 300
ROUNDS = 5


def play(rules: str, chance: Random) -> int:
    """Play one game by commands and events alone; return its shots."""
    match = Match(begin(rules, preset(rules), ("one", "other"), chance))
    for seat in (match.began.opener, 3 - match.began.opener):
        match.do(DrawFleet(seat), chance)
        match.do(Sail(seat))
    order = {seat: chance.sample(SQUARES, len(SQUARES)) for seat in (1, 2)}
    shots = 0
    while match.ended is None:
        seat = match.to_move
        known = match.sea(3 - seat).open_water
        squares: list[Square] = []
        while len(squares) < match.shots_due:
            square = order[seat].pop()
            if square not in known:
                squares.append(square)
        match.do(Fire(seat, tuple(squares)))
        shots += len(squares)
    return shots


def main() -> None:
    """Print a line a rule set: the median of some rounds, in processor time."""
    for rules in PRESETS:
        chance = Random(1)
        rounds = []
        for _ in range(ROUNDS):
            start = time.process_time()
            shots = sum(play(rules, chance) for _ in range(GAMES))
            rounds.append(time.process_time() - start)
        median = sorted(rounds)[ROUNDS // 2]
        print(f"random games of {rules}: {GAMES / median:.0f} a second of one core ({shots / GAMES:.0f} shots a game)")


if __name__ == "__main__":
    main()
