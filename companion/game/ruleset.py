"""Rule sets as data, the house rules on top of them, and what contradicts what (RULES)."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from companion.game.squares import SIZE

LONGEST_TITLE = 24
"""Letters of a title that a caption and a key cap have room for."""

PRESETS = ("classic", "salvo", "naval-warfare", "kingdoms")


class RulesetError(ValueError):
    """A rule set or a house rule that cannot be played; the text says why."""


class Shots(StrEnum):
    """How many shots a turn has."""

    ONE = "one"
    ONE_AND_ANOTHER_AFTER_A_HIT = "one and another after a hit"
    ONE_FOR_EACH_SHIP_AFLOAT = "one for each ship afloat"


class SinkingTells(StrEnum):
    """What a sinking tells beside that a ship sank."""

    NAME = "name"
    NOTHING = "nothing"
    NAME_AND_SQUARES = "name and squares"


class Repeat(StrEnum):
    """What becomes of a shot at a square that was fired at before."""

    REFUSED = "refused"
    WASTED = "wasted"


class Placing(StrEnum):
    """Who places when."""

    TOGETHER = "together"
    IN_TURN = "in turn"


class Opener(StrEnum):
    """Who fires first."""

    COIN_FLIP = "coin flip"
    IN_TURN = "in turn"
    PERSON_OR_HOST = "person or host, then in turn"


class HouseRule(StrEnum):
    """Switches on top of a rule set (RULES: House rules)."""

    SHIPS_NEVER_TOUCH = "ships-never-touch"
    SHIPS_MAY_TOUCH = "ships-may-touch"
    EXTRA_SHOT_ON_HIT = "extra-shot-on-hit"
    NAME_THE_SHIP_HIT = "name-the-ship-hit"
    REPEAT_WASTES_THE_TURN = "repeat-wastes-the-turn"
    SHOW_SUNK_SQUARES = "show-sunk-squares"
    SINKINGS_UNNAMED = "sinkings-unnamed"
    MARK_WATER_AROUND_SUNK = "mark-water-around-sunk"


class ShipClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a fleet: `count` ships of one name and `length` (squares)."""

    ship: str
    length: int
    count: int


class Ruleset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a game, as a rule set file states them."""

    fleet: tuple[ShipClass, ...]
    may_touch: bool
    shots: Shots
    sinking_tells: SinkingTells
    hit_tells_ship: bool
    mark_water_around_sunk: bool
    repeat: Repeat
    placing: Placing
    opener: Opener
    title: str = ""
    source: str = ""

    @property
    def lengths(self) -> dict[str, int]:
        """Each ship's length in squares, by name."""
        return {line.ship: line.length for line in self.fleet}

    @property
    def counts(self) -> dict[str, int]:
        """How many ships of each name a fleet has."""
        return {line.ship: line.count for line in self.fleet}

    @property
    def ships(self) -> tuple[str, ...]:
        """The name of every ship of a fleet, as often as the fleet has it, in the order of the file."""
        return tuple(line.ship for line in self.fleet for _ in range(line.count))


def check(ruleset: Ruleset) -> None:
    """Refuse a rule set that contradicts itself or whose fleet cannot fit.

    Raises RulesetError. Whether a tight fleet really fits is found out when one is drawn (`companion.game.fleet`).
    """
    if len(ruleset.title) > LONGEST_TITLE:
        raise RulesetError(
            f"title: {len(ruleset.title)} letters are too many for a key cap; up to {LONGEST_TITLE} will do"
        )
    if not ruleset.fleet:
        raise RulesetError("fleet: a fleet needs at least one ship")
    names = [line.ship for line in ruleset.fleet]
    for line in ruleset.fleet:
        if not re.fullmatch(r"[^\W\d_](?:[^\W_]|[ '’-])*", line.ship) or line.ship != line.ship.strip():
            raise RulesetError(
                f"fleet: {line.ship!r} is no ship's name: letters, digits, blanks and hyphens, a letter first"
            )
        if names.count(line.ship) > 1:
            raise RulesetError(f"fleet: {line.ship} stands there twice; give one line a count of 2 instead")
        if not 1 <= line.length <= SIZE:
            raise RulesetError(f"fleet: {line.ship} has length {line.length}; a ship has 1 to {SIZE} squares")
        if line.count < 1:
            raise RulesetError(f"fleet: {line.ship} has count {line.count}; a fleet has at least 1 of each")
    squares = sum(line.length * line.count for line in ruleset.fleet)
    if squares > SIZE * SIZE:
        raise RulesetError(f"fleet: {squares} squares cannot fit on a grid of {SIZE * SIZE}")
    if not ruleset.may_touch:
        # Give each ship the row below and the column to its right: what never touches then never overlaps on 11×11.
        room = sum((line.length + 1) * 2 * line.count for line in ruleset.fleet)
        if room > (SIZE + 1) ** 2:
            raise RulesetError("fleet: these ships cannot fit on the grid without touching")
    if ruleset.mark_water_around_sunk and ruleset.may_touch:
        raise RulesetError(
            "mark_water_around_sunk: water around a sunk ship can be marked only where ships never touch"
        )


def parse_ruleset(text: str, where: str) -> Ruleset:
    """Read and check a rule set from TOML text; `where` names it in errors.

    Raises RulesetError with the key and the cure.
    """
    try:
        # Editors on Windows put a byte order mark before the text.
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(f"{where} is not TOML: {error}") from None
    except RecursionError:
        raise RulesetError(f"{where} is no rule set: its lists and tables are nested too deep") from None
    return convert_ruleset(table, where)


def convert_ruleset(table: dict[str, Any], where: str) -> Ruleset:
    """Turn a parsed TOML table into a checked rule set. Raises RulesetError."""
    known = [field.encode_name for field in msgspec.structs.fields(Ruleset)]
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(known)}"
            raise RulesetError(f"{where}: there is no key {key!r} in a rule set; {hint}")
    try:
        ruleset = msgspec.convert(table, Ruleset, strict=True)
        check(ruleset)
    except msgspec.ValidationError as error:
        raise RulesetError(f"{where}: {_readable(str(error), table)}") from None
    except RulesetError as error:
        raise RulesetError(f"{where}: {error}") from None
    return ruleset


_CHOICES = {"shots": Shots, "sinking_tells": SinkingTells, "repeat": Repeat, "placing": Placing, "opener": Opener}


def _readable(message: str, table: dict[str, Any]) -> str:
    """Name the key and what it may be, from msgspec's message."""
    text, _, path = message.partition(" - at `$")
    key = path.rstrip("`").lstrip(".")
    if choices := _CHOICES.get(key):
        return f"{key} is {table[key]!r}; it may be {', '.join(repr(str(choice)) for choice in choices)}"
    return f"{key}: {plain_fault(text)}" if key else plain_fault(text)


_KINDS = {
    "bool": "true or false",
    "int": "a whole number",
    "str": "a text in quotes",
    "array": "a list",
    "object": "a table",
}


def plain_fault(message: str) -> str:
    """Say in plain words what msgspec found wrong with a value or a table."""
    if found := re.match(r"Expected `(\w+)(?: \| \w+)*`", message):
        return f"this must be {_KINDS.get(found[1], found[1])}"
    if found := re.match(r"Object missing required field `(\w+)`", message):
        return f"the key {found[1]!r} is missing"
    if found := re.match(r"Object contains unknown field `(\w+)`", message):
        return f"there is no key {found[1]!r} here"
    return message


@cache
def preset(name: str) -> Ruleset:
    """Return a rule set that comes with the game.

    Raises RulesetError for an unknown name.
    """
    if name not in PRESETS:
        raise RulesetError(f"There is no rule set {name!r}; there are {', '.join(PRESETS)}")
    return parse_ruleset(files("companion.game.rulesets").joinpath(f"{name}.toml").read_text("utf-8"), f"{name}.toml")


def parse_house_rules(names: Iterable[str]) -> tuple[HouseRule, ...]:
    """Read house rules by name, in the order of RULES, each once.

    Raises RulesetError for an unknown one, with the nearest right name.
    """
    known = [str(rule) for rule in HouseRule]
    chosen = set()
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise RulesetError(f"There is no house rule {name!r}; {hint}")
        chosen.add(name)
    return tuple(rule for rule in HouseRule if rule in chosen)


_CONTRADICTIONS = (
    (HouseRule.SHIPS_NEVER_TOUCH, HouseRule.SHIPS_MAY_TOUCH),
    (HouseRule.SINKINGS_UNNAMED, HouseRule.NAME_THE_SHIP_HIT),
    (HouseRule.SINKINGS_UNNAMED, HouseRule.SHOW_SUNK_SQUARES),
)


def with_house_rules(ruleset: Ruleset, house_rules: Iterable[HouseRule]) -> Ruleset:
    """Return the rules as they are played under house rules.

    Raises RulesetError for a contradiction, with its reason.
    """
    chosen = set(house_rules)
    for one, other in _CONTRADICTIONS:
        if {one, other} <= chosen:
            raise RulesetError(f"House rules {one} and {other} contradict each other; leave one out")
    changes: dict[str, Any] = {}
    if HouseRule.SHIPS_NEVER_TOUCH in chosen:
        changes["may_touch"] = False
    if HouseRule.SHIPS_MAY_TOUCH in chosen:
        changes["may_touch"] = True
    if HouseRule.EXTRA_SHOT_ON_HIT in chosen:
        if ruleset.shots is Shots.ONE_FOR_EACH_SHIP_AFLOAT:
            raise RulesetError(
                "House rule extra-shot-on-hit contradicts a salvo: a salvo has one shot for each ship afloat"
            )
        changes["shots"] = Shots.ONE_AND_ANOTHER_AFTER_A_HIT
    if HouseRule.NAME_THE_SHIP_HIT in chosen:
        changes["hit_tells_ship"] = True
    if HouseRule.REPEAT_WASTES_THE_TURN in chosen:
        changes["repeat"] = Repeat.WASTED
    if HouseRule.SHOW_SUNK_SQUARES in chosen:
        changes["sinking_tells"] = SinkingTells.NAME_AND_SQUARES
    if HouseRule.SINKINGS_UNNAMED in chosen:
        changes["sinking_tells"] = SinkingTells.NOTHING
    if HouseRule.MARK_WATER_AROUND_SUNK in chosen:
        changes["mark_water_around_sunk"] = True
    if not changes:
        return ruleset
    effective = msgspec.structs.replace(ruleset, **changes)
    try:
        check(effective)
    except RulesetError as error:
        names = ", ".join(rule for rule in HouseRule if rule in chosen)
        raise RulesetError(f"These rules contradict the house rules {names}: {error}") from None
    return effective
