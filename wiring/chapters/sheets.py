"""Sheets to print and cut out: keypad overlays and the quick-start card."""

from __future__ import annotations

from wiring.chapters.keypads import SHEET
from wiring.document.blocks import Block, Chapter, Figure, Text
from wiring.plans.card import quick_start_card
from wiring.plans.keypad import number_pad_overlay, overlay
from wiring.subject import Subject


def overlays(subject: Subject) -> Chapter:
    """Return the page with an overlay for each seat."""
    blocks: list[Block] = [
        Text(
            "Print at 100 % (“actual size”), not “fit to page”, and measure the ruler: it is 50 mm long. A usual 4 × 4 membrane keypad measures 69 × 77 mm "
            "(Parallax 27899: 6.9 × 7.6 cm); measure yours before you cut."
        )
    ]
    for keypad in subject.kit.keypads:
        if keypad.rows:
            blocks.append(Figure(f"overlay-{keypad.seat}", overlay(keypad)))
        else:
            blocks.append(Figure(f"overlay-number-pad-{keypad.seat}", number_pad_overlay(keypad.seat)))
    return Chapter(SHEET, tuple(blocks), new_page=True)


def card(subject: Subject) -> Chapter:
    """Return the quick-start card."""
    blocks: list[Block] = [Text("For the players: cut it out and keep it in the box.")]
    if subject.matrices:
        blocks.append(Figure("quick-start-card", quick_start_card(subject.matrices[0].layout)))
    if subject.number_pads:
        blocks.append(Figure("quick-start-card-number-pad", quick_start_card(None)))
    return Chapter("Quick-start card", tuple(blocks), new_page=True)
