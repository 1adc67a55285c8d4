"""The lines of config.txt that a kit needs: one marked block at its end, which can be taken out again."""

from __future__ import annotations

import difflib
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.machine_needs import FIRMWARE_DEFAULTS
from installer.actions import Step, write_atomically
from installer.machine import RESTART_NEEDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from installer.machine import Machine

# Since Bookworm the first, before it the second; where both are there, the second only says that it moved.
CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
BACKUP_SUFFIX = ".before-broadside"
BEGIN = "# Broadside: begin. Written by its installer, which also takes it out again."
END = "# Broadside: end."


def find_boot_config(machine: Machine) -> str | None:
    """Return the config.txt that this machine's firmware reads, or None where there is none."""
    return next((path for path in CONFIG_FILES if machine.at(path).is_file()), None)


def without_block(text: str) -> str:
    """Return a config.txt without our block: what it was before, with a line break at its end."""
    begin = text.find(BEGIN)
    if begin < 0:
        return text
    end = text.find(END, begin)
    return text[:begin] + ("" if end < 0 else text[end + len(END) :].removeprefix("\n"))


def with_block(text: str, lines: Sequence[str]) -> str:
    """Return a config.txt whose block at the end has exactly those lines that the rest does not say already."""
    rest = without_block(text)
    wanted = [line for line in lines if not _is_said(rest, line)]
    if not wanted:
        return rest
    gap = "" if not rest or rest.endswith("\n") else "\n"
    return f"{rest}{gap}{BEGIN}\n[all]\n" + "".join(f"{line}\n" for line in wanted) + f"{END}\n"


def lines_told(machine: Machine, path: str | None, lines: Sequence[str]) -> Iterator[str]:
    """Return for each line that a kit needs how it stands in a config.txt, or where there is none only the line."""
    if path is None:
        yield from lines
        return
    text = _read(machine, path)
    rest = without_block(text)
    block = text.partition(BEGIN)[2].partition(END)[0].splitlines()
    for line in lines:
        if _is_said(rest, line):
            stands = any(line in _settings(said.split("#", 1)[0].strip()) for said in rest.splitlines())
            yield f"{line}: {'stands there already' if stands else 'holds already, as the default of the firmware'}"
        elif line in block:
            yield f"{line}: stands there already, in the lines of an earlier installation"
        else:
            yield f"{line}: to be written"


def _is_said(text: str, wanted: str) -> bool:
    """Whether a setting stands there for all machines or is the firmware's own, and nowhere has another value.

    What stands under a filter such as [pi4] or [cm4] may not count for this machine, so it is said again.
    """
    section, said = "all", wanted in FIRMWARE_DEFAULTS
    for line in text.splitlines():
        line = line.split("#", 1)[0].strip()
        if line.startswith("["):
            section = line.strip("[]").lower()
        for setting in _settings(line):
            if setting == wanted:
                said = said or section == "all"
            elif not wanted.startswith("dtoverlay=") and setting.rpartition("=")[0] == wanted.rpartition("=")[0]:
                return False
    return said


def _settings(line: str) -> list[str]:
    """Split `dtparam=spi=on,i2c=on` into the settings it stands for."""
    if not line.startswith("dtparam="):
        return [line]
    values = (value.strip() for value in line.removeprefix("dtparam=").split(","))
    return [f"dtparam={'i2c_arm=' + value[4:] if value.startswith('i2c=') else value}" for value in values]


def _read(machine: Machine, path: str) -> str:
    # Bytes that are not UTF-8, and foreign line ends, go through unchanged.
    return machine.at(path).read_bytes().decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@dataclass
class WriteBootConfig(Step):
    """Write the lines of a kit, or with none take ours out; the file as it was before is kept beside it."""

    path: str
    lines: Sequence[str]

    @property
    def title(self) -> str:
        """Name the file and the backup."""
        return f"change {self.path} (as it was: {self.path}{BACKUP_SUFFIX})"

    def _texts(self, machine: Machine) -> tuple[str, str]:
        old = _read(machine, self.path)
        return old, with_block(old, self.lines)

    def pending(self, machine: Machine) -> bool:
        """Return whether a line is missing or too many."""
        old, new = self._texts(machine)
        return old != new

    def details(self, machine: Machine) -> Iterable[str]:
        """Show the difference."""
        old, new = self._texts(machine)
        for line in difflib.unified_diff(old.splitlines(), new.splitlines(), self.path, self.path, n=1, lineterm=""):
            yield line.encode("utf-8", "replace").decode()

    def carry_out(self, machine: Machine) -> None:
        """Keep the file as it was before us, then write the new one."""
        old, new = self._texts(machine)
        path, backup = machine.at(self.path), machine.at(self.path + BACKUP_SUFFIX)
        # The boot partition is FAT, where a file cannot have any other mode than those that are there have.
        mode = stat.S_IMODE(path.stat().st_mode)
        if not backup.exists():
            write_atomically(backup, _encoded(old), mode)
        if machine.live:
            machine.at(RESTART_NEEDED).touch()
        write_atomically(path, _encoded(new), mode)
        machine.changed.add(self.path)


@dataclass
class RemoveBackup(Step):
    """The backup, where it says nothing that the file does not say again."""

    path: str

    @property
    def title(self) -> str:
        """Name it."""
        return f"remove {self.path}{BACKUP_SUFFIX}"

    def pending(self, machine: Machine) -> bool:
        """Return whether it is the file without our block."""
        if not machine.at(self.path + BACKUP_SUFFIX).is_file():
            return False
        before, now = _read(machine, self.path + BACKUP_SUFFIX), without_block(_read(machine, self.path))
        return before.rstrip("\n") == now.rstrip("\n")

    def carry_out(self, machine: Machine) -> None:
        """Remove it."""
        machine.at(self.path + BACKUP_SUFFIX).unlink()
        machine.changed.add(self.path + BACKUP_SUFFIX)
