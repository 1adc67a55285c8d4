"""Installing leaves a working drive at every moment."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

import pytest

from firmware_bridge import install as installing
from firmware_bridge.errors import PicoError
from firmware_bridge.install import MODULES, STARTERS, SWITCH, folder_name, install, plan, source
from firmware_bridge.pico import wire
from firmware_bridge.probe import ask
from tests.firmware_bridge.emulator import BOOT_OUT, MISSING, EmulatedPico


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    drive = tmp_path / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text(BOOT_OUT)
    return drive


def older(name: str) -> bytes:
    """An older version of every file."""
    return source(name).replace(f'FIRMWARE = "{wire.FIRMWARE}"'.encode(), b'FIRMWARE = "0.9"') + b"# older\n"


def put_older(drive: Path) -> str:
    """Install an older version; return its folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(installing, "source", older)
        install(plan(drive))
        return folder_name()


def runs(drive: Path) -> str:
    """Return the folder that code.py would run, as it and CircuitPython would; it must be whole."""
    for name in STARTERS:
        assert (drive / name).read_bytes() in (source(name), older(name))
    folder = (drive / SWITCH).read_text().strip()
    contents = [(drive / folder / name).read_bytes() for name in MODULES]
    assert contents in ([source(name) for name in MODULES], [older(name) for name in MODULES])
    return folder


def test_a_new_drive(drive: Path) -> None:
    planned = plan(drive)
    assert (planned.board, planned.circuitpython, planned.there) == ("Raspberry Pi Pico with rp2040", "9.2.7", "")
    assert planned.writes == (folder_name(), "boot.py", "code.py", SWITCH)
    install(planned)
    assert runs(drive) == folder_name()
    assert not plan(drive).needed
    assert plan(drive).there == wire.FIRMWARE


def test_an_older_version_is_replaced_and_removed(drive: Path) -> None:
    old = put_older(drive)
    assert runs(drive) == old
    planned = plan(drive)
    assert (planned.there, planned.ours, planned.removes) == ("0.9", wire.FIRMWARE, (old,))
    install(planned)
    assert runs(drive) == folder_name()
    assert not (drive / old).exists()


def test_a_cable_that_is_pulled_at_any_moment_leaves_a_working_drive(drive: Path) -> None:
    really = os.fsync
    ran = set()
    for moment in range(100):
        put_older(drive)
        left = moment

        def pulled(number: int) -> None:
            nonlocal left
            if left == 0:
                # What had not reached the drive is gone.
                if stat.S_ISREG(os.fstat(number).st_mode):
                    os.ftruncate(number, 0)
                raise OSError(errno.EIO, "Input/output error")
            left -= 1
            really(number)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", pulled)
            whole = False
            with contextlib.suppress(PicoError):
                install(plan(drive))
                whole = True
        if whole:
            break
        ran.add(runs(drive))
        # And the command can be repeated.
        install(plan(drive))
        assert runs(drive) == folder_name()
    assert moment > 10
    assert len(ran) == 2


def test_a_pulled_cable_is_told(drive: Path) -> None:
    planned = plan(drive)
    drive.rename(drive.with_name("gone"))
    with pytest.raises(PicoError, match=r"could not be written .* plug it in again and repeat"):
        install(planned)


def test_somebody_elses_program_is_set_aside(drive: Path) -> None:
    (drive / "code.py").write_text("print('my weather station')\n")
    (drive / "code.txt").write_text("a rival of code.py\n")
    planned = plan(drive)
    assert set(planned.keeps) == {"code.py", "code.txt"}
    install(planned)
    assert (drive / planned.keeps["code.py"]).read_text() == "print('my weather station')\n"
    assert not (drive / "code.txt").exists()
    assert not plan(drive).needed


def test_the_program_of_a_new_drive_is_nobodys(drive: Path) -> None:
    (drive / "code.py").write_text('print("Hello World!")\n')
    assert plan(drive).keeps == {}


@pytest.mark.parametrize(
    ("boot_out", "says"),
    [
        ("Adafruit CircuitPython 9.2.6 on 2025-03-01; Raspberry Pi Pico with rp2040", "9.2.6; .* needs 9.2.7"),
        ("Adafruit CircuitPython 8.2.10 on 2024-01-01; Raspberry Pi Pico with rp2040", "8.2.10"),
        ("Adafruit CircuitPython 9.2.7-beta.1 on 2025-03-20; Raspberry Pi Pico with rp2040", "9.2.7-beta.1"),
        ("MicroPython v1.22", "names no CircuitPython version"),
    ],
)
def test_the_wrong_python_is_refused(drive: Path, boot_out: str, says: str) -> None:
    (drive / "boot_out.txt").write_text(boot_out)
    with pytest.raises(PicoError, match=says):
        plan(drive)


@pytest.mark.parametrize("version", ["9.2.7", "9.2.10", "10.0.0-beta.2", "10.1.4"])
def test_newer_pythons_are_welcome(drive: Path, version: str) -> None:
    (drive / "boot_out.txt").write_text(
        f"Adafruit CircuitPython {version} on 2026-01-01; Raspberry Pi Pico 2 with rp2350a"
    )
    assert plan(drive).circuitpython == version


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PicoError, match=r"no boot_out.txt: put CircuitPython"):
        plan(tmp_path)
    with pytest.raises(PicoError, match="is no folder"):
        plan(tmp_path / "nowhere")


def test_a_full_drive_is_told_and_left_alone(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = put_older(drive)
    planned = plan(drive)
    real = os.statvfs(drive)
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((*real[:4], 1, *real[5:])))
    with pytest.raises(PicoError, match="no room"):
        install(planned)
    assert runs(drive) == old


@pytest.mark.micropython
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize("switch", ["", "broadside_missing\n", "broadside_0broken\n"])
def test_code_finds_a_whole_firmware_when_the_switch_leads_nowhere(drive: Path, tmp_path: Path, switch: str) -> None:
    install(plan(drive))
    broken = drive / "broadside_0broken"
    broken.mkdir()
    (broken / "wire.py").write_bytes(source("wire.py"))
    (broken / "bridge.py").write_bytes(source("bridge.py")[:300])
    (drive / SWITCH).write_text(switch)
    with EmulatedPico(tmp_path, drive=drive) as pico:
        assert ask(str(pico.port)).firmware == wire.FIRMWARE
