"""Finds a kit by path or by name."""

from __future__ import annotations

import re
import sys
from importlib.resources import files
from pathlib import Path

from companion.errors import UserError
from companion.home import home
from hardware.doctor.machine import Machine
from hardware.doctor.subject import pi_name
from hardware.drivers.pi_board import board_model
from hardware.kit import Kit, PiModel, load_kit

INSTALLED_KIT = "/etc/default/broadside"
"""Where the installer keeps the name of the kit that the service plays on."""


def shipped_kits() -> list[str]:
    """Return the names of the kits that come with Broadside, in alphabetical order."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in files("wiring.kits").iterdir() if entry.name.endswith(".toml")
    )


def kit_path(name: str) -> Path:
    """Return the file of a kit: a path as it is, else NAME.toml in the household's `kits` folder, else a shipped one.

    A power cut can leave an empty file in the household's folder: then the newest kit that was kept beside it stands
    in for it, else the shipped one of that name, which is said on stderr. Raises UserError where there is no kit.
    """
    path, notice = _find(name)
    if notice:
        sys.stderr.write(f"{notice}\n")
    return path


def find_kit(name: str) -> Kit:
    """Load and check a kit by path or name. Raises UserError where there is none, KitError where it is wrong."""
    return load_kit(kit_path(name))


def kit_file(name: str, path: Path) -> str:
    """Return the file of a kit that was named by its name alone, where that is the household's own; else ""."""
    return str(path) if path.parent == home() / "kits" and name != str(path) else ""


def _find(name: str) -> tuple[Path, str]:
    """Return a kit's file and what is to be said about it. Raises UserError where there is none."""
    try:
        return _named_file(name) if name.endswith(".toml") or "/" in name else _named_kit(name)
    except OSError as error:
        raise UserError(f"The kit {name} cannot be read ({error.strerror}); name another one.") from error


def _named_file(name: str) -> tuple[Path, str]:
    path = Path(name).expanduser()
    if path.is_file():
        return path, ""
    shipped = ", ".join(shipped_kits())
    if path.exists():
        kind = "a folder" if path.is_dir() else "no file but a device or a pipe"
        raise UserError(f"{name} is {kind}: name a kit file, or one of the shipped kits {shipped}.")
    raise UserError(f"There is no kit file {name}; the shipped kits are {shipped}.")


def _named_kit(name: str) -> tuple[Path, str]:
    own, shipped = home() / "kits" / f"{name}.toml", Path(str(files("wiring.kits") / f"{name}.toml"))
    if own.is_file():
        if not _is_empty(own):
            return own, ""
        if kept := next((path for path in _kept_kits(own) if not _is_empty(path)), None):
            return kept, f"{own} is empty: {kept.name}, which was kept beside it, is used."
        if shipped.is_file():
            return shipped, f"{own} is empty: the kit {name} that comes with Broadside is used."
        return own, ""
    if shipped.is_file():
        return shipped, ""
    raise UserError(f"There is no kit {name!r}: name a kit file, or one of {', '.join(shipped_kits())}.")


def _is_empty(path: Path) -> bool:
    return not path.read_bytes().strip(b"\0 \t\r\n")


def _kept_kits(path: Path) -> list[Path]:
    """Return the older kits beside a household's own, the newest first."""
    kept = [beside for beside in path.parent.glob(f"{path.name}.bak*") if beside.suffix[4:].isdecimal()]
    return sorted(kept, key=lambda beside: int(beside.suffix[4:]), reverse=True)


def default_kit(machine: Machine, board: str) -> str:
    """Return the kit that was installed on a machine, else the shipped one that suits its model and the board."""
    if board == "pico":
        return "pico"
    installed = re.search(r"^BROADSIDE_KIT=(\S+)", machine.text(INSTALLED_KIT) or "", re.MULTILINE)
    if installed is not None and board in {"auto", "pi"} and _is_there(installed[1]):
        return installed[1]
    return "pi5" if board_model(pi_name(machine) or "") is PiModel.PI_5 else "full"


def _is_there(name: str) -> bool:
    try:
        _find(name)
    except UserError:
        return False
    return True
