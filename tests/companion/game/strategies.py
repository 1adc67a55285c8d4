"""Hypothesis strategies for rules, fleets and whole matches."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from companion.game.events import DrawFleet, Fire, Sail
from companion.game.match import Match, begin
from companion.game.ruleset import PRESETS, HouseRule, RulesetError, preset, with_house_rules
from companion.game.squares import SQUARES


def _playable() -> list[tuple[str, tuple[HouseRule, ...]]]:
    """Every preset with every single house rule, and with every pair, that does not contradict it."""
    found: list[tuple[str, tuple[HouseRule, ...]]] = []
    rules = list(HouseRule)
    choices = [(), *((rule,) for rule in rules)]
    choices += [(one, other) for n, one in enumerate(rules) for other in rules[n + 1 :]]
    for name in PRESETS:
        for chosen in choices:
            try:
                with_house_rules(preset(name), chosen)
            except RulesetError:
                continue
            found.append((name, chosen))
    return found


PLAYABLE = _playable()

rules = st.sampled_from(PLAYABLE)

seeds = st.integers(0, 2**32)


def new_match(name: str, house: tuple[HouseRule, ...] = (), seed: int = 0, *, sail: bool = True) -> Match:
    """A match, by default at the beginning of its battle."""
    chance = Random(seed)
    match = Match(begin(name, preset(name), ("Ana", "Rui"), chance, house_rules=house))
    if sail:
        for seat in (match.began.opener, 3 - match.began.opener):
            match.do(DrawFleet(seat), chance)
            match.do(Sail(seat))
    return match


def legal_shots(match: Match, chance: Random) -> Fire:
    """A random legal call of the seat to move."""
    foe = match.sea(3 - match.to_move)
    open_squares = [square for square in SQUARES if square not in foe.shots and square not in foe.open_water]
    return Fire(match.to_move, tuple(chance.sample(open_squares, match.shots_due)))


def play_on(match: Match, chance: Random, moves: int = 1000) -> None:
    """Play at most so many random legal calls."""
    for _ in range(moves):
        if match.ended is not None:
            return
        match.do(legal_shots(match, chance))
