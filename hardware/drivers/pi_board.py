"""Which Raspberry Pi this is, asked before any LED library is started: they crash on boards that they do not know."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.drivers.base import DriverError
from hardware.header import MODEL_NAMES, PiModel

if TYPE_CHECKING:
    from collections.abc import Collection

MODEL_FILE = Path("/proc/device-tree/model")
"""Where the kernel says the board's name, ended by a zero byte."""

# The longer beginnings stand first. A Pi 400 and a Compute Module are their Pi in another shape.
_NAMES = (
    ("Raspberry Pi Zero 2", PiModel.ZERO_2),
    ("Raspberry Pi Compute Module 3", PiModel.PI_3),
    ("Raspberry Pi Compute Module 4", PiModel.PI_4),
    ("Raspberry Pi Compute Module 5", PiModel.PI_5),
    ("Raspberry Pi 3", PiModel.PI_3),
    ("Raspberry Pi 4", PiModel.PI_4),
    ("Raspberry Pi 5", PiModel.PI_5),
)


def board_name(model_file: Path = MODEL_FILE) -> str:
    """Return the board's full name, or "" on a computer that has none."""
    try:
        return model_file.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def board_model(name: str) -> PiModel | None:
    """Return the model that a board's full name belongs to, or None for a board that no kit knows."""
    return next((model for beginning, model in _NAMES if name.startswith(beginning)), None)


def require_board(models: Collection[PiModel], driver: str, cure: str, model_file: Path = MODEL_FILE) -> PiModel:
    """Return the model of this board. Raises DriverError where it is none of `models`, with the cure."""
    name = board_name(model_file)
    model = board_model(name)
    if model in models and model is not None:
        return model
    here = f"this is a {name}" if name else "this computer is no Raspberry Pi"
    works_on = ", ".join(MODEL_NAMES[known] for known in models)
    raise DriverError(f"The LED driver {driver} works on {works_on}, and {here}: {cure}.")


def require_root(driver: str, cure: str) -> None:
    """Raise DriverError, with the cure, unless this process may use /dev/mem."""
    if os.geteuid() != 0:
        raise DriverError(f"The LED driver {driver} needs root for /dev/mem: {cure}.")
