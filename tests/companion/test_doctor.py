"""`broadside doctor` as it is typed: lines or JSON, exit codes, recordings, and what was typed wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from companion.cli import main
from hardware.doctor.findings import Report
from hardware.doctor.recording import load_recording

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path / "home"))


def test_json_is_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor", "--json", "--board", "text"])
    told = capsys.readouterr().out
    report = msgspec.json.decode(told, type=Report, strict=True)
    assert report.board == "text"
    assert report.kit == "full"
    assert report.exit_code == code == 0
    assert set(json.loads(told)) == {"machine", "kit", "kit_file", "board", "ready", "findings"}
    assert all(set(finding) == {"check", "status", "found", "cure"} for finding in json.loads(told)["findings"])
    assert {finding["status"] for finding in json.loads(told)["findings"]} <= {"ok", "warning", "error"}


def test_a_kit_that_hangs_on_a_pi_is_an_error_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    if main(["doctor", "--kit", "full", "--board", "pi", "--json"]) == 0:
        pytest.skip("this is a Raspberry Pi that is ready")
    report = json.loads(capsys.readouterr().out)
    assert report["ready"] is False
    assert "error" in {finding["status"] for finding in report["findings"]}


def test_lines_for_people_and_the_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    assert main(["doctor", "--board", "text", "--record", str(path)]) == 0
    assert "Ready" in capsys.readouterr().out.splitlines()[-1]
    assert load_recording(path).space(str(tmp_path / "home")) is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kit", "ful"], "no kit 'ful'"),
        (["--board", "lamp"], "lamp"),
        (["--record", "/no/such/folder/file.toml"], "name another file"),
    ],
)
def test_what_cannot_be_done_is_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--board", "text", *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_a_broken_kit_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("kit = 1\n", encoding="utf-8")
    assert main(["doctor", "--kit", str(path)]) == 2
    assert str(path) in capsys.readouterr().err
