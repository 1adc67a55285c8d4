"""What the doctor says: findings, each with one line of cure, and the report that machines read."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Status(StrEnum):
    """How bad a finding is. An error keeps the board from working; a warning may spoil a game later."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at: what part of the machine, how it stands, what was found, and one line of cure
    (empty where nothing is wrong)."""

    check: str
    status: Status
    found: str
    cure: str = ""


class Report(msgspec.Struct, frozen=True):
    """All findings of one examination. `kit` is the kit as it was named and `kit_file` the household's own file of
    that name, "" for a kit that comes with Broadside or was named by its file. `ready` is false where a finding is an
    error."""

    machine: str
    kit: str
    kit_file: str
    board: str
    ready: bool
    findings: tuple[Finding, ...]

    @property
    def exit_code(self) -> int:
        """1 with an error among the findings, else 0."""
        return 0 if self.ready else 1


def ok(check: str, found: str) -> Finding:
    """Return a finding that needs no cure."""
    return Finding(check, Status.OK, found)


def warning(check: str, found: str, cure: str) -> Finding:
    """Return a finding that may spoil a game later."""
    return Finding(check, Status.WARNING, found, cure)


def error(check: str, found: str, cure: str) -> Finding:
    """Return a finding that keeps the board from working."""
    return Finding(check, Status.ERROR, found, cure)


def as_json(report: Report) -> str:
    """Return the report as indented JSON, for `broadside doctor --json`."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
