"""Pictures of a game in the middle, with the colours of the built board, for tests, benchmarks and golden images."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.frame import SIZE, Console, Grid, Panel, Picture, Silhouette

if TYPE_CHECKING:
    from hardware.frame import Frame

LED_COLOURS = {
    ".": (0, 0, 14),
    "S": (0, 40, 100),
    "o": (90, 90, 90),
    "x": (200, 30, 0),
    "#": (24, 0, 0),
    "~": (0, 6, 20),
    "?": (0, 40, 100),
    "!": (70, 24, 0),
    "*": (60, 255, 60),
}
"""Linear LED values of each mark, 0…255."""

LABELS = {
    "ocean": "Ocean",
    "target": "Target",
    "current": "LED current",
    "fleet": "Fleet afloat",
    "help": "F1 Help",
}
HELP = (
    "2 4 6 8 move the cursor.",
    "5 or # places, fires, says yes.",
    "Hold * for the menu.",
    "F12 saves a screenshot.",
)

EMPTY = ("." * SIZE,) * SIZE
TARGET_1 = (
    "....o.....",
    "..o.......",
    "...xxx....",
    ".o....o...",
    ".....o....",
    "o.......#.",
    "...o....#.",
    ".o...o..#.",
    ".......o#.",
    "..o.....#.",
)
OCEAN_1 = (
    "..........",
    ".SSxSS..o.",
    "......o...",
    ".o..S.....",
    "....S..SSx",
    "o...S.....",
    "......o...",
    ".##....SSS",
    "..........",
    "...o..SSSS",
)
TARGET_2 = (
    "..........",
    "...x....o.",
    "......o...",
    ".o........",
    ".........x",
    "o.........",
    "......o...",
    ".##.......",
    "..........",
    "...o......",
)
OCEAN_2 = (
    "....o.....",
    "..o.......",
    "..SxxxS...",
    ".o....o.S.",
    ".....oS.S.",
    "o.....S.#.",
    "...o..S.#.",
    ".o...o..#.",
    "SSS....o#.",
    "..o.....#.",
)
GHOST_BLOCKED = (
    "..........",
    ".SSSSS....",
    "..........",
    ".....S....",
    ".....S....",
    ".....!!!..",
    "..........",
    "..........",
    "..........",
    "..........",
)

ARROWS = dict(zip("12346789", "↖↑↗←→↙↓↘", strict=True))
TURN_KEYS = ARROWS | {"5": "fire", "#": "fire", "B": "look back", "D": "dial", "*": "menu"}
PLACING_KEYS = ARROWS | {"5": "place", "0": "turn", "A": "AUTO", "#": "place", "*": "menu"}


def srgb(led_values: object) -> Frame:
    """Encode linear LED values, 0…255, as a frame."""
    light = np.asarray(led_values, np.float64) / 255
    encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(encoded * 255), np.uint8)


def panel(marks: tuple[str, ...], cursor: tuple[int, int] | None = None) -> Panel:
    """Return a panel whose frame shows its marks."""
    light = np.array([[LED_COLOURS[mark] for mark in row] for row in marks])
    if cursor is not None:
        light[cursor] = LED_COLOURS["*"]
    return Panel(marks, cursor, srgb(light))


def dark() -> Panel:
    """Return the panel below a curtain."""
    return Panel(EMPTY, None, np.zeros((SIZE, SIZE, 3), np.uint8))


def fleet(*ships: tuple[str, int, bool]) -> tuple[Silhouette, ...]:
    """Return a fleet of (name, length, afloat)."""
    return tuple(Silhouette(*ship) for ship in ships)


def battle() -> Picture:
    """Return a battle in which it is Ana's turn; Bruno's ocean grid is open."""
    ana = Console(
        seat=1,
        name="Ana",
        suit="diamonds",
        ocean=panel(OCEAN_1),
        target=panel(TARGET_1, cursor=(2, 6)),
        caption="Your turn, Ana",
        legend=TURN_KEYS,
        fleet=fleet(
            ("Carrack", 5, True), ("Galley", 4, True), ("Cog", 3, True), ("Caravel", 3, True), ("Barque", 2, False)
        ),
    )
    bruno = Console(
        seat=2,
        name="Bruno",
        suit="clubs",
        ocean=panel(OCEAN_2),
        target=panel(TARGET_2),
        caption="D2: hit. Ana takes aim…",
        legend={"B": "look back"},
        fleet=fleet(
            ("Carrack", 5, False), ("Galley", 4, True), ("Cog", 3, True), ("Caravel", 3, True), ("Barque", 2, True)
        ),
    )
    return Picture((ana, bruno), labels=LABELS, help=HELP)


def curtained() -> Picture:
    """Return the battle with Bruno's ocean grid under its curtain."""
    picture = battle()
    ana, bruno = picture.consoles
    bruno = replace(bruno, ocean=dark(), curtained=True, curtain="Click to see your fleet")
    return replace(picture, consoles=(ana, bruno))


def placing() -> Picture:
    """Return the placing, in Portuguese, with a ghost that doesn't fit and a fleet too large for names."""
    picture = battle()
    ana, bruno = picture.consoles
    many = fleet(
        ("Couraçado", 4, True),
        *[("Cruzador", 3, index == 0) for index in range(2)],
        *[("Torpedeiro", 2, index < 2) for index in range(3)],
        *[("Submarino", 1, True)] * 4,
    )
    words = {"ocean": "Oceano", "target": "Alvo", "fleet": "Frota à tona"}
    ana = replace(
        ana,
        name="Maria da Conceição",
        suit="clubs",
        ocean=panel(GHOST_BLOCKED, cursor=(5, 5)),
        target=panel(EMPTY),
        caption="Não cabe: toca no Galeão",
        legend=PLACING_KEYS,
        fleet=many,
        focus=Grid.OCEAN,
    )
    bruno = replace(bruno, suit="diamonds", ocean=dark(), target=panel(EMPTY), caption="", fleet=many)
    bruno = replace(bruno, curtained=True, curtain="Clique para ver a sua frota")
    return replace(picture, consoles=(ana, bruno), labels=LABELS | words)


def with_caption(picture: Picture, text: str) -> Picture:
    """Return the picture with another caption for seat 1."""
    one, other = picture.consoles
    return replace(picture, consoles=(replace(one, caption=text), other))


def with_ocean(picture: Picture, ocean: Panel) -> Picture:
    """Return the picture with another ocean grid for seat 2."""
    one, other = picture.consoles
    return replace(picture, consoles=(one, replace(other, ocean=ocean)))


def with_target_light(picture: Picture, row: int, column: int, colour: tuple[int, int, int]) -> Picture:
    """Return the picture with one more LED lit in seat 1's target grid."""
    one, other = picture.consoles
    frame = one.target.frame
    assert frame is not None
    frame = frame.copy()
    frame[row, column] = colour
    return replace(picture, consoles=(replace(one, target=replace(one.target, frame=frame)), other))
