"""Writes a file so that a power cut leaves the old one or the new one, never half of it; and keeps a household's
files its own."""

from __future__ import annotations

import os
from pathlib import Path

from hardware.storage import sync_folder, write_through


def give_to_folders_owner(path: Path) -> None:
    """Let what root has made belong to the owner of its folder, who could not write it otherwise. Raises OSError."""
    if os.geteuid() != 0:
        return
    owner = path.parent.stat()
    if path.lstat().st_uid == 0 != owner.st_uid:
        # Never through a link: the folder's owner could have it lead anywhere.
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def write_atomically(path: Path, text: str) -> None:
    """Write text: temporary file, fsync, rename, fsync of the folder. Raises OSError, and then the old file stands.

    A link keeps pointing where it does; what is no file (a pipe, a terminal) is simply written to.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, "utf-8")
        return
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    try:
        write_through(temporary, text.encode("utf-8"))
        give_to_folders_owner(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)
