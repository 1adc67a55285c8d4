"""What the README and the docs tell people to type is what the program takes."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from companion.cli import COMMANDS, Parser

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _console_lines() -> list[str]:
    lines = []
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            lines += [line.split(" #")[0].strip() for line in block.splitlines() if line.startswith("broadside ")]
    return sorted(set(lines))


LINES = _console_lines()


def test_there_are_commands_to_check() -> None:
    assert len(LINES) > 10


@pytest.mark.parametrize("line", LINES)
def test_each_command_is_taken_as_it_is_written(line: str) -> None:
    _, name, *rest = shlex.split(line)
    assert name in {command.name for command in COMMANDS}
    parser = Parser(prog=f"broadside {name}")
    module = import_module(f"companion.commands.{name}")
    module.configure(parser)
    parser.parse_args(rest)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)\)", page.read_text("utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_the_captain_of_the_docs_plays() -> None:
    from random import Random

    from companion.game.events import DrawFleet, Fire, LayFleet, Sail
    from companion.game.match import Match, begin
    from companion.game.ruleset import preset
    from companion.game.views import view

    text = (ROOT / "docs" / "extending.md").read_text("utf-8")
    source = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert source is not None
    names: dict[str, object] = {}
    exec(source[1], names)
    kind = names["Parrot"]
    assert isinstance(kind, type)
    parrot = kind()
    chance = Random(1)
    match = Match(begin("kingdoms", preset("kingdoms"), ("Parrot", "Ana"), chance))
    match.do(LayFleet(1, parrot.place(view(match, 1), chance)))
    match.do(DrawFleet(2), chance)
    for seat in (1, 2):
        match.do(Sail(seat))
    while match.ended is None:
        seat = match.to_move
        match.do(Fire(seat, parrot.fire(view(match, seat), chance)))
    assert match.ended.winner in (1, 2)
