"""Finds a kit by path or by name."""

from __future__ import annotations

import re
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
        kit_path(name)
    except UserError:
        return False
    return True
