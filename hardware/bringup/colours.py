"""Finds the colour order of each chain: one raw channel at a time, "what colour is it?"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hardware.bringup.answers import listed, one_of
from hardware.bringup.asker import AgainError, Outcome
from hardware.bringup.wire import LEVEL, chain_name, channel, dark

if TYPE_CHECKING:
    from hardware.bringup.asker import Asker
    from hardware.bringup.wire import Leds
    from hardware.kit import Kit

LIT = 10
"""How many LEDs at the start of the chain show the channel."""

_COLOURS = {"red": "R", "green": "G", "blue": "B", "white": "W"}
_MIXED, _NONE, _FLICKER = "mixed", "none", "flicker"

_FLICKERS = (
    "Changing colours mean that the LEDs do not understand the data: join the grounds of Pi and LED supply first, then "
    "look at the 74AHCT125 between Pi and LEDs (fed with 5 V, its enable pin to ground)."
)


class _NoOrderError(Exception):
    """The order of a chain cannot be found; the text says why and what to do."""


def find_colours(kit: Kit, leds: Leds, asker: Asker) -> Outcome:
    """Return the kit with the colour order that is seen on every chain.

    Raises LeaveError where the person leaves, DriverError where the LEDs fail.
    """
    asker.say(f"The first {LIT} LEDs of each chain light up in one colour. Say which one it is.")
    chains, told, passed = list(kit.leds.chains), [], True
    for number, chain in enumerate(kit.leds.chains):
        name = chain_name(chain, number, kit)
        try:
            order = _find_order(kit, number, leds, asker)
        except _NoOrderError as error:
            told.append(f"{name}: {error}")
            passed = False
            continue
        if order == chain.order:
            told.append(f"{name}: {order}, as the kit says.")
        else:
            told.append(f"{name}: the colour order is {order}; the kit says {chain.order}.")
            passed = False
            chains[number] = msgspec.structs.replace(chain, order=order)
    leds.write(dark(kit))
    corrected = msgspec.structs.replace(kit, leds=msgspec.structs.replace(kit.leds, chains=tuple(chains)))
    return Outcome(passed, tuple(told), corrected)


def _find_order(kit: Kit, number: int, leds: Leds, asker: Asker) -> str:
    """Return the colour order of one chain, trying LEDs of three and of four channels. Raises _NoOrderError."""
    width = kit.leds.chains[number].led_bytes
    for channels in (width, 7 - width):
        order = _try_width(kit, number, channels, leds, asker)
        if order is not None:
            return order
        asker.say(f"Several colours at once: then these LEDs have {7 - channels} channels, not {channels}.")
    raise _NoOrderError(_FLICKERS)


def _try_width(kit: Kit, number: int, width: int, leds: Leds, asker: Asker) -> str | None:
    """Return the colour order if a LED takes `width` bytes, or None where several colours are seen at once."""
    name = chain_name(kit.leds.chains[number], number, kit)
    order: list[str] = []
    # The last channel is the colour that is left over.
    while len(order) < width - 1:
        leds.write(channel(kit, number, width, len(order), LIT, LEVEL))
        seen = _ask_colour(f"{name}, channel {len(order) + 1}: what colour is it?", order, asker)
        if seen is None:
            continue
        if seen == _MIXED:
            return None
        if seen == _FLICKER:
            raise _NoOrderError(_FLICKERS)
        if seen == _NONE:
            raise _NoOrderError("it stays dark, so its colours cannot be found; run broadside test leds first.")
        if seen == "W" and width == 3:
            # One channel of a three-colour LED is never white.
            return None
        order.append(seen)
    (last,) = set("RGBW"[:width]) - set(order)
    return "".join((*order, last))


def _ask_colour(question: str, before: list[str], asker: Asker) -> str | None:
    """Return the letter of a colour, or what else is seen; None asks again."""
    words = {**_COLOURS, _MIXED: _MIXED, _NONE: _NONE, _FLICKER: _FLICKER, "dark": _NONE}
    options = f"({listed([*_COLOURS, 'mixed colours', _NONE, _FLICKER])})"
    try:
        seen = asker.ask(f"{question} {options}", one_of({**words, "mixed colours": _MIXED, "several": _MIXED}))
    except AgainError:
        return None
    if seen in before:
        asker.say(f"! An earlier channel was that colour. Look again; {_MIXED} means several colours at once.")
        return None
    return seen
