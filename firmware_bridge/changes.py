"""What to send of a picture: the whole chain, or only what has changed."""

from __future__ import annotations

import numpy as np

from firmware_bridge.pico import wire

GAP = 4
"""Equal bytes between two changes that are sent with them: a run of its own would cost as much."""

MOST_RUNS = 10
"""So many runs take the firmware about as long as a whole chain of 200 LEDs (measured by `tests/bench/pico.py`)."""


def runs(old: bytes, new: bytes) -> list[tuple[int, bytes]]:
    """Return the pieces in which `new` differs from `old` (of the same length), each with its first byte's place."""
    places = np.flatnonzero(np.frombuffer(old, np.uint8) != np.frombuffer(new, np.uint8))
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > GAP)
    starts = places[np.concatenate(([0], breaks + 1))].tolist()
    ends = (places[np.concatenate((breaks, [len(places) - 1]))] + 1).tolist()
    return [(start, new[start:end]) for start, end in zip(starts, ends, strict=True)]


def pack_chain(chain: int, old: bytes | None, new: bytes) -> bytes:
    """Return the cheaper of FRAME and PATCH for one chain; nothing where it has not changed. Without `old`: FRAME."""
    if old is None:
        return wire.pack_frame(chain, new)
    pieces = runs(old, new)
    if not pieces:
        return b""
    length = sum(len(piece) for _, piece in pieces)
    if len(pieces) > MOST_RUNS or wire.patch_size(len(pieces), length) >= wire.patch_size(0, len(new)):
        return wire.pack_frame(chain, new)
    return wire.pack_patch(chain, pieces)
