"""The game record: one small TOML file that a person can read and write, and that the engine can hold to account."""

from __future__ import annotations

import difflib
import re
import tomllib
from typing import Any, NamedTuple

import msgspec

from companion.game.errors import IllegalMove
from companion.game.events import (
    AnswerTakeBack,
    AskTakeBack,
    Ending,
    Event,
    Fire,
    GameBegan,
    GameEnded,
    LayFleet,
    Outcome,
    Phase,
    Sail,
    ShotsTold,
)
from companion.game.fleet import Ship, check_fleet
from companion.game.match import Match, TakeBack
from companion.game.ruleset import (
    PRESETS,
    HouseRule,
    Ruleset,
    RulesetError,
    convert_ruleset,
    parse_house_rules,
    plain_fault,
    preset,
    with_house_rules,
)
from companion.game.squares import SIZE, SQUARES, Square, SquareError

RECORD_VERSION = 1
TAKE_BACK = "take back"
REFUSED = "refused"


class RecordError(ValueError):
    """A file that is no record; the text names the key, the value and what is wrong."""


class RecordedShot(NamedTuple):
    """One shot of a recorded move: its square and its result in the record's words."""

    square: Square
    result: str


class RecordedMove(NamedTuple):
    """One recorded move: who called, and the shots with their results."""

    seat: int
    shots: tuple[RecordedShot, ...]

    def __str__(self) -> str:
        return f"{self.seat} " + ", ".join(f"{shot.square} {shot.result}" for shot in self.shots)


class Record(msgspec.Struct, frozen=True):
    """A whole game. A move of None is a take-back. `winner` is 0 where nobody won."""

    rules: str
    ruleset: Ruleset
    house_rules: tuple[HouseRule, ...]
    players: tuple[str, str]
    opener: int
    fleets: tuple[tuple[Ship, ...], tuple[Ship, ...]]
    moves: tuple[RecordedMove | None, ...]
    winner: int
    ending: Ending


class Difference(NamedTuple):
    """Where a record and the engine differ: the move's number from 1, and what each of them says."""

    move: int
    record: str
    engine: str

    def __str__(self) -> str:
        return f"move {self.move}: record {self.record}, engine {self.engine}"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """The keys of a record, as TOML has them."""

    record: int
    ruleset: str | dict[str, Any]
    house_rules: list[str]
    players: list[str]
    opener: int
    moves: list[str]
    winner: int
    ending: Ending
    fleets: dict[str, list[str]]


def parse_record(text: str) -> Record:
    """Read a record; every key and value strictly.

    Raises RecordError where the text is no record, with the key and the reason.
    """
    try:
        # Editors on Windows put a byte order mark before the text.
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise RecordError(f"not TOML: {error}") from None
    except RecursionError:
        raise RecordError("no record: its lists and tables are nested too deep") from None
    _check_keys(table)
    try:
        file = msgspec.convert(table, _File, strict=True)
    except msgspec.ValidationError as error:
        fault, _, path = str(error).partition(" - at `$.")
        raise RecordError(f"{path.rstrip('`')}: {plain_fault(fault)}" if path else plain_fault(fault)) from None
    if file.record != RECORD_VERSION:
        raise RecordError(f"record: version {file.record} is unknown; this Broadside reads version {RECORD_VERSION}")
    if len(file.players) != 2:
        raise RecordError(f"players: two names are needed, not {len(file.players)}")
    if file.opener not in (1, 2):
        raise RecordError(f"opener: {file.opener} is no player; 1 or 2 opens")
    if file.winner not in (0, 1, 2):
        raise RecordError(f"winner: {file.winner} is no player; 1, 2 or 0 for nobody")
    rules, ruleset, house_rules, effective = _rules(file)
    fleets = _fleets(file.fleets, effective)
    moves = tuple(_move(number, line, effective) for number, line in enumerate(file.moves, 1))
    players = (file.players[0], file.players[1])
    return Record(rules, ruleset, house_rules, players, file.opener, fleets, moves, file.winner, file.ending)


def _check_keys(table: dict[str, Any]) -> None:
    known = [field.name for field in msgspec.structs.fields(_File)]
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            raise RecordError(f"{key}: unknown key" + (f"; did you mean {near[0]}?" if near else ""))
    for key in known:
        if key not in table:
            raise RecordError(f"{key}: this key is missing")


def _rules(file: _File) -> tuple[str, Ruleset, tuple[HouseRule, ...], Ruleset]:
    try:
        if isinstance(file.ruleset, str):
            rules, ruleset = file.ruleset, preset(file.ruleset)
        else:
            rules, ruleset = "custom", convert_ruleset(file.ruleset, "ruleset")
        house_rules = parse_house_rules(file.house_rules)
        return rules, ruleset, house_rules, with_house_rules(ruleset, house_rules)
    except RulesetError as error:
        raise RecordError(str(error)) from None


def _fleets(fleets: dict[str, list[str]], ruleset: Ruleset) -> tuple[tuple[Ship, ...], tuple[Ship, ...]]:
    for key in fleets:
        if key not in ("1", "2"):
            raise RecordError(f"fleets: there is no player {key!r}; the keys are 1 and 2")
    read = []
    for key in ("1", "2"):
        if key not in fleets:
            raise RecordError(f"fleets: the fleet of player {key} is missing")
        ships = tuple(_ship(key, line) for line in fleets[key])
        try:
            check_fleet(ships, ruleset)
        except IllegalMove as error:
            raise RecordError(f"fleets.{key}: {error}") from None
        read.append(ships)
    return read[0], read[1]


_SHIP = re.compile(r"(?P<name>\S.*?) +(?P<bow>[A-Ja-j]\w+)(?: *- *(?P<stern>[A-Ja-j]\w+))?", re.ASCII | re.DOTALL)


def _ship(seat: str, line: str) -> Ship:
    found = re.fullmatch(_SHIP, line)
    if found is None:
        raise RecordError(f"fleets.{seat}: {line!r} is no ship; one looks like Galley C1-F1")
    try:
        bow = Square.parse(found["bow"])
        stern = Square.parse(found["stern"] or found["bow"])
    except SquareError as error:
        raise RecordError(f"fleets.{seat}: {line!r}: {error}") from None
    return Ship(found["name"], squares_between(bow, stern))


def squares_between(bow: Square, stern: Square) -> tuple[Square, ...]:
    """Return the squares from bow to stern; only these two where they are in no common row or column."""
    if bow.row != stern.row and bow.column != stern.column:
        return (bow, stern)
    step = 1 if bow.row == stern.row else SIZE
    if stern.index < bow.index:
        step = -step
    return tuple(SQUARES[index] for index in range(bow.index, stern.index + step, step))


_MOVE = re.compile(r"([12]) +(\S.*)", re.ASCII)
_SHOT = re.compile(r"(\S+) +(miss|hit|sunk|wasted|refused)(?: +(\S.*))?")


def _move(number: int, line: str, ruleset: Ruleset) -> RecordedMove | None:
    if line.strip() == TAKE_BACK:
        return None
    found = _MOVE.fullmatch(line.strip())
    if found is None:
        raise RecordError(f"move {number}: {line!r} is no move; one looks like 1 B7 miss")
    return RecordedMove(int(found[1]), tuple(_shot(number, part.strip(), ruleset) for part in found[2].split(",")))


def _shot(number: int, part: str, ruleset: Ruleset) -> RecordedShot:
    found = _SHOT.fullmatch(part)
    if found is None:
        raise RecordError(f"move {number}: {part!r} is no shot with its result; one looks like B7 miss")
    try:
        square = Square.parse(found[1])
    except SquareError as error:
        raise RecordError(f"move {number}: {error}") from None
    result, ship = found[2], found[3]
    if ship is None:
        return RecordedShot(square, result)
    if result not in (Outcome.HIT, Outcome.SUNK):
        raise RecordError(f"move {number}: {result!r} names no ship, so {ship!r} cannot follow it")
    if ship not in ruleset.lengths:
        raise RecordError(f"move {number}: there is no ship {ship!r} in this fleet")
    return RecordedShot(square, f"{result} {ship}")


def begin_recorded(record: Record) -> tuple[Match, tuple[Event, ...]]:
    """Return a match at the beginning of a record's battle, and the events that led there."""
    began = GameBegan(record.rules, record.ruleset, record.house_rules, record.players, record.opener)
    match = Match(began)
    events: list[Event] = [began]
    for seat in (record.opener, 3 - record.opener):
        events += match.do(LayFleet(seat, record.fleets[seat - 1]))
        events += match.do(Sail(seat))
    return match, tuple(events)


def verify(record: Record) -> Difference | None:
    """Play every move through the engine and return the first difference, or None where the record holds."""
    match, _ = begin_recorded(record)
    for number, move in enumerate(record.moves, 1):
        difference = _verify_take_back(match, number) if move is None else _verify_move(match, number, move)
        if difference is not None:
            return difference
    return _verify_end(match, record)


def _verify_take_back(match: Match, number: int) -> Difference | None:
    try:
        match.do(AskTakeBack(1))
        match.do(AnswerTakeBack(2, agree=True))
    except IllegalMove:
        return Difference(number, TAKE_BACK, "game over" if match.phase is Phase.ENDED else REFUSED)
    return None


def _verify_move(match: Match, number: int, move: RecordedMove) -> Difference | None:
    if match.phase is Phase.ENDED:
        return Difference(number, str(move), "game over")
    if move.seat != match.to_move:
        return Difference(number, f"player {move.seat}", f"player {match.to_move}")
    if len(move.shots) == 1 and move.shots[0].result == REFUSED:
        result = _engine_result(match, move.shots[0].square)
        return None if result == REFUSED else Difference(number, REFUSED, result)
    if len(move.shots) != match.shots_due:
        return Difference(number, _shots(len(move.shots)), _shots(match.shots_due))
    try:
        events = match.do(Fire(move.seat, tuple(shot.square for shot in move.shots)))
    except IllegalMove:
        return Difference(number, ", ".join(shot.result for shot in move.shots), REFUSED)
    told = next(event for event in events if isinstance(event, ShotsTold))
    for recorded, shot in zip(move.shots, told.shots, strict=True):
        if recorded.result != shot.result:
            return Difference(number, recorded.result, shot.result)
    return None


def _shots(count: int) -> str:
    return "1 shot" if count == 1 else f"{count} shots"


def _engine_result(match: Match, square: Square) -> str:
    """What the engine says to one square alone, changing nothing."""
    try:
        return match.result_at(square)
    except IllegalMove:
        return REFUSED


def _verify_end(match: Match, record: Record) -> Difference | None:
    last = len(record.moves)
    if match.ended is not None:
        if record.ending is not match.ended.ending:
            return Difference(last, str(record.ending), str(match.ended.ending))
        if record.winner != match.ended.winner:
            return Difference(last, f"winner {record.winner}", f"winner {match.ended.winner}")
        return None
    if record.ending is Ending.FLEET_SUNK:
        return Difference(last, str(record.ending), str(Ending.UNFINISHED))
    if record.ending is Ending.RESIGNED and record.winner == 0:
        return Difference(last, "winner 0", "winner 1 or 2")
    if record.ending in (Ending.UNFINISHED, Ending.ABANDONED) and record.winner != 0:
        return Difference(last, f"winner {record.winner}", "winner 0")
    return None


def recorded_events(record: Record) -> tuple[Event, ...]:
    """Return the events of a record that holds, for playing it back; a refused call leaves none.

    Raises RecordError with the first difference where it does not hold.
    """
    difference = verify(record)
    if difference is not None:
        raise RecordError(f"the record does not hold: {difference}")
    match, first = begin_recorded(record)
    events = list(first)
    for move in record.moves:
        if move is None:
            events += match.do(AskTakeBack(1))
            events += match.do(AnswerTakeBack(2, agree=True))
        elif move.shots[0].result != REFUSED:
            events += match.do(Fire(move.seat, tuple(shot.square for shot in move.shots)))
    if match.ended is None and record.ending is not Ending.UNFINISHED:
        events.append(GameEnded(record.winner, record.ending))
    return tuple(events)


def record_of(match: Match) -> Record:
    """Return the record of a match whose battle has begun.

    Raises RecordError before that, since a record holds both fleets.
    """
    if not (match.sea(1).confirmed and match.sea(2).confirmed):
        raise RecordError("This game has no record yet: its battle has not begun.")
    began = match.began
    moves = tuple(
        None
        if isinstance(told, TakeBack)
        else RecordedMove(told.seat, tuple(RecordedShot(shot.square, shot.result) for shot in told.shots))
        for told in match.history
    )
    fleets = (tuple(match.sea(1).fleet), tuple(match.sea(2).fleet))
    ended = match.ended or GameEnded(0, Ending.UNFINISHED)
    return Record(
        began.rules,
        began.ruleset,
        began.house_rules,
        began.players,
        began.opener,
        fleets,
        moves,
        ended.winner,
        ended.ending,
    )


def format_record(record: Record) -> str:
    """Write a record as TOML. A rule set that is no preset is written out as a table."""
    import tomlkit

    def lines(texts: list[str]) -> Any:
        array = tomlkit.array()
        array.extend(texts)
        return array.multiline(True)

    is_preset = record.rules in PRESETS and record.ruleset == preset(record.rules)
    document = tomlkit.document()
    document["record"] = RECORD_VERSION
    if is_preset:
        document["ruleset"] = record.rules
    document["house_rules"] = [str(rule) for rule in record.house_rules]
    document["players"] = list(record.players)
    document["opener"] = record.opener
    document["moves"] = lines([TAKE_BACK if move is None else str(move) for move in record.moves])
    document["winner"] = record.winner
    document["ending"] = str(record.ending)
    if not is_preset:
        table = tomlkit.item(msgspec.to_builtins(record.ruleset))
        fleet = tomlkit.array()
        for line in record.ruleset.fleet:
            ship = tomlkit.inline_table()
            ship.update(msgspec.to_builtins(line))
            fleet.append(ship)
        table["fleet"] = fleet.multiline(True)
        document["ruleset"] = table
    document["fleets"] = {str(seat): lines([str(ship) for ship in record.fleets[seat - 1]]) for seat in (1, 2)}
    return tomlkit.dumps(document)
