"""Raw wire bytes: single LEDs and single channels, before layout and colour order are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardware.kit import Chain, Kit

LEVEL = 96
"""How bright one tested LED is, of 255: easy to see, and not blinding."""


class Leds(Protocol):
    """What the LED tests need of a board: `hardware.drivers.base.LedDriver`, or a simulated board."""

    def write(self, chains: Sequence[bytes]) -> None:
        """Send wire bytes, one for each chain."""

    def close(self) -> None:
        """Go dark."""


def dark(kit: Kit) -> list[bytes]:
    """Return the bytes that leave every LED dark."""
    return [bytes(chain.led_count * chain.led_bytes) for chain in kit.leds.chains]


def lit(kit: Kit, chain: int, leds: Mapping[int, int]) -> list[bytes]:
    """Return the bytes that light some LEDs of one chain, all colours together: LED number to level (0…255)."""
    width = kit.leds.chains[chain].led_bytes
    data = bytearray(kit.leds.chains[chain].led_count * width)
    for led, level in leds.items():
        data[led * width : (led + 1) * width] = bytes([level] * width)
    return _with(kit, chain, bytes(data))


def channel(kit: Kit, chain: int, width: int, number: int, leds: int, level: int) -> list[bytes]:
    """Return the bytes that light one channel of a chain's first LEDs, as if a LED took `width` bytes."""
    one = bytes(level if position == number else 0 for position in range(width))
    size = kit.leds.chains[chain].led_count * kit.leds.chains[chain].led_bytes
    return _with(kit, chain, (one * leds)[:size].ljust(size, b"\0"))


def chain_name(chain: Chain, number: int, kit: Kit) -> str:
    """Return how a chain is called in questions: "chain 1 (GPIO18)", on a Pico "chain 1 (GP0)"."""
    return f"chain {number + 1} ({'GP' if kit.leds.driver == 'pico' else 'GPIO'}{chain.pin})"


def _with(kit: Kit, chain: int, data: bytes) -> list[bytes]:
    chains = dark(kit)
    chains[chain] = data
    return chains
