"""`broadside pico`: puts the firmware on a Pico, and says what is connected."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import UserError
from firmware_bridge.install import Plan, install, plan
from firmware_bridge.pico import wire
from firmware_bridge.ports import PORT_VARIABLE
from firmware_bridge.probe import probe

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="install|status", required=True)
    installing = actions.add_parser(
        "install",
        help="copy the firmware onto the Pico's CIRCUITPY drive",
        description="Copy the firmware onto a Pico's CIRCUITPY drive. A cable that is pulled meanwhile does no harm.",
        epilog="Example: broadside pico install /media/$USER/CIRCUITPY",
        allow_abbrev=False,
    )
    installing.add_argument("drive", metavar="DRIVE", type=Path, help="the folder where the drive is mounted")
    installing.add_argument(
        "--yes",
        action="store_true",
        help="do not ask before a program of somebody else is set aside, or whether this is the right board",
    )
    actions.add_parser(
        "status",
        help="show the Pico that is connected",
        description=(
            "Show the Pico that is connected, its firmware, and what it drives. Where there are several, "
            f"{PORT_VARIABLE} names the port."
        ),
        epilog="Example: broadside pico status",
        allow_abbrev=False,
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    if arguments.action == "install":
        return _install(plan(arguments.drive), yes=arguments.yes)
    return _status()


def _install(planned: Plan, *, yes: bool) -> int:
    there = f"firmware {planned.there}" if planned.there else "no firmware of Broadside's"
    _say(f"{planned.drive}: {planned.board}, CircuitPython {planned.circuitpython}, {there}.")
    if planned.doubt:
        _say(planned.doubt)
    if not planned.needed:
        _say(f"It has this Broadside's firmware {planned.ours} already.")
        return 0
    if planned.writes:
        _say(f"To be written (firmware {planned.ours}): {', '.join(planned.writes)}.")
    if planned.removes:
        _say(f"To be removed: {', '.join(planned.removes)}.")
    for name, kept in planned.keeps.items():
        _say(f"To be set aside: {name}, which is not Broadside's, as {kept}.")
    if (planned.keeps or planned.is_foreign) and not yes:
        _ask(planned)
    install(planned)
    _say("Done. Unplug the Pico and plug it in again; then `broadside pico status` shows it.")
    return 0


def _ask(planned: Plan) -> None:
    if not sys.stdin.isatty():
        if planned.is_foreign:
            raise UserError(f"The drive is that of {planned.board}, no Raspberry Pi Pico: add --yes to go on anyway.")
        names = " and ".join(planned.keeps)
        raise UserError(f"The drive has a {names} that is not Broadside's: add --yes to set it aside and go on.")
    sys.stdout.write("Go on? [y/N] ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UserError("Nothing was changed.")


def _status() -> int:
    port, device = probe()
    major, minor = device.protocol
    _say(f"{port}: {device.board} (number {device.uid}), {device.python}")
    if device.firmware == wire.FIRMWARE:
        _say(f"firmware {device.firmware}, protocol {major}.{minor}")
    else:
        _say(
            f"firmware {device.firmware}, protocol {major}.{minor}; this Broadside brings {wire.FIRMWARE}: "
            "`broadside pico install DRIVE` puts it there"
        )
    if not device.configured:
        _say("not told a kit yet: the first game does that")
        return 0
    for pin, leds, order in device.chains:
        _say(f"chain on GP{pin}: {leds} LEDs, {order}")
    for number, (rows, columns) in enumerate(device.keypads, 1):
        _say(f"keypad {number}: {rows} rows, {columns} columns")
    return 0


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
