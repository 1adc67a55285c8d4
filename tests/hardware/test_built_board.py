"""The built board as a whole: pictures in and wire bytes out, switches in and key events out."""

from __future__ import annotations

import queue
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import gpiozero
import msgspec
import numpy as np
import pytest

from hardware.board import BoardError, Tone
from hardware.built import BuiltBoard
from hardware.drivers.base import DriverError
from hardware.frame import Console, Grid, Panel, Picture
from hardware.keys import KEYS, KeyEvent
from hardware.kit import Kit, Pin
from hardware.power_button import PowerButton
from tests.hardware.kits import SHIPPED, shipped
from tests.hardware.matrix import BoardFactory, SimulatedMatrix
from tests.hardware.wire_picture import decode, led_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

HOLD = 0.15
"""Seconds of a long press in these tests."""

PALETTE = np.array([(0, 0, 0), (0, 0, 70), (0, 110, 160), (120, 120, 120), (230, 90, 0), (90, 0, 0), (120, 255, 120)])


def crooked() -> Kit:
    """A kit with every panel wired in another way, and four-colour LEDs on the second chain."""
    kit = shipped("full")
    ways: list[dict[str, Any]] = [
        {"first": "bottom left", "serpentine": False, "rotation": 90},
        {"first": "top right", "along": "columns"},
        {"first": "bottom right", "rotation": 270},
        {"first": "top left", "along": "columns", "serpentine": False, "rotation": 180},
    ]
    chains = [
        msgspec.structs.replace(
            chain,
            order=order,
            panels=tuple(
                msgspec.structs.replace(panel, **ways[2 * number + place]) for place, panel in enumerate(chain.panels)
            ),
        )
        for number, (chain, order) in enumerate(zip(kit.leds.chains, ("RBG", "GRBW"), strict=True))
    ]
    return msgspec.structs.replace(kit, leds=msgspec.structs.replace(kit.leds, chains=tuple(chains)))


class Recorder:
    """An LED driver that keeps what it is sent; while `broken` it refuses."""

    def __init__(self, kit: Kit) -> None:
        self.dark = [bytes(chain.led_count * chain.led_bytes) for chain in kit.leds.chains]
        self.sent: queue.Queue[list[bytes]] = queue.Queue()
        self.broken = False
        self.closed = 0

    def write(self, chains: Sequence[bytes]) -> None:
        if self.broken:
            raise OSError(19, "No such device")
        self.sent.put(list(chains))

    def close(self) -> None:
        if not self.closed:
            self.sent.put(self.dark)
        self.closed += 1


class Host:
    """Notes what a board asks of the program."""

    def __init__(self) -> None:
        self.keys: queue.Queue[KeyEvent] = queue.Queue()
        self.stops: queue.Queue[bool] = queue.Queue()
        self.troubles: queue.Queue[str] = queue.Queue()

    def key(self, event: KeyEvent) -> None:
        self.keys.put(event)

    async def settled(self) -> None:
        raise NotImplementedError("the built board does not wait")

    def stop(self, *, power_off: bool = False) -> None:
        self.stops.put(power_off)

    def trouble(self, text: str) -> None:
        self.troubles.put(text)


class Table:
    """A built board on simulated matrices and mock pins."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.host = Host()
        self.factory: Any = gpiozero.Device.pin_factory
        self.matrices = [SimulatedMatrix.of(self.factory, keypad) for keypad in kit.keypads]
        self.leds = Recorder(kit)
        self.board = BuiltBoard(kit, open_leds=lambda _kit: self.leds)

    def shown(self) -> list[NDArray[np.uint8]]:
        """The next picture that was sent, as LED values of each panel in wire order."""
        return decode(self.kit, self.leds.sent.get(timeout=5))

    def is_dark(self) -> bool:
        return not any(panel.any() for panel in self.shown())

    def tap(self, seat: int, key: str) -> None:
        """Press and release a key, long enough to be noticed; wait until it is told."""
        with self.matrices[seat - 1].held(key):
            assert self.host.keys.get(timeout=5)[:3] == (seat, key, True)
        assert self.host.keys.get(timeout=5)[:3] == (seat, key, False)


@pytest.fixture(autouse=True)
def pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", BoardFactory())
    monkeypatch.setattr("hardware.built.PowerButton", partial(PowerButton, hold=HOLD))


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(shipped("full"))
    table.board.open(table.host)
    yield table
    table.board.close()
    table.board.close()
    assert table.leds.closed == 1
    for matrix in table.matrices:
        matrix.check()


def random_picture(seed: int, **console: Any) -> Picture:
    generator = np.random.default_rng(seed)

    def panel() -> Panel:
        colours = PALETTE[generator.choice(len(PALETTE), (10, 10), p=[0.3, 0.4, 0.1, 0.05, 0.05, 0.05, 0.05])]
        return Panel(marks=(".",) * 10, frame=colours.astype(np.uint8))

    one, two = (
        Console(seat=seat, name=str(seat), suit="clubs", ocean=panel(), target=panel(), **console) for seat in (1, 2)
    )
    return Picture((one, two))


def frames(kit: Kit, picture: Picture) -> list[NDArray[np.uint8]]:
    """The frames that a kit's panels must show, in wire order."""
    wanted = []
    for chain in kit.leds.chains:
        for panel in chain.panels:
            console = picture.consoles[panel.seat - 1]
            grid = console.focus if panel.grid == "either" else Grid(panel.grid.value)
            frame = console.panel(grid).frame
            assert frame is not None
            wanted.append(frame)
    return wanted


@pytest.mark.parametrize("kit", [*map(shipped, ("full", "compact", "one-chain")), crooked()], ids=lambda kit: kit.title)
@pytest.mark.parametrize("seed", range(3))
def test_the_wire_bytes_decode_to_the_picture(kit: Kit, seed: int) -> None:
    table = Table(kit)
    with table.board:
        table.board.open(table.host)
        picture = random_picture(seed, focus=Grid.OCEAN if seed % 2 else Grid.TARGET)
        table.board.show(picture)
        for shown, frame in zip(table.shown(), frames(kit, picture), strict=True):
            np.testing.assert_array_equal(shown, led_values(frame, kit))
    assert table.is_dark()


def test_a_curtained_ocean_grid_stays_dark_on_a_kit_with_one_panel_a_seat() -> None:
    table = Table(shipped("compact"))
    with table.board:
        table.board.open(table.host)
        table.board.show(random_picture(1, focus=Grid.OCEAN, curtained=True))
        assert table.is_dark()


def test_a_board_says_whether_a_seat_has_one_panel() -> None:
    assert {name: BuiltBoard(shipped(name)).one_panel for name in SHIPPED} == {
        "compact": True,
        "full": False,
        "one-chain": False,
        "pi5": False,
        "pico": False,
    }


def test_the_picture_brightness_reaches_the_leds(table: Table) -> None:
    picture = replace(random_picture(5), brightness=0.4)
    table.board.show(picture)
    for shown, frame in zip(table.shown(), frames(table.kit, picture), strict=True):
        np.testing.assert_array_equal(shown, led_values(frame, table.kit, 0.4))


@pytest.mark.parametrize("seat", [1, 2])
def test_every_switch_of_both_keypads_is_a_key_event(table: Table, seat: int) -> None:
    for key in KEYS:
        table.tap(seat, key)
    assert table.host.keys.empty()
    assert table.host.troubles.empty()


def press_button(table: Table, seconds: float = 0.05) -> None:
    pin = table.factory.pin(3)
    pin.drive_low()
    time.sleep(seconds)
    pin.drive_high()


def test_a_short_press_blanks_the_panels_until_a_key_which_does_nothing_else(table: Table) -> None:
    picture, other = random_picture(1), random_picture(2)
    table.board.show(picture)
    assert not table.is_dark()
    press_button(table)
    assert table.is_dark()
    table.board.show(other)
    with table.matrices[0].held("5"):
        for shown, frame in zip(table.shown(), frames(table.kit, other), strict=True):
            np.testing.assert_array_equal(shown, led_values(frame, table.kit))
    table.tap(1, "8")
    assert table.host.keys.empty(), "neither end of the 5 was told"
    assert table.host.stops.empty()


def test_a_key_held_while_the_panels_go_blank_still_comes_up(table: Table) -> None:
    table.board.show(random_picture(1))
    table.shown()
    with table.matrices[1].held("2"):
        assert table.host.keys.get(timeout=5)[:3] == (2, "2", True)
        press_button(table)
        assert table.is_dark()
    assert table.host.keys.get(timeout=5)[:3] == (2, "2", False)


def test_the_button_lights_blank_panels_too(table: Table) -> None:
    table.board.show(random_picture(1))
    table.shown()
    press_button(table)
    assert table.is_dark()
    press_button(table)
    assert not table.is_dark()


def test_a_long_press_stops_the_program_and_the_pi_once(table: Table) -> None:
    table.board.show(random_picture(1))
    table.shown()
    press_button(table, HOLD * 2)
    assert table.host.stops.get(timeout=5) is True
    time.sleep(HOLD * 1.5)
    assert table.host.stops.empty()
    assert table.leds.sent.empty(), "the panels do not blank"


def test_leds_that_fail_are_told_and_cost_no_key_press(table: Table) -> None:
    table.leds.broken = True
    table.board.show(random_picture(1))
    assert "The panels cannot be reached" in table.host.troubles.get(timeout=5)
    table.tap(2, "#")
    table.leds.broken = False
    assert "The panels work again" in table.host.troubles.get(timeout=5)
    assert not table.is_dark()


def test_a_keypad_that_fails_is_told_and_costs_no_picture(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_pin: object) -> bool:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("tests.hardware.matrix.MatrixPin._get_state", fail)
    table.matrices[0].press("1")
    assert "Seat 1's keypad cannot be read" in table.host.troubles.get(timeout=5)
    table.board.show(random_picture(1))
    assert not table.is_dark()


def test_a_sound_plays_on_the_buzzer(table: Table) -> None:
    pin = table.factory.pin(25)
    table.board.sound([Tone(523, 5_000)])
    deadline = time.monotonic() + 5
    while pin.frequency != 523:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    table.board.close()
    assert pin.frequency is None
    assert table.is_dark()


def test_without_buzzer_and_button_the_board_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    kit = msgspec.structs.replace(shipped("compact"), buzzer=None, power_button=None)
    table = Table(kit)
    with table.board:
        table.board.open(table.host)
        table.board.sound([Tone(440, 10)])
        table.tap(1, "1")


def test_a_refused_buzzer_and_button_are_told_and_the_game_goes_on() -> None:
    kit = msgspec.structs.replace(shipped("full"), buzzer=Pin(pin=25), power_button=Pin(pin=3))
    table = Table(kit)
    with gpiozero.LED(25), gpiozero.LED(3), table.board:
        table.board.open(table.host)
        assert "GPIO25 cannot be used for the buzzer" in table.host.troubles.get(timeout=5)
        assert "GPIO3 cannot be used for the power button" in table.host.troubles.get(timeout=5)
        table.board.sound([Tone(440, 10)])
        table.tap(2, "D")


def test_a_refused_keypad_keeps_the_board_shut_with_the_leds_dark() -> None:
    table = Table(shipped("full"))
    with gpiozero.LED(20), pytest.raises(BoardError, match=r"^GPIO20 cannot be used for seat 2's keypad: [^\n]*\.$"):
        table.board.open(table.host)
    assert table.leds.closed == 1
    table.board.close()
    table.board.open(table.host)
    table.tap(1, "0")
    table.board.close()


def test_refused_leds_keep_the_board_shut() -> None:
    def refuse(_kit: Kit) -> Recorder:
        raise DriverError("The panels are elsewhere: fetch them.")

    board = BuiltBoard(shipped("full"), open_leds=refuse)
    with pytest.raises(BoardError, match=r"^The panels are elsewhere: fetch them\.$"):
        board.open(Host())
    board.close()
