"""Draws `wiring/pictures/board.jpg`, the guide's picture of the finished board, with the simulator's own scene.

Run `python -m tests.wiring.board_picture` after the simulator has changed its look.
"""

from __future__ import annotations

from pathlib import Path

from companion.game.squares import Square
from companion.table.moves import ARROWS
from companion.table.painter import Painter, PanelScene
from hardware.frame import Console, Grid, Panel, Picture, Silhouette
from hardware.kit import load_kit
from hardware.simulator.picture import as_image, render

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "wiring" / "pictures" / "board.jpg"

OCEAN_1 = (
    "..........",
    ".SSSxS....",
    ".......o..",
    "...o......",
    ".S.....SS.",
    ".S.o......",
    ".x....o...",
    ".....SSS..",
    "..o.......",
    "####....o.",
)
TARGET_1 = (
    "...o......",
    "......xx..",
    ".o........",
    ".~~~o~.o..",
    ".~###~....",
    ".~~~~~o...",
    ".o......x.",
    "........x.",
    "...o......",
    "o.....o...",
)
OCEAN_2 = (
    "...o......",
    "S....SxxSS",
    "So........",
    "....o..o..",
    "..###.....",
    "......o...",
    ".oSSSS..x.",
    "........x.",
    "...o....S.",
    "o.....o...",
)
TARGET_2 = (
    "..........",
    "....x.....",
    ".......o..",
    "...o......",
    "..........",
    "...o......",
    ".x....o...",
    "..........",
    "~~o~~.....",
    "####~...o.",
)
FLEET = (("Carrack", 5), ("Galley", 4), ("Cog", 3), ("Caravel", 3), ("Barque", 2))
LEGEND = {
    **ARROWS,
    "5": "fire",
    "#": "fire",
    "B": "look back",
    "D": "dial",
    "*": "back",
}


def board_picture() -> Picture:
    """Return the table in the middle of a battle, Ana to move."""
    rows = {(1, Grid.OCEAN): OCEAN_1, (1, Grid.TARGET): TARGET_1, (2, Grid.OCEAN): OCEAN_2, (2, Grid.TARGET): TARGET_2}
    kingdoms = {1: "diamonds", 2: "clubs"}
    aim = Square.at(6, 4)
    places = list(rows)
    scenes = [
        PanelScene(
            seat=seat,
            grid=grid,
            rows=rows[seat, grid],
            kingdom=kingdoms[seat],
            cursor=aim if (seat, grid) == (1, Grid.TARGET) else None,
            level=1.0 if seat == 1 else 0.6,
        )
        for seat, grid in places
    ]
    frames, _ = Painter().paint(scenes, 0.0)
    panels = {
        (seat, grid): Panel(rows[seat, grid], (6, 4) if (seat, grid) == (1, Grid.TARGET) else None, frame)
        for (seat, grid), frame in zip(places, frames, strict=True)
    }
    consoles = tuple(
        Console(
            seat=seat,
            name=name,
            suit=kingdoms[seat],
            ocean=panels[seat, Grid.OCEAN],
            target=panels[seat, Grid.TARGET],
            caption=caption,
            legend=LEGEND if seat == 1 else {"B": "look back"},
            fleet=tuple(Silhouette(ship, length, ship != lost) for ship, length in FLEET),
        )
        for seat, name, caption, lost in ((1, "Ana", "Your turn, Ana", "Galley"), (2, "Ben", "Ana takes aim", "Cog"))
    )
    labels = {
        "ocean": "Own sea",
        "target": "Target",
        "current": "Current",
        "fleet": "Fleet",
        "curtain": "0 uncovers",
        "help": "F1 help",
    }
    return Picture((consoles[0], consoles[1]), labels=labels)


def main() -> None:
    """Write the picture."""
    kit = load_kit(ROOT / "wiring" / "kits" / "full.toml")
    image = as_image(render(board_picture(), (1280, 720), kit))
    image.save(OUT, format="JPEG", quality=82, optimize=True)


if __name__ == "__main__":
    main()
