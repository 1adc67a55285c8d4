"""`broadside pico` as a person types it."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from firmware_bridge.configuration import configuration
from firmware_bridge.link import Link
from firmware_bridge.pico import wire
from firmware_bridge.ports import PORT_VARIABLE
from tests.firmware_bridge.emulator import BOOT_OUT, MISSING, EmulatedPico
from tests.firmware_bridge.kits import KIT, PINS

emulated = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    drive = tmp_path / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text(BOOT_OUT)
    return drive


@pytest.fixture
def pico(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatedPico]:
    with EmulatedPico(tmp_path) as pico:
        monkeypatch.setenv(PORT_VARIABLE, str(pico.port))
        yield pico


def test_installs_says_what_was_there_and_does_nothing_twice(drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pico", "install", str(drive)]) == 0
    first = capsys.readouterr().out
    assert "Raspberry Pi Pico with rp2040, CircuitPython 9.2.7, no firmware" in first
    assert "boot.py, code.py, firmware.txt" in first
    assert "Unplug the Pico and plug it in again" in first
    assert main(["pico", "install", str(drive)]) == 0
    assert f"has this Broadside's firmware {wire.FIRMWARE} already" in capsys.readouterr().out


def test_asks_before_it_sets_somebody_elses_program_aside(
    drive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = drive / "code.py"
    program.write_text("print('weather')\n")
    assert main(["pico", "install", str(drive)]) == 2
    told = capsys.readouterr()
    assert "To be set aside: code.py" in told.out
    assert told.err.count("\n") == 1
    assert "add --yes" in told.err
    for answer, code in (("n\n", 2), ("\n", 2), ("y\n", 0)):
        assert program.read_text() == "print('weather')\n"
        terminal = io.StringIO(answer)
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", terminal)
        assert main(["pico", "install", str(drive)]) == code
    assert (drive / "code_py_before_broadside_1.txt").read_text() == "print('weather')\n"


def boot_out(board: str) -> str:
    return BOOT_OUT.replace("Raspberry Pi Pico with rp2040", board)


@pytest.mark.parametrize("board", ["Raspberry Pi Pico with rp2040", "Raspberry Pi Pico W with rp2040"])
def test_a_pico_and_a_pico_w_are_taken_without_a_word(
    board: str, drive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (drive / "boot_out.txt").write_text(boot_out(board))
    assert main(["pico", "install", str(drive)]) == 0
    told = capsys.readouterr().out
    assert "untried" not in told
    assert "no Raspberry Pi Pico" not in told


@pytest.mark.parametrize(
    ("board", "uf2"),
    [("Pico 2 with rp2350a", "raspberry_pi_pico2,"), ("Pico 2 W with rp2350a", "raspberry_pi_pico2_w,")],
)
def test_a_pico_2_is_told_to_be_untried(board: str, uf2: str, drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (drive / "boot_out.txt").write_text(boot_out(f"Raspberry Pi {board}"))
    assert main(["pico", "install", str(drive)]) == 0
    told = capsys.readouterr().out
    assert "untried on a Raspberry Pi Pico 2" in told
    assert f"the UF2 file {uf2}" in told
    assert (drive / "firmware.txt").exists()


def test_another_board_is_asked_about(
    drive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (drive / "boot_out.txt").write_text(boot_out("Adafruit Feather M4 Express with samd51j19"))
    assert main(["pico", "install", str(drive)]) == 2
    told = capsys.readouterr()
    assert "This is no Raspberry Pi Pico but Adafruit Feather M4 Express" in told.out
    assert told.err.count("\n") == 1
    assert "add --yes" in told.err
    assert [path.name for path in drive.iterdir()] == ["boot_out.txt"]
    terminal = io.StringIO("n\n")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    assert main(["pico", "install", str(drive)]) == 2
    assert [path.name for path in drive.iterdir()] == ["boot_out.txt"]
    assert main(["pico", "install", "--yes", str(drive)]) == 0
    assert (drive / "firmware.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pico"], "install|status"),
        (["pico", "install"], "DRIVE"),
        (["pico", "install", "/nowhere"], "is no folder"),
        (["pico", "remove"], "invalid choice"),
        (["pico", "status"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PORT_VARIABLE, "/dev/there-is-none")
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.mark.micropython
@emulated
def test_status_shows_the_pico_and_what_it_drives(pico: EmulatedPico, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pico", "status"]) == 0
    told = capsys.readouterr().out
    assert f"{pico.port}: raspberry_pi_pico (number e6605838832a5b2c)" in told
    assert f"firmware {wire.FIRMWARE}, protocol {wire.PROTOCOL[0]}.{wire.PROTOCOL[1]}\n" in told
    assert "not told a kit yet" in told
    link = Link(configuration(KIT))
    link.open()
    assert main(["pico", "status"]) == 2
    assert "Another program uses the Pico's serial line" in capsys.readouterr().err
    link.close()
    assert main(["pico", "status"]) == 0
    told = capsys.readouterr().out
    assert f"chain on GP{PINS[0]}: 200 LEDs, GRB\n" in told
    assert "keypad 2: 4 rows, 4 columns\n" in told
