"""Ramps the LEDs' current up within the budget, and says at each step what the model expects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from hardware.bringup.answers import listed
from hardware.bringup.asker import Outcome, UnclearError
from hardware.bringup.wire import dark
from hardware.kit_check import LEAST_CHANNEL_MA, least_budget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.bringup.asker import Asker
    from hardware.bringup.wire import Leds
    from hardware.kit import Kit

SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)
"""The steps, as shares of what the budget allows beyond the dark LEDs."""

TOLERANCE = 0.15
"""How far a measured current may be from the model before the model is corrected, and two readings from each other
before neither is believed. A batch of LEDs has been measured at 33 to 52 mA where the rule says 60."""

METER_ERROR = 0.05
"""How far a clamp meter may be off."""

FAR_ABOVE, FAR_ABOVE_MA = 1.5, 300
"""A reading above this many times what is expected, and this many mA more, is no matter of the batch: something else
draws current."""

HIGHEST_CHANNEL_MA = 60.0
"""The largest current of a channel that a kit may have."""

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


class Reading(NamedTuple):
    """What a meter said at one step, in mA."""

    step: Step
    found_ma: float


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
    readings: list[Reading] = []
    for step in ramp(kit):
        leds.write([bytes([step.level]) * (chain.led_count * chain.led_bytes) for chain in kit.leds.chains])
        seen, amperes = asker.ask(
            f"{step.expected_ma / 1000:.1f} A expected. Are all LEDs calm and white? "
            f"({listed([CALM, FLICKERS, TINTED, DIED])}; if you have a meter, also what it says, like calm 2.6)",
            _read_step,
        )
        if amperes is not None:
            readings.append(Reading(step, amperes * 1000))
            if (stopped := _overload(kit, readings[-1])) is not None:
                leds.write(dark(kit))
                return stopped
        if seen != CALM:
            leds.write(dark(kit))
            return _too_much(kit, step, steady, seen)
        steady = step
    leds.write(dark(kit))
    return _calm(kit, readings)


def _read_step(answer: str) -> tuple[str, float | None]:
    words, numbers = [], []
    for word in answer.replace(",", ".").split():
        try:
            numbers.append(float(word.removesuffix("a")))
        except ValueError:
            words.append(word)
    if any(number < 0 for number in numbers):
        raise UnclearError("No LED gives current back: turn the clamp round, or set the meter to zero, and read again.")
    seen = {"yes": CALM, "y": CALM, "ok": CALM, "": CALM, "no": ""}.get(" ".join(words), " ".join(words))
    known = [state for state in (CALM, FLICKERS, TINTED, DIED) if seen and state.startswith(seen.rstrip("s"))]
    if len(known) != 1 or len(numbers) > 1 or not all(number <= 100 for number in numbers):
        raise UnclearError(
            f"{answer!r} cannot be read; say {listed([CALM, FLICKERS, TINTED, DIED])}, with a meter like calm 2.6 "
            "(amperes)."
        )
    return known[0], numbers[0] if numbers else None


def _overload(kit: Kit, reading: Reading) -> Outcome | None:
    """Return why the ramp must not go on after a reading, or None where it may."""
    found, expected = reading.found_ma / 1000, reading.step.expected_ma / 1000
    if reading.found_ma > FAR_ABOVE * reading.step.expected_ma + FAR_ABOVE_MA:
        told = f"The meter says {found:.1f} A where {expected:.1f} A is expected: everything is dark again."
        cure = (
            "Do not play before you know why: the clamp goes around the one red trunk wire, once; the kit must name "
            "every panel on this supply; and a wire, plug or LED that is warm has a short or a wrong polarity."
        )
        return Outcome(False, (told, cure), kit)
    budget_ma = kit.power.budget_ma
    if reading.found_ma > budget_ma * (1 + METER_ERROR):
        told = f"The meter says {found:.1f} A, more than the budget of {budget_ma / 1000:.1f} A"
        told += " and than the supply gives" * (reading.found_ma > kit.power.supply_ma)
        channel_ma = round(_channel_ma(kit, reading), 1)
        return _corrected(kit, (f"{told}: everything is dark again.",), channel_ma)
    return None


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


def _calm(kit: Kit, readings: Sequence[Reading]) -> Outcome:
    """Return what the readings of a ramp that stayed calm say about the kit."""
    told = f"Calm up to the budget of {kit.power.budget_ma / 1000:.1f} A."
    if not readings:
        return Outcome(True, (told,), kit)
    # The last step is the largest and so the one that a meter shows best.
    last, *earlier = (_channel_ma(kit, reading) for reading in reversed(readings))
    if abs(last / kit.power.channel_ma - 1) <= TOLERANCE:
        return Outcome(True, (told, f"The meter agrees with the model within {TOLERANCE:.0%}."), kit)
    if earlier and abs(earlier[0] - last) > TOLERANCE * max(abs(earlier[0]), abs(last)):
        said = (
            f"The last two readings do not agree: they come to {earlier[0]:.1f} and {last:.1f} mA a channel. Nothing "
            "is changed; measure again."
        )
        return Outcome(False, (told, said), kit)
    if last < kit.power.channel_ma and not earlier and last >= LEAST_CHANNEL_MA:
        said = (
            f"One reading, which would be {last:.1f} mA a channel where the kit says {kit.power.channel_ma:g}, changes "
            "nothing: say what the meter shows at two steps or more."
        )
        return Outcome(True, (told, said), kit)
    # Of two that agree the larger one, which allows less light.
    return _corrected(kit, (told,), round(max([last, *earlier[:1]]), 1))


def _channel_ma(kit: Kit, reading: Reading) -> float:
    """Return what a full channel draws by one reading, in mA."""
    idle_ma = kit.leds.led_count * kit.power.idle_ma
    return kit.power.channel_ma * (reading.found_ma - idle_ma) / (reading.step.expected_ma - idle_ma)


def _corrected(kit: Kit, told: tuple[str, ...], channel_ma: float) -> Outcome:
    """Return the kit with a measured current, or as it is where no LED can draw that."""
    if not LEAST_CHANNEL_MA <= channel_ma <= HIGHEST_CHANNEL_MA:
        said = (
            f"That would be {channel_ma:g} mA a channel, and batches have been measured at 11 to 17 (33 to 52 mA for "
            "white): is the clamp around the one red trunk wire, and the meter set to zero? Nothing is changed; "
            "measure again."
        )
        return Outcome(False, (*told, said), kit)
    said = f"These LEDs draw {channel_ma:g} mA a channel by the meter; the kit says {kit.power.channel_ma:g}."
    if channel_ma < kit.power.channel_ma:
        means = (
            "Writing that means: more light will be allowed within the same budget. Is the clamp around the one red "
            "trunk wire? If it is not, answer n."
        )
    else:
        means = "Writing that means: less light will be allowed, so that the budget holds."
    power = msgspec.structs.replace(kit.power, channel_ma=channel_ma)
    return Outcome(False, (*told, said, means), msgspec.structs.replace(kit, power=power))
