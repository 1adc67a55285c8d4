"""A whole game on the built board: switches of simulated matrices in, wire bytes of a recorder out."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import gpiozero
import numpy as np
import pytest

from companion.game.events import Phase
from companion.game.squares import COLUMNS, SQUARES
from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import Settings
from companion.table.screens.battle import CALM
from hardware.built import BuiltBoard
from hardware.drivers import gpio_keypad
from hardware.drivers.gpio_keypad import Timing
from hardware.frame import Grid, PanelId
from tests.hardware.kits import shipped
from tests.hardware.matrix import BoardFactory, SimulatedMatrix
from tests.hardware.wire_picture import decode, led_values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.game.squares import Square
    from hardware.frame import Picture
    from hardware.keys import KeyEvent
    from hardware.kit import Kit

QUICK = Timing(scan=0.001, hold=0.001, settle=0)
"""A player of superhuman speed on a keypad that bounces little."""


class Recorder:
    """An LED driver that keeps the newest bytes."""

    def __init__(self) -> None:
        self.wire: Sequence[bytes] = ()

    def write(self, chains: Sequence[bytes]) -> None:
        self.wire = list(chains)

    def close(self) -> None:
        self.wire = [bytes(len(chain)) for chain in self.wire]


class Bench:
    """The full kit on simulated matrices, played by hand."""

    def __init__(self) -> None:
        self.kit: Kit = shipped("full")
        factory = BoardFactory()
        gpiozero.Device.pin_factory = factory
        self.matrices = [SimulatedMatrix.of(factory, keypad) for keypad in self.kit.keypads]
        self.leds = Recorder()
        self.picture: Picture | None = None
        self.told: list[str] = []
        self.keys = 0
        bench = self

        class WatchedBoard(BuiltBoard):
            """The board as it is, with what it is handed noted."""

            def show(self, picture: Picture) -> None:
                bench.picture = picture
                super().show(picture)

            def tell(self, seat: int | None, text: str) -> None:
                bench.told.append(f"{seat or '*'}> {text}")

        self.board = WatchedBoard(self.kit, open_leds=lambda _kit: self.leds, open_keypads=self._open_keypads)

    def _open_keypads(self, kit: Kit, on_key: Callable[[KeyEvent], None]) -> gpio_keypad.GpioKeypads:
        def counted(event: KeyEvent) -> None:
            on_key(event)
            self.keys += 1

        return gpio_keypad.open_keypads(kit, kit.keypads, counted, timing=QUICK)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something that the board's threads do."""
        deadline = time.monotonic() + 10
        while not holds():
            assert time.monotonic() < deadline
            await asyncio.sleep(0.001)

    async def tap(self, seat: int, keys: str) -> None:
        """Press and release keys one after the other, each until it is told."""
        for key in keys:
            before = self.keys
            with self.matrices[seat - 1].held(key):
                await self.until(lambda before=before: self.keys > before)  # type: ignore[misc]
            await self.until(lambda before=before: self.keys > before + 1)  # type: ignore[misc]

    def wire_shows_the_picture(self) -> bool:
        """Whether the LEDs, decoded, show the picture that any other board would show now."""
        if self.picture is None or not self.leds.wire:
            return False
        specs = [panel for chain in self.kit.leds.chains for panel in chain.panels]
        for spec, shown in zip(specs, decode(self.kit, self.leds.wire), strict=True):
            frame = self.picture.panel(PanelId(spec.seat, Grid(spec.grid.value))).frame
            assert frame is not None
            if not np.array_equal(shown, led_values(frame, self.kit, self.picture.brightness)):
                return False
        return True


def dial(square: Square) -> str:
    return "D" + "1234567890"[COLUMNS.index(square.name[0])] + square.name[-1] + "#"


@pytest.fixture(autouse=True)
def pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)


def test_a_whole_game_is_played_on_the_switches_and_seen_on_the_wire() -> None:
    bench = Bench()
    checked = 0

    async def play(service: Service) -> None:
        nonlocal checked
        for seat in (1, 2):
            await bench.tap(seat, "A#")
        await bench.until(lambda: service.game is not None and service.game.match.phase is Phase.BATTLE)
        await asyncio.sleep(CALM)
        assert service.game is not None
        match = service.game.match
        targets = {
            1: sorted(match.sea(2).ship_at),
            2: [square for square in SQUARES if square not in match.sea(1).ship_at],
        }
        while match.phase is Phase.BATTLE:
            seat = match.to_move
            square = targets[seat].pop(0)
            await bench.tap(seat, dial(square))
            await bench.until(lambda square=square, foe=3 - seat: square in match.sea(foe).shots)  # type: ignore[misc]
            await bench.until(bench.wire_shows_the_picture)
            checked += 1
        service.stop()

    settings = Settings(captain_pause=0)
    service = Service(
        bench.board, Unkept(), settings, Wishes("classic", "friend", seed=1), save=lambda _settings: None, errand=play
    )
    service.run()
    assert service.game is not None
    assert service.game.match.ended is not None
    assert service.game.match.ended.winner == 1
    assert checked >= 2 * 17 - 1
    assert "*> Player 1 wins: the whole fleet is sunk" in bench.told
    assert not any(any(chain) for chain in bench.leds.wire), "dark at the end"
    for matrix in bench.matrices:
        matrix.check()
