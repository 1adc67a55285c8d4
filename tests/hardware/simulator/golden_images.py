"""The golden images: what the simulator looked like when somebody last looked at it and liked it.

`python -m tests.hardware.simulator.golden_images` paints them anew; look at them before they are committed.
"""

from __future__ import annotations

from pathlib import Path

from hardware.simulator import save
from tests.hardware.simulator import pictures

FOLDER = Path(__file__).parent / "golden"
SIZE = (640, 360)
GOLDEN = {"battle": pictures.battle, "curtained": pictures.curtained, "placing": pictures.placing}


def main() -> None:
    for name, picture in GOLDEN.items():
        save(picture(), FOLDER / f"{name}.png", SIZE)
        print(FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
