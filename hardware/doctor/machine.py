"""The one place through which everything about the machine is read.

Checks see a `Machine` only, so that they can be tried on a recorded one (`hardware.doctor.recording`).
"""

from __future__ import annotations

import fcntl
import grp
import os
import pwd
import shutil
import stat
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

COMMAND_SECONDS = 10.0
"""How long a command may take before it counts as not there."""

_GET_CHIPINFO = 0x8044B401
_GET_LINEINFO = 0xC100B405
"""GPIO_GET_CHIPINFO_IOCTL and GPIO_V2_GET_LINEINFO_IOCTL of <linux/gpio.h>."""
_CHIP_INFO = struct.Struct("=32s32sI")
_LINE_INFO = struct.Struct("=32s32sIIQ176x")
_LINE_USED = 1


@dataclass(frozen=True, slots=True)
class Node:
    """A file or device node: its mode as `ls` writes it ("crw-rw----"), owner and group."""

    mode: str
    owner: str
    group: str


@dataclass(frozen=True, slots=True)
class User:
    """Who runs this program: effective user id, name, and the names of all groups."""

    euid: int
    name: str
    groups: tuple[str, ...]

    def may_open(self, node: Node) -> bool:
        """Whether this user may read and write a node, by its mode, owner and group (root always may)."""
        if self.euid == 0:
            return True
        if self.name == node.owner:
            return node.mode[1:3] == "rw"
        if node.group in self.groups:
            return node.mode[4:6] == "rw"
        return node.mode[7:9] == "rw"


@dataclass(frozen=True, slots=True)
class GpioChip:
    """One /dev/gpiochip: its label ("pinctrl-rp1"), and for each line that something holds, who holds it."""

    name: str
    label: str
    taken: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Space:
    """A folder (or the nearest one above it that exists): free megabytes, and whether it can be written."""

    free_mb: int
    writable: bool


class Machine(Protocol):
    """All that the doctor may ask of a machine. What is not there is None or empty, never an exception."""

    def text(self, path: str) -> str | None:
        """Return a file's text, NULs at its end taken off."""

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names in a folder, sorted."""

    def node(self, path: str) -> Node | None:
        """Return a file's mode, owner and group, links followed."""

    def output(self, *command: str) -> str | None:
        """Return what a command prints, None where it is missing, fails or takes too long."""

    def environment(self, name: str) -> str | None:
        """Return an environment variable."""

    def user(self) -> User:
        """Return who runs this program."""

    def package(self, name: str) -> str | None:
        """Return the version of an installed Python package."""

    def chips(self) -> tuple[GpioChip, ...]:
        """Return the GPIO chips that may be opened, in the order of their numbers."""

    def space(self, folder: str) -> Space | None:
        """Return the space at a folder."""

    def holders(self, path: str) -> tuple[str, ...]:
        """Return the other processes that have a device open or mapped, as "NAME (process N)". Without root only
        one's own processes can be seen."""

    def python(self) -> tuple[int, int, int]:
        """Return major and minor version of this Python, and 32 or 64 for the width of its addresses."""

    def now(self) -> datetime:
        """Return the time in UTC."""

    def folder(self) -> str:
        """Return the working directory."""


class ThisMachine:
    """The machine that this program runs on."""

    def text(self, path: str) -> str | None:
        """Return a file's text, NULs at its end taken off."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace").rstrip("\0")
        except OSError:
            return None

    def names(self, folder: str) -> tuple[str, ...]:
        """Return the names in a folder, sorted."""
        try:
            return tuple(sorted(path.name for path in Path(folder).iterdir()))
        except OSError:
            return ()

    def node(self, path: str) -> Node | None:
        """Return a file's mode, owner and group, links followed."""
        try:
            found = Path(path).stat()
        except OSError:
            return None
        return Node(stat.filemode(found.st_mode), _user_name(found.st_uid), _group_name(found.st_gid))

    def output(self, *command: str) -> str | None:
        """Return what a command prints, None where it is missing, fails or takes too long."""
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=COMMAND_SECONDS,
                check=True,
                env={**os.environ, "LC_ALL": "C"},
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    def environment(self, name: str) -> str | None:
        """Return an environment variable."""
        return os.environ.get(name)

    def user(self) -> User:
        """Return who runs this program."""
        groups = {os.getegid(), *os.getgroups()}
        return User(os.geteuid(), _user_name(os.geteuid()), tuple(sorted(_group_name(group) for group in groups)))

    def package(self, name: str) -> str | None:
        """Return the version of an installed Python package."""
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    def chips(self) -> tuple[GpioChip, ...]:
        """Return the GPIO chips that may be opened, in the order of their numbers."""
        names = [name for name in self.names("/dev") if name.startswith("gpiochip") and name[8:].isdigit()]
        chips = (_gpio_chip(Path("/dev") / name) for name in sorted(names, key=lambda name: int(name[8:])))
        return tuple(chip for chip in chips if chip is not None)

    def space(self, folder: str) -> Space | None:
        """Return the space at a folder, or at the nearest folder above it that exists."""
        path = Path(folder).absolute()
        while not path.is_dir():
            if path == path.parent:
                return None
            path = path.parent
        try:
            free = shutil.disk_usage(path).free // 1_000_000
        except OSError:
            return None
        return Space(free, os.access(path, os.W_OK | os.X_OK))

    def holders(self, path: str) -> tuple[str, ...]:
        """Return the other processes that have a device open or mapped, as "NAME (process N)"."""
        if not Path(path).exists():
            return ()
        real = os.path.realpath(path)
        numbers = sorted(int(name) for name in self.names("/proc") if name.isdigit())
        return tuple(
            f"{(self.text(f'/proc/{number}/comm') or 'a program').strip()} (process {number})"
            for number in numbers
            if number != os.getpid() and self._holds(number, real)
        )

    def _holds(self, process: int, path: str) -> bool:
        for name in self.names(f"/proc/{process}/fd"):
            try:
                if str(Path(f"/proc/{process}/fd/{name}").readlink()) == path:
                    return True
            except OSError:
                continue  # the file was closed, or the process ended, since the folder was listed
        # rpi_ws281x closes /dev/mem as soon as it has mapped it.
        maps = self.text(f"/proc/{process}/maps") or ""
        return any(line.endswith(f" {path}") for line in maps.splitlines())

    def python(self) -> tuple[int, int, int]:
        """Return major and minor version of this Python, and 32 or 64 for the width of its addresses."""
        return sys.version_info.major, sys.version_info.minor, 64 if sys.maxsize > 2**32 else 32

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)

    def folder(self) -> str:
        """Return the working directory."""
        return str(Path.cwd())


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group_name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _gpio_chip(path: Path) -> GpioChip | None:
    if path.is_symlink():  # a Pi 5 links the old name gpiochip4 to gpiochip0
        return None
    try:
        with path.open("rb", buffering=0) as device:
            chip = fcntl.ioctl(device, _GET_CHIPINFO, bytes(_CHIP_INFO.size))
            _, label, lines = _CHIP_INFO.unpack(chip)
            taken = {}
            for line in range(lines):
                answer = fcntl.ioctl(device, _GET_LINEINFO, _LINE_INFO.pack(b"", b"", line, 0, 0))
                _, consumer, _, _, flags = _LINE_INFO.unpack(answer)
                if flags & _LINE_USED:
                    taken[line] = _c_string(consumer) or "the kernel"
    except OSError:
        return None
    return GpioChip(path.name, _c_string(label), taken)


def _c_string(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode(errors="replace")
