"""Ramps the LEDs' current up within the budget, and says at each step what the model expects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from hardware.bringup.answers import listed
from hardware.bringup.asker import Outcome, UnclearError
from hardware.bringup.wire import dark
from hardware.kit_check import least_budget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.bringup.asker import Asker
    from hardware.bringup.wire import Leds
    from hardware.kit import Kit

SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)
"""The steps, as shares of what the budget allows beyond the dark LEDs."""

TOLERANCE = 0.15
"""How far a measured current may be from the model before the model is corrected. Clamp meters err by some 5 %, and a
batch of LEDs has been measured at 33 to 52 mA where the rule says 60."""

CALM, FLICKERS, TINTED, DIED = "calm", "flickers", "tinted", "died"

_CURES = {
    FLICKERS: "the supply's voltage sags under this load",
    TINTED: "the far LEDs get too little voltage and lose their blue; feed 5 V and ground in at both ends of the panel",
    DIED: "the supply or a fuse gave up; check the fuses and that no +5 V rails of two supplies are joined",
}


class Step(NamedTuple):
    """One step of the ramp: the level of every channel (0…255) and the current expected in all, in mA."""

    level: int
    expected_ma: float


def ramp(kit: Kit) -> list[Step]:
    """Return the steps up to the budget: every LED white at one level, so that no panel and not the whole exceeds its
    budget by the kit's model."""
    power = kit.power
    channels = sum(chain.led_count * chain.led_bytes for chain in kit.leds.chains)
    widest = max(chain.led_bytes for chain in kit.leds.chains)
    panel_leds = kit.leds.led_count // sum(len(chain.panels) for chain in kit.leds.chains)
    idle_ma = kit.leds.led_count * power.idle_ma
    room_all = (power.budget_ma - idle_ma) / (channels * power.channel_ma)
    room_panel = (power.panel_budget_ma - panel_leds * power.idle_ma) / (panel_leds * widest * power.channel_ma)
    highest = 255 * min(room_all, room_panel, 1.0)
    levels = sorted({max(1, int(highest * share)) for share in SHARES})
    return [Step(level, idle_ma + channels * level / 255 * power.channel_ma) for level in levels]


def find_power(kit: Kit, leds: Leds, asker: Asker) -> Outcome:
    """Return the kit with a budget that the supply carries, and with the model's current corrected where it was
    measured.

    Raises LeaveError where the person leaves, DriverError where the LEDs fail.
    """
    power = kit.power
    asker.say(
        f"All LEDs turn white in steps up to the budget of {power.budget_ma / 1000:.1f} A (supply "
        f"{power.supply_ma / 1000:.1f} A). Feel for warm plugs and wires. Ctrl-C makes everything dark at once."
    )
    steady: Step | None = None
    measured: list[tuple[Step, float]] = []
    for step in ramp(kit):
        leds.write([bytes([step.level]) * (chain.led_count * chain.led_bytes) for chain in kit.leds.chains])
        seen, amperes = asker.ask(
            f"{step.expected_ma / 1000:.1f} A expected. Are all LEDs calm and white? "
            f"({listed([CALM, FLICKERS, TINTED, DIED])}; if you have a meter, also what it says, like calm 2.6)",
            _read_step,
        )
        if amperes is not None:
            measured.append((step, amperes * 1000))
        if seen != CALM:
            leds.write(dark(kit))
            return _too_much(kit, step, steady, seen)
        steady = step
    leds.write(dark(kit))
    return _calm(kit, measured)


def _read_step(answer: str) -> tuple[str, float | None]:
    words, amperes = [], None
    for word in answer.replace(",", ".").split():
        try:
            amperes = float(word.removesuffix("a"))
        except ValueError:
            words.append(word)
    seen = {"yes": CALM, "y": CALM, "ok": CALM, "": CALM, "no": ""}.get(" ".join(words), " ".join(words))
    known = [state for state in (CALM, FLICKERS, TINTED, DIED) if seen and state.startswith(seen.rstrip("s"))]
    if len(known) != 1 or (amperes is not None and not 0 <= amperes <= 100):
        raise UnclearError(f"{answer!r} cannot be read; say {listed([CALM, FLICKERS, TINTED, DIED])}, like calm 2.6.")
    return known[0], amperes


def _too_much(kit: Kit, step: Step, steady: Step | None, seen: str) -> Outcome:
    """Return a budget at the last step that was calm."""
    told = f"At {step.expected_ma / 1000:.1f} A: {_CURES[seen]}."
    least = least_budget(kit.power, kit.leds.led_count)
    if steady is None or steady.expected_ma < least:
        return Outcome(False, (told, "Even the first step is too much: do not play before that is mended."), kit)
    budget = int(steady.expected_ma) // 100 * 100
    budget = max(budget, least)
    power = msgspec.structs.replace(kit.power, budget_ma=budget, panel_budget_ma=min(kit.power.panel_budget_ma, budget))
    lowered = f"Until that is mended, a budget of {budget / 1000:.1f} A keeps the board calm."
    return Outcome(False, (told, lowered), msgspec.structs.replace(kit, power=power))


def _calm(kit: Kit, measured: Sequence[tuple[Step, float]]) -> Outcome:
    told = f"Calm up to the budget of {kit.power.budget_ma / 1000:.1f} A."
    if not measured:
        return Outcome(True, (told,), kit)
    # The last step is the largest and so the one that a meter shows best.
    step, found_ma = measured[-1]
    idle_ma = kit.leds.led_count * kit.power.idle_ma
    factor = (found_ma - idle_ma) / (step.expected_ma - idle_ma)
    if abs(factor - 1) <= TOLERANCE:
        return Outcome(True, (told, f"The meter agrees with the model within {TOLERANCE:.0%}."), kit)
    channel_ma = round(kit.power.channel_ma * factor, 1)
    if not 5 <= channel_ma <= 60:
        return Outcome(False, (told, f"{found_ma / 1000:.1f} A is no likely current here; measure again."), kit)
    power = msgspec.structs.replace(kit.power, channel_ma=channel_ma)
    said = f"These LEDs draw {channel_ma:g} mA a channel by the meter; the kit says {kit.power.channel_ma:g}."
    return Outcome(False, (told, said), msgspec.structs.replace(kit, power=power))
