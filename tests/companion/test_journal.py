"""The journal's promises: what was shown is kept, and what is there is never overwritten."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from companion import journal as journal_module
from companion.commands.stats import tally
from companion.game.events import (
    Ending,
    Event,
    Fire,
    FleetConfirmed,
    FleetDrawn,
    GameBegan,
    GameEnded,
    ShotsTold,
)
from companion.game.record import parse_record
from companion.game.squares import SQUARES
from companion.journal import APPLICATION_ID, MIGRATIONS, Archive, Journal, JournalError, Setup, journal_path
from companion.settings import Settings, save_settings
from tests.companion.game.strategies import new_match, play_on
from tests.companion.program import PROGRAM, TextGame, run, shots

PEOPLE = Setup(("person", "person"), 1)

FRIENDS = ("--rules", "classic", "--against", "friend", "--players", "Ana", "Rui", "--seed", "1")


def some_events(moves: int = 10) -> list[Event]:
    """The events of a game from its beginning on."""
    match = new_match("classic", seed=3)
    play_on(match, Random(1), moves)
    return [*match.moves]


def keep_a_game(journal: Journal, moves: int = 10) -> int:
    """Keep a game with some told moves; return its number."""
    match = new_match("classic", seed=3)
    number = journal.begin(match.began, PEOPLE)
    play_on(match, Random(1), moves)
    journal.append(number, 1, match.moves)
    return number


@pytest.fixture
def journal() -> Iterator[Journal]:
    opened = Journal()
    yield opened
    opened.close()


def set_aside() -> list[str]:
    return sorted(path.name for path in journal_path().parent.glob("*.set-aside-*"))


def rows(query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(journal_path())
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


# What is kept


def test_one_row_an_event_and_synchronous_full(journal: Journal) -> None:
    keep_a_game(journal, moves=10)
    assert rows("SELECT count(*) FROM events") == [(11,)]
    assert rows("SELECT number FROM events ORDER BY number") == [(n,) for n in range(11)]
    assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert rows("PRAGMA application_id") == [(APPLICATION_ID,)]
    assert rows("PRAGMA user_version") == [(len(MIGRATIONS),)]


def test_what_was_appended_is_read_back_by_another_connection_at_once(journal: Journal) -> None:
    keep_a_game(journal, moves=7)
    (kept,) = Archive().games()
    assert [type(event) for event in kept.events] == [GameBegan] + [ShotsTold] * 7
    assert kept.setup == PEOPLE
    assert kept.ended is None
    assert kept == journal.unfinished()


def test_the_events_of_one_command_are_kept_together_or_not_at_all(journal: Journal) -> None:
    number = keep_a_game(journal, moves=2)
    events = (*some_events(1), GameEnded(1, Ending.RESIGNED))
    with pytest.raises(JournalError, match="cannot be kept"):
        journal.append(number, 2, (*events, *events))
    assert rows("SELECT count(*) FROM events") == [(3,)]
    assert rows("SELECT ending FROM games") == [(None,)]
    journal.append(number, 3, events)
    assert rows("SELECT winner, ending FROM games") == [(1, "resigned")]
    assert journal.unfinished() is None


def test_the_newest_unfinished_game_goes_on_and_can_be_abandoned(journal: Journal) -> None:
    assert journal.unfinished() is None
    first = keep_a_game(journal, 3)
    second = keep_a_game(journal, 4)
    kept = journal.unfinished()
    assert kept is not None
    assert kept.game == second > first
    journal.abandon(kept)
    (newest, _older) = Archive().games()
    assert newest.ended == GameEnded(0, Ending.ABANDONED)


def test_numbers_of_games_are_never_used_twice(journal: Journal) -> None:
    numbers = [keep_a_game(journal, 1) for _ in range(3)]
    journal._connection.execute("DELETE FROM events WHERE game = 3")
    journal._connection.execute("DELETE FROM games WHERE game = 3")
    assert [*numbers, keep_a_game(journal, 1)] == [1, 2, 3, 4]


# Two processes


def test_the_second_process_is_told_who_holds_the_journal() -> None:
    with TextGame(*FRIENDS) as game:
        answer = run("play", "--board", "text")
        assert answer.returncode == 2
        assert answer.stdout == ""
        assert len(answer.stderr.splitlines()) == 1
        assert f"Broadside, process {game.pid}" in answer.stderr
        assert any("AUTO" in line for line in game.send("1 A")), "the first one plays on"
    assert run("play", "--board", "text").returncode == 0, "a killed one holds nothing"


def test_reading_beside_a_game_that_runs() -> None:
    with TextGame(*FRIENDS) as game:
        for line in ("1 A #", "2 A #"):
            game.send(line)
        told = []
        for number, square in enumerate(("1 1", "1 2", "1 3", "1 4")):
            told += shots(game.send(f"{1 + number % 2} D {square} #")) + shots(
                game.send(f"{2 - number % 2} D {square} #")
            )
            record = parse_record(run("export", "last").stdout)
            assert [(shot.square.name, shot.result) for move in record.moves if move for shot in move.shots] == told
        listed = run("games")
        assert (listed.returncode, listed.stderr) == (0, "")
        assert "goes on" in listed.stdout


def _hammer(path: Path, count: int) -> None:
    opened = Journal(path)
    match = new_match("classic", seed=3)
    number = opened.begin(match.began, PEOPLE)
    for place in range(1, count + 1):
        opened.append(number, place, (ShotsTold(1, ()),))
    os._exit(0)


def test_a_reader_never_sees_half_of_anything(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    writer = multiprocessing.get_context("fork").Process(target=_hammer, args=(path, 200))
    writer.start()
    seen = [0]
    while writer.is_alive() or seen[-1] == 0:
        archive = Archive(path)
        seen.append(max((len(kept.events) for kept in archive.games()), default=0))
        archive.close()
    writer.join()
    assert seen == sorted(seen)
    archive = Archive(path)
    assert [len(kept.events) for kept in archive.games()] == [201]
    archive.close()


# What is not a journal


def contents() -> bytes:
    return journal_path().read_bytes()


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda path: path.write_bytes(b"not a database, but 40 bytes of something"), "is damaged"),
        (lambda path: path.write_bytes(bytes(4096)), "is damaged"),
        (lambda path: path.write_text("x"), "is damaged"),
    ],
    ids=["text", "zeros", "one byte"],
)
def test_a_torn_file_is_set_aside_whole(make: object, fault: str) -> None:
    journal_path().parent.mkdir(parents=True)
    make(journal_path())  # type: ignore[operator]
    before = contents()
    opened = Journal()
    (notice,) = opened.notices
    assert fault in notice
    assert "journal.sqlite.set-aside-1" in notice
    assert (journal_path().parent / "journal.sqlite.set-aside-1").read_bytes() == before
    keep_a_game(opened)
    opened.close()
    (kept,) = Archive().games()
    assert len(kept.events) == 11


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_journal_that_lost_its_end_is_set_aside_with_its_log(part: float) -> None:
    opened = Journal()
    for _ in range(5):
        keep_a_game(opened, 60)
    opened.close()
    whole = contents()
    journal_path().write_bytes(whole[: int(len(whole) * part)])
    opened = Journal()
    opened.close()
    assert len(opened.notices) == 1
    assert set_aside()[0] == "journal.sqlite.set-aside-1"
    assert list(Archive().games()) == []


def test_several_torn_files_are_all_kept() -> None:
    journal_path().parent.mkdir(parents=True)
    for number in (1, 2, 3):
        journal_path().write_bytes(b"torn" * number)
        Journal().close()
        assert len(set_aside()) == number
    folder = journal_path().parent
    assert [(folder / name).read_bytes() for name in set_aside()] == [b"torn" * n for n in (1, 2, 3)]


def test_another_programs_database_is_set_aside_untouched() -> None:
    journal_path().parent.mkdir(parents=True)
    connection = sqlite3.connect(journal_path())
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.execute("INSERT INTO recipes VALUES ('bread')")
    connection.commit()
    connection.close()
    opened = Journal()
    opened.close()
    assert "is not a journal of Broadside" in opened.notices[0]
    connection = sqlite3.connect(journal_path().parent / set_aside()[0])
    assert connection.execute("SELECT name FROM recipes").fetchall() == [("bread",)]
    connection.close()


def test_an_empty_file_is_a_new_journal() -> None:
    journal_path().parent.mkdir(parents=True)
    journal_path().touch()
    assert list(Archive().games()) == []
    opened = Journal()
    assert opened.notices == []
    keep_a_game(opened)
    opened.close()


def test_the_log_of_an_emptied_file_is_not_thrown_away() -> None:
    opened = Journal()
    keep_a_game(opened)
    log = journal_path().with_name("journal.sqlite-wal").read_bytes()
    assert log
    opened.close()
    journal_path().write_bytes(b"")
    journal_path().with_name("journal.sqlite-wal").write_bytes(log)
    opened = Journal()
    opened.close()
    assert "is empty beside its log" in opened.notices[0]
    assert (journal_path().parent / "journal.sqlite.set-aside-1-wal").read_bytes() == log


def test_a_journal_in_use_by_another_program_is_left_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Journal()
    keep_a_game(opened)
    opened.close()
    other = sqlite3.connect(journal_path(), isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("UPDATE games SET winner = 0")
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **options | {"timeout": 0.05}))
    with pytest.raises(JournalError, match="cannot be read now"):
        Journal()
    other.execute("ROLLBACK")
    other.close()
    assert set_aside() == []
    opened = Journal()
    assert opened.unfinished() is not None
    opened.close()


def test_a_file_of_a_running_program_says_what_is_wrong_and_goes_on() -> None:
    journal_path().parent.mkdir(parents=True)
    journal_path().write_bytes(b"torn in the middle")
    answer = run("play", "--board", "text", *FRIENDS, lines=["1 A #", "2 A #", "echo on"])
    assert answer.returncode == 0
    assert "was set aside as journal.sqlite.set-aside-1, and a new journal begins" in answer.stderr
    assert "*> on" in answer.stdout
    for command in ("games", "stats"):
        assert run(command).returncode == 0


@pytest.mark.parametrize("command", [["games"], ["stats"], ["export", "last"], ["replay", "last"]])
def test_reading_a_torn_journal_is_one_clear_sentence(command: list[str]) -> None:
    journal_path().parent.mkdir(parents=True)
    journal_path().write_bytes(b"torn in the middle, at some length, so that it is a file")
    answer = run(*command)
    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1
    assert "broadside play sets" in answer.stderr
    assert contents() == b"torn in the middle, at some length, so that it is a file"


def test_a_game_that_cannot_be_read_is_named() -> None:
    opened = Journal()
    keep_a_game(opened)
    opened._connection.execute("UPDATE events SET event = '{}' WHERE number = 4")
    with pytest.raises(JournalError, match="Game 1 of the journal cannot be read"):
        opened.unfinished()
    opened.close()


# Versions


def test_a_newer_journal_is_refused_and_left_alone() -> None:
    opened = Journal()
    keep_a_game(opened)
    opened._connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    opened.close()
    before = contents()
    for read in (Journal, Archive):
        with pytest.raises(JournalError, match=r"[Uu]pdate Broadside"):
            read()
    assert contents() == before
    assert set_aside() == []


def test_next_years_version_reads_this_years_games(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Journal()
    keep_a_game(opened, 5)
    opened.close()

    def with_place(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE games ADD COLUMN place TEXT NOT NULL DEFAULT 'home'")

    monkeypatch.setattr(journal_module, "MIGRATIONS", (*MIGRATIONS, with_place))
    with pytest.raises(JournalError, match="broadside play brings it up to date"):
        Archive()
    opened = Journal()
    kept = opened.unfinished()
    assert kept is not None
    assert len(kept.events) == 6
    assert keep_a_game(opened, 1) == 2
    opened.close()
    assert rows("SELECT place FROM games") == [("home",), ("home",)]
    assert rows("PRAGMA user_version") == [(len(MIGRATIONS) + 1,)]


def test_a_migration_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Journal()
    keep_a_game(opened, 5)
    opened.close()

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM events")
        connection.execute("SELECT event FROM nowhere")

    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "MIGRATIONS", (*MIGRATIONS, half))
        with pytest.raises(JournalError, match="nowhere"):
            Journal()
    opened = Journal()
    kept = opened.unfinished()
    assert kept is not None
    assert len(kept.events) == 6
    opened.close()


# Disks


def play_until_it_ends(game: subprocess.Popen[str]) -> tuple[list[tuple[str, str]], str]:
    """Fire square after square; return what was told and what the end said."""
    assert game.stdin is not None
    lines = ["1 A #", "2 A #"]
    for square in SQUARES:
        keys = f"D {(square.column + 1) % 10} {(square.row + 1) % 10} #"
        lines += [f"1 {keys}", f"2 {keys}"]
    out, errors = game.communicate("\n".join(lines) + "\n", timeout=60)
    return shots(out.splitlines()), errors


def told_and_kept(told: list[tuple[str, str]]) -> None:
    record = parse_record(run("export", "last").stdout)
    kept = [(shot.square.name, shot.result) for move in record.moves if move for shot in move.shots]
    assert kept == told


def test_a_disk_that_gets_full_ends_with_a_sentence_and_loses_nothing() -> None:
    game = subprocess.Popen(
        [*PROGRAM, "play", "--board", "text", *FRIENDS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000)),
    )
    told, errors = play_until_it_ends(game)
    assert game.returncode == 2
    assert 5 < len(told) < 200
    assert len(errors.splitlines()) == 1
    assert "all that was shown is kept" in errors
    told_and_kept(told)
    with TextGame() as again:
        assert again.beginning[0].startswith("*> Going on")


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "tiny"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("a tiny disk is mounted by root alone")
    mounted = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=160k", "none", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no tiny disk can be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_truly_full_disk(tiny_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", str(tiny_disk))
    game = subprocess.Popen(
        [*PROGRAM, "play", "--board", "text", *FRIENDS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    told, errors = play_until_it_ends(game)
    assert game.returncode == 2
    assert len(errors.splitlines()) == 1
    assert "free some space" in errors
    assert len(told) > 2
    told_and_kept(told)
    assert run("games").returncode == 0


@pytest.mark.parametrize("folder", ["/proc/broadside", "/dev/null", "/dev/null/broadside"])
def test_a_folder_that_cannot_be_written_is_one_clear_sentence(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", folder)
    answer = run("play", "--board", "text", *FRIENDS)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1
    assert folder in answer.stderr
    assert "BROADSIDE_HOME" in answer.stderr


NOBODY = 65534
"""The user that owns nothing, by the kernel's usual number (/proc/sys/fs/overflowuid)."""

by_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can write into another's folder")


def keep_as_nobody(said: Connection) -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    try:
        keep_a_game(Journal())
    except JournalError as error:
        said.send(str(error))
    else:
        said.send("kept")


@pytest.fixture
def nobodys_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A household folder of another user's."""
    # Not below pytest's own folder, which root alone may enter.
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = Path(place) / "home"
        folder.mkdir()
        os.chown(folder, NOBODY, NOBODY)
        monkeypatch.setenv("BROADSIDE_HOME", str(folder))
        yield folder


@by_root
def test_what_root_keeps_in_anothers_folder_is_that_ones(nobodys_home: Path) -> None:
    opened = Journal()
    keep_a_game(opened)
    save_settings(Settings(brightness=40))
    save_settings(Settings(brightness=60))
    made = {path.name: path.stat().st_uid for path in nobodys_home.iterdir()}
    opened.close()
    names = {"journal.lock", "journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"}
    assert made == dict.fromkeys([*names, "settings.toml", "settings.toml.previous"], NOBODY)
    Journal().close()
    assert {path.stat().st_uid for path in nobodys_home.iterdir()} == {NOBODY}


@by_root
def test_root_gives_nothing_away_through_a_link(nobodys_home: Path, tmp_path: Path) -> None:
    roots = tmp_path / "roots"
    roots.write_text("")
    (nobodys_home / "journal.lock").symlink_to(roots)
    Journal().close()
    assert roots.stat().st_uid == 0


@by_root
@pytest.mark.parametrize("mine", ["journal.lock", "journal.sqlite"])
def test_a_file_that_this_user_may_not_write_is_no_full_disk(mine: str, nobodys_home: Path) -> None:
    opened = Journal()
    keep_a_game(opened)
    opened.close()
    os.chown(nobodys_home / mine, 0, 0)
    told, said = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=keep_as_nobody, args=(said,))
    process.start()
    process.join(20)
    answer = told.recv() if told.poll() else ""
    assert f"sudo chown -R $USER {nobodys_home}" in answer
    assert "space" not in answer


def test_a_read_only_disk_can_be_read_and_says_why_it_cannot_be_played_on(
    tiny_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", str(tiny_disk))
    opened = Journal()
    keep_a_game(opened)
    opened.close()
    subprocess.run(["mount", "-o", "remount,ro", str(tiny_disk)], check=True)
    answer = run("play", "--board", "text", *FRIENDS)
    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1
    assert "Read-only" in answer.stderr
    answer = run("games")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith("1 ")


# What is told of kept games


def test_stats_count_games_wins_shots_accuracy_and_the_best_game() -> None:
    opened = Journal()
    expected = {"Ana": [0, 0, 0], "Rui": [0, 0, 0]}
    fewest: dict[str, int] = {}
    for seed in range(4):
        match = new_match("classic", seed=seed)
        events: list[Event] = []
        for seat in (1, 2):
            events += [FleetDrawn(seat, tuple(match.sea(seat).fleet)), FleetConfirmed(seat)]
        chance = Random(seed)
        while match.ended is None:
            sea = match.sea(3 - match.to_move)
            square = chance.choice([square for square in SQUARES if square not in sea.shots])
            events += match.do(Fire(match.to_move, (square,)))
        opened.append(opened.begin(match.began, PEOPLE), 1, events)
        for seat, name in enumerate(("Ana", "Rui"), 1):
            fired = [shot for move in match.moves if move.seat == seat for shot in move.shots]
            expected[name][0] += len(fired)
            expected[name][1] += sum(str(shot.outcome) != "miss" for shot in fired)
            if match.ended.winner == seat:
                expected[name][2] += 1
                fewest[name] = min(fewest.get(name, 101), len(fired))
    keep_a_game(opened, 5)
    opened.close()
    tallies = tally(Archive().games())
    for name, (fired_count, hits, wins) in expected.items():
        sums = tallies[name, "classic"]
        assert (sums.games, sums.wins, sums.shots, sums.hits) == (4, wins, fired_count, hits)
        assert sums.best == fewest.get(name)
    printed = run("stats").stdout
    assert all(name in printed for name in expected)
    assert "best game" in printed


def test_games_stats_and_export_without_any_game() -> None:
    assert run("games").stdout == ""
    assert "No game has been won yet" in run("stats").stdout
    for name in ("last", "1", "first"):
        answer = run("export", "--", name)
        assert answer.returncode == 2
        assert len(answer.stderr.splitlines()) == 1


def test_a_game_whose_battle_has_not_begun_has_no_record() -> None:
    run("play", "--board", "text", *FRIENDS, lines=["1 A #"])
    answer = run("export", "last")
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1
    assert run("games").stdout.startswith("1 ")


def test_an_unfinished_export_warns_and_games_begin_with_their_number(tmp_path: Path) -> None:
    run("play", "--board", "text", *FRIENDS, lines=["1 A #", "2 A #", "1 D 1 1 #", "2 D 1 1 #"])
    run("play", "--board", "text", *FRIENDS, "--new", lines=["1 A #", "2 A #"])
    listed = run("games").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["2", "1"]
    assert "abandoned" in listed[1]
    answer = run("export", "2")
    assert "shows both fleets" in answer.stderr
    assert 'ending = "unfinished"' in answer.stdout
    file = tmp_path / "new" / "game.toml"
    assert run("export", "1", str(file)).returncode == 0
    assert 'ending = "abandoned"' in file.read_text("utf-8")
    assert run("replay", "--verify", str(file)).returncode == 0
    assert run("export", "1", "/proc/nowhere/game.toml").returncode == 2


def test_a_record_is_written_into_a_pipe_and_through_a_link(tmp_path: Path) -> None:
    run("play", "--board", "text", *FRIENDS, lines=["1 A #", "2 A #", "1 D 1 1 #"])
    assert run("export", "last", "/dev/stdout").stdout.startswith("record = 1")
    assert Path("/dev/stdout").exists()
    target, link = tmp_path / "target.toml", tmp_path / "link.toml"
    link.symlink_to(target)
    assert run("export", "last", str(link)).returncode == 0
    assert link.is_symlink()
    assert target.read_text("utf-8").startswith("record = 1")
