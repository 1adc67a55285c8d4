"""Room for the games: free disk and a data folder that can be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject

LEAST_MB = 50
COMFORTABLE_MB = 500

MAKE_ROOM = "make room: sudo apt clean, sudo journalctl --vacuum-size=50M"


def check_storage(subject: Subject) -> Iterator[Finding]:
    """The data folder: where, writable, and how much room it has."""
    space, user = subject.machine.space(subject.home), subject.machine.user()
    if space is None:
        yield error(
            "storage", f"nothing can be said about the data folder {subject.home}", "check that its disk is mounted"
        )
        return
    if not space.writable:
        if user.euid == 0:
            cure = "the disk is mounted read-only: check it with fsck, and take a new card if that happens again"
        else:
            cure = f"sudo chown -R {user.name} {subject.home}, or name another folder in $BROADSIDE_HOME"
        yield error("storage", f"{user.name} may not write the data folder {subject.home}", cure)
    elif space.free_mb < LEAST_MB:
        yield error("storage", f"{space.free_mb} MB are free for {subject.home}", MAKE_ROOM)
    elif space.free_mb < COMFORTABLE_MB:
        yield warning("storage", f"only {space.free_mb} MB are free for {subject.home}", MAKE_ROOM)
    else:
        yield ok("storage", f"the data folder {subject.home} is writable")


def check_working_folder(subject: Subject) -> Iterator[Finding]:
    """lgpio makes a FIFO in the working directory and fails where it cannot (gpiozero/gpiozero#1130)."""
    if not subject.has_matrix or subject.pi is None:
        return
    folder = subject.machine.folder()
    space = subject.machine.space(folder)
    if space is None or not space.writable:
        yield error(
            "storage",
            f"the working folder {folder} cannot be written, and lgpio needs to make a file there",
            "start Broadside from your home folder; the installed service does so by itself",
        )
