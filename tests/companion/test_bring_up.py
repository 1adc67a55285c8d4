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

import pytest

import wiring.kits
from companion.cli import main
from hardware.kit import load_kit
from hardware.layout import wire_order

if TYPE_CHECKING:
    from collections.abc import Callable

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
