"""Which file a kit's name means: the household's own, one that was kept beside it, a shipped one; or none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.cli import main
from companion.errors import UserError
from companion.kits import find_kit, kit_path, shipped_kits
from hardware.kit import KitError
from tests.hardware.kits import changed_text, shipped, shipped_text


@pytest.fixture(autouse=True)
def kits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The household's folder of kits, still empty."""
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "kits"
    folder.mkdir(parents=True)
    return folder


def test_the_households_own_kit_comes_before_the_shipped_one(kits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert find_kit("full") == shipped("full")
    (kits / "full.toml").write_text(shipped_text("compact"))
    assert kit_path("full") == kits / "full.toml"
    assert find_kit("full") == shipped("compact")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("empty", [b"", b"\n", b"\0" * 4096])
def test_an_empty_file_does_not_hide_the_shipped_kit(
    empty: bytes, kits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (kits / "full.toml").write_bytes(empty)
    assert find_kit("full") == shipped("full")
    said = capsys.readouterr().err
    assert said == f"{kits / 'full.toml'} is empty: the kit full that comes with Broadside is used.\n"


def test_the_newest_kept_kit_stands_in_for_an_empty_file(kits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kits / "full.toml").touch()
    for number, text in ((2, "pin = 14"), (9, "pin = 15"), (10, "pin = 24")):
        (kits / f"full.toml.bak{number}").write_text(
            changed_text("full", ("pin = 25", text), ("23, 24, 8", "23, 9, 8"))
        )
    (kits / "full.toml.bak11").touch()
    (kits / "full.toml.bak-of-mine").write_text("no kit")
    buzzer = find_kit("full").buzzer
    assert buzzer is not None
    assert buzzer.pin == 24
    assert "full.toml.bak10, which was kept beside it, is used" in capsys.readouterr().err


def test_a_correction_of_a_kept_kit_goes_into_the_kit_itself(kits: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (kits / "full.toml").touch()
    (kits / "full.toml.bak1").write_text(shipped_text("full"))
    answers = iter(["calm\n", "calm\n", "flickers\n", "y\n"])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(answers))
    assert main(["test", "power", "--kit", "full", "--board", "text"]) == 0
    assert find_kit("full").power.budget_ma < 8000
    assert (kits / "full.toml.bak1").read_text() == shipped_text("full")


def test_an_empty_file_of_a_name_of_its_own_is_told(kits: Path) -> None:
    (kits / "mine.toml").touch()
    with pytest.raises(KitError, match="is empty"):
        find_kit("mine")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("folder.toml", "is a folder"),
        ("./folder", "is a folder"),
        ("./pipe", "a device or a pipe"),
        ("pipe.toml", "a device or a pipe"),
        ("/dev/null", "a device or a pipe"),
        ("none.toml", "There is no kit file"),
        ("none", "There is no kit 'none'"),
        ("n" * 300, "cannot be read"),
        ("n" * 300 + ".toml", "cannot be read"),
    ],
)
def test_what_is_no_kit_file_is_told_as_what_it_is(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("folder", "folder.toml"):
        Path(folder).mkdir()
    for pipe in ("pipe", "pipe.toml"):
        os.mkfifo(pipe)
    with pytest.raises(UserError, match=words):
        kit_path(name)


def test_every_shipped_kit_is_found_by_its_name() -> None:
    assert [find_kit(name) for name in shipped_kits()] == [shipped(name) for name in shipped_kits()]
