"""A whole game by the real command on the emulated Pico, with the text board as the witness of what must be lit."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game.squares import Square
from companion.table.painter import Painter, PanelScene
from companion.table.picture import WAITING
from companion.table.screens.battle import CALM
from firmware_bridge.ports import PORT_VARIABLE
from hardware.frame import Grid
from hardware.keys import KEYPAD_ROWS
from hardware.lighting import Lighting
from tests.companion.program import PROGRAM, TextGame, dial, panel, run, shots
from tests.firmware_bridge.emulator import MISSING, EmulatedPico
from tests.firmware_bridge.kits import CHAIN_BYTES, COLUMNS, KIT, PINS, ROWS

pytestmark = [pytest.mark.micropython, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

WAIT_S = 10.0
GAME = ("--rules", "classic", "--against", "friend", "--new", "--seed", "1")
KINGDOMS = ("diamonds", "clubs")


class TwoTables:
    """The same game on the emulated Pico and on the text board."""

    def __init__(self, pico: EmulatedPico, game: subprocess.Popen[bytes], text: TextGame) -> None:
        self.pico = pico
        self.game = game
        self.text = text
        self.turn: int | None = None
        """Who fires; None: nobody's panels are dimmed for waiting."""
        self._lighting = Lighting(KIT)
        self._painter = Painter(blinking=False)

    def send(self, seat: int, keys: str) -> list[str]:
        """Tap keys of one seat on both; what the text board then shows must be lit, LED for LED."""
        for key in keys.split():
            self.tap(seat, key)
        told = self.text.send(f"{seat} {keys}")
        turns = [int(line[0]) for line in told if line[1:].startswith(("> Your turn", "> Another shot"))]
        self.turn = None if any(" wins: " in line for line in told) else turns[-1] if turns else self.turn
        self.look(keys)
        return told

    def tap(self, seat: int, key: str) -> None:
        """Tap one key on the Pico's keypad."""
        row = next(number for number, keys in enumerate(KEYPAD_ROWS) if key in keys)
        pins = ROWS[seat - 1][row], COLUMNS[seat - 1][KEYPAD_ROWS[row].index(key)]
        self.pico.contact(*pins, True)
        self.pico.contact(*pins, False)

    def look(self, after: str) -> None:
        """Compare what is lit with what the text board shows."""
        wanted = dict(zip(PINS, self.wanted(), strict=True))
        assert self.pico.wait_for(wanted, WAIT_S), f"wrong LEDs after {after}"

    def wanted(self) -> tuple[bytes, ...]:
        """Return the wire bytes of what the text board shows."""
        shown = self.text.send("show")
        frames = []
        for place in self._lighting.panels:
            grid = Grid(place.grid.value)
            marks = panel(shown, place.seat, grid)
            scene = PanelScene(
                seat=place.seat,
                grid=grid,
                rows=tuple("".join(row) for row in marks),
                kingdom=KINGDOMS[place.seat - 1],
                cursor=cursor(shown, place.seat, grid),
                level=1.0 if self.turn in (None, place.seat) else WAITING,
            )
            frames += self._painter.paint([scene], 0.0)[0]
        return self._lighting.light_frames(frames).chains

    def unplug_and_replug(self) -> None:
        """Pull the cable, press keys that nobody hears, and plug it in again."""
        self.pico.unplug()
        time.sleep(0.05)
        self.tap(1, "5")
        self.tap(2, "#")
        self.pico.plug()
        self.look("replugging")
        # What is down while a scanner starts counts as never pressed.
        time.sleep(0.5)


def cursor(shown: list[str], seat: int, grid: str) -> Square | None:
    """Return the square of a panel that stands in brackets."""
    start = shown.index(f"seat {seat} {grid}") + 2
    for row, line in enumerate(shown[start : start + 10]):
        if "[" in line:
            return Square.at(row, (line.index("[") - 2) // 3)
    return None


@contextlib.contextmanager
def two_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoTables]:
    homes = [folder / "pico home", folder / "text home"]
    for home in homes:
        home.mkdir()
        (home / "settings.toml").write_text("blinking = false\nsound = false\n")
    with EmulatedPico(folder) as pico:
        monkeypatch.setenv(PORT_VARIABLE, str(pico.port))
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        monkeypatch.setenv("BROADSIDE_HOME", str(homes[0]))
        game = subprocess.Popen([*PROGRAM, "play", "--board", "pico", *GAME], env=os.environ)
        monkeypatch.setenv("BROADSIDE_HOME", str(homes[1]))
        try:
            with TextGame(*GAME) as text:
                yield TwoTables(pico, game, text)
        finally:
            if game.poll() is None:
                game.kill()
                game.wait()


def test_a_whole_game_unplugged_and_replugged_three_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    squares = [f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)]
    with two_tables(tmp_path, monkeypatch) as tables:
        tables.look("the beginning")
        time.sleep(0.5)
        told = tables.send(1, "A #") + tables.send(2, "A #")
        time.sleep(CALM)
        fleet = panel(tables.text.send("show"), 2, "ocean")
        ships = [square for square in squares if fleet[int(square[1:]) - 1]["ABCDEFGHIJ".index(square[0])] == "S"]
        # Seat 1 knows where the ships are, and misses now and then; seat 2 guesses.
        due = {1: ships + chance.sample([square for square in squares if square not in ships], 8), 2: squares}
        for list_ in due.values():
            chance.shuffle(list_)
        fired = 0
        while not any(" wins: " in line for line in told):
            assert tables.turn is not None
            told = tables.send(tables.turn, f"{dial(due[tables.turn].pop())} #")
            assert len(shots(told)) == 1
            fired += 1
            if fired in (4, 13, 22):
                tables.unplug_and_replug()
        assert fired > 25
        assert tables.pico.boots == 4
        tables.game.send_signal(signal.SIGTERM)
        assert tables.game.wait(WAIT_S) == 0
        assert tables.pico.wait_for(dict.fromkeys(PINS, bytes(CHAIN_BYTES)), WAIT_S)
        assert tables.text.end() == 0
    records = []
    for home in ("pico home", "text home"):
        monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path / home))
        records.append(moves(run("export", "last").stdout))
    assert records[0] == records[1]
    assert len(records[0]) >= fired


def moves(record: str) -> list[str]:
    """Return the lines of a record that do not hang on the time of day."""
    return [line for line in record.splitlines() if not line.startswith(("date", "began", "ended", "time"))]
