"""The doctor on each recorded machine says what stands in `expected/`, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.doctor import diagnose, readable
from firmware_bridge import ports
from hardware.doctor.checks.pico import PORT_VARIABLE
from hardware.doctor.findings import Status
from hardware.doctor.recording import load_recording
from tests.hardware.kits import shipped_text

MACHINES = Path(__file__).parent.parent / "machines"
EXPECTED = Path(__file__).parent / "expected"
KITS = Path(__file__).parent / "kits"

CASES = (
    ("pi4-trixie", None, "auto"),
    ("pi4-trixie", "compact", "pi"),
    ("pi4-trixie", "pi5", "auto"),
    ("pi4-audio-on", "full", "auto"),
    ("pi4-fresh-user", "full", "auto"),
    ("pi4-tired", "full", "auto"),
    ("pi4-old-factory", "full", "auto"),
    ("pi4-service", "full", "auto"),
    ("pi4-service", None, "auto"),
    ("pi3-bookworm", "full", "auto"),
    ("pi5-trixie", None, "auto"),
    ("pi5-trixie", "full", "auto"),
    ("pi5-trixie", "pi5", "simulator"),
    ("pi5-bare", "pi5", "auto"),
    ("pi5-bare", "neopixel", "auto"),
    ("pi5-blinka", "neopixel", "auto"),
    ("pi4-trixie", "neopixel", "auto"),
    ("pi4-numpads", "numpads", "auto"),
    ("pi3-i2s", "pcm", "auto"),
    ("zero2-trixie", "spi", "auto"),
    ("zero2-bare", "spi", "auto"),
    ("laptop", None, "auto"),
    ("laptop", "full", "auto"),
    ("laptop", None, "text"),
    ("laptop", None, "pico"),
    ("laptop-ssh", None, "simulator"),
    ("laptop-pico", "pico", "auto"),
    ("laptop-pico-refused", "pico", "auto"),
    ("laptop-pico-blank", "pico", "auto"),
    ("laptop-pico-named", "pico", "auto"),
    ("laptop-pico-misnamed", "pico", "auto"),
)


@pytest.mark.parametrize(("machine", "kit", "board"), CASES)
def test_findings(machine: str, kit: str | None, board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path))
    data = "/home/ana/.local/share/broadside"
    own = KITS / f"{kit}.toml"
    report = diagnose(load_recording(MACHINES / f"{machine}.toml"), str(own) if own.exists() else kit, board, data)
    told = "\n".join(line.plain for line in readable(report)).replace(f"{KITS}/", "") + "\n"
    told += f"exit {report.exit_code}\n"
    golden = EXPECTED / f"{machine}+{kit or 'default'}+{board}.txt"
    assert told == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(MACHINES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_finding_that_is_not_ok_has_one_line_of_cure(path: Path) -> None:
    for kit in ("full", "compact", "one-chain", "pi5", "pico"):
        for board in ("auto", "pi", "simulator", "text"):
            for finding in diagnose(load_recording(path), kit, board, "/home/ana").findings:
                assert "\n" not in finding.found + finding.cure
                assert bool(finding.cure) == (finding.status is not Status.OK)


def test_the_household_sees_which_file_was_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path))
    own = tmp_path / "kits" / "full.toml"
    own.parent.mkdir()
    own.write_text(shipped_text("full"), encoding="utf-8")
    laptop = load_recording(MACHINES / "laptop.toml")
    report = diagnose(laptop, "full", "auto", "/home/ana")
    assert (report.kit, report.kit_file) == ("full", str(own))
    assert readable(report)[0].plain.endswith(f"with kit full ({own}) on the board:")
    assert diagnose(laptop, "compact", "auto", "/home/ana").kit_file == ""


def test_the_variable_for_the_picos_port_is_the_drivers() -> None:
    assert PORT_VARIABLE == ports.PORT_VARIABLE


def test_every_recorded_machine_has_a_golden_report() -> None:
    assert {path.stem for path in MACHINES.glob("*.toml")} == {machine for machine, _, _ in CASES}
    assert {path.stem for path in EXPECTED.glob("*.txt")} == {
        f"{m}+{kit or 'default'}+{board}" for m, kit, board in CASES
    }
