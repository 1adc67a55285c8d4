"""How wide a text will be, without asking a font.

Labels are written with the width that is computed here (SVG's `textLength`), so that they take this room in every
viewer and with every font, and what the geometry check finds is what is seen. The widths are those of DejaVu Sans,
which Verdana shares closely, in thousandths of the font size.
"""

from __future__ import annotations

FONT_FAMILY = "DejaVu Sans,Verdana,sans-serif"

ASCENT = 0.76
"""How far a capital letter stands above the baseline, as a share of the font size."""

DESCENT = 0.22
"""How far a letter reaches below the baseline, as a share of the font size."""

_REGULAR = {
    275: "'",
    278: "ijl",
    295: "IJ",
    318: " ,.·’",
    337: "/:;\\|",
    352: "f",
    361: "-",
    390: "()[]",
    392: "t",
    401: "!",
    411: "r",
    460: '"',
    500: "*_`°–",
    518: "“”",
    521: "s",
    525: "z",
    531: "?",
    550: "c",
    557: "L",
    575: "F",
    579: "k",
    592: "vxy",
    603: "P",
    611: "TY",
    612: "o",
    613: "a",
    615: "e",
    632: "E",
    634: "hnu",
    635: "Sbdgpq",
    636: "$0123456789{}µ",
    656: "K",
    684: "AV",
    685: "XZ",
    686: "B",
    695: "R",
    698: "C",
    732: "U",
    748: "N",
    752: "H",
    764: "Ω",
    769: "▲▼",
    770: "D",
    775: "G",
    780: "&",
    787: "OQ",
    818: "w",
    838: "#+<=>^~×→←↑↓↖↗↘↙±≥≤✓−",
    863: "M",
    873: "●○",
    945: "■□",
    950: "%",
    969: "½",
    974: "m",
    989: "W",
    1000: "@—…",
}
_BOLD = {
    306: "'",
    343: "ijl",
    348: " ",
    365: "/\\|",
    372: "IJ",
    380: ",.·’",
    400: ":;",
    415: "-",
    435: "f",
    456: "!",
    457: "()[]",
    478: "t",
    493: "r",
    500: "_`°–",
    521: '"',
    523: "*",
    580: "?",
    582: "z",
    593: "c",
    595: "s",
    637: "L",
    645: "x",
    652: "vy",
    657: "“”",
    665: "k",
    675: "a",
    678: "e",
    682: "T",
    683: "EF",
    687: "o",
    696: "$0123456789",
    712: "hnu{}",
    716: "bdgpq",
    720: "S",
    724: "Y",
    725: "Z",
    733: "P",
    734: "C",
    736: "µ",
    762: "B",
    769: "▲▼",
    770: "R",
    771: "X",
    774: "AV",
    775: "K",
    812: "U",
    821: "G",
    830: "D",
    837: "HN",
    838: "#+<=>^~×→←↑↓↖↗↘↙±≥≤✓−",
    850: "OQΩ",
    872: "&",
    873: "●○",
    924: "w",
    945: "■□",
    995: "M",
    1000: "@—…",
    1002: "%",
    1035: "½",
    1042: "m",
    1103: "W",
}


def _by_character(table: dict[int, str]) -> dict[str, int]:
    return {character: width for width, characters in table.items() for character in characters}


_WIDTHS = {False: _by_character(_REGULAR), True: _by_character(_BOLD)}


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of one line of text, in the unit of `size`. Letters with accents count as wide letters."""
    widths = _WIDTHS[bold]
    wide = widths["m"]
    return sum(widths.get(character, wide) for character in text) * size / 1000
