"""A household's kit, copied to where the service reads it, and corrected there by `broadside test`."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from installer.actions import HOME, Step, write_atomically
from installer.machine import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from installer.machine import Machine

KITS = f"{HOME}/kits"
GIVEN_KITS = f"{PREFIX}/kits"
"""The kit files as they were given when they were installed."""


def are_kits_hidden(machine: Machine) -> bool:
    """Return whether a dry run is asked for by a user who may not look at the board's own kits."""
    home = machine.at(HOME)
    return machine.dry_run and home.is_dir() and not os.access(home, os.R_OK | os.X_OK)


@dataclass
class KeepKit(Step):
    """A kit file of the household, copied to where the service reads it.

    A copy that was corrected there stays until the given file says something else than when it was installed. What a
    copy takes the place of is kept beside it, numbered as `broadside test` does.
    """

    source: Path

    @property
    def path(self) -> str:
        """Where the service finds it."""
        return f"{KITS}/{self.source.name}"

    @property
    def title(self) -> str:
        """Name both files."""
        return f"copy {self.source} to {self.path}"

    def in_use(self, machine: Machine) -> Path:
        """Return the file that the service reads afterwards: the given one, or the copy that stays."""
        return machine.at(self.path) if self._stays(machine) else self.source

    def is_known(self, machine: Machine) -> bool:
        """Return whether the given file is the one that was installed before."""
        return self._installed(machine) == self.source.read_bytes()

    def _installed(self, machine: Machine) -> bytes | None:
        path = machine.at(f"{GIVEN_KITS}/{self.source.name}")
        return path.read_bytes() if path.is_file() else None

    def _stays(self, machine: Machine) -> bool:
        if are_kits_hidden(machine):
            return False
        copy, given = machine.at(self.path), self.source.read_bytes()
        return copy.is_file() and copy.read_bytes() != given and self._installed(machine) in (None, given)

    def notes(self, machine: Machine) -> Iterator[str]:
        """Return lines about a copy that stays: what differs, and what to do for the given file to count."""
        if not self._stays(machine):
            return
        since = "was corrected since" if self.is_known(machine) else "may have been corrected since"
        yield f"{self.path} stays as it is, for it {since}. It differs from {self.source}:"
        copy = machine.at(self.path).read_bytes()
        for line in _difference(self.source.read_bytes(), copy, str(self.source), self.path):
            yield f"    {line}"
        yield f"To use {self.source} instead, rename {self.path} and install again."

    def pending(self, machine: Machine) -> bool:
        """Return whether the copy is missing, or has to give way to what the given file says now."""
        copy = machine.at(self.path)
        return not copy.is_file() or (copy.read_bytes() != self.source.read_bytes() and not self._stays(machine))

    def details(self, machine: Machine) -> Iterator[str]:
        """Say what becomes of the copy that is there, and show the difference."""
        copy = machine.at(self.path)
        if not copy.is_file():
            return
        corrected = self._installed(machine) != copy.read_bytes()
        yield f"what is there is kept as {self._kept_as(machine).name}" + (
            ", with corrections that are not in the new one:" if corrected else ":"
        )
        yield from _difference(copy.read_bytes(), self.source.read_bytes(), self.path, str(self.source))

    def _kept_as(self, machine: Machine) -> Path:
        """Return the file that the copy is kept as: the first number that is free, or has the same content since a run
        that was interrupted."""
        copy, number = machine.at(self.path), 1
        while (kept := copy.with_name(f"{copy.name}.bak{number}")).exists() and kept.read_bytes() != copy.read_bytes():
            number += 1
        return kept

    def carry_out(self, machine: Machine) -> None:
        """Keep what is there, then copy."""
        copy = machine.at(self.path)
        machine.at(HOME).mkdir(parents=True, exist_ok=True, mode=0o750)
        if copy.exists():
            write_atomically(self._kept_as(machine), copy.read_bytes(), 0o644)
        write_atomically(copy, self.source.read_bytes(), 0o644)
        machine.changed.add(self.path)


@dataclass
class NoteKit(Step):
    """What a given kit file says now, noted so that a later installation knows whether it says something new."""

    source: Path

    @property
    def _note(self) -> str:
        return f"{GIVEN_KITS}/{self.source.name}"

    @property
    def title(self) -> str:
        """Name both files."""
        return f"note in {self._note} what {self.source} says"

    def pending(self, machine: Machine) -> bool:
        """Return whether it said something else before, or was not there."""
        note = machine.at(self._note)
        return not note.is_file() or note.read_bytes() != self.source.read_bytes()

    def carry_out(self, machine: Machine) -> None:
        """Note it."""
        write_atomically(machine.at(self._note), self.source.read_bytes(), 0o644)


def _difference(old: bytes, new: bytes, old_name: str, new_name: str) -> Iterable[str]:
    before, after = (content.decode("utf-8", "replace").splitlines() for content in (old, new))
    return difflib.unified_diff(before, after, old_name, new_name, n=1, lineterm="")
