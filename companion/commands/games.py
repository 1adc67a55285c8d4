"""`broadside games`: the kept games, a line each, newest first."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from companion.game.events import GameBegan, ShotsTold, TakenBack
from companion.journal import Archive, KeptGame


def configure(parser: ArgumentParser) -> None:
    """This command has no options."""


def run(arguments: Namespace) -> int:
    """Print the list."""
    for kept in Archive().games():
        sys.stdout.write(_line(kept) + "\n")
    return 0


def _line(kept: KeptGame) -> str:
    began = kept.events[0]
    assert isinstance(began, GameBegan)
    one, other = began.players
    rules = " + ".join([began.rules, *began.house_rules])
    moves = sum(isinstance(event, ShotsTold) - isinstance(event, TakenBack) for event in kept.events)
    ended = kept.ended
    if ended is None:
        result = "goes on"
    elif ended.winner:
        result = f"{began.players[ended.winner - 1]} wins: {ended.ending}"
    else:
        result = str(ended.ending)
    told = "1 move" if moves == 1 else f"{moves} moves"
    return f"{kept.game}  {kept.began_at.astimezone():%Y-%m-%d %H:%M}  {rules}  {one} - {other}  {told}  {result}"
