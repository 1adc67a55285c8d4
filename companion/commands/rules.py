"""`broadside rules`: lists the rule sets, shows one in full, or checks a file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from random import Random

from companion.game.fleet import random_fleet
from companion.game.ruleset import PRESETS, Repeat, Ruleset, RulesetError, Shots, SinkingTells
from companion.rulesets import find_ruleset, ruleset_names


def configure(parser: ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("rules", metavar="NAME|FILE", nargs="?", help="the rule set to show, or the file to check")


def run(arguments: Namespace) -> int:
    """List, show or check."""
    if arguments.rules is None:
        for name in ruleset_names():
            sys.stdout.write(_line(name) + "\n")
        return 0
    name, ruleset = find_ruleset(arguments.rules)
    random_fleet(ruleset, Random(0))
    sys.stdout.write("\n".join(describe(name, ruleset)) + "\n")
    return 0


def _line(name: str) -> str:
    try:
        _, ruleset = find_ruleset(name)
    except RulesetError as error:
        return f"{name}  cannot be played: {error}"
    ships = sum(line.count for line in ruleset.fleet)
    return f"{name}  {ruleset.title or name}: {ships} ships, {_SHOTS[ruleset.shots]}"


_SHOTS = {
    Shots.ONE: "one shot a turn",
    Shots.ONE_AND_ANOTHER_AFTER_A_HIT: "one shot a turn, and another after every hit",
    Shots.ONE_FOR_EACH_SHIP_AFLOAT: "one shot for each own ship afloat when the turn begins",
}

_SINKING = {
    SinkingTells.NAME: "the ship's name",
    SinkingTells.NOTHING: "that a ship sank",
    SinkingTells.NAME_AND_SQUARES: "the ship's name and its squares",
}


def describe(name: str, ruleset: Ruleset) -> list[str]:
    """Return a rule set in full, a line each."""
    fleet = ", ".join(
        f"{line.ship} {line.length}" + (f" ×{line.count}" if line.count > 1 else "") for line in ruleset.fleet
    )
    return [
        f"{ruleset.title or name} ({name}{'' if name in PRESETS else ', checked'})",
        f"  source: {ruleset.source or 'not said'}",
        f"  fleet: {fleet}",
        f"  ships may touch: {'yes' if ruleset.may_touch else 'no'}",
        f"  shots in a turn: {_SHOTS[ruleset.shots]}",
        f"  a hit tells: {'the ship' if ruleset.hit_tells_ship else 'that something was hit'}",
        f"  a sinking tells: {_SINKING[ruleset.sinking_tells]}",
        f"  water around a sunk ship is marked: {'yes' if ruleset.mark_water_around_sunk else 'no'}",
        f"  a square fired at twice: {'refused' if ruleset.repeat is Repeat.REFUSED else 'wastes the shot'}",
        f"  placing: {ruleset.placing}",
        f"  opener: {ruleset.opener}",
    ]
