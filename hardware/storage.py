"""Writes so that it is on the disk when the call returns: a file written plainly is empty after a power cut."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal


def write_through(path: Path, data: bytes, mode: Literal["w", "x"] = "w") -> None:
    """Write a file and wait until the disk has it; "x" refuses one that is there. Raises OSError."""
    with path.open(f"{mode}b") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder, after a file was made or renamed there. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
