import re
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game.events import AnswerTakeBack, AskTakeBack, Ending, Leave
from companion.game.match import Match
from companion.game.record import (
    RecordError,
    format_record,
    parse_record,
    record_of,
    recorded_events,
    verify,
)
from companion.game.ruleset import HouseRule, ShipClass, preset
from tests.companion.game.strategies import new_match, play_on, rules, seeds

GAMES = Path(__file__).parents[2] / "conformance"
GOOD = sorted((GAMES / "good").glob("*.toml"))
SPOILT = sorted((GAMES / "spoilt").glob("*.toml"))


def test_the_games_are_there() -> None:
    assert (len(GOOD), len(SPOILT)) == (30, 8)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_record_holds_and_reads_back_what_it_writes(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    assert verify(record) is None
    assert parse_record(format_record(record)) == record
    replayed = Match.from_events(recorded_events(record))
    written = record_of(replayed)
    assert written.fleets == record.fleets
    assert (written.winner, written.ending) == (record.winner, record.ending)


@pytest.mark.parametrize("path", SPOILT, ids=lambda path: path.stem)
def test_a_spoilt_record_fails_at_its_move(path: Path) -> None:
    difference = verify(parse_record(path.read_text("utf-8")))
    assert difference is not None
    assert difference.move == int(path.stem.rpartition("move")[2])
    assert difference.record != difference.engine


@given(rules, seeds, st.integers(0, 300), st.booleans())
def test_any_game_exports_to_a_record_that_holds(
    chosen: tuple[str, tuple[HouseRule, ...]], seed: int, moves: int, take_back: bool
) -> None:
    match = new_match(*chosen, seed=seed)
    play_on(match, Random(seed), moves)
    if take_back and match.ended is None and match.moves:
        match.do(AskTakeBack(1))
        match.do(AnswerTakeBack(2, True))
        play_on(match, Random(seed + 1), 3)
    if match.ended is None and seed % 3 == 0:
        match.do(Leave(2))
    record = parse_record(format_record(record_of(match)))
    assert record == record_of(match)
    assert verify(record) is None
    assert Match.from_events(recorded_events(record)).history == match.history


def test_a_familys_own_rules_are_written_out() -> None:
    fleet = (ShipClass("Raft", 1, 2), ShipClass("Long Boat", 6, 1))
    ruleset = msgspec.structs.replace(preset("kingdoms"), fleet=fleet, title="Rafts")
    match = new_match("kingdoms")
    match = Match(msgspec.structs.replace(match.began, rules="rafts", ruleset=ruleset))
    from companion.game.events import DrawFleet, Sail

    for seat in (1, 2):
        match.do(DrawFleet(seat), Random(3))
        match.do(Sail(seat))
    play_on(match, Random(3))
    text = format_record(record_of(match))
    assert "[ruleset]" in text
    record = parse_record(text)
    assert record.ruleset == ruleset
    assert verify(record) is None


def test_a_game_before_its_battle_has_no_record() -> None:
    with pytest.raises(RecordError, match="no record yet"):
        record_of(new_match("classic", sail=False))


KINGDOMS = (GAMES / "good" / "kingdoms-1.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("record = 1", "record = 2", "version 2"),
        ("record = 1", "record = true", "record"),
        ("record = 1\n", "", "record: this key is missing"),
        ("winner = 1", "winners = 1", "did you mean winner"),
        ("winner = 1", "winner = 3", "winner: 3"),
        ("winner = 1", "winner = true", "winner"),
        ("opener = 2", "opener = 0", "opener: 0"),
        ("opener = 2", "opener = 2.0", "opener"),
        ('"kingdoms"', '"kingdom"', "no rule set 'kingdom'"),
        ("house_rules = []", 'house_rules = ["fog"]', "no house rule 'fog'"),
        ("house_rules = []", 'house_rules = ["ships-may-touch"]', "contradict"),
        ('players = ["Ana", "Rui"]', 'players = ["Ana"]', "two names"),
        ('players = ["Ana", "Rui"]', "players = [1, 2]", "players"),
        ('"2 C2 hit"', '"3 C2 hit"', "move 1: '3 C2 hit' is no move"),
        ('"2 C2 hit"', '"2 K2 hit"', "move 1.*such as B7"),
        ('"2 C2 hit"', '"2 C2 struck"', "move 1.*no shot with its result"),
        ('"2 C2 hit"', '"2 C2 hit Raft"', "move 1.*no ship 'Raft'"),
        ('"2 C2 hit"', '"2 C2 miss Cog"', "move 1.*names no ship"),
        ('"2 C2 hit"', '""', "move 1"),
        ('"Carrack D9-H9"', '"Carrack D9-H10"', "diagonal"),
        ('"Carrack D9-H9"', '"Carrack D9-G9"', "wrong length"),
        ('"Carrack D9-H9"', '"Carrier D9-H9"', "no Carrier in this fleet"),
        ('"Carrack D9-H9"', '"Carrack D9 to H9"', "D9"),
        ('"Carrack D9-H9",', "", "Carrack is not placed"),
        ('"Carrack D9-H9"', '"Carrack C9-G9"', None),
        ('"Galley C1-C4"', '"Galley D6-G6"', "overlaps|touches"),
        ('ending = "fleet sunk"', 'ending = "sunk"', "ending"),
        ("1 = [", "3 = [", "no player '3'"),
        ("[fleets]", "[fleet", "not TOML"),
        ("[fleets]", "deep = " + "[" * 5000 + "]" * 5000, "nested too deep"),
    ],
)
def test_a_file_that_is_no_record_says_which_key_and_why(old: str, new: str, told: str | None) -> None:
    text = KINGDOMS.replace(old, new, 1)
    assert text != KINGDOMS
    if told is None:
        assert parse_record(text) is not None
        return
    with pytest.raises(RecordError, match=told):
        parse_record(text)


def test_the_mark_that_windows_editors_put_first_is_read_over() -> None:
    assert parse_record("\ufeff" + KINGDOMS) == parse_record(KINGDOMS)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"2 C2 hit"', '"1 C2 hit"', "move 1: record player 1, engine player 2"),
        ('"2 C2 hit"', '"2 C2 refused"', "move 1: record refused, engine hit"),
        ('"2 C2 hit"', '"take back"', "move 1: record take back, engine refused"),
        ('"2 C2 hit"', '"2 C2 hit, C3 hit"', "move 1: record 2 shots, engine 1 shot"),
        ('"2 C2 hit"', '"2 C2 hit Galley"', "move 1: record hit Galley, engine hit"),
        ('"2 C2 refused"', '"2 C2 hit"', "move 20: record hit, engine refused"),
        ("winner = 1", "winner = 2", "move 90: record winner 2, engine winner 1"),
        ('ending = "fleet sunk"', 'ending = "resigned"', "move 90: record resigned, engine fleet sunk"),
        ('"1 I5 sunk Caravel",', '"1 I5 sunk Caravel", "2 A10 miss",', "move 91: .*, engine game over"),
        ('"1 I5 sunk Caravel",', "", "move 89: record fleet sunk, engine unfinished"),
    ],
)
def test_a_difference_is_told_with_both_sides(old: str, new: str, told: str) -> None:
    text = KINGDOMS.replace(old, new, 1)
    assert text != KINGDOMS
    difference = verify(parse_record(text))
    assert difference is not None
    assert re.fullmatch(told, str(difference)), str(difference)


@pytest.mark.parametrize(
    ("ending", "winner", "holds"),
    [
        (Ending.RESIGNED, 1, True),
        (Ending.RESIGNED, 0, False),
        (Ending.INACTIVITY, 0, True),
        (Ending.INACTIVITY, 2, True),
        (Ending.ABANDONED, 0, True),
        (Ending.ABANDONED, 1, False),
        (Ending.UNFINISHED, 0, True),
        (Ending.UNFINISHED, 2, False),
        (Ending.FLEET_SUNK, 1, False),
    ],
)
def test_a_game_that_did_not_end_by_itself(ending: Ending, winner: int, holds: bool) -> None:
    match = new_match("classic")
    play_on(match, Random(0), 5)
    record = msgspec.structs.replace(record_of(match), ending=ending, winner=winner)
    assert (verify(record) is None) is holds
