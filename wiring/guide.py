"""The wiring guide: every chapter for one kit, written as one self-contained folder.

The folder holds `guide.html` (one page with everything in it, to read or print), `guide.md` with the same words,
`drawings/*.svg`, the picture, and `kit.toml`, the file that all of it was made from.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from wiring.chapters.all_panels import all_panels
from wiring.chapters.changing import changing
from wiring.chapters.choose import choose
from wiring.chapters.dangers import dangers
from wiring.chapters.doctor import doctor
from wiring.chapters.extras import extras
from wiring.chapters.faults import faults
from wiring.chapters.keypads import keypads
from wiring.chapters.one_panel import one_panel
from wiring.chapters.parts import parts
from wiring.chapters.pin_map import pin_map
from wiring.chapters.power import power
from wiring.chapters.service import service
from wiring.chapters.sheets import card, overlays
from wiring.chapters.tools import tools
from wiring.chapters.what_you_get import what_you_get
from wiring.document.blocks import Document, plain
from wiring.document.html import to_html
from wiring.document.markdown import DRAWINGS, to_markdown
from wiring.subject import Subject

if TYPE_CHECKING:
    from hardware.kit import Kit

CHAPTERS = (
    what_you_get,
    dangers,
    choose,
    parts,
    tools,
    pin_map,
    power,
    one_panel,
    all_panels,
    keypads,
    extras,
    doctor,
    service,
    faults,
    changing,
)
"""The chapters in their order; `wiring.steps.TITLES` has their titles in the same order."""

SHEETS = (overlays, card)


KIT_META = "broadside-kit"
"""The name under which the page keeps the SHA-256 of the kit file that it was made from."""


def guide_document(kit: Kit, name: str, kit_text: str = "") -> Document:
    """Return the guide for a checked kit; `name` is what a person gives to `--kit`, `kit_text` the file itself."""
    subject = Subject(kit, name)
    return Document(
        title=f"Broadside: the wiring guide for the kit {plain(name)}",
        subtitle=f"From the parts to the first game, one tested step at a time: {plain(kit.title)}.",
        chapters=tuple(chapter(subject) for chapter in CHAPTERS),
        appendices=tuple(sheet(subject) for sheet in SHEETS),
        meta=((KIT_META, kit_digest(kit_text)),),
    )


def kit_digest(kit_text: str) -> str:
    """Return the SHA-256 of a kit file's text."""
    return hashlib.sha256(kit_text.encode("utf-8")).hexdigest()


def guide_files(kit: Kit, name: str, kit_text: str) -> dict[str, bytes]:
    """Return the whole folder as relative paths with their contents; `kit_text` is the kit file as it stands.

    The same kit gives the same bytes on every machine.
    """
    document = guide_document(kit, name, kit_text)
    texts = {
        "guide.md": to_markdown(document),
        "guide.html": to_html(document),
        "kit.toml": kit_text,
        **{f"{DRAWINGS}/{figure.name}.svg": figure.drawing.svg() for figure in document.figures()},
    }
    found = {path: text.encode("utf-8") for path, text in texts.items()}
    return {**found, **{photo.name: photo.jpeg for photo in document.photos()}}
