"""`broadside doctor`: is this machine ready for this kit? Each finding with its cure."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import tomlkit
from rich.console import Console
from rich.text import Text

from companion.errors import UserError
from companion.home import home
from companion.kits import default_kit, kit_file, kit_path
from hardware.doctor.examine import examine
from hardware.doctor.findings import Finding, Report, Status, as_json
from hardware.doctor.machine import Machine, ThisMachine
from hardware.doctor.recording import Recorder
from hardware.doctor.subject import Subject, Target, pi_name
from hardware.kit import load_kit

_COLOURS = {Status.OK: "green", Status.WARNING: "yellow", Status.ERROR: "red"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.description = (
        "Is this machine ready for this kit? What isn't comes with its cure; an error ends in exit code 1."
    )
    parser.add_argument("--kit", metavar="FILE|NAME", help="the kit that is to run here; on a Pi the one for its model")
    parser.add_argument(
        "--board",
        choices=("auto", "pi", "pico", "simulator", "text"),
        default="auto",
        help="what is to be shown on; auto: the kit's board on a Pi or with --kit, else the simulator",
    )
    parser.add_argument("--json", action="store_true", help="tell the findings as JSON")
    parser.add_argument("--record", metavar="FILE", help="also write all that was read into a file, for a bug report")


def run(arguments: argparse.Namespace) -> int:
    """Examine this machine; 1 with an error among the findings, else 0."""
    machine = Recorder(ThisMachine())
    report = diagnose(machine, arguments.kit, arguments.board, str(home()))
    if arguments.json:
        sys.stdout.write(as_json(report) + "\n")
    else:
        console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
        for line in readable(report):
            console.print(line)
    if arguments.record:
        _write(Path(arguments.record), tomlkit.dumps(machine.recording(report.machine)))
    return report.exit_code


def diagnose(machine: Machine, kit_name: str | None, board: str, data_folder: str) -> Report:
    """Examine a machine for a kit and a board as the command line names them; without a kit, for the one that suits
    its model."""
    name = kit_name or default_kit(machine, board)
    path = kit_path(name)
    target = _target(machine, kit_name, board)
    return examine(Subject(machine, load_kit(path), name, target, data_folder, kit_file(name, path)))


def _target(machine: Machine, kit_name: str | None, board: str) -> Target:
    if board in {"simulator", "text"}:
        return Target(board)
    if board == "auto" and kit_name is None and pi_name(machine) is None:
        return Target.SIMULATOR
    return Target.BOARD


def readable(report: Report) -> list[Text]:
    """Return the report as lines for a person, colours apart from the words."""
    shown = "the board" if report.board == Target.BOARD else f"the {report.board} board"
    kit = f"{report.kit} ({report.kit_file})" if report.kit_file else report.kit
    lines = [Text(f"{report.machine}, with kit {kit} on {shown}:")]
    width = max(len(finding.check) for finding in report.findings)
    for finding in report.findings:
        lines += _finding_lines(finding, width)
    counts = [
        f"{number} {word}{'s' if number != 1 else ''}"
        for word in (Status.ERROR, Status.WARNING)
        if (number := sum(finding.status is word for finding in report.findings))
    ]
    lines.append(Text(f"{'Ready' if report.ready else 'Not ready'}{': ' if counts else ''}{', '.join(counts)}."))
    return lines


def _finding_lines(finding: Finding, width: int) -> list[Text]:
    first = Text(f"  {finding.status:<8}", style=_COLOURS[finding.status])
    lines = [Text.assemble(first, f"{finding.check:<{width}}  {finding.found}")]
    if finding.cure:
        lines.append(Text(f"  {'':<8}{'':<{width}}  → {finding.cure}"))
    return lines


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"The recording cannot be written to {path}: {error.strerror}; name another file.") from error
