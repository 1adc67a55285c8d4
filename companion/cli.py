"""The command line: finds the command, runs it, and turns what a user did wrong into one line and exit code 2."""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from companion.errors import UserError


class Command(NamedTuple):
    """One line of the overview; the module of the same name in `companion.commands` is imported when it runs."""

    name: str
    summary: str
    example: str


COMMANDS = (
    Command("play", "play a game on the board, in the simulator or as text", "broadside play --against jack"),
    Command("demo", "watch two captains play each other", "broadside demo --captains king ace"),
    Command("replay", "play a game record back, or verify records", "broadside replay --verify game.toml"),
    Command("arena", "let captains play many games and measure them", "broadside arena king ace --games 400"),
    Command("games", "list the kept games, newest first", "broadside games"),
    Command("stats", "show each player's games, wins, shots and accuracy", "broadside stats"),
    Command("export", "write a game's record", "broadside export last game.toml"),
    Command("rules", "list the rule sets, show one, or check a file", "broadside rules classic"),
    Command("test", "bring up the board, one part at a time", "broadside test leds --kit full"),
    Command("doctor", "is this machine ready for this kit?", "broadside doctor --kit full"),
    Command("guide", "write the wiring guide for exactly this kit", "broadside guide --kit full --out guide"),
    Command("pico", "install the firmware on a Pico, or show what is connected", "broadside pico status"),
    Command("backup", "put games, settings and kits into one file", "broadside backup broadside.tar.gz"),
    Command("restore", "bring a backup back", "broadside restore broadside.tar.gz"),
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Raise UserError instead of printing the usage and the message on several lines."""
        raise UserError(f"{message[:1].upper()}{message[1:]}; {self.prog} --help shows how it is used.")


def _overview() -> str:
    width = max(len(command.name) for command in COMMANDS)
    lines = [
        "usage: broadside COMMAND …",
        "",
        "Broadside: a naval-combat board game for a table of lights, or for this screen.",
        "",
        *(f"  {command.name:<{width}}  {command.summary}" for command in COMMANDS),
        "",
        "broadside COMMAND --help tells more and gives an example; --debug shows where an error comes from.",
    ]
    return "\n".join(lines)


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        _print(_overview())
        return 0
    name, *rest = arguments
    if name in {"-V", "--version"}:
        from importlib.metadata import version

        _print(f"broadside {version('broadside-board')}")
        return 0
    command = next((known for known in COMMANDS if known.name == name), None)
    if command is None:
        raise UserError(f"There is no command {name!r}; broadside --help lists them.")
    module = importlib.import_module(f"companion.commands.{name}")
    parser = Parser(
        prog=f"broadside {name}",
        description=f"{command.summary[:1].upper()}{command.summary[1:].rstrip('?')}.",
        epilog=f"Example: {command.example}",
        allow_abbrev=False,
    )
    module.configure(parser)
    code = module.run(parser.parse_args(rest))
    assert isinstance(code, int)
    return code


def _is_user_error(error: BaseException) -> bool:
    """Whether an error is something that a user did. The hardware's errors are known by name, so that a command that
    needs no hardware does not import it."""
    known = {"UserError", "KitError", "BoardError", "DriverError", "IllegalMove", "RulesetError", "RecordError"}
    return any(kind.__name__ in known for kind in type(error).__mro__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. 2 means that the user has to do something, said in one line on stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        return _run(words)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:
        if not _is_user_error(error):
            raise
        if debug:
            traceback.print_exc()
        sys.stderr.write(" ".join(f"{error}".split()) + "\n")
        return 2
