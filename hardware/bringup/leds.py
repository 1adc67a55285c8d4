"""Walks one lit LED down each chain: "where did it stop?", then looks for single dark LEDs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hardware.bringup.answers import listed, panel_name, read_place, square_name, yes_or_no
from hardware.bringup.asker import AgainError, Outcome, UnclearError
from hardware.bringup.wire import LEVEL, chain_name, dark, lit
from hardware.frame import SIZE
from hardware.kit import PANEL_LEDS
from hardware.layout import led_numbers, wire_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.bringup.answers import PanelName, Place
    from hardware.bringup.asker import Asker
    from hardware.bringup.wire import Leds
    from hardware.kit import Kit

STEP_SECONDS = 0.04
"""How long each LED is lit in the walk: 8 s for two panels, slow enough to follow."""

ALL_LEVEL = 24
"""How bright all LEDs together are, of 255, while dark ones are looked for; less where the budget asks for it."""

_YES, _NEVER, _FLICKER = "yes", "never", "flicker"

NEVER = (
    "no LED lights up. Check in this order: 5 V at the first panel; the ground of Pi and LED supply joined; the data "
    "line at the panel's DIN, not DOUT; the 74AHCT125 fed with 5 V and its enable pin at ground; the pin in the kit."
)
FLICKERS_FROM_START = (
    "it flickers from the first LED on. Join the grounds of Pi and LED supply; put a 74AHCT125 (fed with 5 V) and then "
    "300 to 500 ohms, at the panel's end, into the data line."
)
FLICKERS_LATER = (
    "it is calm at first and flickers from there on. The voltage sags: feed 5 V and ground into this panel from both "
    "ends with thicker wire, 1000 µF across its feed, and check the supply under load."
)


def find_dark_leds(kit: Kit, leds: Leds, asker: Asker, pause: Callable[[float], None] = time.sleep) -> Outcome:
    """Walk down every chain and return what is wrong with it; nothing here changes the kit.

    Raises LeaveError where the person leaves, DriverError where the LEDs fail.
    """
    told: list[str] = []
    passed = True
    for number, chain in enumerate(kit.leds.chains):
        name = chain_name(chain, number, kit)
        faults = list(_look_at_chain(kit, number, leds, asker, pause))
        passed = passed and not faults
        told += [f"{name}: {fault}" for fault in faults] or [f"{name}: all {chain.led_count} LEDs light up."]
    leds.write(dark(kit))
    return Outcome(passed, tuple(told), kit)


def _look_at_chain(kit: Kit, number: int, leds: Leds, asker: Asker, pause: Callable[[float], None]) -> Sequence[str]:
    answer = _walk(kit, number, leds, asker, pause)
    if answer == _YES:
        return _single_dark_leds(kit, number, leds, asker)
    if answer == _NEVER:
        return (NEVER,)
    if answer == _FLICKER:
        calm = asker.ask("Are the first LEDs of the chain calm, and only later ones flicker? (y, n)", yes_or_no)
        return (FLICKERS_LATER if calm else FLICKERS_FROM_START,)
    assert not isinstance(answer, str)
    last = _last_led(kit, number, leds, asker, _led_at(kit, number, answer))
    return (_explain_stop(kit, number, last),)


def _walk(kit: Kit, number: int, leds: Leds, asker: Asker, pause: Callable[[float], None]) -> str | Place:
    """Walk until somebody has seen it; return what was seen."""
    chain = kit.leds.chains[number]
    name = chain_name(chain, number, kit)
    names = [panel_name(panel) for panel in chain.panels]
    question = (
        f"Did the light run through all of its panels ({listed(names, 'and')}, if the kit is right) to the last LED? "
        f"(yes; the square where it stopped, like {_example(names[0])} C7; never lit; flicker; again)"
    )
    while True:
        asker.say(f"{name}: one light runs along all {chain.led_count} LEDs. Watch where it goes.")
        for led in range(chain.led_count):
            leds.write(lit(kit, number, {led: LEVEL}))
            pause(STEP_SECONDS)
        try:
            return asker.ask(question, _walk_reader(_every_panel(kit)))
        except AgainError:
            continue


def _walk_reader(names: Sequence[PanelName]) -> Callable[[str], str | Place]:
    def read(answer: str) -> str | Place:
        if answer == "again":
            raise AgainError
        if answer in {"no", "n", "none"}:
            raise UnclearError("Where did it stop? Name the panel and square, or say never, flicker or again.")
        for word in (_YES, _NEVER, _FLICKER):
            if answer and (word.startswith(answer) or answer.startswith(word)):
                return word
        place = read_place(answer, names)
        if place.panel is None and len(names) > 1:
            raise UnclearError(f"{answer!r} does not say on which panel: {listed(names)}.")
        return place

    return read


def _led_at(kit: Kit, number: int, place: Place) -> int | None:
    """Return the LED of a chain that stands at a place if the kit's layout is right; None for another chain's panel."""
    for position, panel in enumerate(kit.leds.chains[number].panels):
        if place.panel in {None, panel_name(panel)}:
            return position * PANEL_LEDS + int(led_numbers(panel)[place.square])
    return None


def _every_panel(kit: Kit) -> list[PanelName]:
    """Return all panels of the kit: which of them hang on a chain may not be right yet."""
    return [panel_name(panel) for chain in kit.leds.chains for panel in chain.panels]


def _example(name: PanelName) -> str:
    return str(name).removeprefix("seat ")


def _last_led(kit: Kit, number: int, leds: Leds, asker: Asker, guess: int | None) -> int:
    """Return the last LED that the data reach, or -1, by asking about single LEDs. The guess comes first, for the
    layout may not be right yet; then each answer halves what is left."""
    asker.say("Now single LEDs, to find the very one.")
    reached, dark_from = -1, kit.leds.chains[number].led_count
    trials = [] if guess is None else [guess, guess + 1]
    while dark_from - reached > 1:
        led = trials.pop(0) if trials else (reached + dark_from) // 2
        if not reached < led < dark_from:
            continue
        leds.write(lit(kit, number, {led: LEVEL}))
        if asker.ask(f"Is one LED lit (LED {led + 1} of the chain)? (y, n)", yes_or_no):
            reached = led
        else:
            dark_from = led
    return reached


def _explain_stop(kit: Kit, number: int, last: int) -> str:
    panels = kit.leds.chains[number].panels
    if last == kit.leds.chains[number].led_count - 1:
        return "the last LED lights up after all; run the walk again and watch the end."
    if last == -1:
        return NEVER
    if (last + 1) % PANEL_LEDS == 0:
        before, after = (panel_name(panel) for panel in panels[last // PANEL_LEDS : last // PANEL_LEDS + 2])
        return (
            f"it stops between {before} and {after}. Check the data wire from DOUT of the one to DIN of the other, and "
            f"5 V at {after}, from its own red to its own black wire."
        )
    return (
        f"it stops after LED {last + 1}, {_led_name(kit, number, last)}. That LED does not pass the data on, or the "
        f"next one, {_led_name(kit, number, last + 1)}, does not take them: look at the joint between them, then "
        "replace the LED or the panel."
    )


def _led_name(kit: Kit, number: int, led: int) -> str:
    position, within = divmod(led, PANEL_LEDS)
    panel = kit.leds.chains[number].panels[position]
    square = square_name(divmod(int(wire_order(panel)[within]), SIZE))
    return f"{panel_name(panel)} {square} by the kit's layout"


def _single_dark_leds(kit: Kit, number: int, leds: Leds, asker: Asker) -> Sequence[str]:
    """Light every LED of a chain a little and ask for dark ones."""
    chain, power = kit.leds.chains[number], kit.power
    room_ma = min(power.budget_ma, power.panel_budget_ma * len(chain.panels)) - kit.leds.led_count * power.idle_ma
    full_ma = chain.led_count * chain.led_bytes * power.channel_ma
    level = max(1, min(ALL_LEVEL, int(255 * room_ma / full_ma)))
    leds.write(lit(kit, number, dict.fromkeys(range(chain.led_count), level)))
    names = [panel_name(panel) for panel in chain.panels]
    one = _example(names[0])
    question = (
        f"All LEDs of {listed(names, 'and')} glow. Is a square dark? (no, or the squares, like {one} C7, {one} D8)"
    )
    places = asker.ask(question, _squares_reader(_every_panel(kit)))
    return tuple(
        f"{place.panel or names[0]} {square_name(place.square)} is dark, while the LEDs behind it light up: that LED "
        "alone is broken. The game works without it; replace the LED or the panel."
        for place in places
    )


def _squares_reader(names: Sequence[PanelName]) -> Callable[[str], Sequence[Place]]:
    def read(answer: str) -> Sequence[Place]:
        if answer in {"no", "n", "none"}:
            return ()
        places = [read_place(part.strip(), names) for part in answer.split(",")]
        if len(names) > 1 and any(place.panel is None for place in places):
            raise UnclearError(f"{answer!r} does not say on which panel: {listed(names)}.")
        return places

    return read
