from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.files import write_atomically
from companion.settings import Settings, load_settings, save_settings, settings_path
from tests.companion.program import run

OURS = Settings(names=("Ana", "Rui"), kingdoms=("clubs", "diamonds"), brightness=40, sound=False, rules="kingdoms")


def write(text: str | bytes) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_bytes(text.encode() if isinstance(text, str) else text)


def test_a_household_without_choices_has_the_usual_ones() -> None:
    assert load_settings() == (Settings(), None)
    assert not settings_path().exists(), "reading writes nothing"


def test_what_is_saved_is_read_back() -> None:
    save_settings(OURS)
    assert load_settings() == (OURS, None)
    text = settings_path().read_text("utf-8")
    assert 'names = ["Ana", "Rui"]' in text
    assert "brightness = 40" in text


def test_what_is_not_changed_is_not_written() -> None:
    save_settings(OURS)
    before = settings_path().stat().st_mtime_ns, settings_path().stat().st_ino
    save_settings(OURS)
    assert (settings_path().stat().st_mtime_ns, settings_path().stat().st_ino) == before


def test_a_part_of_the_choices_is_enough() -> None:
    write('language = "pt"\n')
    settings, notice = load_settings()
    assert notice is None
    assert settings == Settings(language="pt")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", None),
        ("names = [", "could not be read"),
        ("\x00\x00\x00\x00", "could not be read"),
        (b"\xff\xfe", "it is not text in UTF-8"),
        ("brightness = 400", "Expected `int` <= 100 at brightness"),
        ('brightness = "bright"', "at brightness"),
        ("sound = 1", "at sound"),
        ('names = ["Ana"]', "at names"),
        ('names = ["Ana", "Rui", "Eva"]', "at names"),
        ('names = ["Ana\\nRui", "1"]', "no player's name"),
        ('names = ["Ana", "ana"]', "the same name"),
        ('kingdoms = ["hearts", "clubs"]', "at kingdoms[0]"),
        ("dim_after = -1", "at dim_after"),
        ("colour = 1", "unknown field `colour`"),
        ("names = " + "[" * 5000 + "]" * 5000, "nested too deep"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_a_sentence_and_the_usual_choices_stand(
    text: str | bytes, reason: str | None
) -> None:
    write(text)
    settings, notice = load_settings()
    assert settings == Settings()
    if reason is None:
        assert notice is None
        return
    assert notice is not None
    assert reason in notice
    assert notice.endswith("the usual settings are used.")
    assert "\n" not in notice
    assert settings_path().with_suffix(".toml.broken").exists(), "nothing is thrown away"


def test_the_mark_that_windows_editors_put_first_is_read_over() -> None:
    write(b"\xef\xbb\xbfbrightness = 40\r\n")
    assert load_settings() == (Settings(brightness=40), None)


def test_the_choices_before_are_used_where_the_newest_are_torn() -> None:
    save_settings(OURS)
    save_settings(Settings(names=("Ana", "Eva")))
    assert load_settings()[0].names == ("Ana", "Eva")
    for torn in ("", "names = ["):
        write(torn)
        settings, notice = load_settings()
        assert settings == OURS
        assert notice is not None
        assert notice.endswith("the settings before it are used.")


def test_saving_over_a_torn_file_keeps_the_good_choices_before_it() -> None:
    save_settings(OURS)
    save_settings(Settings(names=("Ana", "Eva")))
    write("")
    settings, _ = load_settings()
    settings.brightness = 60
    save_settings(settings)
    assert load_settings() == (settings, None)
    write("")
    assert load_settings()[0] == OURS, "an empty file is never the one before"


def test_the_program_says_what_is_wrong_and_plays_on() -> None:
    write("brightness = 400")
    answer = run("play", "--board", "text", "--rules", "classic", "--against", "friend", lines=["1 A", "echo on"])
    assert answer.returncode == 0
    assert "*> on" in answer.stdout
    (line,) = answer.stderr.splitlines()
    assert "brightness" in line
    again = run("play", "--board", "text", lines=["echo on"])
    assert again.stderr == "", "it is said once"


def test_a_disk_that_refuses_costs_a_sentence() -> None:
    settings_path().parent.parent.mkdir(parents=True, exist_ok=True)
    settings_path().parent.write_text("a file where the folder should be")
    with pytest.raises(UserError, match="cannot be written"):
        save_settings(OURS)


def test_a_folder_in_place_of_the_file_is_no_crash() -> None:
    settings_path().mkdir(parents=True)
    settings, notice = load_settings()
    assert settings == Settings()
    assert notice is None or "settings.toml" in notice
    with pytest.raises(UserError, match="cannot be written"):
        save_settings(OURS)


@pytest.mark.parametrize("at", ["fsync", "replace"])
def test_a_save_that_is_killed_in_the_middle_leaves_the_old_choices(at: str) -> None:
    save_settings(OURS)
    code = f"""
import os, signal, pathlib
from companion.settings import Settings, save_settings
def die(*_arguments, **_options):
    os.kill(os.getpid(), signal.SIGKILL)
if {at!r} == "fsync":
    os.fsync = die
else:
    pathlib.Path.replace = die
save_settings(Settings(names=("Torn", "Half")))
"""
    ended = subprocess.run([sys.executable, "-c", code], check=False, env=os.environ)
    assert ended.returncode == -signal.SIGKILL
    assert load_settings() == (OURS, None)
    save_settings(Settings(names=("Ana", "Eva")))
    assert load_settings()[0].names == ("Ana", "Eva")
    assert not list(settings_path().parent.glob(".*.new")), "nothing is left over"


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.toml"
    write_atomically(path, "old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["file.toml"]
