"""Writes a document as one HTML page that needs no network and prints well on A4."""

from __future__ import annotations

import base64
import re
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from wiring.document.blocks import Commands, Danger, Figure, Heading, Items, Photo, SeeNow, Table, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wiring.document.blocks import Block, Chapter, Document

GENERATOR = "broadside guide"

SHORT = 8
"""Tables of up to this many rows are kept on one page, and boxes of up to half as many items."""


_MADE_PLAIN = r"\\([!-/:-@\[-`{-~])"
"""A sign of markup with the backslash before it that makes it an ordinary one."""

_ASIDE = 0xE000
"""Where Unicode's private characters begin, which no text has."""


def to_html(document: Document) -> str:
    """Return the document as an HTML page, drawings, pictures and style included."""
    style = files("wiring.document").joinpath("guide.css").read_text(encoding="utf-8")
    titled = document.titled()
    contents = "\n".join(f'<li><a href="#{_anchor(title)}">{_inline(title)}</a></li>' for title, _chapter in titled)
    title = re.sub(_MADE_PLAIN, r"\1", document.title)
    body = "\n".join(_chapter(title, chapter) for title, chapter in titled)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{GENERATOR}">
{_meta(document)}<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{_inline(document.title)}</h1>
<p>{_inline(document.subtitle)}</p>
</header>
<nav>
<ul>
{contents}
</ul>
</nav>
{body}
</body>
</html>
"""


def _meta(document: Document) -> str:
    return "".join(f'<meta name="{escape(name)}" content="{escape(value)}">\n' for name, value in document.meta)


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _chapter(title: str, chapter: Chapter) -> str:
    kind = ' class="new-page"' if chapter.new_page else ""
    blocks = "\n".join(map(_block, chapter.blocks))
    return f'<section{kind} id="{_anchor(title)}">\n<h2>{_inline(title)}</h2>\n{blocks}\n</section>'


def _block(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h3>{_inline(text)}</h3>"
        case Text(text):
            return f"<p>{_inline(text)}</p>"
        case Items(items, numbered):
            return _list(items, "ol" if numbered else "ul")
        case Commands(lines):
            return f"<pre><code>{escape(chr(10).join(lines))}</code></pre>"
        case Table():
            return _table(block)
        case Danger(items):
            kind = "danger" if len(items) <= SHORT // 2 else "danger long"
            return f'<aside class="{kind}"><p class="title">⚠ Danger</p>\n{_list(items, "ul")}</aside>'
        case SeeNow(items):
            return f'<aside class="see"><p class="title">✓ What you should see now</p>\n{_list(items, "ul")}</aside>'
        case Figure(_name, drawing):
            kind = "true-size" if drawing.unit == "mm" else "wide"
            return f'<figure class="{kind}">\n{drawing.svg()}</figure>'
        case Photo(_name, jpeg, caption):
            data = base64.b64encode(jpeg).decode("ascii")
            image = f'<img src="data:image/jpeg;base64,{data}" alt="{escape(caption)}">'
            return f'<figure class="photo">{image}<figcaption>{_inline(caption)}</figcaption></figure>'


def _list(items: Sequence[str], tag: str) -> str:
    return f"<{tag}>\n" + "\n".join(f"<li>{_inline(item)}</li>" for item in items) + f"\n</{tag}>"


def _table(table: Table) -> str:
    columns = "".join(f'<col style="width:{width}%">' for width in table.widths)
    head = "".join(f"<th>{_inline(cell)}</th>" for cell in table.head)
    rows = "\n".join("<tr>" + "".join(f"<td>{_inline(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    kind = ' class="short"' if len(table.rows) <= SHORT else ""
    return f"<table{kind}>\n{columns}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _inline(text: str) -> str:
    # Signs that are meant as such are set aside first, then code: what stands in it is no markup.
    text = re.sub(_MADE_PLAIN, lambda found: chr(_ASIDE + ord(found[1])), text)
    text = "".join(
        f"<code>{escape(part)}</code>" if odd else _words(part)
        for odd, part in ((index % 2, part) for index, part in enumerate(text.split("`")))
    )
    return re.sub(f"[{chr(_ASIDE)}-{chr(_ASIDE + 127)}]", lambda found: escape(chr(ord(found[0]) - _ASIDE)), text)


def _words(text: str) -> str:
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(text, quote=False))
    return re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", _link, text)


def _link(found: re.Match[str]) -> str:
    """Return a link whose text may break after a slash, as the names of reports do."""
    return f'<a href="{found[2]}">{found[1].replace("/", "/<wbr>")}</a>'
