"""Backup and restore, through the command line: what comes back, and what is refused with nothing changed."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tracemalloc
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from companion.cli import main
from companion.game.events import GameBegan
from companion.game.ruleset import preset
from companion.journal import Archive, Journal, Setup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEGAN = GameBegan("classic", preset("classic"), (), ("Ann", "Bob"), 1)
KIT = 'kit = 1\ntitle = "Ours"\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "household"
    monkeypatch.setenv("BROADSIDE_HOME", str(folder))
    return folder


def fill(home: Path, games: int = 2) -> None:
    journal = Journal(home / "journal.sqlite")
    for seed in range(games):
        journal.begin(BEGAN, Setup(("person", "jack"), seed))
    journal.close()
    (home / "kits").mkdir()
    (home / "rulesets").mkdir()
    (home / "settings.toml").write_text('names = ["Ann", "Bob"]\n')
    (home / "kits" / "ours.toml").write_text(KIT)
    (home / "rulesets" / "quick.toml").write_text('based_on = "classic"\n')


def seeds(home: Path) -> list[int]:
    archive = Archive(home / "journal.sqlite")
    try:
        return [game.setup.seed for game in archive.games()]
    finally:
        archive.close()


def everything(folder: Path) -> dict[str, bytes]:
    """All files but the lock, whose text says who held it last."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "journal.lock"
    }


def members(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as archive:
        return {member.name: _content(archive, member) for member in archive}


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member)
    assert stream is not None
    return stream.read()


def pack(file: Path, contents: dict[str, bytes], *special: tarfile.TarInfo) -> None:
    with tarfile.open(file, "w:gz") as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for member in special:
            archive.addfile(member)


def test_a_new_card_gets_all_of_it(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(home)
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 0
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path / "new" / "card"))
    assert main(["restore", str(tmp_path / "b.tar.gz")]) == 0
    new = tmp_path / "new" / "card"
    assert seeds(new) == [1, 0]
    assert (new / "kits" / "ours.toml").read_text() == KIT
    assert (new / "rulesets" / "quick.toml").read_text() == 'based_on = "classic"\n'
    assert (new / "settings.toml").read_text() == 'names = ["Ann", "Bob"]\n'
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["card"]
    Journal(new / "journal.sqlite").close()


def test_a_backup_beside_a_running_game_is_consistent(home: Path, tmp_path: Path) -> None:
    fill(home)
    journal = Journal(home / "journal.sqlite")
    try:
        journal.begin(BEGAN, Setup(("person", "person"), 77))
        assert main(["backup", str(tmp_path / "b.tar.gz")]) == 0
        journal.begin(BEGAN, Setup(("person", "person"), 78))
    finally:
        journal.close()
    assert main(["restore", str(tmp_path / "b.tar.gz")]) == 0
    assert seeds(home) == [77, 1, 0]


def test_the_present_data_are_kept_aside(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(home)
    home.chmod(0o750)
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 0
    (home / "settings.toml").write_text('names = ["Cid", "Dot"]\n')
    (home / "kits" / "second.toml").write_text(KIT)
    before = everything(home)
    assert main(["restore", str(tmp_path / "b.tar.gz")]) == 0
    (aside,) = tmp_path.glob("household.before-*")
    assert everything(aside) == before
    assert str(aside) in capsys.readouterr().out
    assert (home / "settings.toml").read_text() == 'names = ["Ann", "Bob"]\n'
    assert not (home / "kits" / "second.toml").exists()
    assert home.stat().st_mode & 0o777 == 0o750


def test_a_running_game_is_not_replaced(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(home)
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 0
    journal = Journal(home / "journal.sqlite")
    try:
        assert main(["restore", str(tmp_path / "b.tar.gz")]) == 2
    finally:
        journal.close()
    assert "A game is running" in capsys.readouterr().err
    assert not list(tmp_path.glob("household.before-*"))
    assert not list(tmp_path.glob("household.restoring-*"))


def test_nothing_to_back_up(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 2
    assert "nothing to back up" in capsys.readouterr().err
    assert not home.exists()
    assert not list(tmp_path.iterdir())


def test_an_old_backup_is_never_written_over(home: Path, tmp_path: Path) -> None:
    fill(home)
    file = tmp_path / "b.tar.gz"
    file.write_text("precious")
    assert main(["backup", str(file)]) == 2
    assert file.read_text() == "precious"


def test_a_folder_that_cannot_be_written(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(home)
    assert main(["backup", str(tmp_path / "missing" / "b.tar.gz")]) == 2
    assert "cannot be written: No such file or directory." in capsys.readouterr().err


def test_a_damaged_journal_makes_no_backup(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(home)
    (home / "journal.sqlite").write_bytes(b"SQLite format 3\0" + os.urandom(5000))
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 2
    assert "cannot be copied" in capsys.readouterr().err
    assert not (tmp_path / "b.tar.gz").exists()


class TestRefused:
    """A file that is not a whole backup: one sentence, exit code 2, nothing changed."""

    @pytest.fixture(autouse=True)
    def unchanged(self, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
        fill(home)
        assert main(["backup", str(tmp_path / "good.tar.gz")]) == 0
        capsys.readouterr()
        before = everything(home)
        yield
        assert everything(home) == before
        assert not list(tmp_path.glob("household.before-*"))
        assert not list(tmp_path.glob("household.restoring-*"))

    @pytest.fixture
    def good(self, tmp_path: Path) -> Path:
        return tmp_path / "good.tar.gz"

    @pytest.fixture
    def refused(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Refusal:
        return Refusal(tmp_path / "bad.tar.gz", capsys)

    @pytest.mark.parametrize("part", [0, 10, 0.3, 0.9, 0.999])
    def test_torn(self, part: float, good: Path, refused: Refusal) -> None:
        whole = good.read_bytes()
        refused.file.write_bytes(whole[: int(part if part > 1 else part * len(whole))])
        refused.says("no backup of Broadside, or a part of it is missing")

    def test_another_files_bytes(self, refused: Refusal) -> None:
        refused.file.write_bytes(os.urandom(3000))
        refused.says("no backup of Broadside")

    def test_missing(self, refused: Refusal) -> None:
        refused.says("cannot be read: No such file or directory.")

    def test_a_flipped_bit(self, good: Path, refused: Refusal) -> None:
        changed = bytearray(good.read_bytes())
        changed[-6] ^= 1  # the checksum of gzip
        refused.file.write_bytes(changed)
        refused.says("no backup of Broadside, or a part of it is missing")

    def test_a_foreign_archive(self, refused: Refusal) -> None:
        pack(refused.file, {"holiday.jpg": b"sea"})
        refused.says("holds 'holiday.jpg', which no backup of Broadside does")

    def test_an_archive_without_a_list(self, good: Path, refused: Refusal) -> None:
        contents = members(good)
        del contents["broadside-backup.json"]
        pack(refused.file, contents)
        refused.says("no backup of Broadside;")

    @pytest.mark.parametrize("listing", [b"[]", b'{"format": 1, "files": [1]}', b"\xff", b"{}"])
    def test_a_list_that_is_none(self, listing: bytes, good: Path, refused: Refusal) -> None:
        pack(refused.file, members(good) | {"broadside-backup.json": listing})
        refused.says("no backup of Broadside;")

    @pytest.mark.parametrize("name", ["../settings.toml", "/etc/passwd", "kits/../../x.toml", "kits/a/b.toml", "notes"])
    def test_a_way_out_of_the_folder(self, name: str, good: Path, refused: Refusal) -> None:
        pack(refused.file, members(good) | {name: b""})
        refused.says("which no backup of Broadside does")

    @pytest.mark.parametrize(
        "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
    )
    def test_anything_but_files(self, kind: bytes, good: Path, refused: Refusal) -> None:
        member = tarfile.TarInfo("kits/link.toml")
        member.type, member.linkname = kind, "/etc/passwd"
        pack(refused.file, members(good), member)
        refused.says("holds 'kits/link.toml'")

    def test_the_same_file_twice(self, good: Path, refused: Refusal) -> None:
        pack(refused.file, members(good), tarfile.TarInfo("settings.toml"))
        refused.says("holds 'settings.toml'")

    def test_a_changed_file(self, good: Path, refused: Refusal) -> None:
        pack(refused.file, members(good) | {"settings.toml": b""})
        refused.says("is damaged")

    def test_a_file_too_few(self, good: Path, refused: Refusal) -> None:
        contents = members(good)
        del contents["settings.toml"]
        pack(refused.file, contents)
        refused.says("is damaged")

    def test_a_newer_format(self, good: Path, refused: Refusal) -> None:
        pack(refused.file, members(good) | {"broadside-backup.json": json.dumps({"format": 2, "files": {}}).encode()})
        refused.says("made by a newer Broadside")

    @pytest.mark.parametrize("wrong", ["names = [", "names = " + "[" * 5000 + "]" * 5000])
    def test_settings_that_are_not_toml(self, wrong: str, home: Path, refused: Refusal, tmp_path: Path) -> None:
        kept = (home / "settings.toml").read_text()
        (home / "settings.toml").write_text(wrong)
        assert main(["backup", str(refused.file)]) == 0
        (home / "settings.toml").write_text(kept)
        refused.says("settings.toml in")

    @pytest.mark.parametrize(
        ("spoil", "words"),
        [
            ("PRAGMA user_version = 99", "written by a newer Broadside"),
            ("PRAGMA application_id = 5", "no journal of Broadside"),
            ("UPDATE events SET event = '{}'", "cannot be read"),
        ],
    )
    def test_a_journal_that_is_not_ours(
        self, spoil: str, words: str, home: Path, refused: Refusal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = tmp_path / "other"
        fill(other)
        with closing(sqlite3.connect(other / "journal.sqlite")) as connection:
            connection.execute(spoil)
            connection.commit()
        monkeypatch.setenv("BROADSIDE_HOME", str(other))
        assert main(["backup", str(refused.file)]) == 0
        monkeypatch.setenv("BROADSIDE_HOME", str(home))
        refused.says(words)


class Refusal:
    """A file that restore must refuse."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = file
        self.capsys = capsys

    def says(self, words: str) -> None:
        self.capsys.readouterr()
        assert main(["restore", str(self.file)]) == 2
        error = self.capsys.readouterr().err
        assert words in error
        assert error.count("\n") == 1


def test_an_archive_made_to_fill_the_disk(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(home)
    monkeypatch.setattr("companion.backup_file.LARGEST", 10_000)
    pack(tmp_path / "bomb.tar.gz", {"settings.toml": bytes(20_000)})
    assert main(["restore", str(tmp_path / "bomb.tar.gz")]) == 2


def test_memory_stays_small_whatever_a_header_claims(home: Path, tmp_path: Path) -> None:
    """A name of 200 MB, packed into 200 kB: refused at its header."""
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 200 << 20
    zeros = zlib.compressobj(wbits=31)
    with (tmp_path / "bomb.tar.gz").open("wb") as file:
        file.write(zeros.compress(member.tobuf(tarfile.GNU_FORMAT)))
        for _ in range(200):
            file.write(zeros.compress(bytes(1 << 20)))
        file.write(zeros.flush())
    tracemalloc.start()
    try:
        assert main(["restore", str(tmp_path / "bomb.tar.gz")]) == 2
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8 << 20
    assert not home.exists()


def test_a_kit_of_many_megabytes(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack(tmp_path / "bomb.tar.gz", {"kits/large.toml": bytes(2 << 20)})
    assert main(["restore", str(tmp_path / "bomb.tar.gz")]) == 2
    assert "kits/large.toml in" in (said := capsys.readouterr().err)
    assert "is larger than 1 MB" in said
    assert not home.exists()


READ_ONLY = """
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
shift
exec "$@"
"""


@pytest.mark.parametrize("state", ["closed", "cut off", "cut off without its index", "running"])
def test_a_card_that_has_become_read_only(state: str, home: Path, tmp_path: Path) -> None:
    """The journal alone, with the log that a power cut leaves, and with a game that runs while the card fails."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounting needs root and unshare")
    fill(home)
    journal = Journal(home / "journal.sqlite")
    journal.begin(BEGAN, Setup(("person", "person"), 77))
    if state != "running":
        left = {path: path.read_bytes() for path in home.glob("journal.sqlite*")}
        assert len(left) == 3
        journal.close()
        if state.startswith("cut off"):
            for path, content in left.items():
                path.write_bytes(content)
        if state.endswith("index"):
            (home / "journal.sqlite-shm").unlink()
    before = everything(home)
    command = [unshare, "--mount", "sh", "-ec", READ_ONLY, "sh", str(home)]
    command += [sys.executable, "-m", "companion", "backup", str(tmp_path / "b.tar.gz")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    journal.close()
    assert state == "running" or everything(home) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".", "b."))] == ["b.tar.gz"]
    shutil.rmtree(home)
    assert main(["restore", str(tmp_path / "b.tar.gz")]) == 0
    assert seeds(home) == [77, 1, 0]


KILLED = """
import os, signal, sys
from companion.cli import main

def watch(event, arguments):
    if event == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
main(["restore", sys.argv[2]])
"""


@pytest.mark.parametrize(
    ("moment", "settings"),
    [("os.mkdir", "old"), ("os.chmod", "old"), ("ctypes.dlsym", "old"), ("os.rename", "new")],
    ids=["before unpacking", "after unpacking", "before the exchange", "after the exchange"],
)
def test_a_power_cut_leaves_old_or_new(moment: str, settings: str, home: Path, tmp_path: Path) -> None:
    fill(home)
    (home / "settings.toml").write_text("new = true\n")
    assert main(["backup", str(tmp_path / "b.tar.gz")]) == 0
    (home / "settings.toml").write_text("old = true\n")
    done = subprocess.run([sys.executable, "-c", KILLED, moment, str(tmp_path / "b.tar.gz")], check=False)
    assert done.returncode == -9
    assert (home / "settings.toml").read_text() == f"{settings} = true\n"
    assert seeds(home) == [1, 0]
    assert main(["restore", str(tmp_path / "b.tar.gz")]) == 0
    assert (home / "settings.toml").read_text() == "new = true\n"
