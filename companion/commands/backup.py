"""`broadside backup`: games, settings, kits and rule sets in one file, also while a game runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.backup_file import write_backup
from companion.home import home

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup to write, such as broadside.tar.gz")


def run(arguments: argparse.Namespace) -> int:
    """Write the backup and say what is in it."""
    names = write_backup(home(), arguments.file)
    sys.stdout.write(f"{arguments.file} holds, from {home()}: {', '.join(names)}.\n")
    return 0
