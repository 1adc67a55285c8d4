"""`broadside play`: a game on the board, in the simulator or as text."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from argparse import ArgumentParser, Namespace

from companion.boards import add_board_options, open_board
from companion.captains import CAPTAINS
from companion.errands import end_after_a_picture
from companion.errors import UserError
from companion.game.events import GameBegan
from companion.game.ruleset import parse_house_rules, with_house_rules
from companion.journal import Journal, KeptGame
from companion.names import check_names
from companion.rulesets import find_ruleset
from companion.service import Service, Wishes
from companion.settings import load_settings

POWER_OFF = 75
"""The exit code that asks the service manager to shut the machine down (systemd/broadside.service)."""


def configure(parser: ArgumentParser) -> None:
    """Add this command's options."""
    parser.description = (
        "Play a game on the board, in the simulator or as text. The text board takes lines: a seat and its keys "
        "(1 A #, then 1 D 2 7 # fires at B7; 1 hold * opens the menu), show, show 1, echo WORD, quit; whoever reads it "
        "is trusted with both seats."
    )
    add_board_options(parser)
    parser.add_argument("--rules", metavar="NAME|FILE", help="a rule set; without it the lobby asks")
    parser.add_argument("--house", action="append", metavar="RULE", help="a house rule; may be given several times")
    parser.add_argument("--against", metavar="WHO", help="jack, ace, king or friend; without it the lobby asks")
    parser.add_argument("--players", nargs=2, metavar=("NAME", "NAME"), help="the players' names")
    parser.add_argument("--new", action="store_true", help="give the kept game up and begin a first game")
    parser.add_argument("--seed", type=int, metavar="N", help="repeat a game: the same seed, the same chance")


def run(arguments: Namespace) -> int:
    """Play until the board is closed."""
    wishes = _wishes(arguments)
    names = check_names(arguments.players) if arguments.players else None
    board = open_board(arguments)
    settings, notice = load_settings()
    if notice:
        sys.stderr.write(notice + "\n")
    settings.names = names or settings.names
    if names and wishes.against not in (None, "friend"):
        sys.stderr.write(f"{names[1]} has no seat in this game: {str(wishes.against).capitalize()} plays seat 2.\n")
    journal = Journal()
    try:
        for line in journal.notices:
            sys.stderr.write(line + "\n")
        kept = journal.unfinished()
        if kept is not None and arguments.new:
            journal.abandon(kept)
            kept = None
        if kept is not None:
            _check_kept(kept, wishes)
            if names:
                sys.stderr.write("The kept game goes on with its own players; --players counts from the next one on.\n")
        errand = end_after_a_picture if arguments.screenshot else None
        service = Service(board, journal, settings, wishes, kept=kept, errand=errand)
        service.run()
    finally:
        journal.close()
    return _power_off() if service.power_off else 0


def _wishes(arguments: Namespace) -> Wishes:
    """Check what was asked for before anything is opened."""
    against = arguments.against
    if against == "room":
        raise UserError("A friend's seat on another device is not there yet: play --against friend at one table.")
    if against is not None and against != "friend" and against not in CAPTAINS:
        raise UserError(f"There is no opponent {against!r}: choose {', '.join(CAPTAINS)} or friend.")
    house = None if arguments.house is None else tuple(parse_house_rules(arguments.house))
    if arguments.rules is not None:
        _, ruleset = find_ruleset(arguments.rules)
        with_house_rules(ruleset, house or ())
    seed = secrets.randbits(48) if arguments.seed is None else arguments.seed
    return Wishes(arguments.rules, against, house, seed=seed)


def _check_kept(kept: KeptGame, wishes: Wishes) -> None:
    """Refuse other rules or another opponent than those of the game that goes on."""
    began = kept.events[0]
    assert isinstance(began, GameBegan)
    differs = []
    if wishes.rules is not None and find_ruleset(wishes.rules) != (began.rules, began.ruleset):
        differs.append(f"by the rules {began.rules}")
    if wishes.house_rules is not None and wishes.house_rules != began.house_rules:
        differs.append("with the house rules " + (", ".join(began.house_rules) or "none"))
    if wishes.against is not None and wishes.against != kept.setup.against:
        differs.append(f"against {kept.setup.against}")
    if differs:
        raise UserError(
            f"A kept game is played {' and '.join(differs)}: go on without these options, or give it up with --new."
        )


def _power_off() -> int:
    """Shut the machine down, after the power button was held and the game is stored; return the exit code."""
    if "NOTIFY_SOCKET" in os.environ:
        # The service itself has no right to: its unit does it for this exit code.
        return POWER_OFF
    answer = subprocess.run(["systemctl", "poweroff"], capture_output=True, text=True, check=False)
    if answer.returncode:
        raise UserError(
            f"The machine cannot be shut down: {answer.stderr.strip()}. The game is kept; shut it down by hand."
        )
    return 0
