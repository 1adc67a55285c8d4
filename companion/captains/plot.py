"""Draws how many shots the games took, as SVG."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 44, 48
COLOURS = ("#1f5fa8", "#c2571a")


def histogram(title: str, series: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Return an SVG with how many of all games took each number of shots, one row of bars for each series."""
    shots = [shot for _, each in series for shot in each]
    low, high = (min(shots), max(shots)) if shots else (0, 1)
    shares = [{shot: n / len(shots) for shot, n in Counter(each).items()} for _, each in series]
    top = max((share for each in shares for share in each.values()), default=1.0)
    step = (WIDTH - LEFT - RIGHT) / (high - low + 1)
    height = HEIGHT - TOP - BOTTOM
    floor = TOP + height
    bar = step * 0.9 / max(len(series), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12" fill="#222">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>',
    ]
    for number, (name, each) in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        x = LEFT + number * 170
        mean = f": mean {sum(each) / len(each):.1f}" if each else ": none"
        parts.append(f'<rect x="{x}" y="28" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 15}" y="37">{escape(name + mean)}</text>')
    for part in range(1, 5):
        y = floor - height * part / 4
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * part / 4:.1%}</text>')
    for number, bars in enumerate(shares):
        for shot, share in sorted(bars.items()):
            edge = LEFT + (shot - low + 0.05) * step + number * bar
            tall = height * share / top
            parts.append(
                f'<rect x="{edge:.1f}" y="{floor - tall:.1f}" width="{bar:.1f}" height="{tall:.1f}" '
                f'fill="{COLOURS[number % len(COLOURS)]}"/>'
            )
    parts.append(f'<line x1="{LEFT}" y1="{floor}" x2="{WIDTH - RIGHT}" y2="{floor}" stroke="#222"/>')
    for shot in range(low, high + 1):
        if shot % 5 == 0 or high - low < 12:
            centre = LEFT + (shot - low + 0.5) * step
            parts.append(f'<text x="{centre:.1f}" y="{floor + 16}" text-anchor="middle">{shot}</text>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 10}" text-anchor="middle">shots to sink all</text>')
    return "\n".join([*parts, "</svg>", ""])
