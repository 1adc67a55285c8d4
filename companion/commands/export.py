"""`broadside export`: the record of a kept game."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.errors import UserError
from companion.files import write_atomically
from companion.game.match import Match
from companion.game.record import format_record, record_of
from companion.journal import Archive


def configure(parser: ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("game", metavar="GAME", help="a number from broadside games, or last")
    parser.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="where to write it; without it to standard output"
    )


def run(arguments: Namespace) -> int:
    """Write the record."""
    kept = Archive().game(arguments.game)
    text = format_record(record_of(Match.from_events(kept.events)))
    if kept.ended is None:
        sys.stderr.write(f"Game {kept.game} is not finished: this record shows both fleets.\n")
    if arguments.file is None:
        sys.stdout.write(text)
        return 0
    try:
        write_atomically(arguments.file.expanduser().absolute(), text)
    except OSError as error:
        raise UserError(f"The record cannot be written to {arguments.file}: {error.strerror or error}.") from None
    return 0
