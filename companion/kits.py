"""Finds a kit by path or by name."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from companion.errors import UserError
from companion.home import home
from hardware.kit import Kit, load_kit


def shipped_kits() -> list[str]:
    """Return the names of the kits that come with Broadside, in alphabetical order."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in files("wiring.kits").iterdir() if entry.name.endswith(".toml")
    )


def kit_path(name: str) -> Path:
    """Return the file of a kit: a path as it is, else NAME.toml in the household's `kits` folder, else a shipped one.

    Raises UserError where there is none.
    """
    if name.endswith(".toml") or "/" in name:
        path = Path(name).expanduser()
        if path.is_file():
            return path
        raise UserError(f"There is no kit file {name}; the shipped kits are {', '.join(shipped_kits())}.")
    for path in (home() / "kits" / f"{name}.toml", Path(str(files("wiring.kits") / f"{name}.toml"))):
        if path.is_file():
            return path
    raise UserError(f"There is no kit {name!r}: name a kit file, or one of {', '.join(shipped_kits())}.")


def find_kit(name: str) -> Kit:
    """Load and check a kit by path or name. Raises UserError where there is none, KitError where it is wrong."""
    return load_kit(kit_path(name))
