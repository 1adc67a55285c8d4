"""The golden frames: what each effect lit when somebody last looked at it and liked it.

`python -m tests.companion.table.golden_effects` paints them anew; look at what changed before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.game.squares import Square
from companion.table.effects import Effect, Kind
from companion.table.painter import Painter, PanelScene
from hardware.frame import Grid

FOLDER = Path(__file__).parent / "golden"

SHIP = tuple(Square(name) for name in ("C4", "D4", "E4", "F4"))

BEGAN = 100.0
"""An even number of breaths and blinks after the clock's beginning."""

LAID = (Square("B2"), Square("C2"), Square("I7"), Square("I8"))

SEA = (
    "....o.....",
    ".SS.......",
    "..........",
    "..####....",
    "..........",
    "x....~....",
    "........S.",
    "....o...S.",
    "........x.",
    "..........",
)

EFFECTS: dict[Kind, tuple[Effect, tuple[float, ...]]] = {
    Kind.SPLASH: (Effect(Kind.SPLASH, 1, Grid.TARGET, BEGAN, (Square("E8"),)), (0.0, 0.11, 0.13, 0.3, 0.49, 0.51)),
    Kind.STRIKE: (Effect(Kind.STRIKE, 1, Grid.TARGET, BEGAN, (Square("A6"),)), (0.0, 0.09, 0.2, 0.35, 0.49, 0.51)),
    Kind.SINKING: (Effect(Kind.SINKING, 1, Grid.TARGET, BEGAN, SHIP), (0.0, 0.1, 0.3, 0.6, 1.0, 1.2)),
    Kind.TURN: (Effect(Kind.TURN, 1, Grid.TARGET, BEGAN), (0.0, 0.1, 0.3, 0.59, 0.61)),
    Kind.APPEAR: (
        Effect(Kind.APPEAR, 1, Grid.OCEAN, BEGAN, LAID, (0, 0, 1, 1)),
        (0.0, 0.08, 0.1, 0.19),
    ),
    Kind.VICTORY: (Effect(Kind.VICTORY, 1, Grid.TARGET, BEGAN, (Square("I9"),)), (0.0, 0.4, 0.8, 1.2, 1.61)),
    Kind.DEFEAT: (Effect(Kind.DEFEAT, 1, Grid.OCEAN, BEGAN), (0.0, 0.5, 1.0, 1.45, 1.51)),
    Kind.SWELL: (Effect(Kind.SWELL, 1, Grid.OCEAN, BEGAN), (0.0, 1.5, 3.0, 4.5, 6.1)),
}
"""One effect of each kind, with ages (s) at which it is looked at: its steps, and the moment after it."""


def frame(effect: Effect, age: float, kingdom: str, *, blinking: bool = True) -> NDArray[np.uint8]:
    scene = PanelScene(1, effect.grid, SEA, kingdom, effects=(effect,))
    (painted,), _ = Painter(blinking=blinking).paint([scene], effect.began + age)
    return painted


def text(kind: Kind, kingdom: str) -> str:
    effect, ages = EFFECTS[kind]
    lines = []
    for age in ages:
        lines.append(f"{age:.2f} s")
        lines += [" ".join(bytes(light).hex() for light in row) for row in frame(effect, age, kingdom)]
    return "\n".join(lines) + "\n"


def read(kind: Kind, kingdom: str) -> list[NDArray[np.uint8]]:
    frames = []
    lines = (FOLDER / f"{kind}-{kingdom}.txt").read_text("utf-8").splitlines()
    for start in range(0, len(lines), 11):
        rows = [[tuple(bytes.fromhex(light)) for light in row.split()] for row in lines[start + 1 : start + 11]]
        frames.append(np.array(rows, np.uint8))
    return frames


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for kind in EFFECTS:
        for kingdom in ("diamonds", "clubs"):
            (FOLDER / f"{kind}-{kingdom}.txt").write_text(text(kind, kingdom), "utf-8")


if __name__ == "__main__":
    main()
