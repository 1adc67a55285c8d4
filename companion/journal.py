"""The crash-safe store of every event: SQLite, one row an event, on disk before anything is shown."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from companion.errors import UserError
from companion.files import give_to_folders_owner
from companion.game.events import Ending, Event, GameBegan, GameEnded, decode_event, encode
from companion.home import home

APPLICATION_ID = 0x42524F41
"""Marks the file as a Broadside journal ("BROA"), in SQLite's own header field."""

HEADER = 100
"""Bytes of a database file's header (sqlite.org, Database File Format); no database is shorter."""


def _first_schema(connection: sqlite3.Connection) -> None:
    connection.execute(
        """CREATE TABLE games (
            game INTEGER PRIMARY KEY AUTOINCREMENT,
            began_at TEXT NOT NULL,
            setup TEXT NOT NULL,
            winner INTEGER,
            ending TEXT
        )"""
    )
    connection.execute(
        """CREATE TABLE events (
            game INTEGER NOT NULL REFERENCES games (game),
            number INTEGER NOT NULL,
            event TEXT NOT NULL,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID"""
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first_schema,)
"""Each brings the schema one version further; the version is their number."""


class Setup(msgspec.Struct, frozen=True):
    """Who sits at the table: for each seat "person" or a captain's name; and the seed that chance is drawn from."""

    seats: tuple[str, str]
    seed: int

    @property
    def against(self) -> str:
        """The opponent as the command line names it: a captain's name, or "friend" for two people."""
        return next((seat for seat in reversed(self.seats) if seat != "person"), "friend")


class KeptGame(NamedTuple):
    """One game of the journal."""

    game: int
    began_at: datetime
    setup: Setup
    events: tuple[Event, ...]

    @property
    def ended(self) -> GameEnded | None:
        """How it ended, or None where it goes on."""
        last = self.events[-1]
        return last if isinstance(last, GameEnded) else None


class JournalError(UserError):
    """A journal that cannot be used; the text says why and what to do."""


def journal_path() -> Path:
    """Where the journal lies."""
    return home() / "journal.sqlite"


def _require_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise JournalError(f"{folder} is no folder: name one in BROADSIDE_HOME.")


class Journal:
    """The journal, held by this process alone for writing.

    `notices` holds what the players should know: that a torn or foreign file was set aside.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open or make the journal. Raises JournalError where another process holds it or the disk refuses."""
        self.path = path or journal_path()
        self.notices: list[str] = []
        _require_folder(self.path.parent)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = self._hold()
        except OSError as error:
            raise JournalError(
                f"Games cannot be kept in {self.path.parent}: {error.strerror or error}; "
                f"{_cure(error, self.path.parent)}, or name another folder in BROADSIDE_HOME."
            ) from None
        try:
            self._connection = self._open()
        except BaseException:
            self._lock.close()
            raise

    def _hold(self) -> IO[str]:
        path = self.path.parent / "journal.lock"
        lock = path.open("a+")
        give_to_folders_owner(path)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip() or "another process"
            lock.close()
            raise JournalError(
                f"The games in {self.path.parent} are held by {holder}: end that one first, "
                "or name another folder in BROADSIDE_HOME."
            ) from None
        lock.truncate(0)
        lock.write(f"Broadside, process {os.getpid()}")
        lock.flush()
        return lock

    def _open(self) -> sqlite3.Connection:
        if fault := self._fault():
            self._set_aside(fault)
        connection = None
        try:
            connection = sqlite3.connect(self.path, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            self._migrate(connection)
            # SQLite itself gives the log that it makes as root to the owner of the journal.
            for suffix in ("", "-wal", "-shm"):
                part = self.path.with_name(self.path.name + suffix)
                if part.exists():
                    give_to_folders_owner(part)
        except BaseException as error:
            if connection is not None:
                connection.close()
            if isinstance(error, sqlite3.Error):
                raise JournalError(_refused(self.path, error)) from None
            raise
        return connection

    def _fault(self) -> str | None:
        """What is wrong with the file that is there, or None. Raises JournalError where that cannot be found out now,
        since a journal that is only in use or on a failing disk must stay where it is."""
        if not self.path.exists() or not self.path.stat().st_size:
            # SQLite would throw the log of an emptied file away.
            log = self.path.with_name(f"{self.path.name}-wal")
            return "is empty beside its log" if log.exists() and log.stat().st_size else None
        if (size := self.path.stat().st_size) < HEADER:
            # SQLite takes a file of one byte for an empty one, and would write over it.
            return f"is damaged ({size} bytes are no database)"
        try:
            return _examine(self.path)
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                return f"is damaged ({error})"
            raise JournalError(_unreadable(self.path, error)) from None

    def _set_aside(self, fault: str) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.set-aside-{number}")).exists():
            number += 1
        for suffix in ("", "-wal", "-shm"):
            part = self.path.with_name(self.path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        self.notices.append(f"{self.path} {fault}: it was set aside as {aside.name}, and a new journal begins.")

    def _migrate(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise JournalError(
                f"{self.path} was written by a newer Broadside (schema {version}, this one knows {len(MIGRATIONS)}): "
                "update Broadside, or name another folder in BROADSIDE_HOME."
            )
        if version == len(MIGRATIONS):
            return
        with _transaction(connection):
            for migrate in MIGRATIONS[version:]:
                migrate(connection)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def begin(self, began: GameBegan, setup: Setup) -> int:
        """Keep a new game and its first event; return its number."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            with _transaction(self._connection):
                row = self._connection.execute(
                    "INSERT INTO games (began_at, setup) VALUES (?, ?)", (now, msgspec.json.encode(setup).decode())
                )
                game = row.lastrowid
                assert game is not None
                self._insert(game, 0, (began,))
        except sqlite3.Error as error:
            raise JournalError(_refused(self.path, error)) from None
        return game

    def append(self, game: int, number: int, events: Sequence[Event]) -> None:
        """Keep the events of one command, on disk when this returns; `number` counts the game's events before them.

        Raises JournalError, and then none of them is kept.
        """
        try:
            with _transaction(self._connection):
                self._insert(game, number, events)
                for event in events:
                    if isinstance(event, GameEnded):
                        self._connection.execute(
                            "UPDATE games SET winner = ?, ending = ? WHERE game = ?",
                            (event.winner, str(event.ending), game),
                        )
        except sqlite3.Error as error:
            raise JournalError(_refused(self.path, error)) from None

    def _insert(self, game: int, number: int, events: Iterable[Event]) -> None:
        rows = [(game, number + n, encode(event).decode()) for n, event in enumerate(events)]
        self._connection.executemany("INSERT INTO events (game, number, event) VALUES (?, ?, ?)", rows)

    def unfinished(self) -> KeptGame | None:
        """Return the newest game that has not ended, if any."""
        try:
            row = self._connection.execute("SELECT max(game) FROM games WHERE ending IS NULL").fetchone()
            return None if row[0] is None else _read_game(self._connection, row[0])
        except sqlite3.Error as error:
            raise JournalError(_unreadable(self.path, error)) from None

    def abandon(self, kept: KeptGame) -> None:
        """End a kept game with no winner."""
        self.append(kept.game, len(kept.events), (GameEnded(0, Ending.ABANDONED),))

    def close(self) -> None:
        """Close the file and let the lock go; may be called twice."""
        self._connection.close()
        self._lock.close()


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _cure(error: OSError, folder: Path) -> str:
    """What to do about a folder that takes no file."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"make it yours (sudo chown -R $USER {folder})"
    if error.errno == errno.EROFS:
        return "mount its disk for writing"
    return "free some space"


def _refused(path: Path, error: sqlite3.Error) -> str:
    if _kind(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return (
            f"The game cannot be kept in {path} ({error}): make the file and its folder yours (sudo chown -R $USER "
            f"{path.parent}); all that was shown is kept."
        )
    return f"The game cannot be kept in {path} ({error}): free some space or mend the disk; all that was shown is kept."


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file itself is damaged, and not that it is in use or the disk fails."""
    return _kind(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _kind(error: sqlite3.Error) -> int:
    # The low byte is the kind of an extended error code.
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _unreadable(path: Path, error: sqlite3.Error) -> str:
    if _is_damage(error):
        return f"{path} cannot be read ({error}); broadside play sets a damaged one aside."
    return f"{path} cannot be read now ({error}): close what else uses it, or mend the disk."


def _examine(path: Path) -> str | None:
    """What is wrong with a journal file, or None. Raises sqlite3.DatabaseError where it is none or cannot be read."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION_ID and (tables or application):
            return "is not a journal of Broadside"
        (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        return None if answer == "ok" else f"is damaged ({answer})"
    finally:
        connection.close()


def _read_game(connection: sqlite3.Connection, game: int) -> KeptGame:
    began_at, setup = connection.execute("SELECT began_at, setup FROM games WHERE game = ?", (game,)).fetchone()
    rows = connection.execute("SELECT event FROM events WHERE game = ? ORDER BY number", (game,))
    try:
        events = tuple(decode_event(row[0]) for row in rows)
        return KeptGame(game, datetime.fromisoformat(began_at), msgspec.json.decode(setup, type=Setup), events)
    except (msgspec.DecodeError, ValueError) as error:
        raise JournalError(
            f"Game {game} of the journal cannot be read ({error}); move the journal aside to go on."
        ) from None


class Archive:
    """The journal for reading only, beside a game that runs."""

    def __init__(self, path: Path | None = None) -> None:
        """Open the journal. Raises JournalError where it cannot be read; a missing one is an empty archive."""
        self._path = path or journal_path()
        _require_folder(self._path.parent)
        self._connection: sqlite3.Connection | None = None
        if not self._path.exists() or not self._path.stat().st_size:
            return
        try:
            connection = sqlite3.connect(f"{self._path.resolve().as_uri()}?{self._mode()}", uri=True)
            connection.execute("PRAGMA query_only = ON")
            # All of it of one moment: a game that begins right now writes the first tables.
            connection.execute("BEGIN")
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise JournalError(_unreadable(self._path, error)) from None
        if not (application or tables):
            return
        if application != APPLICATION_ID:
            raise JournalError(f"{self._path} is not a journal of Broadside; broadside play sets it aside.")
        if version != len(MIGRATIONS):
            cure = "update Broadside" if version > len(MIGRATIONS) else "broadside play brings it up to date"
            raise JournalError(f"{self._path} has schema {version}, this Broadside knows {len(MIGRATIONS)}: {cure}.")
        self._connection = connection

    def _mode(self) -> str:
        """How the file is opened: SQLite reads a log beside it only where it may write there, and without a log a
        file on a read-only disk is all there is."""
        log = self._path.with_name(f"{self._path.name}-wal")
        return "mode=rw" if os.access(self._path.parent, os.W_OK) or log.exists() else "mode=ro&immutable=1"

    def games(self) -> Iterator[KeptGame]:
        """Return all games, newest first. Raises JournalError for one that cannot be read."""
        if self._connection is None:
            return
        try:
            numbers = [row[0] for row in self._connection.execute("SELECT game FROM games ORDER BY game DESC")]
            for number in numbers:
                yield _read_game(self._connection, number)
        except sqlite3.Error as error:
            raise JournalError(_unreadable(self._path, error)) from None

    def game(self, name: str) -> KeptGame:
        """Return a game by its number, or the newest one ("last"). Raises JournalError where there is none."""
        for kept in self.games():
            if name in ("last", str(kept.game)):
                return kept
        if name == "last":
            raise JournalError("There is no game yet: broadside play begins one.")
        raise JournalError(f"There is no game {name!r}: broadside games lists them.")

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._connection is not None:
            self._connection.close()
