from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from companion.captains.figures import interval95, shots_summary
from companion.cli import main

RECORD = """
record = 1
ruleset = "kingdoms"
house_rules = []
players = ["Ana", "Rui"]
opener = 1
moves = []
winner = 0
ending = "unfinished"

[fleets]
1 = ["Carrack A1-A5", "Galley C1-F1", "Cog C3-E3", "Caravel G3-G5", "Barque J9-J10"]
2 = ["Carrack A2-A6", "Galley C1-F1", "Cog C3-E3", "Caravel G3-G5", "Barque J9-J10"]
"""


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["arena", *arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert isinstance(told, dict)
    return told


def without_times(told: dict[str, Any]) -> dict[str, Any]:
    """The figures that a seed repeats: all but the time taken."""
    kept = {key: value for key, value in told.items() if key != "ms_per_shot"}
    if "players" in kept:
        kept["players"] = [without_times(player) for player in kept["players"]]
    return kept


def test_solo_tells_shots_and_time(capsys: pytest.CaptureFixture[str]) -> None:
    told = figures(capsys, "--solo", "ace", "--rules", "kingdoms", "--games", "12", "--seed", "3", "--jobs", "1")
    assert list(told) == ["captain", "rules", "house_rules", "games", "seed", "shots", "ms_per_shot"]
    assert (told["captain"], told["rules"], told["house_rules"]) == ("ace", "kingdoms", [])
    assert (told["games"], told["seed"]) == (12, 3)
    assert list(told["shots"]) == ["mean", "se", "median", "p95"]
    assert 30 < told["shots"]["mean"] < 70
    assert 0 < told["ms_per_shot"]["mean"] <= told["ms_per_shot"]["max"]


def test_a_seed_repeats_the_games_in_any_number_of_processes(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["ace", "jack", "--rules", "naval-warfare", "--games", "21", "--seed", "8"]
    alone = figures(capsys, *arguments, "--jobs", "1")
    together = figures(capsys, *arguments, "--jobs", "2")
    other = figures(capsys, *arguments[:-1], "9", "--jobs", "1")
    assert without_times(alone) == without_times(together)
    assert without_times(alone) != without_times(other) | {"seed": 8}


def test_two_captains_share_the_wins(capsys: pytest.CaptureFixture[str]) -> None:
    told = figures(capsys, "jack", "ace", "--games", "20", "--house", "extra-shot-on-hit", "--jobs", "1")
    jack, ace = told["players"]
    assert jack["wins"] + ace["wins"] == 20
    assert ace["share"] > 0.5
    low, high = ace["interval95"]
    assert low < ace["share"] <= high
    assert told["house_rules"] == ["extra-shot-on-hit"]
    assert 0 <= told["opener"]["share"] <= 1


def test_captains_take_turns_to_open_where_the_rules_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Jack never beats Ace here, so the opener wins exactly those games that Ace opens: every other one."""
    told = figures(capsys, "jack", "ace", "--games", "20", "--rules", "naval-warfare", "--jobs", "1")
    assert told["players"][0]["wins"] == 0
    assert told["opener"]["wins"] == 10


def test_fleets_from_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.toml"
    record.write_text(RECORD, "utf-8")
    told = figures(capsys, "--solo", "ace", "--against-fleets", str(record))
    assert (told["rules"], told["games"]) == ("kingdoms", 2)
    told = figures(capsys, "jack", "ace", "--against-fleets", str(record), "--games", "3", "--jobs", "1")
    assert told["games"] == 3
    other = tmp_path / "other.toml"
    other.write_text(RECORD.replace("house_rules = []", 'house_rules = ["sinkings-unnamed"]'), "utf-8")
    assert main(["arena", "--solo", "ace", "--against-fleets", str(record), str(other)]) == 2
    assert "were played under different rules; choose with --rules." in capsys.readouterr().err
    assert main(["arena", "--solo", "ace", "--rules", "classic", "--against-fleets", str(record)]) == 2
    assert capsys.readouterr().err == (
        f"{record}: a fleet is not legal under classic: There is no Carrack in this fleet.\n"
    )


def test_a_plot_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "shots.svg"
    assert main(["arena", "jack", "ace", "--games", "15", "--jobs", "1", "--plot", str(plot)]) == 0
    assert "Ace wins" in capsys.readouterr().out
    root = ElementTree.fromstring(plot.read_text("utf-8"))
    assert root.tag.endswith("svg")
    for bar in root.iter("{http://www.w3.org/2000/svg}rect"):
        top, tall = float(bar.get("y", "0")), float(bar.get("height", "0"))
        assert top >= 0
        assert top + tall <= float(root.get("height", "0"))


def test_one_game_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "shots.svg"
    assert main(["arena", "--solo", "ace", "--games", "1", "--plot", str(plot)]) == 0
    assert capsys.readouterr().out.startswith("Ace alone: 1 game, classic, seed 1\n")
    assert "<title>1 game, classic</title>" in plot.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["king"], "Two captains play each other, named: 1; or let one play alone with --solo."),
        (["king", "ace", "jack"], "Two captains play each other, named: 3; or let one play alone with --solo."),
        (["king", "--solo", "ace"], "Name two captains or --solo CAPTAIN, not both; 'king' is one too many."),
        (["--solo", "queen"], "There is no captain 'queen'; there are jack, ace, king."),
        (["--solo", "ace", "--games", "0"], "--games is 0; at least one game is needed."),
        (["--solo", "ace", "--jobs", "0"], "--jobs is 0; at least one process is needed."),
        (
            ["--solo", "ace", "--against-fleets", "no.toml"],
            "The record no.toml cannot be read: No such file or directory.",
        ),
        (["--solo", "ace", "--plot", "no/where.svg"], "There is no folder no for the plot."),
        (["--solo", "ace", "--plot", "/"], "/ is a folder; name the file for the plot, such as /shots.svg."),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments]) == 2
    told = capsys.readouterr()
    assert told.err == said + "\n"
    assert told.out == ""


def test_the_interval_is_wilsons() -> None:
    """Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662, and 0 of 20 gives 0 to 0.1611."""
    assert interval95(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert interval95(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)


def test_shots_are_summed_up() -> None:
    assert shots_summary([]) is None
    assert shots_summary([40]) == {"mean": 40, "se": 0, "median": 40, "p95": 40}
    assert shots_summary(list(range(1, 101))) == {"mean": 50.5, "se": 2.901, "median": 50.5, "p95": 95}
