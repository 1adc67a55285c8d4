"""The ramp stays within the budget by an independent reckoning; a weak supply and a meter change the kit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
import pytest

import wiring.kits
from hardware.bringup.asker import Outcome, UnclearError
from hardware.bringup.kit_file import corrected_text
from hardware.bringup.power import _read_step, find_power, ramp
from hardware.bringup.simulated import SimulatedBoard
from hardware.kit import Kit, load_kit, parse_kit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

KITS = Path(next(iter(wiring.kits.__path__)))
SHIPPED = sorted(path.stem for path in KITS.glob("*.toml"))


class Supply(SimulatedBoard):
    """A board with an ammeter. Its supply sags above `carries_ma`, and its LEDs draw `share` of what is usual."""

    def __init__(self, kit: Kit, carries_ma: float = 1e9, share: float = 1.0) -> None:
        super().__init__(kit)
        self._carries_ma = carries_ma
        self._share = share
        self.drawn_ma: list[float] = []
        self.panels_ma: list[float] = []

    def write(self, chains: Sequence[bytes]) -> None:
        super().write(chains)
        power = self.built.power
        panels = [
            100 * power.idle_ma + int(frame.sum()) / 255 * power.channel_ma * self._share
            for frame in self.panels.values()
        ]
        self.drawn_ma.append(sum(panels))
        self.panels_ma.append(max(panels))

    @property
    def sags(self) -> bool:
        return self.drawn_ma[-1] > self._carries_ma


class Electrician:
    def __init__(self, supply: Supply, *, meter: bool = False, sees: str = "flickers") -> None:
        self._supply = supply
        self._meter = meter
        self._sees = sees
        self.asked: list[str] = []

    def say(self, text: str) -> None:
        assert "budget" in text or "calm" in text

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        self.asked.append(question)
        seen = self._sees if self._supply.sags else "calm"
        return read(f"{seen} {self._supply.drawn_ma[-1] / 1000:.2f}" if self._meter else seen)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_ramp_says_what_is_drawn_and_stays_within_every_budget(name: str) -> None:
    kit = load_kit(KITS / f"{name}.toml")
    supply = Supply(kit)
    person = Electrician(supply)
    outcome = find_power(kit, supply, person)
    assert outcome.passed
    assert outcome.kit == kit
    steps = ramp(kit)
    assert len(person.asked) == len(steps) >= 4
    # The last picture is the dark one.
    assert supply.drawn_ma[:-1] == pytest.approx([step.expected_ma for step in steps])
    assert supply.drawn_ma[:-1] == sorted(supply.drawn_ma[:-1])
    assert max(supply.drawn_ma) <= kit.power.budget_ma
    assert max(supply.panels_ma) <= kit.power.panel_budget_ma
    assert max(supply.drawn_ma) > 0.9 * kit.power.budget_ma
    for step, question in zip(steps, person.asked, strict=True):
        assert f"{step.expected_ma / 1000:.1f} A expected" in question
    assert not supply.lit


def test_four_colour_leds_and_a_tight_panel_budget() -> None:
    kit = load_kit(KITS / "full.toml")
    chains = (msgspec.structs.replace(kit.leds.chains[0], order="GRBW"), kit.leds.chains[1])
    kit = msgspec.structs.replace(
        kit,
        leds=msgspec.structs.replace(kit.leds, chains=chains),
        power=msgspec.structs.replace(kit.power, panel_budget_ma=900),
    )
    supply = Supply(kit)
    find_power(kit, supply, Electrician(supply))
    assert max(supply.panels_ma) <= 900


@pytest.mark.parametrize(("sees", "told"), [("flickers", "sags"), ("tinted", "both ends"), ("died", "fuse")])
def test_a_supply_that_sags_lowers_the_budget(sees: str, told: str) -> None:
    kit = load_kit(KITS / "full.toml")
    supply = Supply(kit, carries_ma=5000)
    outcome = find_power(kit, supply, Electrician(supply, sees=sees))
    assert not outcome.passed
    assert told in outcome.told[0]
    assert not supply.lit
    assert 3000 < outcome.kit.power.budget_ma <= 5000
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    new = parse_kit(corrected_text(text, kit, outcome.kit), "new")
    again = Supply(new, carries_ma=5000)
    assert find_power(new, again, Electrician(again)).passed


def test_a_supply_that_carries_nothing_is_not_played_on() -> None:
    kit = load_kit(KITS / "full.toml")
    supply = Supply(kit, carries_ma=300)
    outcome = find_power(kit, supply, Electrician(supply))
    assert not outcome.passed
    assert outcome.kit == kit
    assert "do not play" in outcome.told[1]


@pytest.mark.parametrize(("share", "channel_ma"), [(1.0, 20.0), (0.92, 20.0), (0.6, 12.0), (1.3, 26.0)])
def test_a_meter_corrects_the_model(share: float, channel_ma: float) -> None:
    kit = load_kit(KITS / "full.toml")
    supply = Supply(kit, share=share)
    outcome = find_power(kit, supply, Electrician(supply, meter=True))
    assert outcome.passed == (channel_ma == 20.0)
    assert outcome.kit.power.channel_ma == pytest.approx(channel_ma, abs=0.1)


def test_a_meter_that_cannot_be_right() -> None:
    kit = load_kit(KITS / "full.toml")
    supply = Supply(kit, share=0.1)
    outcome = find_power(kit, supply, Electrician(supply, meter=True))
    assert outcome.kit == kit
    assert "measure again" in outcome.told[1]


class Reader(Electrician):
    """Says what is handed in, step by step; what cannot be read is said anew."""

    def __init__(self, supply: Supply, *answers: str) -> None:
        super().__init__(supply)
        self._answers = list(answers)
        self.corrected: list[str] = []

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        self.asked.append(question)
        while True:
            try:
                return read(self._answers.pop(0))
            except UnclearError as error:
                self.corrected.append(str(error))


def full(**power: float) -> Kit:
    kit = load_kit(KITS / "full.toml")
    return msgspec.structs.replace(kit, power=msgspec.structs.replace(kit.power, **power))


def measure(*answers: str, kit: Kit | None = None) -> tuple[Outcome, Supply, Reader]:
    supply = Supply(kit or full())
    person = Reader(supply, *answers)
    outcome = find_power(kit or full(), supply, person)
    assert not supply.lit
    return outcome, supply, person


def test_one_wrong_reading_does_not_loosen_the_limit() -> None:
    outcome, *_ = measure("calm", "calm", "calm", "calm", "calm 3")
    assert outcome.kit == full()
    assert not outcome.passed
    assert "6.9 mA a channel" in outcome.told[1]
    assert "33 to 52 mA for white" in outcome.told[1]
    assert "the one red trunk wire" in outcome.told[1]


def test_one_likely_reading_does_not_loosen_the_limit_either() -> None:
    outcome, *_ = measure("calm", "calm", "calm", "calm", "calm 5.2")
    assert outcome.kit == full()
    assert outcome.passed
    assert "two steps or more" in outcome.told[1]


def test_readings_that_contradict_each_other_change_nothing() -> None:
    outcome, *_ = measure("calm", "calm", "calm", "calm 5.9", "calm 5.2")
    assert outcome.kit == full()
    assert not outcome.passed
    assert "do not agree" in outcome.told[1]


def test_two_readings_that_agree_loosen_the_limit_and_that_is_said() -> None:
    outcome, *_ = measure("calm", "calm", "calm", "calm 3.8", "calm 5.0")
    assert outcome.kit.power.channel_ma == pytest.approx(12.1, abs=0.3)
    assert "more light will be allowed" in outcome.told[2]
    assert "Is the clamp around the one red trunk wire?" in outcome.told[2]


def test_no_readings_lead_below_what_any_batch_draws() -> None:
    outcome, *_ = measure("calm 0.8", "calm 1.1", "calm 2.0", "calm 2.8", "calm 3.6")
    assert outcome.kit == full()
    assert "measure again" in outcome.told[1]


@pytest.mark.parametrize(
    ("answers", "step"), [(("calm 2.1",), 1), (("calm", "calm", "calm 9"), 3), (("calm", "calm", "calm", "died 30"), 4)]
)
def test_a_reading_far_above_what_is_expected_ends_in_the_dark_at_once(answers: tuple[str, ...], step: int) -> None:
    outcome, supply, person = measure(*answers)
    assert len(person.asked) == step
    assert supply.drawn_ma[-1] == 400
    assert outcome.kit == full()
    assert not outcome.passed
    assert "everything is dark" in outcome.told[0]
    assert "the one red trunk wire, once" in outcome.told[1]


def test_a_reading_above_the_budget_ends_in_the_dark_and_allows_less_light() -> None:
    outcome, _supply, person = measure("calm", "calm", "calm", "calm 8.5", kit=full(supply_ma=8000))
    assert len(person.asked) == 4
    assert "more than the budget of 8.0 A and than the supply gives" in outcome.told[0]
    assert outcome.kit.power.channel_ma == pytest.approx(28.6, abs=0.2)
    assert "less light will be allowed" in outcome.told[2]


def test_a_meter_that_is_a_little_off_at_the_budget_agrees() -> None:
    outcome, *_ = measure("calm", "calm", "calm", "calm 6.2", "calm 8.3")
    assert outcome.passed
    assert "agrees" in outcome.told[1]


@pytest.mark.parametrize(("wrong", "word"), [("calm -3", "turn the clamp round"), ("calm 3 4", "like calm 2.6")])
def test_a_reading_that_cannot_be_is_asked_again(wrong: str, word: str) -> None:
    outcome, _supply, person = measure("calm", "calm", "calm", "calm", wrong, "calm 8")
    assert outcome.passed
    (said,) = person.corrected
    assert word in said


@pytest.mark.parametrize(
    ("answer", "reading"),
    [("", ("calm", None)), ("y", ("calm", None)), ("calm 2,6", ("calm", 2.6)), ("flicker", ("flickers", None)),
     ("2.4a", ("calm", 2.4)), ("t", ("tinted", None)), ("dead", None), ("calm 900", None), ("calm nan", None),
     ("no", None)],
)  # fmt: skip
def test_answers(answer: str, reading: tuple[str, float | None] | None) -> None:
    if reading is None:
        with pytest.raises(UnclearError, match="calm"):
            _read_step(answer)
    else:
        assert _read_step(answer) == reading
