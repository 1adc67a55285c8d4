"""Whole games through the real program and its text board."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest

from companion.game.record import parse_record, verify
from tests.companion.program import TextGame, dial, panel, run, shots

FRIENDS = ("--against", "friend", "--players", "Ana", "Rui")


def whose_turn(told: list[str]) -> int:
    """The seat that is told to fire."""
    turns = [line for line in told if line[1:].startswith(("> Your turn", "> Another shot"))]
    return int(turns[-1][0])


def play_to_the_end(game: TextGame, told: list[str], chance: random.Random) -> list[str]:
    """Fire at random squares for both seats until somebody wins; wrong keys in between change nothing."""
    tried: dict[int, list[str]] = {}
    squares = [f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)]
    for seat in (1, 2):
        tried[seat] = chance.sample(squares, 100)
    while not any(line.startswith("*> ") and " wins: " in line for line in told):
        seat = whose_turn(told)
        due = [int(line.split("marks ")[1].split()[0]) for line in told if " marks " in line][-1:] or [0]
        if due[0]:
            marked = 0
            while marked < due[0]:
                answer = game.send(f"{seat} {dial(tried[seat].pop())} 5")
                marked += any("Marked" in line for line in answer)
            told = game.send(f"{seat} #")
            assert len(shots(told)) == due[0]
            continue
        square = tried[seat].pop()
        if chance.random() < 0.05:
            other = game.send(f"{3 - seat} 5")
            assert shots(other) == []
        answer = game.send(f"{seat} {dial(square)} #")
        if shots(answer):
            assert shots(answer)[0][0] == square
            told = answer
        else:
            assert any("open water" in line for line in answer)
    return told


@pytest.mark.parametrize("rules", ["classic", "salvo", "naval-warfare", "kingdoms"])
def test_a_whole_game_in_each_rule_set_whose_export_verifies(rules: str, tmp_path: Path) -> None:
    with TextGame("--rules", rules, *FRIENDS, "--new", "--seed", "1") as game:
        assert game.beginning[0].startswith("*> ")
        first = game.send("1 A #")
        told = first + game.send("2 A #")
        told = play_to_the_end(game, told, random.Random(7))
        assert [line for line in told if line.startswith("*> ") and line.endswith("wins: fleet sunk")]
        shown = game.send("show")
        loser = 2 if any("Ana wins" in line for line in told) else 1
        assert "S" in {mark for row in panel(shown, loser, "target") for mark in row}
        assert game.end() == 0
    file = tmp_path / "game.toml"
    assert run("export", "last", str(file)).returncode == 0
    record = parse_record(file.read_text("utf-8"))
    assert verify(record) is None
    assert record.rules == rules
    verified = run("replay", "--verify", str(file))
    assert (verified.returncode, verified.stdout) == (0, "")
    listed = run("games").stdout.splitlines()
    assert listed[0].startswith("1 ")
    assert "wins: fleet sunk" in listed[0]
    assert "Ana" in run("stats").stdout


def test_twenty_pulled_plugs_in_a_row_lose_no_shot() -> None:
    chance = random.Random(5)
    squares = chance.sample([f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)], 100)
    told: list[tuple[str, str]] = []
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "2") as game:
        game.send("1 A #")
        turn = whose_turn(game.send("2 A #"))
        game.kill()
    by_seat: dict[int, list[str]] = {1: list(squares), 2: list(squares)}
    for _ in range(20):
        with TextGame() as game:
            assert shots(game.beginning) == []
            turn = whose_turn(game.beginning)
            for _ in range(chance.randint(1, 3)):
                answer = game.send(f"{turn} {dial(by_seat[turn].pop())} #")
                told += shots(answer)
                turn = whose_turn(answer)
            game.kill()
    record = parse_record(run("export", "last").stdout)
    assert [(shot.square.name, shot.result) for move in record.moves if move for shot in move.shots] == told
    assert len(told) >= 20


def test_a_kill_at_any_moment_keeps_every_shot_that_was_shown() -> None:
    """The plug is pulled while lines are still being carried out; what was told must be in the journal."""
    chance = random.Random(11)
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "3") as game:
        game.send("1 A #")
        game.send("2 A #")
        game.end()
    squares = iter([f"{column}{row}" for row in range(1, 11) for column in "ABCDEFGHIJ"])
    shown: list[tuple[str, str]] = []
    for _ in range(5):
        with TextGame() as game:
            process = game._process
            assert process.stdin is not None
            assert process.stdout is not None
            for _ in range(8):
                keys = f"{dial(next(squares))} #"
                process.stdin.write(f"1 {keys}\n2 {keys}\n")
            process.stdin.flush()
            time.sleep(chance.uniform(0.0, 0.05))
            process.kill()
            rest = process.stdout.read().splitlines()
            shown += [
                (line[3:].split(": ")[0], line.split(": ")[1])
                for line in rest
                if line[:3] == "1> " and ": " in line and line.split(": ")[1] in ("miss", "hit")
            ]
    record = parse_record(run("export", "last").stdout)
    kept = [(shot.square.name, shot.result) for move in record.moves if move for shot in move.shots]
    assert set(shown) <= set(kept)


def test_take_back_as_the_menu_offers_it() -> None:
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        turn = whose_turn(game.send("2 A #"))
        told = game.send(f"{turn} D 2 7 #")
        assert shots(told)[0][0] == "B7"
        game.send("1 hold * 7")
        told = game.send("2 #")
        assert whose_turn(told) == turn
        assert {mark for row in panel(game.send("show"), turn, "target") for mark in row} == {"."}
        assert game.send("1 hold * 7")[-1] == "1> There is no shot to take back yet"
        told = game.send(f"{turn} D 2 7 #")
        game.send("1 hold * 7")
        told = game.send("2 *")
        assert whose_turn(told) == 3 - turn
    record = parse_record(run("export", "last").stdout)
    assert record.moves[1] is None
    assert len(record.moves) == 3


def test_placing_by_hand_and_the_ghost() -> None:
    with TextGame("--rules", "kingdoms", *FRIENDS, "--seed", "1") as game:
        ocean = panel(game.send("show 1"), 1, "ocean")
        assert ocean[0][:6] == ["?", "?", "?", "?", "?", "."]
        assert "2> " not in "".join(game.send("1 5"))
        ocean = panel(game.send("show 1"), 1, "ocean")
        assert ocean[0] == [*"SSSSS.????"]
        told = game.send("1 4 5")
        assert any("doesn't fit: overlaps" in line or "touches the Carrack" in line for line in told)
        ocean = panel(game.send("show 1"), 1, "ocean")
        assert ocean[0] == [*"SSSSS!!!!."]
        told = game.send("1 D 1 3 0")
        assert told[-1] == "1> Galley on A3: fits"
        game.send("1 5")
        told = game.send("1 D 0 0")
        assert told[-1] == "1> Doesn't fit: off the grid"
        game.send("1 D 1 8 5 D 3 8 5 D 5 8 0")
        told = game.send("1 D 5 8 5")
        told += game.send("show 1")
        told = game.send("1 D 1 1 C")
        assert any("Carrack" in line for line in told)
        assert game.send("1 *")[0] == "1> * does nothing now"


def test_a_friends_move_is_refused_out_of_turn() -> None:
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        turn = whose_turn(game.send("2 A #"))
        answer = game.send(f"{3 - turn} 5")
        assert answer == [f"{3 - turn}> It is {('Ana', 'Rui')[turn - 1]}'s turn"]


def test_a_line_that_cannot_be_read_changes_nothing() -> None:
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        before = game.send("show")
        for line in ("fire B7", "3 5", "1", "1 E", "1 27", "1 hold", "show 3", "show 1 2", "hold *", "1 A #x", "Ａ"):
            answer = game.send(line)
            assert len(answer) == 1, line
            assert answer[0].startswith("!> "), line
        assert game.send("show") == before
        assert game.send("") == []


def test_upper_and_lower_case_are_the_same() -> None:
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        assert any("AUTO" in line for line in game.send("1 a"))
        assert any("Menu" in line for line in game.send("1 HOLD *"))
        assert game.send("SHOW 2")[0] == "seat 2 target"
        assert game.send("Echo Word") == ["*> Word"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_program_with_the_game_kept(number: signal.Signals) -> None:
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        game._process.send_signal(number)
        assert game._finish() == 0
    with TextGame() as game:
        assert game.beginning[0].startswith("*> Going on: Classic")
        assert "S" in {mark for row in panel(game.send("show 1"), 1, "ocean") for mark in row}


def test_a_reader_that_goes_away_ends_the_program_quietly() -> None:
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        process = game._process
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdout.close()
        process.stdin.write("1 A\n1 A\n1 A\n")
        process.stdin.flush()
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
        process.stdout = None


def test_a_seed_repeats_the_whole_game_also_across_a_pulled_plug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = []
    for n, killed in enumerate((False, True)):
        monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path / str(n)))
        with TextGame("--rules", "classic", "--against", "jack", "--seed", "9") as game:
            game.send("1 A #")
            for column in range(1, 6):
                game.send(f"1 D {column} 1 #")
            if killed:
                game.kill()
        if killed:
            with TextGame() as game:
                for column in range(6, 10):
                    game.send(f"1 D {column} 1 #")
        else:
            with TextGame() as game:
                for column in range(6, 10):
                    game.send(f"1 D {column} 1 #")
        records.append(run("export", "last").stdout)
    assert records[0] == records[1]
    assert len(parse_record(records[0]).moves) > 15


def test_new_gives_the_kept_game_up() -> None:
    run("play", "--board", "text", "--rules", "classic", *FRIENDS, "--seed", "1", lines=["1 A #", "2 A #", "quit"])
    run("play", "--board", "text", "--rules", "salvo", *FRIENDS, "--new", lines=["quit"])
    lines = run("games").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["2", "1"]
    assert lines[0].endswith("goes on")
    assert lines[1].endswith("abandoned")


def test_other_rules_or_another_opponent_than_the_kept_games_are_refused() -> None:
    run("play", "--board", "text", "--rules", "classic", *FRIENDS, lines=["quit"])
    for options in (["--rules", "salvo"], ["--against", "jack"], ["--house", "ships-never-touch"]):
        answer = run("play", "--board", "text", *options)
        assert answer.returncode == 2
        assert "--new" in answer.stderr
        assert len(answer.stderr.splitlines()) == 1
        assert answer.stdout == ""
    again = run("play", "--board", "text", "--rules", "classic", "--against", "friend")
    assert again.returncode == 0
    assert again.stdout.startswith("*> Going on")


def test_leaving_asks_first_and_counts_as_a_loss() -> None:
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        game.send("2 A #")
        told = game.send("1 hold * 8")
        assert told[-1].endswith("# yes, * no")
        assert game.send("1 *") == ["1> The game goes on"]
        game.send("1 hold * 8")
        assert game.send("1 #")[0] == "*> Rui wins: resigned"
        assert any("is asked" in line for line in game.send("1 #"))
        told = game.send("2 #")
        assert told[0].startswith("*> Classic: Ana against Rui")
        game.send("1 A")
        assert game.end() == 0
    assert len(run("games").stdout.splitlines()) == 2


def test_the_next_opener_opens_the_rematch() -> None:
    with TextGame("--rules", "kingdoms", *FRIENDS, "--seed", "1") as game:
        for first in (1, 2):
            game.send("1 A #")
            assert whose_turn(game.send("2 A #")) == first
            game.send("1 hold * 8")
            game.send("1 #")
            game.send("1 #")
            game.send("2 #")


def test_the_lobby_asks_for_what_is_missing() -> None:
    with TextGame("--rules", "classic") as game:
        assert game.beginning[0].startswith("*> Opponent: 1 Jack")
        assert any("Classic: Player 1 against Jack" in line for line in game.send("1 1"))
    run("play", "--board", "text", "--rules", "classic", "--against", "jack", "--new", lines=["quit"])
    with TextGame("--against", "jack", "--new") as game:
        assert game.beginning[0].startswith("*> Rules: 1 Classic")
        assert any("Naval Warfare: Player 1 against Jack" in line for line in game.send("2 3"))


def test_the_lobby_asks_for_everything_and_keeps_the_choices() -> None:
    with TextGame() as game:
        game.send("1 4")
        game.send("1 4")
        game.send("1 2")
        told = game.send("1 1 2 6 2 #")
        assert any("Name: Am" in line for line in told)
        assert any("Players: Ama and Player 2" in line for line in told)
        told = game.send("2 #")
        assert told[0] == "*> Kingdoms: Ama against Player 2"
    from companion.settings import load_settings

    settings, notice = load_settings()
    assert notice is None
    assert (settings.names[0], settings.rules, settings.against) == ("Ama", "kingdoms", "friend")
    assert settings.kingdoms == ("clubs", "diamonds")


def test_looking_back_at_any_time() -> None:
    with TextGame("--rules", "kingdoms", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        game.send("2 A #")
        assert game.send("2 B") == ["2> There are no shots to look back on yet"]
        told = game.send("1 D 2 7 #")
        result = shots(told)[0][1]
        assert game.send("1 B") == [f"1> Your shot 1 of 1: B7 {result}"]
        assert shots(game.send("1 B")) == []


def test_portuguese_is_spoken_and_results_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_PT.UTF-8")
    with TextGame("--rules", "classic", *FRIENDS, "--seed", "1") as game:
        assert game.beginning[0] == "*> Clássico: Ana contra Rui"
        game.send("1 A #")
        game.send("2 A #")
        told = game.send("2 D 2 7 #") + game.send("1 D 2 7 #")
        assert len(shots(told)) == 2


def test_no_caption_of_a_salvo_begins_like_a_told_shot() -> None:
    with TextGame("--rules", "salvo", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        turn = whose_turn(game.send("2 A #"))
        answer = game.send(f"{turn} D 1 1 5 D 2 1 5 D 3 1 5 D 4 1 5 D 5 1 5")
        assert answer[-1] == f"{turn}> Marked 5 of 5: # fires"
        assert shots(answer) == []
        assert len(shots(game.send(f"{turn} #"))) == 5


def test_5_says_yes_to_a_question_as_well() -> None:
    with TextGame("--rules", "kingdoms", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        game.send("2 A #")
        game.send("1 D 1 1 #")
        game.send("1 hold * 7")
        assert game.send("2 5")[0] == "*> The last shot is taken back"
        game.send("1 hold * 8")
        assert game.send("1 5")[0] == "*> Rui wins: resigned"


def test_looking_back_over_an_open_menu() -> None:
    with TextGame("--rules", "kingdoms", *FRIENDS, "--seed", "1") as game:
        game.send("1 A #")
        game.send("2 A #")
        result = shots(game.send("1 D 1 1 #"))[0][1]
        game.send("1 hold *")
        assert game.send("1 B") == [f"1> Your shot 1 of 1: A1 {result}"]
        assert game.send("1 5") == ["1> Sound is off"]


def test_a_replay_tells_the_end_with_the_last_salvo() -> None:
    record = Path(__file__).parents[1] / "conformance" / "good" / "salvo-1.toml"
    told = run("replay", str(record), "--board", "text").stdout.splitlines()
    assert told[-1].endswith("wins: fleet sunk")
    assert shots(told[-3:-1]) != []


def test_debug_shows_the_traceback_and_the_exit_code_stays() -> None:
    answer = run("export", "99", "--debug")
    assert answer.returncode == 2
    assert "Traceback" in answer.stderr
    assert answer.stderr.splitlines()[-1].startswith("There is no game")


def test_a_game_that_goes_on_looks_as_it_did() -> None:
    with TextGame("--rules", "salvo", *FRIENDS, "--seed", "1") as game:
        game.send("1 0 6 6 5")
        before = game.send("show")
        game.kill()
    with TextGame() as game:
        assert game.send("show") == before
        game.send("1 A #")
        turn = whose_turn(game.send("2 A #"))
        other = 3 - turn
        for seat, row in ((turn, 1), (other, 2)):
            game.send(f"{seat} D 1 {row} 5 D 2 {row} 5 D 3 {row} 5 D 4 {row} 5 D 5 {row} 5 #")
        game.send(f"{turn} D 7 7 5")
        before = game.send("show")
        assert any("[*]" in line for line in before)
        game.kill()
    with TextGame() as game:
        assert game.send("show") == before


def test_a_kept_game_keeps_its_players_and_says_so() -> None:
    run("play", "--board", "text", "--rules", "classic", *FRIENDS, lines=["quit"])
    again = run("play", "--board", "text", "--players", "Eva", "Leo")
    assert again.stdout.startswith("*> Going on: Classic, Ana against Rui")
    assert again.stderr.splitlines() == [
        "The kept game goes on with its own players; --players counts from the next one on."
    ]
