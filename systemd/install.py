"""Installs Broadside as a service of a Raspberry Pi, or takes it off again: run by `make install` and `make uninstall`.

Works with the standard library alone, for it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))
if sys.version_info < (3, 11):  # noqa: UP036 - this file is what an older Python is asked to run
    sys.exit("Broadside needs Python 3.11 or newer: Raspberry Pi OS Bookworm or Trixie.")

from installer.actions import HOME  # noqa: E402
from installer.boot_config import CONFIG_FILES, find_boot_config, lines_told  # noqa: E402
from installer.kit_copy import are_kits_hidden  # noqa: E402
from installer.machine import LOG, PREFIX, UNFINISHED, Execute, InstallError, Machine, run_command  # noqa: E402
from installer.plan import chosen_kit, given_kit, kit_file, plan_installation, plan_removal, read_needs  # noqa: E402
from installer.release import early_check  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from installer.actions import Action

_CURES = {
    errno.ENOSPC: "The disk is full ({path}): make room and run the same command again.",
    errno.EROFS: "{path} is read-only, as a card with errors becomes: see what dmesg says, and run the same command "
    "again once it can be written.",
    errno.EACCES: "{path} cannot be changed by this user: run it with sudo.",
    errno.EPERM: "{path} cannot be changed by this user: run it with sudo.",
}
_ANY_CURE = "{path} cannot be used ({reason}): mend that and run the same command again."


def carry_out(machine: Machine, steps: Sequence[Action]) -> int:
    """Do what is pending of some steps, or with a dry run say it; return how many there were.

    While it works a marker says so, so that a run after an interrupted one knows that something may be half done.
    """
    done = 0
    for step in steps:
        try:
            if not step.pending(machine):
                continue
        except PermissionError:
            if not machine.dry_run:
                raise
            machine.say(f"  would perhaps {step.title}; this user may not look")
            done += 1
            continue
        machine.say(f"  {'would ' if machine.dry_run else ''}{step.title}")
        for line in step.details(machine):
            machine.say(f"      {line}")
        done += 1
        if machine.dry_run:
            machine.changed.update(path for path in [getattr(step, "path", None)] if path)
            continue
        if not step.prepares:
            machine.at(UNFINISHED).parent.mkdir(parents=True, exist_ok=True)
            machine.at(UNFINISHED).touch()
        step.carry_out(machine)
    if not machine.dry_run:
        machine.at(UNFINISHED).unlink(missing_ok=True)
    return done


def install(machine: Machine, kit: str | None) -> None:
    """Install for a kit, or for the one that is installed."""
    kit = kit or chosen_kit(machine)
    if kit is None:
        raise InstallError("Say which kit was built, for instance: sudo make install KIT=full")
    named = kit_file(machine, kit)
    given = given_kit(machine, named)
    path = given.in_use(machine) if given else named
    # A file that was installed before has passed its check; where its copy was corrected, that is what counts now.
    files = [path] if path == named or given is None or given.is_known(machine) else [path, named]
    checked = all(early_check(machine, file) for file in files)
    needs, *_ = [read_needs(file) for file in files]
    if not checked:
        machine.say("The kit is checked as a whole once the program is there; so far it was only read.")
    steps = plan_installation(machine, path, needs, given)
    machine.say(f"Broadside for the kit {path.stem}, driven by {needs.service.upper()}:")
    if are_kits_hidden(machine):
        machine.say(f"  note: this user may not look into {HOME}; with sudo it is said whether a kit there counts")
    for line in given.notes(machine) if given else ():
        machine.say(f"  {line}")
    if carry_out(machine, steps) == 0:
        machine.say("  nothing to change: all is as it should be")
    if machine.dry_run:
        _say_boot_lines(machine, needs.boot_lines)
        machine.say("Nothing was changed.")
        return
    _say_what_is_left(machine, needs.boot_lines)


def _say_boot_lines(machine: Machine, boot_lines: Sequence[str]) -> None:
    config = find_boot_config(machine)
    if not boot_lines:
        machine.say("This kit needs no line of config.txt.")
    elif config is None:
        machine.say(f"There is no config.txt here ({' or '.join(CONFIG_FILES)}). On the Pi this kit needs these lines:")
    else:
        machine.say(f"What this kit needs of {config}:")
    for line in lines_told(machine, config, boot_lines):
        machine.say(f"      {line}")


def _say_what_is_left(machine: Machine, boot_lines: Sequence[str]) -> None:
    config = find_boot_config(machine)
    if config is None and boot_lines:
        machine.say(f"There is no config.txt here. On the Pi it needs these lines: {', '.join(boot_lines)}")
    if machine.restart_needed:
        machine.say("Restart the Pi now (sudo reboot): config.txt has changed. The game starts by itself.")
    elif not machine.live:
        machine.say("Packages, accounts and the running service are left to the machine that this folder becomes.")
    elif not machine.managed:
        machine.say("No systemd runs here; the service starts when the machine does.")
    elif machine.changed:
        machine.say("The service runs. systemctl status broadside tells how it is.")
    if machine.changed:
        machine.say(f"What the commands said is in {LOG}.")


def uninstall(machine: Machine) -> None:
    """Take everything off but the games."""
    if carry_out(machine, plan_removal(machine)) == 0:
        machine.say("Broadside is not installed; there is nothing to take off.")
        return
    if machine.dry_run:
        machine.say("Nothing was changed.")
        return
    machine.say("The games stay in /var/lib/broadside, and so do the packages of the system.")
    if machine.restart_needed:
        machine.say("Restart the Pi when it suits: config.txt has changed.")


def _work(arguments: argparse.Namespace, execute: Execute) -> None:
    destdir = Path(arguments.destdir).resolve() if arguments.destdir else None
    if destdir and not next(path for path in (destdir, *destdir.parents) if path.exists()).is_dir():
        raise InstallError(f"DESTDIR={destdir} is no folder, and cannot become one: name another.")
    machine = Machine(CHECKOUT, destdir, arguments.dry_run, execute)
    if machine.dry_run:
        _choose(arguments, machine)
        return
    if machine.live and os.geteuid() != 0:
        raise InstallError(
            f"This changes the system: run sudo make {arguments.what}, or see what it does with DRY_RUN=1."
        )
    os.umask(0o022)
    with Path(__file__).open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InstallError("Another installation from this folder is at work: wait until it is done.") from None
        _choose(arguments, machine)


def _choose(arguments: argparse.Namespace, machine: Machine) -> None:
    if arguments.what == "install":
        install(machine, arguments.kit)
    else:
        uninstall(machine)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main(arguments: Sequence[str] | None = None, execute: Execute = run_command) -> int:
    """Install or uninstall; return 0, 2 when there is something to mend first, or 130 when interrupted.

    `execute` runs the machine's commands.
    """
    parser = argparse.ArgumentParser(prog="systemd/install.py", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("what", choices=["install", "uninstall"])
    parser.add_argument("--kit", help="a kit's name or file; without it the one that is installed")
    parser.add_argument("--destdir", help='a folder that stands for "/"')
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and change nothing")
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        _work(parser.parse_args(arguments), execute)
    except InstallError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except (KeyboardInterrupt, BrokenPipeError):
        sys.stderr.write("Interrupted. Run the same command again: it mends what is half done.\n")
        return 130
    except OSError as error:
        cure = _CURES.get(error.errno or 0, _ANY_CURE)
        sys.stderr.write(cure.format(path=error.filename or PREFIX, reason=error.strerror) + "\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
