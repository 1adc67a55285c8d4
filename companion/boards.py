"""Chooses the board to play on."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.errors import UserError
from hardware.board import Board

BOARDS = ("auto", "simulator", "text", "pi", "pico")


def add_board_options(parser: ArgumentParser) -> None:
    """Add the options that choose a board."""
    parser.add_argument(
        "--board", choices=BOARDS, default="auto", help="auto: the kit on a Raspberry Pi, else the simulator"
    )
    parser.add_argument(
        "--kit", metavar="FILE|NAME", help="what was built; a kit file, or a name such as full or compact"
    )
    parser.add_argument("--screenshot", type=Path, metavar="FILE", help="simulator: write one picture (PNG) and end")
    parser.add_argument("--record", type=Path, metavar="FILE.gif", help="simulator: write all pictures when it ends")


def open_board(arguments: Namespace) -> Board:
    """Return the board that the options name; it is opened by the run loop. `auto` says on stderr what it chose.

    Raises UserError or KitError where the kit is wrong or an option fits no board.
    """
    said = ""
    name = arguments.board
    for path in (arguments.screenshot, arguments.record):
        if path is not None and not path.expanduser().absolute().parent.is_dir():
            raise UserError(f"There is no folder for {path}: make it first.")
    if name == "auto":
        name, why = _choose(pictures=bool(arguments.screenshot or arguments.record))
        said = f"Board: {name}, {why}.\n"
    if name != "simulator" and (arguments.screenshot or arguments.record):
        raise UserError("--screenshot and --record are the simulator's: add --board simulator.")
    board = _make(name, arguments)
    sys.stderr.write(said)
    return board


def _make(name: str, arguments: Namespace) -> Board:
    kit = None
    if arguments.kit:
        from companion.kits import find_kit

        # A wrong kit is told even where the board needs none.
        kit = find_kit(arguments.kit)
    if name == "text":
        from hardware.text import TextBoard

        return TextBoard()
    if name == "simulator":
        from hardware.simulator import SimulatorBoard

        return SimulatorBoard(screenshot=arguments.screenshot, record=arguments.record, kit=kit)
    from companion.kits import default_kit, find_kit
    from hardware.built import BuiltBoard
    from hardware.doctor.machine import ThisMachine

    return BuiltBoard(kit or find_kit(default_kit(ThisMachine(), name)))


def _choose(*, pictures: bool) -> tuple[str, str]:
    """Return what `auto` comes to here, and why."""
    if model := pi_model():
        return "pi", f"since this is a {model}; --board simulator or text plays without panels"
    if pictures or sys.platform in ("darwin", "win32"):
        return "simulator", "since this is no Raspberry Pi"
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")):
        return "simulator", "since this is no Raspberry Pi and there is a display"
    return "text", "since this is no Raspberry Pi and there is no display"


def pi_model() -> str | None:
    """Return the name of the Raspberry Pi that this runs on, from the device tree, or None."""
    from hardware.drivers.pi_board import board_name

    name = board_name()
    return name if name.startswith("Raspberry Pi") else None
