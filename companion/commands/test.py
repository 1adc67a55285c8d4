"""`broadside test`: bring up the board, one part at a time."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from companion.boards import BOARDS, pi_model
from companion.errors import UserError
from companion.home import home
from companion.kits import default_kit, kit_path
from hardware.bringup.answers import yes_or_no
from hardware.bringup.asker import Answers, Asker, LeaveError, Outcome, TerminalAsker
from hardware.bringup.bench import Bench, BuiltBench
from hardware.bringup.colours import find_colours
from hardware.bringup.keys import find_keys
from hardware.bringup.kit_file import corrected_text, difference, write_kit
from hardware.bringup.layout import find_layout
from hardware.bringup.leds import find_dark_leds
from hardware.bringup.power import find_power
from hardware.bringup.sound import find_sound
from hardware.bringup.text_bench import TextBench
from hardware.doctor.machine import ThisMachine
from hardware.kit import Kit, load_kit

Test = Callable[[Kit, Bench, Asker], Outcome]

PARTS: dict[str, tuple[str, Test]] = {
    "leds": ("walk one lit LED down each chain", lambda kit, on, ask: find_dark_leds(kit, on.leds(), ask, on.pause)),
    "colours": ("find the colour order of each chain", lambda kit, on, ask: find_colours(kit, on.leds(), ask)),
    "layout": ("find how each panel is wired and where it is", lambda kit, on, ask: find_layout(kit, on.leds(), ask)),
    "keys": ("find how the keypads are wired", lambda kit, on, ask: find_keys(kit, on.contacts(), ask)),
    "power": ("turn the LEDs up within the budget", lambda kit, on, ask: find_power(kit, on.leds(), ask)),
    "sound": ("play three tones", lambda kit, on, ask: find_sound(kit, on.play, ask, on.pause)),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parts = "\n".join(f"  {name:<8} {what}" for name, (what, _) in PARTS.items())
    parser.description = (
        "Bring up the board, one part at a time, in this order:\n"
        f"{parts}\n\nQuestions are answered on the keyboard; quit ends. What is found can be written into the kit file."
    )
    parser.add_argument("part", choices=tuple(PARTS), metavar="|".join(PARTS))
    parser.add_argument(
        "--kit", metavar="FILE|NAME", help="the kit under test; on a Pi the one for its model, else full"
    )
    parser.add_argument("--board", choices=BOARDS, default="auto", help="auto: the kit on a Raspberry Pi, else as play")
    parser.add_argument(
        "--built", metavar="FILE|NAME", help="simulator and text: behave like a board built as this other kit says"
    )


def run(arguments: argparse.Namespace) -> int:
    """Test one part. 0 where nothing is wrong, or no longer is; 1 where a fault is left."""
    path = kit_path(arguments.kit or default_kit(ThisMachine(), arguments.board))
    kit = load_kit(path)
    built = kit if arguments.built is None else load_kit(kit_path(arguments.built))
    board = _choose(arguments.board)
    if built is not kit:
        _check_built(board, kit, built)
    if board == "simulator":
        return _run_in_simulator(arguments.part, kit, built, path)
    bench: Bench = TextBench(built, sys.stdin, sys.stdout) if board == "text" else BuiltBench(kit)
    with _ended_by_sigterm():
        return _run_on(bench, arguments.part, kit, path, sys.stdin)


def _choose(board: str) -> str:
    """Return what `auto` comes to here, said on stderr."""
    if board != "auto":
        return board
    if model := pi_model():
        board, why = "pi", f"since this is a {model}"
    elif sys.platform in {"darwin", "win32"} or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        board, why = "simulator", "since this is no Raspberry Pi"
    else:
        board, why = "text", "since this is no Raspberry Pi and there is no display"
    sys.stderr.write(f"Board: {board}, {why}.\n")
    return board


def _check_built(board: str, kit: Kit, built: Kit) -> None:
    if board not in {"simulator", "text"}:
        raise UserError("--built is for practice: add --board simulator or --board text.")
    shapes = [[len(chain.panels) for chain in each.leds.chains] for each in (kit, built)]
    if shapes[0] != shapes[1]:
        raise UserError(
            f"--built has chains of {shapes[1]} panels and the kit of {shapes[0]}: name a kit with the same chains."
        )


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that every LED is dark when the program ends."""

    def end(_signal: int, _frame: object) -> None:
        raise SystemExit(128 + signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run_on(bench: Bench, part: str, kit: Kit, path: Path, answers: Answers) -> int:
    asker = TerminalAsker(answers, sys.stdout, bench)
    try:
        outcome = PARTS[part][1](kit, bench, asker)
    except LeaveError:
        asker.say("Left before the end; nothing is changed.")
        return 0
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"The board failed ({error.strerror or error}): see broadside doctor.") from error
    finally:
        bench.close()
    for line in outcome.told:
        asker.say(line)
    if outcome.kit == kit:
        return 0 if outcome.passed else 1
    return _offer(kit, outcome.kit, path, asker)


def _offer(kit: Kit, corrected: Kit, path: Path, asker: Asker) -> int:
    """Show what would change in the kit file, and write it if the person agrees."""
    old = path.read_text(encoding="utf-8-sig")
    new = corrected_text(old, kit, corrected)
    target = _place_to_write(path)
    asker.say(difference(old, new, path.name))
    kept = "the old file is kept beside it" if target.exists() else "the kit that came with Broadside stays"
    try:
        agreed = asker.ask(f"Write this to {target}? {kept[:1].upper()}{kept[1:]}. (y, n)", yes_or_no)
    except LeaveError:
        agreed = False
    if not agreed:
        asker.say("Nothing is written; the fault is left.")
        return 1
    try:
        backup = write_kit(target, new)
    except OSError as error:
        raise UserError(f"The kit cannot be written to {target}: {error.strerror}.") from error
    asker.say(f"Written to {target}{f'; the old one is {backup.name}' if backup is not None else ''}.")
    return 0


def _place_to_write(path: Path) -> Path:
    """Return the kit file itself, or for a kit that came with Broadside the one of its name in the household's kits;
    for an older kit, which stands in for an empty file there, that file."""
    shipped = Path(str(files("wiring.kits")))
    if path.parent == home() / "kits" and path.suffix.startswith(".bak"):
        return path.with_suffix("")
    return home() / "kits" / path.name if path.resolve().parent == shipped.resolve() else path


def _run_in_simulator(part: str, kit: Kit, built: Kit, path: Path) -> int:
    """Run the test in a thread, and the window in the run loop; closing the window ends it."""
    from hardware.bringup.lines import Lines
    from hardware.bringup.simulator_bench import SimulatorBench
    from hardware.simulator import SimulatorBoard

    answers = Lines(sys.stdin.fileno())
    bench = SimulatorBench(built, SimulatorBoard(kit=built), answers)

    async def both() -> int:
        bench.open()
        try:
            return await asyncio.to_thread(_run_on, bench, part, kit, path, answers)
        finally:
            bench.stop()  # after Ctrl-C the test's thread still waits for an answer
            bench.end()

    try:
        return asyncio.run(both())
    finally:
        answers.close()
