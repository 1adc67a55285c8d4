"""The machine that is installed on: its paths below DESTDIR, its commands, and what was said and changed so far."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PREFIX = "/opt/broadside"
PROGRAM = f"{PREFIX}/bin/broadside"
LOG = "/var/log/broadside-install.log"
UNFINISHED = f"{PREFIX}/unfinished"
RESTART_NEEDED = "/run/broadside-restart-needed"
"""There from a change of config.txt until the machine starts anew, for /run is in memory."""

Execute = Callable[[Sequence[str], Mapping[str, str]], str]
"""Runs a command with further environment variables, and returns what it wrote."""

_CAUSES = (
    (r"No space left on device", "The disk is full"),
    (r"Read-only file system", "The disk is read-only"),
    (
        r"Temporary failure|Could not resolve|Name or service not known|Network is unreachable|NewConnectionError"
        r"|Failed to fetch|from versions: none|Connection (timed out|refused|reset)",
        "There is no way to the package servers",
    ),
    (r"Unable to locate package|has no installation candidate", "This system's package lists do not have it"),
)


class InstallError(Exception):
    """One sentence that says why the installation stopped and what to do."""


class CommandError(InstallError):
    """A command that failed; `output` is what it wrote."""

    def __init__(self, command: Sequence[str], output: str) -> None:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        named = [line for line in lines if line.startswith(("E:", "ERROR:", "error:", "Error:"))]
        last = (named or lines or ["it said nothing"])[-1].rstrip(".")
        cause = next((cause for pattern, cause in _CAUSES if re.search(pattern, output)), "It failed")
        super().__init__(f"{cause} ({Path(command[0]).name}: {last}). Mend that and run the same command again.")
        self.output = output


def run_command(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run a command of the machine and return its output, standard error included; raise CommandError if it fails."""
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except (FileNotFoundError, NotADirectoryError):
        raise CommandError(command, f"there is no command {command[0]}") from None
    except PermissionError:
        raise CommandError(command, f"this user may not run {command[0]}") from None
    if done.returncode:
        raise CommandError(command, done.stdout)
    return done.stdout


def say(text: str) -> None:
    """Print one line at once."""
    print(text, flush=True)  # noqa: T201 - this is what the installer says


@dataclass
class Machine:
    """Where the installer works and what it has done.

    `destdir` is the folder that stands for "/", or None for this machine itself, which alone has packages, accounts
    and services. `execute` runs a command; `changed` holds the paths and names changed in this run.
    """

    checkout: Path
    destdir: Path | None = None
    dry_run: bool = False
    execute: Execute = run_command
    say: Callable[[str], None] = say
    processor: str = field(default_factory=platform.machine)
    python: str = f"{sys.base_prefix}/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    changed: set[str] = field(default_factory=set)
    unfinished: bool = field(init=False)

    def __post_init__(self) -> None:
        self.unfinished = self.at(UNFINISHED).exists()

    def at(self, path: str) -> Path:
        """Return where an absolute path of the installed system is now."""
        return Path(path) if self.destdir is None else self.destdir / path.lstrip("/")

    @property
    def live(self) -> bool:
        """Whether this machine itself is installed on, and not a folder."""
        return self.destdir is None

    @property
    def managed(self) -> bool:
        """Whether systemd runs this machine (sd_booted(3)); in a chroot it does not."""
        return self.live and Path("/run/systemd/system").is_dir()

    @property
    def restart_needed(self) -> bool:
        """Whether config.txt was changed since this machine started."""
        return self.live and self.at(RESTART_NEEDED).exists()

    def run(self, *command: str, environment: Mapping[str, str] | None = None) -> str:
        """Run a command that changes something, keep its output in the log, return it. Raises CommandError."""
        try:
            output = self.execute(command, environment or {})
        except CommandError as error:
            self._log(command, error.output)
            raise
        self._log(command, output)
        return output

    def query(self, *command: str, environment: Mapping[str, str] | None = None) -> str:
        """Run a command that only asks, and return its output. Raises CommandError."""
        return self.execute(command, environment or {})

    def _log(self, command: Sequence[str], output: str) -> None:
        log = self.at(LOG)
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n{output}\n")
