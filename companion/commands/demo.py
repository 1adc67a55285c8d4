"""`broadside demo`: two captains play each other on the board."""

from __future__ import annotations

import secrets
import sys
from argparse import ArgumentParser, Namespace

from companion.boards import add_board_options, open_board
from companion.captains import captain
from companion.errands import end_after_a_picture, play_games
from companion.errors import UserError
from companion.game.ruleset import parse_house_rules
from companion.rulesets import find_ruleset
from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import load_settings


def configure(parser: ArgumentParser) -> None:
    """Add this command's options."""
    add_board_options(parser)
    parser.add_argument(
        "--captains", nargs=2, default=["king", "ace"], metavar=("CAPTAIN", "CAPTAIN"), help="who plays"
    )
    parser.add_argument("--games", type=int, default=1, metavar="N", help="how many games")
    parser.add_argument("--rules", metavar="NAME|FILE", default="classic", help="a rule set")
    parser.add_argument("--house", action="append", default=[], metavar="RULE", help="a house rule")
    parser.add_argument("--seed", type=int, metavar="N", help="repeat a demonstration")


def run(arguments: Namespace) -> int:
    """Let captains play, and end after the last game. Nothing of it is kept."""
    if arguments.games < 1:
        raise UserError(f"--games {arguments.games}: at least one game is played.")
    for name in arguments.captains:
        captain(name)
    find_ruleset(arguments.rules)
    house = tuple(parse_house_rules(arguments.house))
    board = open_board(arguments)
    settings, notice = load_settings()
    if notice:
        sys.stderr.write(notice + "\n")
    seed = secrets.randbits(48) if arguments.seed is None else arguments.seed
    wishes = Wishes(arguments.rules, None, house, (arguments.captains[0], arguments.captains[1]), seed)
    errand = end_after_a_picture if arguments.screenshot else play_games(arguments.games)
    Service(board, Unkept(), settings, wishes, errand=errand).run()
    return 0
