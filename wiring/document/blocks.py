"""The blocks that a document is made of.

Texts may hold `code`, **strong words** and [links](https://…); nothing else is markup. A backslash before a sign of
markup makes it an ordinary one, as `plain` does for words that others wrote.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from wiring.drawing.drawing import Drawing


def plain(words: str) -> str:
    """Return words in which nothing counts as markup, for the texts of blocks."""
    return re.sub(r"([\\`*_\[\]<>&#~!])", r"\\\1", words)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a chapter."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list; numbered where the order matters."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Commands:
    """Lines to type, in order."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has as many cells as the head. `widths` are shares of the page for print, in percent."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Danger:
    """Something that hurts people or parts when it is done wrong."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeeNow:
    """What a step should have led to."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, in a file of this name (without its ending)."""

    name: str
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture in the JPEG format, in a file of this name."""

    name: str
    jpeg: bytes
    caption: str


Block: TypeAlias = Heading | Text | Items | Commands | Table | Danger | SeeNow | Figure | Photo


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter. `new_page` has it begin on a page of its own in print."""

    title: str
    blocks: tuple[Block, ...]
    new_page: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A title, what it is about in a sentence, and the numbered chapters. `meta` are names and values for programs."""

    title: str
    subtitle: str
    chapters: tuple[Chapter, ...]
    appendices: tuple[Chapter, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()

    def figures(self) -> tuple[Figure, ...]:
        """Return every drawing, once, in the order of appearance."""
        found = {
            block.name: block
            for chapter in (*self.chapters, *self.appendices)
            for block in chapter.blocks
            if isinstance(block, Figure)
        }
        return tuple(found.values())

    def photos(self) -> tuple[Photo, ...]:
        """Return every picture, in the order of appearance."""
        return tuple(
            block
            for chapter in (*self.chapters, *self.appendices)
            for block in chapter.blocks
            if isinstance(block, Photo)
        )

    def titled(self) -> tuple[tuple[str, Chapter], ...]:
        """Return the chapters with the titles that they are printed under: "4. Parts list"."""
        numbered = [(f"{number}. {chapter.title}", chapter) for number, chapter in enumerate(self.chapters, start=1)]
        return (*numbered, *((chapter.title, chapter) for chapter in self.appendices))
