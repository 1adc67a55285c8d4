"""Screenshots that a player asks for with F12."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path


def snapshot_path(now: datetime, folders: tuple[Path, ...] | None = None) -> Path:
    """Return a new file name in the household's pictures folder, or in the working folder where there is none."""
    folder = next((folder for folder in folders or (Path.home() / "Pictures",) if folder.is_dir()), Path.cwd())
    stem = f"broadside-{now:%Y%m%d-%H%M%S}"
    path = folder / f"{stem}.png"
    count = 1
    while path.exists():
        count += 1
        path = folder / f"{stem}-{count}.png"
    return path
