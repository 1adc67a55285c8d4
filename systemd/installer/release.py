"""The program itself: a virtual environment for each release below /opt/broadside, and a link to the one in use.

A release is built aside and marked complete, and only then linked, so that a game goes on with the old one until the
new one is whole, and an interrupted installation leaves nothing that is used.
"""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from installer.actions import Step, write_atomically
from installer.machine import PREFIX, PROGRAM, CommandError, InstallError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from installer.machine import Machine

PACKAGES = ("companion", "hardware", "firmware_bridge", "wiring")
RELEASES = f"{PREFIX}/releases"
MEGABYTES_NEEDED = 500
"""A release takes about 250 MB, and there are two of them during an update."""


def fingerprint(checkout: Path, *further: str) -> str:
    """Return what a release is called: the version and a hash over all that goes into it."""
    digest = hashlib.sha256("\0".join(further).encode())
    for path in [checkout / "pyproject.toml", *(p for name in PACKAGES for p in sorted((checkout / name).rglob("*")))]:
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"\0{path.relative_to(checkout)}\0".encode() + path.read_bytes())
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['version']}-{digest.hexdigest()[:12]}"


@dataclass
class Release:
    """One release: its name, the project's extras and the further requirements that belong to it, and whether it sees
    the system's Python packages."""

    name: str
    extras: Sequence[str]
    requirements: Sequence[str]
    sees_system: bool

    @property
    def path(self) -> str:
        """Where it is."""
        return f"{RELEASES}/{self.name}"

    def is_complete(self, machine: Machine) -> bool:
        """Return whether it was built to the end."""
        return machine.at(f"{self.path}/complete").is_file()

    def python(self, machine: Machine) -> str:
        """Return the release's own Python, where it is now."""
        return str(machine.at(f"{self.path}/bin/python"))


@dataclass
class _ReleaseStep(Step):
    release: Release
    prepares = True

    def pending(self, machine: Machine) -> bool:
        """Return whether the release is still to be built."""
        return not self.release.is_complete(machine)


class MakeEnvironment(_ReleaseStep):
    """A new virtual environment, in the place of one that was left half built."""

    @property
    def title(self) -> str:
        """Name it."""
        return f"make a virtual environment in {self.release.path}"

    def carry_out(self, machine: Machine) -> None:
        """Look whether there is room, and make it."""
        path = machine.at(self.release.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(path.parent).free // 1_000_000
        if free < MEGABYTES_NEEDED:
            raise InstallError(
                f"Broadside needs {MEGABYTES_NEEDED} MB of free space for {path.parent}, and {free} MB are free: make "
                f"room and run the same command again."
            )
        machine.run(machine.python, "-m", "venv", "--clear", str(path))
        machine.changed.add(self.release.path)


class InstallProject(_ReleaseStep):
    """The project and what every kit needs."""

    @property
    def title(self) -> str:
        """Say that it takes a while."""
        return "install the program there (a few minutes on a Pi)"

    def carry_out(self, machine: Machine) -> None:
        """Install it."""
        _pip(machine, self.release, str(machine.checkout))


@dataclass
class CheckKit(_ReleaseStep):
    """The whole check of the kit, by the program that will run it; nothing else is changed before it."""

    kit: Path

    @property
    def title(self) -> str:
        """Name the kit's file."""
        return f"check {self.kit}"

    def carry_out(self, machine: Machine) -> None:
        """Check it, and take the release away again where the kit is wrong."""
        try:
            check_kit(machine, self.release.python(machine), self.kit)
        except InstallError:
            shutil.rmtree(machine.at(self.release.path))
            for folder in (RELEASES, PREFIX):
                if not any(machine.at(folder).iterdir()):
                    machine.at(folder).rmdir()
            raise


class InstallExtras(_ReleaseStep):
    """The drivers that this kit needs."""

    @property
    def title(self) -> str:
        """Name the extras and requirements."""
        return f"install the drivers there: {', '.join([*self.release.extras, *self.release.requirements])}"

    def pending(self, machine: Machine) -> bool:
        """Return whether there are any and the release is still to be built."""
        return bool(self.release.extras) and super().pending(machine)

    def carry_out(self, machine: Machine) -> None:
        """Install them."""
        _pip(machine, self.release, f"{machine.checkout}[{','.join(self.release.extras)}]", *self.release.requirements)


class CompleteRelease(_ReleaseStep):
    """Let it see the system's packages where it must, and mark it complete."""

    @property
    def title(self) -> str:
        """Say which packages it sees."""
        return "mark it complete" + (" and let it see python3-lgpio" if self.release.sees_system else "")

    def carry_out(self, machine: Machine) -> None:
        """Run venv once more over it with that option, which changes its settings only; then mark it."""
        path = machine.at(self.release.path)
        if self.release.sees_system:
            machine.run(machine.python, "-m", "venv", "--system-site-packages", "--without-pip", str(path))
        if machine.destdir is not None:
            _forget_destdir(path / "bin", machine.destdir)
        write_atomically(path / "complete", f"{self.release.name}\n", 0o644)


@dataclass
class RemoveOldReleases(_ReleaseStep):
    """All releases but the one in use."""

    title = "remove the releases that are no longer used"
    prepares = False

    def _old(self, machine: Machine) -> list[Path]:
        folder = machine.at(RELEASES)
        return [path for path in folder.iterdir() if path.name != self.release.name] if folder.is_dir() else []

    def pending(self, machine: Machine) -> bool:
        """Return whether there are any."""
        return bool(self._old(machine))

    def carry_out(self, machine: Machine) -> None:
        """Remove them."""
        for path in self._old(machine):
            shutil.rmtree(path)


def _pip(machine: Machine, release: Release, *requirements: str) -> None:
    machine.run(
        release.python(machine), "-m", "pip", "install", "--quiet", "--no-input", "--no-cache-dir",
        "--disable-pip-version-check", *requirements,
    )  # fmt: skip


def _forget_destdir(scripts: Path, destdir: Path) -> None:
    """Take the folder that stands for "/" out of the first lines of the scripts."""
    for path in scripts.iterdir():
        if path.is_file() and not path.is_symlink() and str(destdir).encode() in (old := path.read_bytes()):
            write_atomically(path, old.replace(str(destdir).encode(), b""), path.stat().st_mode & 0o777)


def check_kit(machine: Machine, python: str, kit: Path) -> None:
    """Check a kit file with a Python that has what the project needs. Raises InstallError with the check's words."""
    script = machine.checkout / "systemd" / "installer" / "check_kit.py"
    try:
        machine.query(python, "-B", str(script), str(kit), environment={"PYTHONPATH": str(machine.checkout)})
    except CommandError as error:
        words = " ".join(error.output.split()) or str(error)
        raise InstallError(f"{words} Nothing was installed.") from None


def early_check(machine: Machine, kit: Path) -> bool:
    """Check a kit before anything is changed, where a Python is at hand that has what this takes; return whether there
    was one. Raises InstallError with the check's words."""
    installed = machine.at(PROGRAM).resolve().with_name("python")
    for python in (str(installed), str(machine.checkout / ".venv/bin/python"), machine.python):
        try:
            machine.query(python, "-c", "import msgspec")
        except CommandError:
            continue
        check_kit(machine, python, kit)
        return True
    return False
