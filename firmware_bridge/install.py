"""Copies the firmware onto a CIRCUITPY drive, so that a cable that is pulled at any moment leaves a working drive.

A new version goes into a folder of its own. Only when that is whole, and read back, does the one-line file
`firmware.txt` change to its name; then the older folders go. `boot.py` and `code.py` hardly ever change, and each is
replaced as a whole.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from firmware_bridge.errors import PicoError
from firmware_bridge.pico import wire
from hardware.storage import sync_folder, write_through

if TYPE_CHECKING:
    from pathlib import Path

OLDEST_CIRCUITPYTHON = (9, 2, 7)

TRIED_BOARDS = ("Raspberry Pi Pico with rp2040", "Raspberry Pi Pico W with rp2040")
"""The boards that the firmware is written for, as boot_out.txt names them (CircuitPython's `mpconfigboard.h`)."""

NEWER_BOARDS = {
    "Raspberry Pi Pico 2 with rp2350a": "raspberry_pi_pico2",
    "Raspberry Pi Pico 2 W with rp2350a": "raspberry_pi_pico2_w",
}
"""Boards with the same pins but another chip, and what CircuitPython's UF2 file for each is called."""

STARTERS = ("boot.py", "code.py")
"""Files in the drive's root, which CircuitPython runs."""

MODULES = ("bridge.py", "chains.py", "keys.py", "wire.py")
"""Files in the firmware's own folder."""

SWITCH = "firmware.txt"
PREFIX = "broadside_"

RIVALS = ("code.txt",)
"""Files that CircuitPython would run instead of code.py."""

_VERSION = re.compile(r"CircuitPython (\d+)\.(\d+)\.(\d+)(\S*) on [^;]*; ?(.*)")
_OURS = re.compile(r"[Bb]roadside")
_FACTORY = re.compile(r"\s*print\(\"Hello World!\"\)\s*")
"""The code.py of a drive that CircuitPython has just made."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is on a drive, and what installing does to it.

    `board` and `circuitpython` are from boot_out.txt; `there` is the firmware that runs there now ("" for none); `ours`
    the version that comes with this Broadside. `writes` and `removes` name files and folders; `keeps` maps files of
    somebody else's that stand in the way to the names under which they are kept.
    """

    drive: Path
    board: str
    circuitpython: str
    there: str
    ours: str
    folder: str
    writes: tuple[str, ...]
    removes: tuple[str, ...]
    keeps: dict[str, str]

    @property
    def needed(self) -> bool:
        """Whether anything is to be done."""
        return bool(self.writes or self.removes or self.keeps)

    @property
    def is_foreign(self) -> bool:
        """Whether the drive is another board's than a Raspberry Pi Pico's."""
        return self.board not in TRIED_BOARDS and self.board not in NEWER_BOARDS

    @property
    def doubt(self) -> str:
        """What speaks against this board, in one sentence; "" for a Pico and a Pico W."""
        if self.is_foreign:
            return (
                f"This is no Raspberry Pi Pico but {self.board}: its pins may lie elsewhere than the guide says, and "
                "the firmware may not run on it."
            )
        if uf2 := NEWER_BOARDS.get(self.board):
            return (
                f"The firmware is untried on a {self.board.partition(' with ')[0]}; its CircuitPython is the UF2 file "
                f"{uf2}, not the Pico's."
            )
        return ""


def source(name: str) -> bytes:
    """Return a file of the firmware."""
    return (files("firmware_bridge.pico") / name).read_bytes()


def folder_name() -> str:
    """Return the folder of this version: its name tells its content, so that equal firmware has an equal name."""
    digest = hashlib.sha256(b"".join(name.encode() + b"\0" + source(name) for name in MODULES))
    return PREFIX + digest.hexdigest()[:10]


def plan(drive: Path) -> Plan:
    """Look at a drive and say what installing would do.

    Raises PicoError where it is no CIRCUITPY drive, its CircuitPython is too old, or it cannot be written.
    """
    if not drive.is_dir():
        raise PicoError(f"{drive} is no folder: name the CIRCUITPY drive of the Pico, such as /media/you/CIRCUITPY.")
    board, circuitpython = _read_boot_out(drive)
    if not os.access(drive, os.W_OK):
        raise PicoError(
            f"The drive {drive} cannot be written: take its write protection off, or mount it for this user."
        )
    folder = folder_name()
    writes = []
    if _differs(drive / folder):
        writes.append(folder)
    writes.extend(name for name in STARTERS if not _same(drive / name, source(name)))
    if not _same(drive / SWITCH, _switch(folder)):
        writes.append(SWITCH)
    keeps = {name: _free_name(drive, name) for name in (*STARTERS, *RIVALS) if _is_foreign(drive / name)}
    removes = sorted(entry.name for entry in drive.glob(PREFIX + "*") if entry.is_dir() and entry.name != folder)
    return Plan(
        drive, board, circuitpython, _version(drive), wire.FIRMWARE, folder, tuple(writes), tuple(removes), keeps
    )


def install(planned: Plan) -> None:
    """Do what was planned. Raises PicoError where the drive is full, or is gone in the middle: it then still works,
    with the firmware that it had."""
    drive = planned.drive
    try:
        _check_space(planned)
        _write_folder(drive, planned.folder)
        for name, kept in planned.keeps.items():
            (drive / name).rename(drive / kept)
        for name in STARTERS:
            if not _same(drive / name, source(name)):
                _replace(drive / name, source(name))
        if not _same(drive / SWITCH, _switch(planned.folder)):
            _replace(drive / SWITCH, _switch(planned.folder))
        for name in planned.removes:
            shutil.rmtree(drive / name)
        sync_folder(drive)
    except OSError as error:
        raise PicoError(
            f"The drive {drive} could not be written ({error.strerror or error}): plug it in again and repeat the "
            "command; until then the Pico runs what it had."
        ) from error


def _read_boot_out(drive: Path) -> tuple[str, str]:
    path = drive / "boot_out.txt"
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        raise PicoError(
            f"{drive} is no CIRCUITPY drive, since it has no boot_out.txt: put CircuitPython on the Pico first "
            "(hold BOOTSEL while you plug it in, and copy the UF2 file from circuitpython.org)."
        ) from None
    found = _VERSION.search(text)
    if not found:
        raise PicoError(f"{path} names no CircuitPython version: put CircuitPython on the Pico anew.")
    version = tuple(int(part) for part in found.groups()[:3])
    name = ".".join(found.groups()[:3]) + found.group(4)
    if version < OLDEST_CIRCUITPYTHON or (version == OLDEST_CIRCUITPYTHON and found.group(4).startswith("-")):
        oldest = ".".join(map(str, OLDEST_CIRCUITPYTHON))
        raise PicoError(
            f"The Pico has CircuitPython {name}; the firmware needs {oldest} or newer: put a newer one on it "
            "(hold BOOTSEL while you plug it in, and copy the UF2 file from circuitpython.org)."
        )
    return found.group(5).strip() or "an unknown board", name


def _version(drive: Path) -> str:
    """Return the version of the firmware that runs there now, or "" where there is none."""
    try:
        folder = (drive / SWITCH).read_text("utf-8", "replace").strip()
        text = (drive / folder / "wire.py").read_text("utf-8", "replace")
    except OSError:
        return ""
    found = re.search(r'^FIRMWARE = "(.*)"', text, re.MULTILINE)
    return found.group(1) if found else ""


def _switch(folder: str) -> bytes:
    return folder.encode() + b"\n"


def _same(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _differs(folder: Path) -> bool:
    return not all(_same(folder / name, source(name)) for name in MODULES)


def _is_foreign(path: Path) -> bool:
    if not path.is_file():
        return False
    text = path.read_text("utf-8", "replace")
    return not _OURS.search(text) and not _FACTORY.fullmatch(text)


def _free_name(drive: Path, name: str) -> str:
    """Return a name under which somebody else's file can be kept, and which CircuitPython does not run."""
    stem = name.replace(".", "_")
    number = 1
    while (drive / f"{stem}_before_broadside_{number}.txt").exists():
        number += 1
    return f"{stem}_before_broadside_{number}.txt"


def _check_space(planned: Plan) -> None:
    needed = sum(len(source(name)) + 4096 for name in (*MODULES, *STARTERS))
    room = os.statvfs(planned.drive)
    if room.f_bavail * room.f_frsize < needed:
        raise PicoError(
            f"The drive {planned.drive} has no room for the firmware ({needed // 1024} KiB): remove files from it."
        )


def _write_folder(drive: Path, name: str) -> None:
    """Write the modules into their folder, and read them back."""
    folder = drive / name
    folder.mkdir(exist_ok=True)
    for module in MODULES:
        if not _same(folder / module, source(module)):
            write_through(folder / module, source(module))
    sync_folder(folder)
    sync_folder(drive)
    for module in MODULES:
        if not _same(folder / module, source(module)):
            raise OSError(f"{module} was not written rightly")


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(path.stem + ".new")
    write_through(temporary, content)
    temporary.replace(path)
    sync_folder(path.parent)
