from __future__ import annotations

import resource
from pathlib import Path

import pytest

from companion.cli import main
from tests.hardware.kits import changed_text, shipped, shipped_text
from wiring.guide import guide_files


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with an empty household."""
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path / "home"))
    return place


def written(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run `broadside guide` with something wrong; return the one line that it says."""
    assert main(["guide", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_writes_the_guide_of_the_full_kit_into_a_folder_of_its_name(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["guide"]) == 0
    assert capsys.readouterr().out == "The guide for full is in broadside-guide-full: open guide.html, or print it.\n"
    assert [path.name for path in elsewhere.iterdir()] == ["broadside-guide-full"]
    assert written(elsewhere / "broadside-guide-full") == guide_files(shipped("full"), "full", shipped_text("full"))


def test_a_kit_file_of_ones_own_gives_its_own_guide(elsewhere: Path, tmp_path: Path) -> None:
    text = changed_text("full", ("pin = 25", "pin = 15"))
    kit = tmp_path / "mine.toml"
    kit.write_text(text, encoding="utf-8")
    assert main(["guide", "--kit", str(kit), "--out", str(tmp_path / "out")]) == 0
    files = written(tmp_path / "out")
    assert files["kit.toml"].decode() == text
    assert "GPIO15 | 10" in files["guide.md"].decode()
    assert "sudo broadside test leds --kit mine\n" in files["guide.md"].decode()


def test_the_households_kit_comes_before_the_shipped_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kits = tmp_path / "home" / "kits"
    kits.mkdir(parents=True)
    (kits / "full.toml").write_text(changed_text("full", ("pin = 25", "pin = 15")), encoding="utf-8")
    assert main(["guide", "--kit", "full", "--out", "out"]) == 0
    said = f"The guide for full ({kits / 'full.toml'}) is in out: open guide.html, or print it.\n"
    assert capsys.readouterr().out == said
    assert "GPIO15 | 10" in Path("out/guide.md").read_text(encoding="utf-8")


def test_replaces_a_guide_and_leaves_nothing_of_the_old_one(elsewhere: Path) -> None:
    assert main(["guide", "--kit", "full", "--out", "out"]) == 0
    assert main(["guide", "--kit", "pico", "--out", "out"]) == 0
    assert written(elsewhere / "out") == guide_files(shipped("pico"), "pico", shipped_text("pico"))
    assert [path.name for path in elsewhere.iterdir()] == ["out"]


def edit(kit: Path) -> bytes:
    """Change a kit file as a person would; return what it is now."""
    kit.write_text(kit.read_text(encoding="utf-8").replace("pin = 25", "pin = 15"), encoding="utf-8")
    return kit.read_bytes()


def test_a_kit_that_was_edited_in_the_guides_folder_is_kept(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {}
    for number in (1, 2):
        assert main(["guide", "--out", "out"]) == 0
        kept[f"kit-{number}.toml"] = edit(elsewhere / "out" / "kit.toml")
        capsys.readouterr()
        assert main(["guide", "--out", "out"]) == 0
        assert f"had been edited and is kept as kit-{number}.toml" in capsys.readouterr().out
    there = written(elsewhere / "out")
    assert there == guide_files(shipped("full"), "full", shipped_text("full")) | kept


def test_a_guide_of_the_edited_kit_itself_keeps_no_copy(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guide", "--out", "out"]) == 0
    edited = edit(elsewhere / "out" / "kit.toml")
    capsys.readouterr()
    assert main(["guide", "--kit", "out/kit.toml", "--out", "out"]) == 0
    assert "edited" not in capsys.readouterr().out
    assert {name for name in written(elsewhere / "out") if name.startswith("kit")} == {"kit.toml"}
    assert written(elsewhere / "out")["kit.toml"] == edited
    assert "GPIO15 | 10" in written(elsewhere / "out")["guide.md"].decode()


def test_an_edited_kit_outlives_a_run_that_was_killed(elsewhere: Path) -> None:
    assert main(["guide", "--out", "out"]) == 0
    edited = edit(elsewhere / "out" / "kit.toml")
    (elsewhere / "out").rename(elsewhere / ".out.old")
    assert main(["guide", "--out", "out"]) == 0
    assert written(elsewhere / "out")["kit-1.toml"] == edited


def test_writes_into_an_empty_folder(elsewhere: Path) -> None:
    (elsewhere / "empty").mkdir()
    assert main(["guide", "--out", "empty"]) == 0
    assert (elsewhere / "empty" / "guide.html").is_file()


def test_a_folder_with_something_else_in_it_is_left_alone(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = elsewhere / "photos"
    folder.mkdir()
    (folder / "cat.jpg").write_bytes(b"cat")
    assert "photos holds cat.jpg, which no guide wrote" in refusal(capsys, "--out", "photos")
    assert written(folder) == {"cat.jpg": b"cat"}


def test_a_guide_with_notes_in_it_is_left_alone(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guide", "--out", "out"]) == 0
    capsys.readouterr()
    (elsewhere / "out" / "drawings" / "my notes.txt").write_text("notes", encoding="utf-8")
    assert "drawings/my notes.txt, which no guide wrote" in refusal(capsys, "--out", "out")


def test_a_folder_that_only_looks_like_a_guide_is_left_alone(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = elsewhere / "out"
    folder.mkdir()
    (folder / "guide.html").write_text("my own", encoding="utf-8")
    assert "holds files that no guide wrote" in refusal(capsys, "--out", "out")
    assert written(folder) == {"guide.html": b"my own"}


def test_places_where_no_folder_can_be_are_refused(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (elsewhere / "file").write_text("", encoding="utf-8")
    assert "file is a file" in refusal(capsys, "--out", "file")
    assert "not the one that you are in" in refusal(capsys, "--out", ".")
    assert "There is no folder" in refusal(capsys, "--out", "not/there")


def test_a_kit_with_a_fault_makes_no_guide(elsewhere: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kit = tmp_path / "wrong.toml"
    kit.write_text(changed_text("full", ("pin = 13", "pin = 12")), encoding="utf-8")
    assert "GPIO12 (pin 32) is used twice" in refusal(capsys, "--kit", str(kit))
    assert "There is no kit 'nope'" in refusal(capsys, "--kit", "nope")
    assert list(elsewhere.iterdir()) == []


def test_a_place_that_cannot_be_written_gets_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/proc/self").exists():
        pytest.skip("there is no /proc here, where nobody can make a folder")
    assert "The guide cannot be written to /proc/guide (" in refusal(capsys, "--out", "/proc/guide")


def test_where_there_is_no_room_the_old_guide_stays_whole(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guide", "--kit", "pico", "--out", "out"]) == 0
    capsys.readouterr()
    before = written(elsewhere / "out")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        said = refusal(capsys, "--kit", "full", "--out", "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "make room there" in said
    assert written(elsewhere / "out") == before
    assert [path.name for path in elsewhere.iterdir()] == ["out"]


def test_a_run_mends_what_a_killed_one_left_behind(elsewhere: Path) -> None:
    assert main(["guide", "--out", "out"]) == 0
    (elsewhere / "out").rename(elsewhere / ".out.old")
    (elsewhere / ".out.new").mkdir()
    (elsewhere / ".out.new" / "guide.md").write_text("half", encoding="utf-8")
    assert main(["guide", "--out", "out"]) == 0
    assert [path.name for path in elsewhere.iterdir()] == ["out"]
    assert written(elsewhere / "out") == guide_files(shipped("full"), "full", shipped_text("full"))
