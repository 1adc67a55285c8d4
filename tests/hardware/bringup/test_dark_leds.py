"""The walk along the chains: cut lines, dead LEDs, flicker."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import wiring.kits
from hardware.bringup.answers import panel_name, square_name
from hardware.bringup.leds import FLICKERS_FROM_START, FLICKERS_LATER, NEVER, find_dark_leds
from hardware.bringup.simulated import SimulatedBoard
from hardware.kit import load_kit
from hardware.layout import wire_order
from hardware.power import FULL
from tests.hardware.bringup.person import Person

if TYPE_CHECKING:
    from collections.abc import Sequence

KIT = load_kit(Path(next(iter(wiring.kits.__path__))) / "full.toml")


def no_pause(_seconds: float) -> None:
    """Nobody watches."""


def place(chain: int, led: int) -> str:
    panel = KIT.leds.chains[chain].panels[led // 100]
    return f"{panel_name(panel)} {square_name(divmod(int(wire_order(panel)[led % 100]), 10))}".lower()


class Watcher(Person):
    """A person who has followed the walk, and says where it stopped; perhaps not quite rightly."""

    def __init__(self, board: SimulatedBoard, stopped: str) -> None:
        super().__init__(board)
        self._stopped = stopped

    def _walk(self, question: str) -> str:
        return "yes" if self._board.lit else self._stopped


def test_a_right_board_passes() -> None:
    board = SimulatedBoard(KIT)
    outcome = find_dark_leds(KIT, board, Person(board), no_pause)
    assert outcome.passed
    assert not board.lit
    assert all("all 200 LEDs" in line for line in outcome.told)


@pytest.mark.parametrize("led", [0, 1, 57, 98, 100, 142, 198])
@pytest.mark.parametrize("off_by", [0, 1, 9])
def test_a_line_cut_within_a_panel(led: int, off_by: int) -> None:
    board = SimulatedBoard(KIT, cut={1: led + 1})
    person = Watcher(board, place(1, min(led + off_by, 199)))
    outcome = find_dark_leds(KIT, board, person, no_pause)
    assert not outcome.passed
    assert outcome.kit == KIT
    assert f"after LED {led + 1}, " in outcome.told[1]
    assert "all 200" in outcome.told[0]
    # The line may be asked about 8 times at most: a guess, the one after it, and halving.
    assert sum("Is one LED lit" in question for question in person.asked) <= 10


def test_a_cut_cable_between_two_panels() -> None:
    board = SimulatedBoard(KIT, cut={0: 100})
    outcome = find_dark_leds(KIT, board, Watcher(board, place(0, 99)), no_pause)
    assert "it stops between seat 1 target and seat 1 ocean" in outcome.told[0]
    assert "DOUT" in outcome.told[0]


def test_a_chain_that_lights_the_other_seats_panels() -> None:
    """The chains are swapped, which is the layout test's business; where it stops is found all the same."""
    board = SimulatedBoard(KIT, cut={0: 38})
    outcome = find_dark_leds(KIT, board, Watcher(board, "2 ocean c4"), no_pause)
    assert "after LED 38, " in outcome.told[0]


@pytest.mark.parametrize("answer", ["n", "no"])
def test_no_asks_where_it_stopped(answer: str) -> None:
    board = SimulatedBoard(KIT)
    person = Person(board, typos=(answer, "c7"))
    assert find_dark_leds(KIT, board, person, no_pause).passed
    assert "Where did it stop?" in person.heard[1]
    assert "does not say on which panel" in person.heard[2]


def test_a_chain_that_never_lights() -> None:
    board = SimulatedBoard(KIT, cut={0: 0})
    outcome = find_dark_leds(KIT, board, Person(board), no_pause)
    assert outcome.told[0].endswith(NEVER)
    assert "ground" in NEVER
    assert "74AHCT125" in NEVER


def test_a_chain_said_to_stop_that_shows_nothing_at_all() -> None:
    board = SimulatedBoard(KIT, cut={0: 0})
    outcome = find_dark_leds(KIT, board, Watcher(board, place(0, 3)), no_pause)
    assert outcome.told[0].endswith(NEVER)


@pytest.mark.parametrize("leds", [(13,), (13, 14, 187)])
def test_single_dead_leds(leds: Sequence[int]) -> None:
    board = SimulatedBoard(KIT, dead={(1, led) for led in leds})
    outcome = find_dark_leds(KIT, board, Person(board), no_pause)
    assert not outcome.passed
    assert len(outcome.told) == 1 + len(leds)
    for led in leds:
        assert any(place(1, led) in line.lower() for line in outcome.told)


@pytest.mark.parametrize(("calm", "told"), [("y", FLICKERS_LATER), ("n", FLICKERS_FROM_START)])
def test_flicker(calm: str, told: str) -> None:
    class Flickers(Person):
        def answer(self, question: str) -> str:
            if "last LED?" in question:
                return "flicker"
            return calm if "only later ones" in question else super().answer(question)

    board = SimulatedBoard(KIT)
    outcome = find_dark_leds(KIT, board, Flickers(board), no_pause)
    assert outcome.told[0].endswith(told)


def test_again_walks_again() -> None:
    board = SimulatedBoard(KIT)

    class Sleepy(Person):
        def _walk(self, question: str) -> str:
            return "again" if sum("last LED?" in asked for asked in self.asked) == 1 else super()._walk(question)

    assert find_dark_leds(KIT, board, Sleepy(board), no_pause).passed


def test_all_leds_together_stay_within_the_budget() -> None:
    most = 0.0

    class Meter(SimulatedBoard):
        def write(self, chains: Sequence[bytes]) -> None:
            nonlocal most
            super().write(chains)
            power = KIT.power
            values = sum(sum(data) for data in chains)
            most = max(most, KIT.leds.led_count * power.idle_ma + values / FULL * power.channel_ma)

    board = Meter(KIT)
    find_dark_leds(KIT, board, Person(board), no_pause)
    assert most <= KIT.power.budget_ma / 2
