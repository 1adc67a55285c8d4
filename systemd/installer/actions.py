"""The steps of an installation: each knows whether it is pending, says what it does, and does it."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from installer.machine import PREFIX, CommandError, InstallError, Machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

HOME = "/var/lib/broadside"
UNIT = "broadside.service"
ACCOUNT = "broadside"
GROUPS_MADE = f"{PREFIX}/groups-made"


class Action(Protocol):
    """One step. Carried out when pending; carried out twice it does no harm."""

    @property
    def prepares(self) -> bool:
        """Whether it only makes ready what a later step puts to use, so that nothing is half done after it."""

    @property
    def title(self) -> str:
        """What it does, as an order: "write /etc/…"."""

    def pending(self, machine: Machine) -> bool:
        """Return whether there is something to do."""

    def details(self, machine: Machine) -> Iterable[str]:
        """Return lines that say more before it is done, such as a difference."""

    def carry_out(self, machine: Machine) -> None:
        """Do it. Raises InstallError or OSError."""


class Step:
    """Base of the steps: no details."""

    prepares = False
    """Whether it only makes ready what a later step puts to use, so that nothing is half done after it."""

    def details(self, machine: Machine) -> Iterable[str]:
        """Say no more than the title."""
        return ()


def write_atomically(path: Path, text: str | bytes, mode: int) -> None:
    """Write a file so that a power cut leaves the old content or the new: beside it, synced, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.broadside-new")
    with beside.open("wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(text.encode() if isinstance(text, str) else text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@dataclass
class WriteFile(Step):
    """A text file with its mode."""

    path: str
    text: str
    mode: int = 0o644

    @property
    def title(self) -> str:
        """Name the file."""
        return f"write {self.path}"

    def pending(self, machine: Machine) -> bool:
        """Return whether the file is missing, or has another text or mode."""
        path = machine.at(self.path)
        if not path.is_file():
            return True
        return path.read_text(encoding="utf-8") != self.text or stat.S_IMODE(path.stat().st_mode) != self.mode

    def carry_out(self, machine: Machine) -> None:
        """Write it."""
        write_atomically(machine.at(self.path), self.text, self.mode)
        machine.changed.add(self.path)


@dataclass
class Link(Step):
    """A symbolic link, swapped at once."""

    path: str
    target: str

    @property
    def title(self) -> str:
        """Name both ends."""
        return f"point {self.path} to {self.target}"

    def pending(self, machine: Machine) -> bool:
        """Return whether it points elsewhere."""
        path = machine.at(self.path)
        return not path.is_symlink() or str(path.readlink()) != self.target

    def carry_out(self, machine: Machine) -> None:
        """Make it anew beside the old one and rename it over that."""
        path = machine.at(self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.broadside-new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(self.target)
        beside.replace(path)
        machine.changed.add(self.path)


@dataclass
class Remove(Step):
    """A file, a link, a folder with all in it, or with `only_empty` a folder that nobody uses any more."""

    path: str
    only_empty: bool = False

    @property
    def title(self) -> str:
        """Name it."""
        return f"remove {self.path}"

    def pending(self, machine: Machine) -> bool:
        """Return whether it is there, and for `only_empty` whether it will be empty."""
        path = machine.at(self.path)
        if not self.only_empty:
            return path.is_symlink() or path.exists()
        return path.is_dir() and all(f"{self.path}/{entry.name}" in machine.changed for entry in path.iterdir())

    def carry_out(self, machine: Machine) -> None:
        """Remove it."""
        path = machine.at(self.path)
        if path.is_dir() and not path.is_symlink():
            if self.only_empty:
                path.rmdir()
            else:
                shutil.rmtree(path)
        else:
            path.unlink()
        machine.changed.add(self.path)


@dataclass
class AptPackages(Step):
    """Packages of the system. `optional` ones are passed over where the system's package lists do not have them."""

    names: Sequence[str]
    reason: str
    optional: bool = False
    prepares = True
    missing: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Name the packages."""
        return f"install the packages {' '.join(self.missing or self.names)} ({self.reason})"

    def pending(self, machine: Machine) -> bool:
        """Return whether one is not installed."""
        if not machine.live:
            return False
        self.missing = [name for name in self.names if not _is_installed(machine, name)]
        return bool(self.missing)

    def carry_out(self, machine: Machine) -> None:
        """Update the package lists and install what is missing. Mends a dpkg run that was interrupted."""
        environment = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        wait = ("-o", "DPkg::Lock::Timeout=300")
        machine.run("dpkg", "--configure", "-a", environment=environment)
        machine.run("apt-get", *wait, "--quiet=2", "update", environment=environment)
        try:
            machine.run(
                "apt-get", *wait, "--quiet=2", "install", "--yes", "--no-install-recommends", *self.missing,
                environment=environment,
            )  # fmt: skip
        except CommandError as error:
            if not self.optional or "Unable to locate package" not in error.output:
                raise
            machine.say(f"    note: this system has no package {' '.join(self.missing)}; {self.reason} will not work.")


def _is_installed(machine: Machine, name: str) -> bool:
    try:
        return machine.query("dpkg-query", "--show", "--showformat=${db:Status-Status}", name) == "installed"
    except CommandError:
        return False


@dataclass
class Accounts(Step):
    """The service's account and the groups of its devices, made by systemd-sysusers from a file that is in place."""

    path: str
    groups: Sequence[str]
    title = "make the account broadside and the groups of its devices"

    def pending(self, machine: Machine) -> bool:
        """Return whether one is missing."""
        return machine.live and (not _has_account() or bool(self._missing_groups()))

    def _missing_groups(self) -> list[str]:
        there = {group.gr_name for group in grp.getgrall()}
        return [group for group in self.groups if group not in there]

    def carry_out(self, machine: Machine) -> None:
        """Make them, and note which groups were not there before."""
        made = machine.at(GROUPS_MADE)
        before = made.read_text(encoding="utf-8").split() if made.exists() else []
        write_atomically(made, "\n".join(sorted({*before, *self._missing_groups()})), 0o644)
        machine.run("systemd-sysusers", self.path)
        machine.changed.add(ACCOUNT)


def _has_account() -> bool:
    return any(account.pw_name == ACCOUNT for account in pwd.getpwall())


@dataclass
class RemoveAccounts(Step):
    """The account and the groups that the installation made. The games go to root first, so that they belong to
    nobody else who is given the same number later."""

    title = "remove the account broadside and the groups made for it"

    def pending(self, machine: Machine) -> bool:
        """Return whether there is an account."""
        return machine.live and _has_account()

    def carry_out(self, machine: Machine) -> None:
        """Hand the games to root, remove the account, and those groups made for it that have no members."""
        home, made = machine.at(HOME), machine.at(GROUPS_MADE)
        if home.exists():
            machine.run("chown", "--recursive", "--no-dereference", "root:root", str(home))
        machine.run("userdel", ACCOUNT)
        groups = made.read_text(encoding="utf-8").split() if made.exists() else []
        for group in grp.getgrall():
            if group.gr_name in groups and not group.gr_mem:
                machine.run("groupdel", group.gr_name)
        machine.changed.add(ACCOUNT)


@dataclass
class TellSystemd(Step):
    """Read the units and udev rules again after a change."""

    paths: Sequence[str]
    title = "have systemd and udev read their files again"

    def pending(self, machine: Machine) -> bool:
        """Return whether one of the files changed, now or in a run that was interrupted."""
        return machine.managed and (machine.unfinished or not machine.changed.isdisjoint(self.paths))

    def carry_out(self, machine: Machine) -> None:
        """Read them again, and let udev look at the devices that are there."""
        machine.run("systemctl", "daemon-reload")
        if not machine.at("/run/udev/control").exists():
            # A container has no devices of its own to look after.
            return
        machine.run("udevadm", "control", "--reload")
        machine.run("udevadm", "trigger", "--action=change")
        machine.run("udevadm", "settle", "--timeout=30")


class StartService(Step):
    """Start the service, or start it anew: it keeps its game. Where config.txt changed, the machine's own restart does
    it."""

    title = "start the service anew; a running game goes on"

    def pending(self, machine: Machine) -> bool:
        """Return whether anything changed and can be used already."""
        return machine.managed and bool(machine.changed or machine.unfinished) and not machine.restart_needed

    def carry_out(self, machine: Machine) -> None:
        """Start it and wait until it says that it is ready."""
        machine.run("systemctl", "reset-failed", UNIT)
        try:
            machine.run("systemctl", "restart", UNIT)
        except CommandError:
            lines = machine.query("journalctl", "--unit", UNIT, "--output=cat", "--lines=30", "--no-pager").splitlines()
            said = [line for line in lines if line and not line.startswith((UNIT, "Starting ", "Failed "))]
            raise InstallError(
                f"Everything is installed, but the service does not start: {said[-1] if said else 'it says nothing'} "
                f"(more: journalctl -u broadside; broadside doctor)."
            ) from None


class RestUntilRestart(Step):
    """Stop a service that runs with an older release and for an older config.txt: the machine's restart starts it."""

    title = "stop the service until the Pi is restarted; the game is kept"

    def pending(self, machine: Machine) -> bool:
        """Return whether the service runs though the machine must be restarted."""
        if not machine.managed or not machine.restart_needed:
            return False
        state = machine.query("systemctl", "show", "--property=ActiveState", "--value", UNIT)
        return state.strip() in {"active", "activating"}

    def carry_out(self, machine: Machine) -> None:
        """Stop it."""
        machine.run("systemctl", "stop", UNIT)


@dataclass
class StopService(Step):
    """Stop the service; the game is kept."""

    title = "stop the service; the game is kept"

    def pending(self, machine: Machine) -> bool:
        """Return whether systemd knows the unit."""
        return machine.managed and machine.at(f"/etc/systemd/system/{UNIT}").exists()

    def carry_out(self, machine: Machine) -> None:
        """Stop it."""
        machine.run("systemctl", "stop", UNIT)
        machine.run("systemctl", "reset-failed", UNIT)
        machine.changed.add(UNIT)
