"""The kit, as a Pico needs to know it: the payload of CONFIG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from firmware_bridge.changes import runs
from firmware_bridge.errors import PicoError
from firmware_bridge.pico import wire
from hardware.frame import SIZE
from hardware.kit import PANEL_LEDS
from hardware.lighting import Lighting
from hardware.power import Limiter

if TYPE_CHECKING:
    from hardware.frame import Frame
    from hardware.kit import Chain, Keypad, Kit

DRIVER = "pico"
"""The name of the LED and keypad driver in a kit."""

MAX_KEYS = 32
"""Keys of one keypad: a STATE frame has 32 bits for it."""

NO_HOST = (
    "..........",
    ".a......a.",
    "..a....a..",
    "...a..a...",
    "....aa....",
    "....aa....",
    "...a..a...",
    "..a....a..",
    ".a......a.",
    "..........",
)
"""What each panel shows when no host has spoken for five seconds: a dim amber cross."""

AMBER = (110, 60, 0)
"""The cross's colour, sRGB."""


class _Chain(msgspec.Struct, frozen=True, kw_only=True):
    pin: int
    leds: int
    order: str
    standby: tuple[tuple[int, str], ...]


class _Keypad(msgspec.Struct, frozen=True, kw_only=True):
    rows: tuple[int, ...]
    columns: tuple[int, ...]


class _Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """`panels` holds chain, first byte, byte behind the last, and the largest sum of the bytes for each panel; `limit`
    is the largest sum of all."""

    chains: tuple[_Chain, ...]
    panels: tuple[tuple[int, int, int, int], ...]
    limit: int
    keypads: tuple[_Keypad, ...]


def pico_keypads(kit: Kit) -> tuple[Keypad, ...]:
    """Return the keypads that are wired to the Pico, in the order of their numbers on the line."""
    return tuple(keypad for keypad in kit.keypads if keypad.driver == DRIVER)


def pico_chains(kit: Kit) -> tuple[Chain, ...]:
    """Return the chains that are wired to the Pico."""
    return kit.leds.chains if kit.leds.driver == DRIVER else ()


def configuration(kit: Kit) -> bytes:
    """Return the payload of CONFIG for a kit. Equal kits give equal bytes.

    Raises PicoError where the kit has more than the protocol can carry.
    """
    chains = pico_chains(kit)
    keypads = pico_keypads(kit)
    if len(chains) > 8:
        raise PicoError(f"The kit has {len(chains)} chains on the Pico, which drives at most 8: join some.")
    if any(len(keypad.rows) * len(keypad.columns) > MAX_KEYS for keypad in keypads):
        raise PicoError(f"The kit has a keypad with more than {MAX_KEYS} keys: use smaller ones.")
    if any(chain.led_count * chain.led_bytes >= wire.MAX_PAYLOAD for chain in chains):
        raise PicoError(f"The kit has a chain of more than {wire.MAX_PAYLOAD - 1} bytes: split it.")
    limiter = Limiter(kit.power, [PANEL_LEDS for chain in chains for _ in chain.panels])
    limits = iter(limiter.panel_limits)
    panels: list[tuple[int, int, int, int]] = []
    for number, chain in enumerate(chains):
        size = PANEL_LEDS * chain.led_bytes
        panels.extend((number, place * size, (place + 1) * size, next(limits)) for place in range(len(chain.panels)))
    payload = msgspec.json.encode(
        _Configuration(
            chains=tuple(
                _Chain(
                    pin=chain.pin,
                    leds=chain.led_count,
                    order=chain.order,
                    standby=tuple((start, piece.hex()) for start, piece in runs(bytes(len(sign)), sign)),
                )
                for chain, sign in zip(chains, standby(kit) if chains else (), strict=True)
            ),
            panels=tuple(panels),
            limit=limiter.total_limit,
            keypads=tuple(_Keypad(rows=keypad.rows, columns=keypad.columns) for keypad in keypads),
        )
    )
    if len(payload) > wire.MAX_PAYLOAD:
        raise PicoError("The kit has more panels than fit one message to the Pico: use a second Pico, or fewer panels.")
    return payload


def standby(kit: Kit) -> Sequence[bytes]:
    """Return the wire bytes of the sign that each panel shows when no host speaks."""
    lighting = Lighting(kit)
    return lighting.light_frames([_sign()] * len(lighting.panels)).chains


def _sign() -> Frame:
    frame = np.zeros((SIZE, SIZE, 3), np.uint8)
    frame[np.array([list(row) for row in NO_HOST]) == "a"] = AMBER
    return frame
