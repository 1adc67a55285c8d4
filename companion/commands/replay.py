"""`broadside replay`: plays a record back on the board, or verifies records."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.boards import add_board_options, open_board
from companion.errands import end_after_a_picture, play_back, recorded_game
from companion.errors import UserError
from companion.game.match import Match
from companion.game.record import Record, RecordError, parse_record, record_of, recorded_events, verify
from companion.journal import Archive
from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import load_settings

FASTEST = 100.0


def configure(parser: ArgumentParser) -> None:
    """Add this command's options."""
    add_board_options(parser)
    parser.add_argument(
        "records", nargs="+", metavar="FILE|GAME", help="record files; without --verify one, or a game's number"
    )
    parser.add_argument("--verify", action="store_true", help="hold every told result against the engine")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="2 plays twice as fast")


def run(arguments: Namespace) -> int:
    """Verify records, or play one back."""
    if arguments.verify:
        return max([_verify(name) for name in arguments.records])
    if len(arguments.records) != 1:
        raise UserError("One record is played back at a time; --verify takes several.")
    if not 0 < arguments.speed <= FASTEST:
        raise UserError(f"--speed {arguments.speed:g}: a speed is more than 0 and at most {FASTEST:g}.")
    record = _load(arguments.records[0])
    difference = verify(record)
    if difference is not None:
        sys.stdout.write(f"{arguments.records[0]}: {difference}\n")
        return 1
    settings, notice = load_settings()
    if notice:
        sys.stderr.write(notice + "\n")
    events = recorded_events(record)
    errand = end_after_a_picture if arguments.screenshot else play_back(events[1:], arguments.speed)
    replay = Service(open_board(arguments), Unkept(), settings, Wishes(), kept=recorded_game(events), errand=errand)
    replay.run()
    return 0


def _read(name: str) -> Record:
    """Read a record file. Raises RecordError with the file's name."""
    try:
        return parse_record(Path(name).expanduser().read_text("utf-8"))
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{name}: not a text file in UTF-8") from None
    except OSError as error:
        raise RecordError(f"{name}: {error.strerror or error}") from None


def _load(name: str) -> Record:
    if name == "last" or name.isdigit():
        return record_of(Match.from_events(Archive().game(name).events))
    return _read(name)


def _verify(name: str) -> int:
    """Verify one file; print its line where it does not hold; return its exit code."""
    try:
        difference = verify(_read(name))
    except RecordError as error:
        sys.stderr.write(" ".join(str(error).split()) + "\n")
        return 2
    if difference is None:
        return 0
    sys.stdout.write(f"{name}: {difference}\n")
    return 1
