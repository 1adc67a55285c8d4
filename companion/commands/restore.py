"""`broadside restore`: puts the data folder of a backup in the place of the present one, at once and as a whole."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.backup_file import unpack_backup
from companion.errors import UserError
from companion.home import home
from hardware.storage import sync_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

LOCK = "journal.lock"

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that broadside backup wrote")


def run(arguments: argparse.Namespace) -> int:
    """Check the backup, put it in place and say where the data went that were there before."""
    names, aside = restore(arguments.file, home())
    sys.stdout.write(f"Back in {home()}: {', '.join(names)}.\n")
    if aside:
        sys.stdout.write(f"What was there before is in {aside}.\n")
    return 0


def restore(file: Path, target: Path) -> tuple[list[str], Path | None]:
    """Put a backup in the place of a data folder; return the names in it and where the old folder is kept, if any.

    Everything is checked and on disk before the two folders change places. Raises UserError where the backup is not
    good, a game is running, or the folder cannot be written; then nothing is changed.
    """
    target = target.resolve()
    try:
        with ExitStack() as stack:
            if target.is_dir():
                stack.enter_context(_no_game(target))
            target.parent.mkdir(parents=True, exist_ok=True)
            new = Path(tempfile.mkdtemp(prefix=f"{target.name}.restoring-", dir=target.parent))
            # Until it is in place the new folder is in the way; afterwards there is none of that name.
            stack.callback(shutil.rmtree, new, ignore_errors=True)
            names = unpack_backup(file, new)
            # A game that begins right now finds either the old folder locked or the new one.
            stack.enter_context(_no_game(new))
            _like(new, target)
            return names, _put_in_place(new, target)
    except OSError as error:
        raise UserError(f"{target} cannot be replaced: {error.strerror}; nothing was changed.") from None


@contextmanager
def _no_game(folder: Path) -> Iterator[None]:
    """Hold the lock that a running game holds. Raises UserError where a game has it."""
    with (folder / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(
                "A game is running on these data: end it first (on a board: sudo systemctl stop broadside)."
            ) from None
        yield


def _like(new: Path, old: Path) -> None:
    """Give a new folder the mode of the old one, and to root's hands also its owner: the service must read it."""
    if not old.is_dir():
        new.chmod(0o755)
        return
    state = old.stat()
    new.chmod(state.st_mode & 0o7777)
    if os.geteuid() == 0:
        for path in [new, *new.rglob("*")]:
            os.chown(path, state.st_uid, state.st_gid)


def _put_in_place(new: Path, target: Path) -> Path | None:
    if not target.exists():
        new.rename(target)
        sync_folder(target.parent)
        return None
    aside = _free_name(target)
    if _exchange(new, target):
        new.rename(aside)
    else:
        target.rename(aside)
        try:
            new.rename(target)
        except OSError:
            aside.rename(target)
            raise
    sync_folder(target.parent)
    return aside


def _free_name(target: Path) -> Path:
    name = f"{target.name}.before-{time.strftime('%Y%m%d-%H%M%S')}"
    aside, number = target.with_name(name), 1
    while aside.exists():
        number += 1
        aside = target.with_name(f"{name}-{number}")
    return aside


def _exchange(one: Path, other: Path) -> bool:
    """Have two folders change places in one step (Linux's renameat2(2)); False where there is no such call."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    if renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in {errno.ENOSYS, errno.EINVAL}:
        return False
    raise OSError(code, os.strerror(code), os.fspath(other))
