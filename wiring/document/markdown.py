"""Writes a document as Markdown (CommonMark, with the tables that all common viewers know)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wiring.document.blocks import Commands, Danger, Figure, Heading, Items, Photo, SeeNow, Table, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wiring.document.blocks import Block, Document

DRAWINGS = "drawings"
"""The folder beside the Markdown file that holds its drawings."""


def to_markdown(document: Document) -> str:
    """Return the document as Markdown."""
    titled = document.titled()
    parts = [f"# {document.title}", document.subtitle]
    parts.append("\n".join(f"- [{title}](#{_anchor(title)})" for title, _chapter in titled))
    for title, chapter in titled:
        parts.append(f"## {title}")
        parts += map(_block, chapter.blocks)
    return "\n\n".join(parts) + "\n"


def _anchor(title: str) -> str:
    """Return the anchor that GitHub and most viewers give to a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _block(block: Block) -> str:
    match block:
        case Heading(text):
            return f"### {text}"
        case Text(text):
            return text
        case Items(items, numbered):
            return "\n".join(
                f"{f'{number}.' if numbered else '-'} {item}" for number, item in enumerate(items, start=1)
            )
        case Commands(lines):
            return "\n".join(["```sh", *lines, "```"])
        case Table(head, rows):
            return "\n".join([_row(head), _row(["---"] * len(head)), *map(_row, rows)])
        case Danger(items):
            return _box("Danger", items)
        case SeeNow(items):
            return _box("What you should see now", items)
        case Figure(name, drawing):
            return f"![{drawing.title}. {drawing.description}]({DRAWINGS}/{name}.svg)"
        case Photo(name, _jpeg, caption):
            return f"![{caption}]({name})\n\n*{caption}*"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _box(title: str, items: Sequence[str]) -> str:
    return "\n".join([f"> **{title}**", ">", *(f"> - {item}" for item in items)])
