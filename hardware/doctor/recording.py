"""A recorded machine: what `ThisMachine` would have read, kept in a TOML file.

Every recording can stand on another (`based_on`, a file name beside it) and tell only what differs; `without` lists
what the other had and this one has not, as ["nodes", "/dev/spidev0.0"]. What a recording does not tell is not there.
"""

from __future__ import annotations

import tomllib
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from hardware.doctor.machine import GpioChip, Machine, Node, Space, User

if TYPE_CHECKING:
    from pathlib import Path


class _Chip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    label: str
    taken: dict[str, str] = {}


class _Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    free_mb: int
    writable: bool = True


class _Recording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: str
    euid: int
    user: str
    groups: tuple[str, ...]
    now: datetime
    folder: str
    python: tuple[int, int, int]
    packages: dict[str, str] = {}
    environment: dict[str, str] = {}
    files: dict[str, str] = {}
    folders: dict[str, tuple[str, ...]] = {}
    nodes: dict[str, str] = {}
    commands: dict[str, str] = {}
    space: dict[str, _Space] = {}
    holders: dict[str, tuple[str, ...]] = {}
    chips: tuple[_Chip, ...] = ()


class RecordedMachine:
    """A machine that answers from a recording."""

    def __init__(self, recording: _Recording) -> None:
        self._recording = recording
        self.title = recording.title

    def text(self, path: str) -> str | None:
        """Return a file's text."""
        return self._recording.files.get(path)

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names in a folder, sorted."""
        return tuple(sorted(self._recording.folders.get(folder, ())))

    def node(self, path: str) -> Node | None:
        """Return a file's mode, owner and group."""
        line = self._recording.nodes.get(path)
        return None if line is None else Node(*line.split(maxsplit=2))

    def output(self, *command: str) -> str | None:
        """Return what a command printed."""
        return self._recording.commands.get(" ".join(command))

    def environment(self, name: str) -> str | None:
        """Return an environment variable."""
        return self._recording.environment.get(name)

    def user(self) -> User:
        """Return who ran the program."""
        return User(self._recording.euid, self._recording.user, self._recording.groups)

    def package(self, name: str) -> str | None:
        """Return the version of an installed Python package."""
        return self._recording.packages.get(name)

    def chips(self) -> tuple[GpioChip, ...]:
        """Return the GPIO chips."""
        return tuple(
            GpioChip(chip.name, chip.label, {int(line): by for line, by in chip.taken.items()})
            for chip in self._recording.chips
        )

    def space(self, folder: str) -> Space | None:
        """Return the space at the longest recorded folder that holds this one."""
        above = [
            known for known in self._recording.space if folder == known or folder.startswith(known.rstrip("/") + "/")
        ]
        if not above:
            return None
        space = self._recording.space[max(above, key=len)]
        return Space(space.free_mb, space.writable)

    def holders(self, path: str) -> tuple[str, ...]:
        """Return the other processes that had a device open."""
        return self._recording.holders.get(path, ())

    def python(self) -> tuple[int, int, int]:
        """Return major and minor version of Python, and the width of its addresses."""
        return self._recording.python

    def now(self) -> datetime:
        """Return the time of the recording in UTC."""
        return self._recording.now

    def folder(self) -> str:
        """Return the working directory."""
        return self._recording.folder


def load_recording(path: Path) -> RecordedMachine:
    """Return the machine that a file recorded. Raises OSError, tomllib.TOMLDecodeError or msgspec.ValidationError
    where the file cannot be read."""
    return RecordedMachine(msgspec.convert(_merged(path), _Recording))


def _merged(path: Path) -> dict[str, Any]:
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    base = told.pop("based_on", None)
    without = told.pop("without", [])
    if base is None:
        return told
    whole = _merged(path.parent / base)
    for table, key in without:
        del whole[table][key]
    for key, value in told.items():
        if isinstance(value, dict):
            whole.setdefault(key, {}).update(value)
        else:
            whole[key] = value
    return whole


class Recorder:
    """A machine that passes every question on and keeps the answers, so that a bug report can be tried elsewhere."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._packages: dict[str, str] = {}
        self._environment: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._folders: dict[str, list[str]] = {}
        self._nodes: dict[str, str] = {}
        self._commands: dict[str, str] = {}
        self._space: dict[str, dict[str, object]] = {}
        self._holders: dict[str, list[str]] = {}
        self._chips: list[dict[str, object]] = []
        self._now = machine.now()

    def text(self, path: str) -> str | None:
        """Pass on and keep."""
        text = self._machine.text(path)
        if text is not None:
            self._files[path] = text
        return text

    def names(self, folder: str) -> tuple[str, ...]:
        """Pass on and keep."""
        names = self._machine.names(folder)
        if names:
            self._folders[folder] = list(names)
        return names

    def node(self, path: str) -> Node | None:
        """Pass on and keep."""
        node = self._machine.node(path)
        if node is not None:
            self._nodes[path] = f"{node.mode} {node.owner} {node.group}"
        return node

    def output(self, *command: str) -> str | None:
        """Pass on and keep."""
        output = self._machine.output(*command)
        if output is not None:
            self._commands[" ".join(command)] = output
        return output

    def environment(self, name: str) -> str | None:
        """Pass on and keep."""
        value = self._machine.environment(name)
        if value is not None:
            self._environment[name] = value
        return value

    def user(self) -> User:
        """Pass on."""
        return self._machine.user()

    def package(self, name: str) -> str | None:
        """Pass on and keep."""
        version = self._machine.package(name)
        if version is not None:
            self._packages[name] = version
        return version

    def chips(self) -> tuple[GpioChip, ...]:
        """Pass on and keep."""
        chips = self._machine.chips()
        self._chips = [
            {"name": chip.name, "label": chip.label, "taken": {str(line): by for line, by in chip.taken.items()}}
            for chip in chips
        ]
        return chips

    def space(self, folder: str) -> Space | None:
        """Pass on and keep."""
        space = self._machine.space(folder)
        if space is not None:
            self._space[folder] = {"free_mb": space.free_mb, "writable": space.writable}
        return space

    def holders(self, path: str) -> tuple[str, ...]:
        """Pass on and keep."""
        holders = self._machine.holders(path)
        if holders:
            self._holders[path] = list(holders)
        return holders

    def python(self) -> tuple[int, int, int]:
        """Pass on."""
        return self._machine.python()

    def now(self) -> datetime:
        """Return one time for the whole recording."""
        return self._now

    def folder(self) -> str:
        """Pass on."""
        return self._machine.folder()

    def recording(self, title: str) -> dict[str, object]:
        """Return all that was asked and answered so far, as the tables of a recording's TOML file."""
        user = self._machine.user()
        return {
            "title": title,
            "euid": user.euid,
            "user": user.name,
            "groups": list(user.groups),
            "now": self._now,
            "folder": self._machine.folder(),
            "python": list(self._machine.python()),
            "packages": self._packages,
            "environment": self._environment,
            "files": self._files,
            "folders": self._folders,
            "nodes": self._nodes,
            "commands": self._commands,
            "space": self._space,
            "holders": self._holders,
            "chips": self._chips,
        }
