"""broadside arena: lets captains play many games and measures them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from companion.captains import CAPTAINS, captain
from companion.captains.arena import Contest, fleets_in_pairs, play
from companion.captains.figures import lines, number_of_games, summary, winning_shots
from companion.captains.plot import histogram
from companion.errors import UserError
from companion.game.errors import IllegalMove
from companion.game.fleet import check_fleet
from companion.game.record import RecordError, parse_record
from companion.game.ruleset import RulesetError, parse_house_rules, with_house_rules
from companion.rulesets import find_ruleset

if TYPE_CHECKING:
    from companion.captains.arena import Result
    from companion.game.fleet import Ship
    from companion.game.record import Record
    from companion.game.ruleset import HouseRule, Ruleset

GAMES = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("captains", nargs="*", metavar="CAPTAIN", help=f"two of {', '.join(CAPTAINS)}")
    parser.add_argument("--solo", metavar="CAPTAIN", help="let one captain alone sink fleets laid by chance")
    parser.add_argument("--rules", metavar="NAME|FILE", help="the rule set (default: classic)")
    parser.add_argument("--house", metavar="RULE", action="append", default=[], help="a house rule; may be repeated")
    parser.add_argument(
        "--games",
        metavar="N",
        type=int,
        help=f"how many games (default: {GAMES}, or one for each fleet of --against-fleets)",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="makes the same games again (default: 1)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON on standard output")
    parser.add_argument(
        "--against-fleets",
        metavar="FILE",
        nargs="+",
        help="take the fleets from game records: with --solo both fleets of each are to be sunk, and two captains get "
        "one each; without --rules the records' own rules are played",
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw how many shots the games took, as SVG")
    parser.add_argument(
        "--jobs", metavar="N", type=int, help="how many processes (default: one for each processor core)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the games and tell the figures."""
    contest = _contest(arguments)
    jobs = (os.cpu_count() or 1) if arguments.jobs is None else arguments.jobs
    if jobs < 1:
        raise UserError(f"--jobs is {jobs}; at least one process is needed.")
    if arguments.plot and not arguments.plot.absolute().parent.is_dir():
        raise UserError(f"There is no folder {arguments.plot.parent} for the plot.")
    if arguments.plot and arguments.plot.is_dir():
        raise UserError(
            f"{arguments.plot} is a folder; name the file for the plot, such as {arguments.plot / 'shots.svg'}."
        )
    results = _play(contest, jobs)
    figures = summary(contest, results)
    text = json.dumps(figures, ensure_ascii=False) if arguments.json else "\n".join(lines(figures))
    sys.stdout.write(text + "\n")
    if arguments.plot:
        _draw(arguments.plot, contest, results)
    return 0


def _contest(arguments: argparse.Namespace) -> Contest:
    """Read what is to be played. Raises UserError or RulesetError."""
    if arguments.solo and arguments.captains:
        raise UserError(f"Name two captains or --solo CAPTAIN, not both; {arguments.captains[0]!r} is one too many.")
    names = (arguments.solo,) if arguments.solo else tuple(arguments.captains)
    if not arguments.solo and len(names) != 2:
        raise UserError(f"Two captains play each other, named: {len(names)}; or let one play alone with --solo.")
    for name in names:
        captain(name)
    if arguments.games is not None and arguments.games < 1:
        raise UserError(f"--games is {arguments.games}; at least one game is needed.")
    house_rules = parse_house_rules(arguments.house)
    records = {name: _record(name) for name in arguments.against_fleets or ()}
    if records and arguments.rules is None:
        rules, ruleset, recorded = _recorded_rules(records)
        house_rules = house_rules or recorded
    else:
        rules, ruleset = find_ruleset(arguments.rules or "classic")
    effective = with_house_rules(ruleset, house_rules)
    for name, record in records.items():
        for fleet in record.fleets:
            try:
                check_fleet(fleet, effective)
            except IllegalMove as error:
                raise UserError(f"{name}: a fleet is not legal under {rules}: {error}.") from None
    fleets: tuple[tuple[Ship, ...], ...] = fleets_in_pairs([record.fleets for record in records.values()])
    usual = (len(fleets) if arguments.solo else len(records)) or GAMES
    games = usual if arguments.games is None else arguments.games
    return Contest(names, rules, ruleset, house_rules, games, arguments.seed, fleets)


def _recorded_rules(records: dict[str, Record]) -> tuple[str, Ruleset, tuple[HouseRule, ...]]:
    """The rules that all records were played under."""
    first, *others = records.items()
    for name, record in others:
        if (record.ruleset, record.house_rules) != (first[1].ruleset, first[1].house_rules):
            raise UserError(f"{name} and {first[0]} were played under different rules; choose with --rules.")
    return first[1].rules, first[1].ruleset, first[1].house_rules


def _record(name: str) -> Record:
    try:
        return parse_record(Path(name).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UserError(f"The record {name} cannot be read: {reason}.") from None
    except (RecordError, RulesetError) as error:
        raise UserError(f"{name} is no record: {error}") from None


def _play(contest: Contest, jobs: int) -> list[Result]:
    console = Console(stderr=True)
    if not console.is_terminal:
        return play(contest, jobs)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("Playing", total=contest.games)
        return play(contest, jobs, lambda games: bar.advance(task, games))


def _draw(path: Path, contest: Contest, results: list[Result]) -> None:
    series = [(name.capitalize(), winning_shots(results, seat)) for seat, name in enumerate(contest.captains, 1)]
    title = f"{number_of_games(len(results))}, {', '.join([contest.rules, *contest.house_rules])}"
    try:
        path.write_text(histogram(title, series), "utf-8")
    except OSError as error:
        raise UserError(f"The plot {path} cannot be written: {error.strerror}.") from None
