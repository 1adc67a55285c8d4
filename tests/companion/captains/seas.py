"""A sea that nobody answers from, for captains to fire at."""

from __future__ import annotations

from random import Random

from companion.captains.arena import Alone
from companion.game.events import Fire, GameBegan, LayFleet, Phase, Sail
from companion.game.fleet import Ship
from companion.game.match import Match
from companion.game.ruleset import HouseRule, Ruleset
from companion.game.squares import SQUARES, Square


def at_sea(ruleset: Ruleset, house: tuple[HouseRule, ...], fleet: tuple[Ship, ...]) -> Match:
    match = Alone(GameBegan("own", ruleset, house, ("Ana", "the sea"), opener=1))
    for seat in (1, 2):
        match.do(LayFleet(seat, fleet))
        match.do(Sail(seat))
    return match


def open_at(match: Match) -> list[Square]:
    sea = match.sea(2)
    return [square for square in SQUARES if square not in sea.shots and square not in sea.open_water]


def shoot_some(match: Match, chance: Random, moves: int) -> None:
    """Random shots, but more often at ships than chance would have it, so that there is something to tell."""
    while moves and match.phase is Phase.BATTLE:
        moves -= 1
        squares = open_at(match)
        ships = [square for square in squares if square in match.sea(2).ship_at]
        chosen: list[Square] = []
        while len(chosen) < match.shots_due:
            square = chance.choice(ships if ships and chance.random() < 0.4 else squares)
            if square not in chosen:
                chosen.append(square)
        match.do(Fire(1, tuple(chosen)))
