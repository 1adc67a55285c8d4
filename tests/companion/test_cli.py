"""The command line as a user types it, wrong words included."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from companion.captains import CAPTAINS
from companion.cli import COMMANDS, main
from tests.companion.program import PROGRAM, panel, run, shots

FRIENDS = ("--rules", "classic", "--against", "friend", "--players", "Ana", "Rui", "--seed", "1")


class Refuses(Protocol):
    """Runs a command that must be refused: exit 2, one line on standard error, nothing else; returns the line."""

    def __call__(self, *arguments: str) -> str: ...


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Refuses:
    def refuse(*arguments: str) -> str:
        assert main(arguments) == 2
        out, errors = capfd.readouterr()
        assert out == ""
        (line,) = errors.splitlines()
        assert "Traceback" not in line
        return line

    return refuse


# Help


def test_broadside_alone_prints_help_that_names_every_command() -> None:
    for arguments in ([], ["--help"], ["-h"], ["help"], ["--debug"]):
        answer = run(*arguments)
        assert (answer.returncode, answer.stderr) == (0, "")
        assert all(f"  {command.name} " in answer.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_helps_with_an_example(command: object, capsys: pytest.CaptureFixture[str]) -> None:
    name = command.name  # type: ignore[attr-defined]
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: broadside {name}")
    assert f"Example: broadside {name}" in text


def test_the_example_of_every_command_is_understood() -> None:
    """Its options exist: it is parsed, not run."""
    import importlib
    import shlex

    from companion.cli import Parser

    for command in COMMANDS:
        program, name, *rest = shlex.split(command.example)
        assert (program, name) == ("broadside", command.name)
        parser = Parser(prog=name)
        importlib.import_module(f"companion.commands.{name}").configure(parser)
        parser.parse_args(rest)


@pytest.mark.parametrize("arguments", [["--help"], ["games"], ["rules"], ["play", "--help"], ["export", "--help"]])
def test_what_needs_no_lights_imports_neither_numpy_nor_pygame(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom companion.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'pygame', 'PIL'} & set(sys.modules)), file=sys.stderr)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert answer.stderr == "[]\n"


def test_the_text_board_needs_neither_numpy_nor_pygame() -> None:
    code = (
        "import sys\nfrom companion.cli import main\n"
        f"main({['play', '--board', 'text', *FRIENDS]!r})\n"
        "print(sorted({'numpy', 'pygame', 'PIL'} & set(sys.modules)), file=sys.stderr)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ, input="1 A #\nshow\n"
    )
    assert answer.stderr == "[]\n"


def test_the_version_is_told() -> None:
    answer = run("--version")
    assert re.fullmatch(r"broadside \d+\.\d+\.\d+\n", answer.stdout)


# Wrong words


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["sail"], "no command 'sail'"),
        (["--fast"], "no command '--fast'"),
        (["play", "--fast"], "--fast"),
        (["play", "extra"], "extra"),
        (["play", "--board", "paper"], "paper"),
        (["play", "--board"], "--board"),
        (["play", "--seed", "one"], "--seed"),
        (["play", "--rules", "chess"], "no rule set 'chess'"),
        (["play", "--rules", "./nowhere.toml"], "nowhere.toml"),
        (["play", "--house", "no-ships"], "no-ships"),
        (["play", "--rules", "salvo", "--house", "extra-shot-on-hit"], "salvo"),
        (["play", "--rules", "kingdoms", "--house", "ships-may-touch"], "touch"),
        (["play", "--against", "queen"], "no opponent 'queen'"),
        (["play", "--against", "room"], "another device"),
        (["play", "--players", "Ana"], "--players"),
        (["play", "--board", "text", "--screenshot", "x.png"], "--board simulator"),
        (["play", "--board", "text", "--record", "x.gif"], "--board simulator"),
        (["play", "--board", "simulator", "--screenshot", "/nowhere/x.png"], "no folder"),
        (["play", "--board", "simulator", "--kit", "chair"], "chair"),
        (["play", "--board", "text", "--kit", "chair"], "chair"),
        (["demo", "--captains", "jack"], "--captains"),
        (["demo", "--captains", "jack", "queen"], "queen"),
        (["demo", "--games", "0"], "--games 0"),
        (["demo", "--games", "some"], "--games"),
        (["demo", "--rules", "chess"], "chess"),
        (["replay"], "FILE|GAME"),
        (["replay", "nowhere.toml"], "nowhere.toml"),
        (["replay", "7"], "7"),
        (["replay", "one.toml", "two.toml"], "--verify"),
        (["replay", "one.toml", "--speed", "0"], "--speed"),
        (["replay", "one.toml", "--speed", "-1"], "--speed"),
        (["replay", "one.toml", "--speed", "nan"], "--speed"),
        (["export"], "GAME"),
        (["export", "last"], "no game yet"),
        (["rules", "chess"], "chess"),
        (["games", "all"], "all"),
        (["stats", "--all"], "--all"),
        (["test", "engine"], "engine"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_words_are_one_line_and_exit_2(
    arguments: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refuses
) -> None:
    monkeypatch.chdir(tmp_path)
    assert part in refused(*arguments)


def test_the_program_itself_ends_with_exit_2_and_one_line() -> None:
    answer = run("play", "--rules", "chess")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert len(answer.stderr.splitlines()) == 1


def test_debug_shows_where_an_error_comes_from() -> None:
    answer = run("rules", "chess", "--debug")
    assert answer.returncode != 0
    assert "Traceback" in answer.stderr
    assert "find_ruleset" in answer.stderr


def test_nothing_is_opened_before_all_words_are_checked(household: Path, refused: Refuses) -> None:
    refused("play", "--rules", "chess")
    refused("play", "--players", "Ana", "ana")
    assert not household.exists()


@pytest.mark.parametrize(
    "names",
    [
        ("Ana", "Rui"),
        ("José María", "Zoë"),
        ("O'Neil", "Anne-Marie"),
        ("  Ana  ", "Rui"),
        ("李", "Åsa"),
        ("Player 1", "P2"),
    ],
)
def test_names_that_are_taken(names: tuple[str, str]) -> None:
    answer = run("play", "--board", "text", "--rules", "classic", "--against", "friend", "--players", *names)
    assert answer.returncode == 0
    assert answer.stdout.startswith(f"*> Classic: {names[0].strip()} against {names[1]}\n")


@pytest.mark.parametrize(
    "names",
    [
        ("", "Rui"),
        (" ", "Rui"),
        ("Ana", "Ana"),
        ("Ana", "ANA"),
        ("1Ana", "Rui"),
        ("A" * 17, "Rui"),
        ("A\x07na", "Rui"),
        ("A{na}", "R"),
    ],
)
def test_names_that_are_refused(names: tuple[str, str], refused: Refuses) -> None:
    refused("play", "--board", "text", "--rules", "classic", "--against", "friend", "--players", *names)


def test_a_person_called_like_the_captain_is_refused_before_a_game_begins() -> None:
    answer = run("play", "--board", "text", "--rules", "classic", "--against", "jack", "--players", "Jack", "Rui")
    assert "Both players are called Jack" in answer.stdout + answer.stderr
    assert run("games").stdout == ""


def test_a_reader_that_goes_away_is_no_error() -> None:
    """`broadside rules | true`."""
    process = subprocess.Popen([*PROGRAM, "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(20) in (0, 120)


# Boards


def test_auto_without_a_display_says_what_it_chose_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    answer = run("play", *FRIENDS, lines=["1 A"])
    assert answer.returncode == 0
    assert answer.stderr == "Board: text, since this is no Raspberry Pi and there is no display.\n"
    assert "AUTO" in answer.stdout


def test_auto_with_a_display_takes_the_simulator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    answer = run("play", *FRIENDS, "--screenshot", str(tmp_path / "a.png"))
    assert answer.returncode == 0
    assert answer.stderr.startswith("Board: simulator, since this is no Raspberry Pi")


def test_a_screenshot_without_a_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "picture.png"
    answer = run("play", "--board", "simulator", *FRIENDS, "--screenshot", str(file))
    assert answer.returncode == 0, answer.stderr
    assert file.read_bytes().startswith(b"\x89PNG")


def test_a_recording_of_a_demonstration_without_a_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    run("play", "--board", "text", *FRIENDS, lines=["1 A #", "2 A #", "1 D 1 1 #", "2 D 1 1 #", "1 D 2 1 #"])
    file = tmp_path / "game.gif"
    answer = run("replay", "last", "--board", "simulator", "--speed", "100", "--record", str(file))
    assert answer.returncode == 0, answer.stderr
    assert file.read_bytes().startswith(b"GIF8")


# Demonstrations and replays


@pytest.mark.parametrize("captain", list(CAPTAINS))
def test_every_captain_plays_a_demonstration_to_its_end(captain: str, household: Path) -> None:
    answer = run("demo", "--board", "text", "--captains", captain, "jack", "--seed", "1", lines=["show"])
    assert (answer.returncode, answer.stderr) == (0, "")
    told = answer.stdout.splitlines()
    assert len(shots(told)) >= 34
    assert [line for line in told if line.startswith("*> ") and line.endswith("wins: fleet sunk")]
    marks = [mark for seat in (1, 2) for row in panel(told, seat, "ocean") for mark in row]
    assert sum(mark in "Sx#" for mark in marks) == 34
    assert not (household / "journal.sqlite").exists(), "nothing of it is kept"


def test_a_seed_repeats_a_demonstration_and_games_are_counted() -> None:
    runs = [
        run("demo", "--board", "text", "--captains", "jack", "jack", "--games", "2", "--seed", seed) for seed in "557"
    ]
    assert runs[0].stdout == runs[1].stdout != runs[2].stdout
    assert runs[0].stdout.count("wins: fleet sunk") == 2


@pytest.mark.parametrize("house", [[], ["--house", "name-the-ship-hit"], ["--house", "extra-shot-on-hit"]])
def test_a_demonstration_by_house_rules(house: list[str]) -> None:
    answer = run(
        "demo", "--board", "text", "--captains", "jack", "ace", "--rules", "naval-warfare", *house, "--seed", "2"
    )
    assert answer.returncode == 0
    assert "wins: fleet sunk" in answer.stdout
    assert ("hit Carrier" in answer.stdout) == ("name-the-ship-hit" in house)


def test_a_kept_game_is_played_back_shot_by_shot(tmp_path: Path) -> None:
    lines = ["1 A #", "2 A #", "1 D 1 1 #", "2 D 1 1 #", "1 D 2 1 #", "1 hold * 7", "2 #", "1 D 3 1 #"]
    played = run("play", "--board", "text", "--rules", "kingdoms", *FRIENDS[2:], lines=lines)
    file = tmp_path / "game.toml"
    assert run("export", "last", str(file)).returncode == 0
    for source in ("last", "1", str(file)):
        answer = run("replay", source, "--board", "text", lines=["show"])
        assert (answer.returncode, answer.stderr) == (0, "")
        told = answer.stdout.splitlines()
        assert shots(told) == shots(played.stdout.splitlines())
        assert any("taken back" in line for line in told)
        assert "x" in answer.stdout or "o" in answer.stdout


def test_keys_do_nothing_in_a_replay() -> None:
    run("play", "--board", "text", *FRIENDS, lines=["1 A #", "2 A #", "1 D 1 1 #"])
    answer = run("replay", "last", "--board", "text", lines=["1 5", "2 hold *"])
    assert answer.stdout.splitlines()[-2:] == [
        "1> Ana plays this seat",
        "*> Close the window or end the program to leave",
    ]


def test_verify_gives_the_highest_code_and_a_line_for_each_bad_file(tmp_path: Path) -> None:
    run("play", "--board", "text", *FRIENDS, lines=["1 A #", "2 A #", "1 D 1 1 #", "2 D 1 1 #", "1 D 2 1 #"])
    good = tmp_path / "good.toml"
    run("export", "last", str(good))
    text = good.read_text("utf-8")
    spoilt, torn = tmp_path / "spoilt.toml", tmp_path / "torn.toml"
    moves = re.findall(r'"[12] [A-J]\d+ \w+"', text)
    result = "miss" if "hit" in moves[0] else "hit"
    spoilt.write_text(text.replace(moves[0], re.sub(r"\w+\"$", f'{result}"', moves[0])), "utf-8")
    torn.write_text(text[: len(text) // 2], "utf-8")
    assert run("replay", "--verify", str(good)).returncode == 0
    answer = run("replay", "--verify", str(good), str(spoilt))
    assert answer.returncode == 1
    assert re.fullmatch(rf"{re.escape(str(spoilt))}: move 1: record {result}, engine \w+\n", answer.stdout)
    answer = run("replay", "--verify", str(spoilt), str(torn), str(tmp_path / "nowhere.toml"))
    assert answer.returncode == 2
    assert len((answer.stdout + answer.stderr).splitlines()) == 3
    assert run("replay", "--board", "text", str(spoilt)).returncode == 1


# Rule sets


def test_rules_lists_shows_and_checks(tmp_path: Path, household: Path) -> None:
    listed = run("rules").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["classic", "salvo", "naval-warfare", "kingdoms"]
    shown = run("rules", "kingdoms").stdout
    assert "Carrack 5" in shown
    assert "ships may touch: no" in shown
    from importlib.resources import files

    text = (files("companion.game.rulesets") / "classic.toml").read_text("utf-8").replace('"Classic"', '"Ours"')
    file = tmp_path / "our-rules.toml"
    file.write_text(text, "utf-8")
    answer = run("rules", str(file))
    assert answer.returncode == 0
    assert answer.stdout.startswith("Ours (our-rules, checked)")
    (household / "rulesets").mkdir(parents=True)
    (household / "rulesets" / "our-rules.toml").write_text(text, "utf-8")
    (household / "rulesets" / "torn.toml").write_text("fleet = [", "utf-8")
    listed = run("rules").stdout.splitlines()
    assert listed[4].startswith("our-rules  Ours: 5 ships")
    assert listed[5].startswith("torn  cannot be played: ")
    played = run("play", "--board", "text", "--rules", "our-rules", *FRIENDS[2:], lines=["1 A #", "2 A #"])
    assert played.stdout.startswith("*> Ours: Ana against Rui")


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("may_touch = true", 'may_touch = "yes"', "may_touch"),
        ("may_touch = true", "", "may_touch"),
        ("may_touch = true", "may_touch = true\nmay_sink = true", "may_sink"),
        ('shots = "one"', 'shots = "many"', "shots"),
        ("length = 5", "length = 11", "11"),
        ("length = 5", "length = 0", "0"),
        ("count = 1", "count = 0", "count"),
        ("length = 5", "length = 10, sails = 3", "sails"),
        ("fleet = [", "fleet = []\nfleeting = [", "fleet"),
        ('title = "Classic"', "title = 5", "title"),
        ("fleet", "fleet = [[[", ""),
    ],
)
def test_a_rule_file_that_is_wrong_is_told_by_its_key(
    old: str, new: str, part: str, tmp_path: Path, refused: Refuses
) -> None:
    from importlib.resources import files

    text = (files("companion.game.rulesets") / "classic.toml").read_text("utf-8")
    assert old in text
    file = tmp_path / "wrong.toml"
    file.write_text(text.replace(old, new, 1), "utf-8")
    for command in (["rules", str(file)], ["play", "--board", "text", "--rules", str(file)]):
        line = refused(*command)
        assert part in line
        assert "wrong.toml" in line


@pytest.mark.parametrize("name", ["My Rules.toml", "classic.toml", "UPPER.toml", "a_b.toml"])
def test_a_rule_file_with_a_name_that_cannot_be_told(name: str, tmp_path: Path, refused: Refuses) -> None:
    (tmp_path / name).write_text("", "utf-8")
    assert name in refused("rules", str(tmp_path / name))


# Lines that cannot be read


def test_bytes_that_are_no_text_are_answered_and_the_game_goes_on() -> None:
    process = subprocess.run(
        [*PROGRAM, "play", "--board", "text", *FRIENDS],
        input=b"\xff\xfe\x00\n1 \xe2\x28\n1 A\necho on\n",
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    told = process.stdout.decode("utf-8", "replace").splitlines()
    assert sum(line.startswith("!> ") for line in told) == 2
    assert told[-1] == "*> on"
    assert process.stderr == b""


def test_a_terminal_without_the_letters_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii:strict")
    answer = run(
        "play",
        "--board",
        "text",
        *FRIENDS[:4],
        "--players",
        "Jose",
        "Åsa",
        "--seed",
        "1",
        lines=["1 A #", "2 A #", "echo on"],
    )
    assert answer.returncode == 0
    assert answer.stdout.splitlines()[-1] == "*> on"
