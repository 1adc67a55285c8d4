"""The backup file: a gzip-packed tar archive with a list of its files and their hashes at its beginning.

It holds what `companion.home` holds and nothing else: the journal, the settings, the household's kits and rule sets.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import sqlite3
import tarfile
import tempfile
import time
import tomllib
import zlib
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, cast

from companion.errors import UserError
from companion.journal import APPLICATION_ID, MIGRATIONS, Archive

FORMAT = 1
LIST = "broadside-backup.json"
JOURNAL = "journal.sqlite"
SETTINGS = "settings.toml"
FOLDERS = ("kits", "rulesets")

LARGEST = 1 << 30
"""Bytes that a backup may hold unpacked. A game takes some ten thousand; this is for archives made to fill a disk."""

_FILE = re.compile(rf"{re.escape(JOURNAL)}|{re.escape(SETTINGS)}|(?:{'|'.join(FOLDERS)})/[\w.-]*\.toml", re.ASCII)


def write_backup(home: Path, file: Path) -> list[str]:
    """Write the backup of a data folder to a file that does not exist yet; return the names of what is in it.

    The journal is copied as SQLite copies a database in use, so a game may be running. The file appears when it is
    whole. Raises UserError where there is nothing to back up or the file cannot be made.
    """
    if file.exists() or file.is_symlink():
        raise UserError(f"{file} is there already; choose another name.")
    contents = _contents(home)
    if not contents:
        raise UserError(f"There is nothing to back up in {home}; on a board say sudo, for its games are the service's.")
    listing = {
        "format": FORMAT,
        "broadside": version("broadside-board"),
        "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()},
    }
    members = {LIST: json.dumps(listing, indent=1).encode(), **contents}
    beside = file.with_name(f".{file.name}.new")
    try:
        with beside.open("wb") as target:
            with tarfile.open(fileobj=target, mode="w:gz") as archive:
                for name, content in members.items():
                    archive.addfile(_member(name, len(content)), io.BytesIO(content))
            target.flush()
            os.fsync(target.fileno())
        beside.rename(file)
        sync_folder(file.parent)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise UserError(f"{file} cannot be written: {error.strerror}.") from None
    return list(contents)


def unpack_backup(file: Path, target: Path) -> list[str]:
    """Unpack a backup into an empty folder after every check that can be made; return the names of what is in it.

    Raises UserError for a file that is no backup, is torn, comes from a newer Broadside or holds anything but what a
    backup holds. Files are synced to disk.
    """
    contents = _read(file)
    for name, content in contents.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as unpacked:
            unpacked.write(content)
            unpacked.flush()
            os.fsync(unpacked.fileno())
    if JOURNAL in contents:
        _check_journal(file, target / JOURNAL)
    for folder in {(target / name).parent for name in contents} | {target}:
        sync_folder(folder)
    return list(contents)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder written to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _contents(home: Path) -> dict[str, bytes]:
    contents = {}
    if (home / JOURNAL).is_file():
        contents[JOURNAL] = _journal_copy(home / JOURNAL)
    candidates = [home / SETTINGS, *(path for folder in FOLDERS for path in sorted((home / folder).glob("*.toml")))]
    for path in candidates:
        name = path.relative_to(home).as_posix()
        if not path.is_file():
            continue
        if not _FILE.fullmatch(name):
            raise UserError(f"{path} cannot be backed up: rename it with letters, digits, '.', '_' and '-' only.")
        try:
            contents[name] = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path} cannot be read: {error.strerror}.") from None
    return contents


def _journal_copy(journal: Path) -> bytes:
    """Return a consistent copy of a journal that may be in use, as one file."""
    with tempfile.TemporaryDirectory(prefix="broadside-") as folder:
        copy = Path(folder) / JOURNAL
        try:
            with (
                closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as source,
                closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")
                _check_integrity(target)
        except sqlite3.Error as error:
            raise UserError(f"The games in {journal} cannot be copied: {error}.") from None
        return copy.read_bytes()


def _check_integrity(journal: sqlite3.Connection) -> None:
    found = journal.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def _check_journal(file: Path, journal: Path) -> None:
    """Check that a journal is whole, ours and of no newer schema; an older one is migrated by the next game."""
    try:
        with closing(sqlite3.connect(journal)) as connection:
            _check_integrity(connection)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (schema,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise UserError(f"The games in {file} are damaged ({error}); nothing was changed.") from None
    if application != APPLICATION_ID:
        raise UserError(f"The games in {file} are no journal of Broadside; nothing was changed.")
    if schema > len(MIGRATIONS):
        raise UserError(f"The games in {file} were written by a newer Broadside: update this one first.")
    if schema == len(MIGRATIONS):
        archive = Archive(journal)
        try:
            for _game in archive.games():
                continue
        finally:
            archive.close()


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, 0o644, int(time.time())
    return member


def _read(file: Path) -> dict[str, bytes]:
    try:
        with gzip.open(file) as unpacked:
            contents = _members(file, cast("IO[bytes]", unpacked))
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error):
        raise UserError(f"{file} is no backup of Broadside, or a part of it is missing; nothing was changed.") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror or error}.") from None
    hashes = _listed(file, contents.pop(LIST, b""))
    if hashes != {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}:
        raise UserError(f"{file} is damaged: its files are not those that it lists; nothing was changed.")
    for name, content in contents.items():
        if name.endswith(".toml"):
            _check_toml(file, name, content)
    return contents


def _members(file: Path, unpacked: IO[bytes]) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    room = LARGEST
    # Read as a stream, to its end, so that gzip's own checksum is looked at too.
    with tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for member in archive:
            if (
                not member.isreg()
                or member.name in contents
                or not (member.name == LIST or _FILE.fullmatch(member.name))
            ):
                raise UserError(
                    f"{file} holds {member.name!r}, which no backup of Broadside does; nothing was changed."
                )
            room -= member.size
            if room < 0:
                raise UserError(f"{file} would unpack to more than {LARGEST >> 20} MB; nothing was changed.")
            content = archive.extractfile(member)
            assert content is not None, "a regular file has content"
            contents[member.name] = content.read()
    while unpacked.read(1 << 16):
        continue
    return contents


def _listed(file: Path, listing: bytes) -> dict[str, str]:
    """Return the hashes that the list of a backup names, after looking at its format."""
    try:
        listed: Any = json.loads(listing)
        form, files = listed["format"], listed["files"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{file} is no backup of Broadside; nothing was changed.") from None
    if form != FORMAT:
        raise UserError(f"{file} is a backup in format {form!r}, made by a newer Broadside: update this one first.")
    if not isinstance(files, dict):
        raise UserError(f"{file} is no backup of Broadside; nothing was changed.")
    return files


def _check_toml(file: Path, name: str, content: bytes) -> None:
    try:
        tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{name} in {file} is not TOML ({error}); nothing was changed.") from None
