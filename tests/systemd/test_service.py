"""What the unit is promised by the program: readiness, the watchdog, the stop, and the exit code of the power button.

The service manager's side is a real datagram socket; the program is the whole `broadside play` on the text board.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.commands.play import POWER_OFF
from companion.journal import Archive

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAY = [sys.executable, "-m", "companion", "play", "--board", "text"]
NEW = ["--rules", "classic", "--against", "friend", "--new", "--seed", "1"]
UNIT = Path(__file__).resolve().parents[2] / "systemd" / "broadside.service"


class Manager:
    """The service manager's end of $NOTIFY_SOCKET."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.path = folder / "notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.path))

    def hears(self, seconds: float = 20) -> str | None:
        """The next datagram, or None where none comes in time."""
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(4096).decode()
        except TimeoutError:
            return None

    def waits_for(self, text: str) -> None:
        while (heard := self.hears()) != text:
            assert heard is not None, f"{text} was never said"

    @contextmanager
    def starts(self, command: list[str], watchdog: float = 30) -> Iterator[subprocess.Popen[str]]:
        environment = os.environ | {
            "BROADSIDE_HOME": str(self.home),
            "NOTIFY_SOCKET": str(self.path),
            "WATCHDOG_USEC": str(int(watchdog * 1_000_000)),
        }
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as program:
            try:
                yield program
            finally:
                program.kill()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    yield manager
    manager.socket.close()


def test_it_starts_feeds_and_stops_with_the_game_kept(manager: Manager) -> None:
    with manager.starts([*PLAY, *NEW], watchdog=0.4) as program:
        manager.waits_for("READY=1")
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("1 A #\n2 A #\necho afloat\n")
        program.stdin.flush()
        for line in program.stdout:
            if line == "*> afloat\n":
                break
        fed = [manager.hears() for _ in range(5)]
        assert fed == ["WATCHDOG=1"] * 5
        program.send_signal(signal.SIGTERM)
        manager.waits_for("STOPPING=1")
        assert program.wait(20) == 0
    archive = Archive(manager.home / "journal.sqlite")
    (game,) = archive.games()
    archive.close()
    assert game.ended is None
    with manager.starts(PLAY) as program:
        manager.waits_for("READY=1")
        said, _ = program.communicate("show\necho on\n", timeout=20)
        assert program.returncode == 0
    assert said.count(" S ") == 2 * 17


def test_the_feeding_comes_twice_in_the_time_out(manager: Manager) -> None:
    with manager.starts(PLAY, watchdog=1):
        manager.waits_for("READY=1")
        manager.waits_for("WATCHDOG=1")
        began = time.monotonic()
        manager.waits_for("WATCHDOG=1")
        manager.waits_for("WATCHDOG=1")
        assert time.monotonic() - began > 0.8


HUNG = """
import sys, time
from companion.journal import Journal
from companion.service import Service, Wishes
from companion.settings import load_settings
from hardware.text import TextBoard

class Hanging(TextBoard):
    def show(self, picture):
        if self.shown:
            time.sleep(1000)
        self.shown = True

board = Hanging()
board.shown = False
Service(board, Journal(), load_settings()[0], Wishes("classic", "friend")).run()
"""


def test_a_loop_that_hangs_starves_the_watchdog(manager: Manager) -> None:
    """Nothing but the run loop feeds it: hung in the middle of a picture, it is silent, though threads live on."""
    with manager.starts([sys.executable, "-c", HUNG], watchdog=0.4) as program:
        manager.waits_for("READY=1")
        manager.waits_for("WATCHDOG=1")
        assert program.stdin is not None
        program.stdin.write("1 A\n")
        program.stdin.flush()
        while manager.hears(2) is not None:
            assert program.poll() is None
        assert program.poll() is None, "it is hung, not ended: that is the manager's to do"


REFUSED = """
from companion.journal import Journal
from companion.service import Service, Wishes
from companion.settings import load_settings
from hardware.board import BoardError
from hardware.text import TextBoard

class Refusing(TextBoard):
    def show(self, picture):
        raise BoardError("no panel answers")

Service(Refusing(), Journal(), load_settings()[0], Wishes("classic", "friend")).run()
"""


def test_ready_is_not_said_before_the_first_picture_is_shown(manager: Manager) -> None:
    with manager.starts([sys.executable, "-c", REFUSED]) as program:
        _, said = program.communicate(timeout=20)
        assert program.returncode != 0
    assert "no panel answers" in said
    heard = []
    while (words := manager.hears(0.1)) is not None:
        heard.append(words)
    assert "READY=1" not in heard
    assert heard[-1] == "STOPPING=1"


POWER = """
import sys
from companion.commands import play
from companion.cli import main
from hardware.text import TextBoard

class WithButton(TextBoard):
    def open(self, host):
        super().open(host)
        host.stop(power_off=True)

play.open_board = lambda arguments: WithButton()
sys.exit(main(["play"]))
"""


def test_the_power_button_is_the_units_to_carry_out(manager: Manager) -> None:
    with manager.starts([sys.executable, "-c", POWER]) as program:
        manager.waits_for("STOPPING=1")
        assert program.wait(20) == POWER_OFF
    unit = UNIT.read_text()
    assert f"SuccessExitStatus={POWER_OFF}\n" in unit
    assert f'test "$EXIT_STATUS" != {POWER_OFF} || systemctl --no-block poweroff' in unit
