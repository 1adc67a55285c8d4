"""`broadside test` as it is typed: somebody reads what the text board shows and answers, and the kit is written."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

import wiring.kits
from companion.cli import main
from hardware.bringup.simulated import SimulatedBoard
from hardware.drivers import registry
from hardware.drivers.base import DriverError
from hardware.kit import Kit, load_kit
from hardware.layout import wire_order
from tests.hardware.matrix import SimulatedMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

START = "from companion.cli import main; raise SystemExit(main())"

KITS = Path(next(iter(wiring.kits.__path__)))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("BROADSIDE_HOME", str(folder))
    return folder


class Reader(io.StringIO):
    """Standard input of somebody who reads standard output: the last lines up to the question, then an answer."""

    def __init__(self, out: io.StringIO, answer: Callable[[list[str]], str]) -> None:
        super().__init__()
        self._out = out
        self._answer = answer

    def readline(self, *_: object) -> str:  # type: ignore[override]
        return self._answer(self._out.getvalue().splitlines()) + "\n"


def run(monkeypatch: pytest.MonkeyPatch, words: list[str], answer: str | Callable[[list[str]], str]) -> tuple[int, str]:
    """Run a command; `answer` is what is typed, or somebody who reads the lines so far."""
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer) if isinstance(answer, str) else Reader(out, answer))
    return main(["test", *words]), out.getvalue()


def wrong_kit(tmp_path: Path) -> Path:
    """A board built otherwise than kit `full` says: colours, panels, wires of a keypad."""
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    text = text.replace('order = "GRB" #', 'order = "BGR" #').replace("rows = [4, 17,", "rows = [17, 4,")
    first, second = (line for line in text.splitlines() if line.startswith("  { seat = 1"))
    text = text.replace(f"{first}\n{second}", f"{second}\n{first.replace('true', 'false')}")
    path = tmp_path / "built.toml"
    path.write_text(text, encoding="utf-8")
    return path


def look(lines: list[str]) -> str:
    """Answer by what the text board says just before its question."""
    question, seen = lines[-1], lines[-2].strip()
    if "Write this" in question or "name, upright" in question or "right name" in question:
        return "y"
    if "what colour" in question:
        return seen.rsplit(" ", 1)[1]
    if "where is it" in question:
        named = re.fullmatch(r"seat (\d \w+): (\w+) white", seen)
        assert named is not None, lines[-3:]
        return f"{named[1]} {named[2]}"
    raise AssertionError(question)


def test_colours_and_layout_of_a_wrong_board(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = wrong_kit(tmp_path)
    for part in ("colours", "layout"):
        code, told = run(monkeypatch, [part, "--kit", "full", "--board", "text", "--built", str(built)], look)
        assert code == 0
        assert "--- full.toml (old)" in told
        assert f"Written to {home / 'kits' / 'full.toml'}" in told
    found, true = load_kit(home / "kits" / "full.toml"), load_kit(built)
    for mine, theirs in zip(found.leds.chains, true.leds.chains, strict=True):
        assert mine.order == theirs.order
        for panel, other in zip(mine.panels, theirs.panels, strict=True):
            assert (panel.seat, panel.grid) == (other.seat, other.grid)
            assert wire_order(panel).tolist() == wire_order(other).tolist()
    assert (home / "kits" / "full.toml.bak1").exists()
    for part in ("colours", "layout"):
        code, told = run(monkeypatch, [part, "--kit", "full", "--board", "text", "--built", str(built)], look)
        assert code == 0
        assert "Write" not in told


def test_keys_of_a_wrong_board(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: list[str] = []

    def press(lines: list[str]) -> str:
        last = lines[-1]
        if last.startswith("?"):
            return "y"
        batch = next(number for number in range(len(lines) - 1, -1, -1) if "press" in lines[number])
        seat, _, keys = lines[batch].removeprefix("Seat ").partition(":")
        wanted = keys.split(": ")[-1].split() if "every other" in keys else [keys.split()[-1]]
        pressed.append(wanted[len(lines) - 1 - batch])
        return f"{seat} {pressed[-1]}"

    built = wrong_kit(tmp_path)
    words = ["keys", "--kit", "full", "--board", "text", "--built", str(built)]
    code, told = run(monkeypatch, words, press)
    assert code == 0
    assert "Seat 1: rows 1 and 2 are swapped." in told
    assert "Seat 2: every key works and is where the kit says." in told
    assert len(pressed) == 32
    assert load_kit(home / "kits" / "full.toml").keypads == load_kit(built).keypads


def test_a_fault_that_is_not_written_is_left(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["colours", "--kit", "full", "--board", "text"]
    code, told = run(monkeypatch, words, "red\ngreen\ngreen\nred\nno\n")
    assert code == 1
    assert "the fault is left" in told
    assert not home.exists()
    code, told = run(monkeypatch, words, "red\ngreen\ngreen\nred\n")
    assert code == 1
    assert not home.exists()


def test_ones_own_kit_is_written_in_its_place(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((KITS / "full.toml").read_text(encoding="utf-8"), encoding="utf-8")
    code, told = run(monkeypatch, ["colours", "--kit", str(mine), "--board", "text"], "red\ngreen\ngreen\nred\ny\n")
    assert code == 0
    assert "the old one is mine.toml.bak1" in told
    assert [chain.order for chain in load_kit(mine).leds.chains] == ["RGB", "GRB"]
    assert load_kit(mine.with_name("mine.toml.bak1")) == load_kit(KITS / "full.toml")
    assert not home.exists()


def test_the_walk_power_and_sound_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    code, told = run(monkeypatch, ["leds", "--board", "text"], "yes\nno\nyes\nno\n")
    assert code == 0
    assert "one light ran from seat 1 target A1 white to seat 1 ocean A10 white, over 200 squares" in told
    assert "seat 2 ocean: all 100 squares white" in told
    code, told = run(monkeypatch, ["power", "--board", "text"], "calm\n" * 5)
    assert code == 0
    assert [float(amperes) for amperes in re.findall(r"([\d.]+) A expected", told)] == pytest.approx(
        [1.2, 2.3, 4.2, 6.1, 8.0], abs=0.2
    )
    code, told = run(monkeypatch, ["sound", "--board", "text"], "clicks\n")
    assert code == 1
    assert "tones of 440 Hz, 880 Hz, 1760 Hz" in told


@pytest.mark.parametrize("part", ["leds", "colours", "layout", "keys", "power", "sound"])
@pytest.mark.parametrize("typed", ["", "quit\n", "what?\n\n\nquit\n"])
def test_leaving_is_polite(part: str, typed: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, told = run(monkeypatch, [part, "--board", "text"], typed)
    assert code == 0
    assert told.splitlines()[-1] == "Left before the end; nothing is changed."
    assert not home.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lights"], "lights"),
        ([], "required"),
        (["leds", "--kit", "ful"], "no kit 'ful'"),
        (["leds", "--built", "compact", "--board", "text"], "same chains"),
        (["leds", "--built", "full", "--board", "pi", "--kit", "pi5"], "practice"),
        (["leds", "--board", "pi", "--kit", "full"], ""),
        (["keys", "--board", "pi", "--kit", "full"], ""),
    ],
)
def test_what_cannot_be_done_is_one_line(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if Path("/proc/device-tree/model").exists():
        pytest.skip("this is a board with a device tree, perhaps a Raspberry Pi")
    assert run(monkeypatch, words, "")[0] == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_the_window_of_the_simulator(tmp_path: Path) -> None:
    """In a window that nobody sees: answers from standard input, and the end of them closes it."""
    environment = {
        **os.environ,
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "BROADSIDE_HOME": str(tmp_path),
    }
    command = [sys.executable, "-c", START, "test", "colours", "--board", "simulator"]
    for typed, code, last in (
        ("green\nred\ngreen\nred\n", 0, "chain 2 (GPIO13): GRB, as the kit says."),
        ("red\n", 0, "Left before the end; nothing is changed."),
    ):
        done = subprocess.run(command, input=typed, capture_output=True, text=True, env=environment, timeout=60)
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout.splitlines()[-1] == last


@pytest.mark.parametrize("part", ["colours", "keys"])
@pytest.mark.parametrize("end", ["window", "ctrl-c"])
def test_closing_the_window_ends_every_wait(part: str, end: str, tmp_path: Path) -> None:
    unseen = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "BROADSIDE_HOME": str(tmp_path)}
    closing = "import pygame, threading; close = lambda: pygame.event.post(pygame.event.Event(pygame.QUIT))\n"
    closing += "threading.Timer(1.0, close).start()\n" if end == "window" else ""
    with subprocess.Popen(
        [sys.executable, "-c", closing + START, "test", part, "--board", "simulator"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **unseen},
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        if part == "keys":  # hands off, and it waits for key 1
            process.stdin.write("\n")
            process.stdin.flush()
        lines = iter(process.stdout.readline, "")
        assert any(line.startswith("Seat 1: press 1" if part == "keys" else "?") for line in lines)
        if end == "ctrl-c":
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == (130 if end == "ctrl-c" else 0)
        assert "Left before the end; nothing is changed.\n" in list(lines)
        assert process.stderr.read() == ""


class Recorder(SimulatedBoard):
    """Stands in for the kit's LED driver; `fails` is raised at the second picture."""

    def __init__(self, kit: Kit, fails: Exception | None = None) -> None:
        super().__init__(kit)
        self._fails = fails

    def write(self, chains: Sequence[bytes]) -> None:
        super().write(chains)
        if self._fails is not None and self.written == 2:
            raise self._fails


@pytest.mark.parametrize(
    ("typed", "fails", "code", "said"),
    [
        ("green\nred\n" * 2, None, 0, "as the kit says"),
        ("green\n", None, 0, "Left before the end"),
        ("green\n", DriverError("The LEDs are gone: plug them in."), 2, "plug them in"),
        ("green\n", OSError(5, "Input/output error"), 2, "Input/output error"),
    ],
)
def test_the_built_board_is_dark_at_the_end(
    typed: str,
    fails: Exception | None,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    opened: list[Recorder] = []

    def open_leds(kit: Kit) -> Recorder:
        opened.append(Recorder(kit, fails))
        return opened[0]

    monkeypatch.setattr(registry, "open_leds", open_leds)
    assert run(monkeypatch, ["colours", "--board", "pi", "--kit", "full"], typed)[0] == code
    (leds,) = opened
    assert leds.closed
    assert not leds.lit


def test_the_built_keypads_on_mock_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All the way: pins of gpiozero's mock factory, a key that sticks, and pins that are free again afterwards."""
    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    kit = load_kit(KITS / "full.toml")
    matrices = [SimulatedMatrix.of(factory, keypad) for keypad in kit.keypads]
    matrices[0].press("7")
    for _ in range(2):
        code, told = run(monkeypatch, ["keys", "--board", "pi", "--kit", "full"], "\n\n")
        assert code == 1
        assert told.count("seat 1's 7 is stuck") == 2
    for matrix in matrices:
        matrix.check()


def test_the_built_buzzer_on_mock_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    monkeypatch.setattr("hardware.bringup.bench.time.sleep", lambda _seconds: None)
    code, told = run(monkeypatch, ["sound", "--board", "pi", "--kit", "full"], "again\nyes\n")
    assert code == 0
    assert told.splitlines()[-1] == "The sound works."


@pytest.mark.parametrize("board", ["pi", "text"])
def test_a_kit_without_a_buzzer_says_so(
    board: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, ["sound", "--board", board, "--kit", "pico"], "")[0] == 2
    assert "no buzzer" in capsys.readouterr().err


def test_sigterm_ends_the_text_board(tmp_path: Path) -> None:
    environment = {**os.environ, "BROADSIDE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", START, "test", "colours", "--board", "text"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("?"):
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 128 + signal.SIGTERM
        assert process.stderr is not None
        assert process.stderr.read() == ""
