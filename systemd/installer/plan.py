"""From a kit to the list of steps, and from an installation to the steps that take it off again."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.header import PiModel
from hardware.kit_text import KitError, kit_tables, missing_key, not_a_choice, read_kit
from hardware.machine_needs import LEDS_PER_PANEL, LedLine, MachineNeeds, machine_needs
from installer.actions import (
    HOME,
    UNIT,
    Accounts,
    Action,
    AptPackages,
    Link,
    Remove,
    RemoveAccounts,
    RestUntilRestart,
    StartService,
    StopService,
    TellSystemd,
    WriteFile,
)
from installer.boot_config import RemoveBackup, WriteBootConfig, find_boot_config
from installer.kit_copy import KITS, KeepKit, NoteKit, are_kits_hidden
from installer.machine import LOG, PREFIX, PROGRAM, InstallError, Machine
from installer.release import (
    CheckKit,
    CompleteRelease,
    InstallExtras,
    InstallProject,
    MakeEnvironment,
    Release,
    RemoveOldReleases,
    fingerprint,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

UNIT_FILE = f"/etc/systemd/system/{UNIT}"
DROP_IN = f"{UNIT_FILE}.d/kit.conf"
RULES_FOLDER = "/etc/udev/rules.d"
SYSUSERS = "/etc/sysusers.d/broadside.conf"
MODULE_OPTIONS = "/etc/modprobe.d/broadside.conf"
KIT_CHOICE = "/etc/default/broadside"
COMMAND = "/usr/local/bin/broadside"
WANTED_BY = f"/etc/systemd/system/multi-user.target.wants/{UNIT}"

_WRAPPER = f"""\
#!/bin/sh
# Broadside's command. For root it works on the board's own games, settings and kits.
if [ "$(id -u)" = 0 ]; then
    export BROADSIDE_HOME="${{BROADSIDE_HOME:-{HOME}}}"
fi
exec {PROGRAM} "$@"
"""


def chosen_kit(machine: Machine) -> str | None:
    """Return the kit that is installed, or None."""
    path = machine.at(KIT_CHOICE)
    found = re.search(r"^BROADSIDE_KIT=(\S+)", path.read_text(encoding="utf-8"), re.M) if path.is_file() else None
    return found.group(1) if found else None


def kit_file(machine: Machine, name: str) -> Path:
    """Return a kit's file: a path as it is, else the household's kit of that name, else a shipped one.

    Raises InstallError where there is none.
    """
    shipped = machine.checkout / "wiring" / "kits"
    names = ", ".join(sorted(path.stem for path in shipped.glob("*.toml")))
    if name.endswith(".toml") or "/" in name:
        try:
            path = Path(name).expanduser().resolve()
        except RuntimeError:
            raise InstallError(f"There is no kit file {name!r}; the shipped kits are {names}.") from None
        if not path.is_file():
            raise InstallError(f"There is no kit file {name}; the shipped kits are {names}.")
        if not re.fullmatch(r"[A-Za-z0-9_-]+\.toml", path.name):
            raise InstallError(f"Name the kit file with letters, digits, '_' and '-' only: not {path.name!r}.")
        if path.parent != shipped:
            return path
        # The program plays on the household's kit of that name, if there is one.
        name = path.stem
    hidden = are_kits_hidden(machine)
    for path in (*([] if hidden else [machine.at(f"{KITS}/{name}.toml")]), shipped / f"{name}.toml"):
        if path.is_file():
            return path
    where = f" that this user may look at ({HOME} is root's and the service's)" if hidden else ""
    raise InstallError(f"There is no kit {name!r}{where}: name a kit file, or one of {names}.")


def given_kit(machine: Machine, path: Path) -> KeepKit | None:
    """Return the step that copies a kit file to where the service reads it, or None where it is there already."""
    return None if path.parent in (machine.checkout / "wiring" / "kits", machine.at(KITS)) else KeepKit(path)


def read_needs(path: Path) -> MachineNeeds:
    """Return what a kit file needs, read without the program's own check. Raises InstallError where it cannot be."""
    try:
        return _needs(kit_tables(read_kit(path), str(path)), str(path))
    except KitError as error:
        raise InstallError(f"{error} Nothing was installed.") from None


def _needs(kit: Mapping[str, Any], where: str) -> MachineNeeds:
    def at(*path: str | int) -> Any:
        value: Any = kit
        for depth, step in enumerate(path, start=1):
            try:
                value = value[step]
            except KeyError:
                raise KitError(f"{where}: {missing_key(path[:depth])}") from None
        return value

    try:
        if at("model") not in list(PiModel):
            raise KitError(f"{where}: {not_a_choice(['model'], at('model'), list(PiModel))}")
        model, driver = PiModel(at("model")), at("leds", "driver")
        lines = [
            LedLine(
                at("leds", "chains", number, "pin"),
                LEDS_PER_PANEL * len(at("leds", "chains", number, "panels")),
                "W" in chain.get("order", "GRB"),
            )
            for number, chain in enumerate(at("leds", "chains"))
        ]
        keypads = at("keypads")
        on_gpio = [pad for pad in keypads if pad.get("driver", "gpio") == "gpio"]
        matrix = [pin for pad in on_gpio for pin in (*pad.get("rows", ()), *pad.get("columns", ()))]
        single = [at(part, "pin") for part in ("buzzer", "power_button") if part in kit]
        pins = [] if model is PiModel.ANY else [*matrix, *single]
        return machine_needs(model, driver, lines, {pad.get("driver", "gpio") for pad in keypads}, pins)
    except KitError:
        raise
    except (ValueError, TypeError, AttributeError) as error:
        raise KitError(f"{where}: cannot be installed: {error}; compare it with a shipped kit.") from None


def _rules(machine: Machine) -> list[Path]:
    return sorted((machine.checkout / "systemd").glob("*.rules"))


def plan_installation(machine: Machine, path: Path, needs: MachineNeeds, given: KeepKit | None = None) -> list[Action]:
    """Return the steps that put Broadside on a machine for a kit, in their order; `given` copies it where it is not one
    of the board's already.

    Nothing but the packages for a virtual environment and the release beside the one in use is made before the kit has
    passed its check. The account and its groups are made for every kit, for the udev rules name the groups.
    """
    # PyPI has lgpio for Python 3.11 and 3.12 on 64-bit ARM only; Raspberry Pi OS has it for its own Python.
    wheel = machine.processor == "aarch64" and sys.version_info < (3, 13)
    sees_system = needs.lgpio and not wheel
    goes_in = (platform.python_version(), machine.processor, str(sees_system), *needs.extras, *needs.requirements)
    release = Release(fingerprint(machine.checkout, *goes_in), needs.extras, needs.requirements, sees_system)
    folder = machine.checkout / "systemd"
    read = {source: (folder / source).read_text(encoding="utf-8") for source in (UNIT, "broadside.sysusers")}
    config = find_boot_config(machine)
    drop_in = (folder / "drop-ins" / f"{needs.service}.conf").read_text(encoding="utf-8")
    choice = f"# Written by Broadside's installer: sudo make install KIT=… changes it.\nBROADSIDE_KIT={path.stem}\n"
    groups = [line.split()[1] for line in read["broadside.sysusers"].splitlines() if line.startswith("g ")]

    steps: list[Action] = [
        AptPackages(["python3-venv"], "a virtual environment"),
        MakeEnvironment(release),
        InstallProject(release),
        CheckKit(release, path),
    ]
    if needs.compiles:
        steps.append(AptPackages(["gcc", "libc6-dev", "python3-dev"], "a driver that comes as source"))
    # A machine that is no Pi has no header; there the rest can still be tried.
    arm = machine.processor.startswith(("aarch64", "arm"))
    if sees_system and (arm or not release.is_complete(machine)):
        steps.append(AptPackages(["python3-lgpio"], "pins as inputs and outputs", optional=not arm))
    steps += [InstallExtras(release), CompleteRelease(release)]
    if given:
        steps += [given, NoteKit(given.source)]
    steps += [
        *(WriteFile(f"{RULES_FOLDER}/{rules.name}", rules.read_text(encoding="utf-8")) for rules in _rules(machine)),
        WriteFile(SYSUSERS, read["broadside.sysusers"]),
        Accounts(SYSUSERS, groups),
        WriteFile(KIT_CHOICE, choice),
        WriteFile(UNIT_FILE, read[UNIT]),
        WriteFile(DROP_IN, drop_in),
        WriteFile(MODULE_OPTIONS, "".join(f"{line}\n" for line in needs.module_options))
        if needs.module_options
        else Remove(MODULE_OPTIONS),
        WriteFile(COMMAND, _WRAPPER, 0o755),
    ]
    if config:
        steps.append(WriteBootConfig(config, needs.boot_lines))
    return [
        *steps,
        Link(PROGRAM, f"../releases/{release.name}/bin/broadside"),
        Link(WANTED_BY, f"../{UNIT}"),
        TellSystemd([UNIT_FILE, DROP_IN, WANTED_BY, *(f"{RULES_FOLDER}/{rules.name}" for rules in _rules(machine))]),
        StartService(),
        RestUntilRestart(),
        RemoveOldReleases(release),
    ]


def plan_removal(machine: Machine) -> list[Action]:
    """Return the steps that take Broadside off a machine: all but the games, and the packages of the system."""
    files = [WANTED_BY, DROP_IN, UNIT_FILE, *(f"{RULES_FOLDER}/{rules.name}" for rules in _rules(machine))]
    files += [SYSUSERS, MODULE_OPTIONS, KIT_CHOICE, COMMAND]
    config = find_boot_config(machine)
    boot: list[Action] = [WriteBootConfig(config, ()), RemoveBackup(config)] if config else []
    return [
        StopService(),
        *(Remove(path) for path in files),
        Remove(f"{UNIT_FILE}.d", only_empty=True),
        *boot,
        RemoveAccounts(),
        TellSystemd(files),
        Remove(LOG),
        Remove(PREFIX),
    ]
