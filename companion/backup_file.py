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
import shutil
import sqlite3
import tarfile
import tempfile
import time
import tomllib
import zlib
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Self, cast

from companion.errors import UserError
from companion.journal import APPLICATION_ID, MIGRATIONS, Archive
from hardware.storage import sync_folder

FORMAT = 1
LIST = "broadside-backup.json"
JOURNAL = "journal.sqlite"
SETTINGS = "settings.toml"
FOLDERS = ("kits", "rulesets")

LARGEST = 1 << 30
"""Bytes that a backup may hold unpacked. A game takes some ten thousand; this is for archives made to fill a disk."""

LARGEST_TEXT = 1 << 20
"""Bytes of a file that is read as a whole: the list, settings, a kit or a rule set. Those take a few thousand."""

PIECE = 1 << 16

_FILE = re.compile(rf"{re.escape(JOURNAL)}|{re.escape(SETTINGS)}|(?:{'|'.join(FOLDERS)})/[\w.-]*\.toml", re.ASCII)


def write_backup(home: Path, file: Path) -> list[str]:
    """Write the backup of a data folder to a file that does not exist yet; return the names of what is in it.

    The journal is copied as SQLite copies a database in use, so a game may be running. The file appears when it is
    whole. Raises UserError where there is nothing to back up or the file cannot be made.
    """
    if file.exists() or file.is_symlink():
        raise UserError(f"{file} is there already; choose another name.")
    contents = _contents(home, file.parent)
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
    names = _unpack(file, target)
    if JOURNAL in names:
        _check_journal(file, target / JOURNAL)
    for folder in {(target / name).parent for name in names} | {target}:
        sync_folder(folder)
    return names


def _contents(home: Path, workplace: Path) -> dict[str, bytes]:
    contents = {}
    if (home / JOURNAL).is_file():
        contents[JOURNAL] = _journal_copy(home / JOURNAL, workplace)
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


def _journal_copy(journal: Path, workplace: Path) -> bytes:
    """Return a consistent copy of a journal that may be in use, as one file.

    It is made in a folder that can be written, which a card with errors may have no other of.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix=".broadside-", dir=workplace)
    except OSError as error:
        raise UserError(f"{workplace} cannot be written: {error.strerror}.") from None
    with folder as name:
        copy = Path(name) / JOURNAL
        try:
            try:
                _copy_database(journal, "ro", copy)
            except sqlite3.Error as error:
                if not _is_shut(error):
                    raise
                _copy_database(_files_copied(journal, Path(name)), "rw", copy)
        except sqlite3.Error as error:
            raise UserError(f"The games in {journal} cannot be copied: {error}.") from None
        except OSError as error:
            raise UserError(f"The games in {journal} cannot be copied: {error.strerror}.") from None
        return copy.read_bytes()


def _copy_database(journal: Path, mode: str, copy: Path) -> None:
    with (
        closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode={mode}", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
        _check_integrity(target)


def _is_shut(error: sqlite3.Error) -> bool:
    """Whether SQLite could not make the files that it keeps beside a journal: on a read-only disk it cannot, and there
    no game runs, which would have made them."""
    # The low byte is the kind of an extended error code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def _files_copied(journal: Path, folder: Path) -> Path:
    """Copy a journal that nobody writes, with the log beside it, to where SQLite may work on it."""
    copied = folder / "on-disk.sqlite"
    shutil.copyfile(journal, copied)
    log = journal.with_name(f"{journal.name}-wal")
    if log.exists():
        shutil.copyfile(log, copied.with_name(f"{copied.name}-wal"))
    return copied


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


class _Member(tarfile.TarInfo):
    """What a backup may hold, refused as soon as its header is read: what is no file has a text for its content, which
    the archive would be asked for as a whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read one header. Raises ReadError for more text than any name takes."""
        member = super().frombuf(buf, encoding, errors)
        if not member.isreg() and member.size > LARGEST_TEXT:
            raise tarfile.ReadError("a header that no backup has")
        return member


def _unpack(file: Path, target: Path) -> list[str]:
    try:
        packed = file.open("rb")
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}.") from None
    try:
        with packed, gzip.open(packed) as unpacked:
            found, listing = _unpack_members(file, cast("IO[bytes]", unpacked), target)
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error):
        raise UserError(f"{file} is no backup of Broadside, or a part of it is missing; nothing was changed.") from None
    except OSError as error:
        raise UserError(
            f"{file} cannot be unpacked in {target.parent}: {error.strerror}; nothing was changed."
        ) from None
    if _listed(file, listing) != found:
        raise UserError(f"{file} is damaged: its files are not those that it lists; nothing was changed.")
    for name in found:
        if name.endswith(".toml"):
            _check_toml(file, name, (target / name).read_bytes())
    return list(found)


def _unpack_members(file: Path, unpacked: IO[bytes], target: Path) -> tuple[dict[str, str], bytes]:
    """Unpack all members, a piece at a time; return their hashes by name, and the list of what they should be."""
    found: dict[str, str] = {}
    listing: bytes | None = None
    room = LARGEST
    # Read as a stream, to its end, so that gzip's own checksum is looked at too.
    with tarfile.open(fileobj=unpacked, mode="r|", tarinfo=_Member) as archive:
        for member in archive:
            is_list = member.name == LIST and listing is None
            is_file = member.name not in found and _FILE.fullmatch(member.name)
            if not member.isreg() or member.issparse() or not (is_list or is_file):
                raise UserError(
                    f"{file} holds {member.name!r}, which no backup of Broadside does; nothing was changed."
                )
            room -= member.size
            if room < 0:
                raise UserError(f"{file} would unpack to more than {LARGEST >> 20} MB; nothing was changed.")
            if member.name != JOURNAL and member.size > LARGEST_TEXT:
                raise UserError(
                    f"{member.name} in {file} is larger than {LARGEST_TEXT >> 20} MB, which no such file of Broadside "
                    f"is; nothing was changed."
                )
            content = archive.extractfile(member)
            assert content is not None, "a regular file has content"
            if is_list:
                listing = content.read()
            else:
                found[member.name] = _write(content, target / member.name)
    while unpacked.read(PIECE):
        continue
    return found, listing or b""


def _write(content: IO[bytes], path: Path) -> str:
    """Write a member to disk; return its hash."""
    digest = hashlib.sha256()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as unpacked:
        while piece := content.read(PIECE):
            digest.update(piece)
            unpacked.write(piece)
        unpacked.flush()
        os.fsync(unpacked.fileno())
    return digest.hexdigest()


def _listed(file: Path, listing: bytes) -> dict[str, str]:
    """Return the hashes that the list of a backup names, after looking at its format."""
    try:
        listed: Any = json.loads(listing)
        form, files = listed["format"], listed["files"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UserError(f"{file} is no backup of Broadside; nothing was changed.") from None
    if form != FORMAT:
        raise UserError(f"{file} is a backup in format {form!r}, made by a newer Broadside: update this one first.")
    if not isinstance(files, dict):
        raise UserError(f"{file} is no backup of Broadside; nothing was changed.")
    return files


def _check_toml(file: Path, name: str, content: bytes) -> None:
    try:
        tomllib.loads(content.decode("utf-8-sig"))
    except RecursionError:
        raise UserError(f"{name} in {file} is nested too deep to be read; nothing was changed.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{name} in {file} is not TOML ({error}); nothing was changed.") from None
