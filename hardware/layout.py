"""Where the LEDs of a panel stand: from the way a panel is wired to index arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hardware.frame import SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hardware.kit import PanelSpec

CHANNELS = "RGBW"
"""The order of a LED's channels before they are put into wire order."""


def wire_order(panel: PanelSpec) -> NDArray[np.intp]:
    """Return for each LED of a panel, in wire order, the square that it lights: shape (100,), values row * 10 + column
    as seen by the player, row 0 at the top, column 0 at the left. A bijection."""
    run, step = np.divmod(np.arange(SIZE * SIZE), SIZE)
    if panel.serpentine:
        step = np.where(run % 2, SIZE - 1 - step, step)
    row, column = (run, step) if panel.along == "rows" else (step, run)
    if panel.first.startswith("bottom"):
        row = SIZE - 1 - row
    if panel.first.endswith("right"):
        column = SIZE - 1 - column
    for _quarter_turn in range(panel.rotation // 90):
        row, column = column, SIZE - 1 - row
    return row * SIZE + column


def led_numbers(panel: PanelSpec) -> NDArray[np.intp]:
    """Return for each square the LED that lights it, counted from 0 within the panel: shape (10, 10)."""
    return np.argsort(wire_order(panel)).reshape(SIZE, SIZE)


def chain_index(panels: Sequence[PanelSpec], first_panel: int, order: str, channels: int) -> NDArray[np.intp]:
    """Return the index array of one chain: `values.take(index)` gives the chain's bytes in wire order.

    `values` has shape (panels of the kit, 100 squares, `channels`), channels in the order of `CHANNELS`; `panels` are
    this chain's, and the first of them is number `first_panel` there. `order` is the colour order on the wire.
    """
    offsets = np.array([CHANNELS.index(letter) for letter in order], dtype=np.intp)
    squares = np.concatenate(
        [(first_panel + number) * SIZE * SIZE + wire_order(panel) for number, panel in enumerate(panels)]
    )
    return (squares[:, np.newaxis] * channels + offsets).ravel()
