"""The one real machine there is here is read for real; what needs a Pi is held against the kernel's own numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import tomlkit

from companion.commands.doctor import diagnose
from hardware.doctor import machine as module
from hardware.doctor.machine import Node, ThisMachine, User
from hardware.doctor.recording import Recorder, load_recording

if TYPE_CHECKING:
    from pathlib import Path


def test_files_folders_commands_and_packages(tmp_path: Path) -> None:
    machine = ThisMachine()
    (tmp_path / "b").write_bytes(b"Raspberry Pi 4\0")
    (tmp_path / "a").write_text("x")
    assert machine.text(str(tmp_path / "b")) == "Raspberry Pi 4"
    assert machine.text(str(tmp_path / "none")) is None
    assert machine.names(str(tmp_path)) == ("a", "b")
    assert machine.names(str(tmp_path / "none")) == ()
    assert machine.output(sys.executable, "-c", "print('there')") == "there"
    assert machine.output(sys.executable, "-c", "raise SystemExit(3)") is None
    assert machine.output("no-such-command-here") is None
    assert machine.package("msgspec") is not None
    assert machine.package("no-such-package-here") is None
    assert machine.python()[:2] == sys.version_info[:2]


def test_nodes_tell_mode_owner_and_group(tmp_path: Path) -> None:
    path = tmp_path / "device"
    path.touch()
    path.chmod(0o640)
    node = ThisMachine().node(str(path))
    assert node is not None
    assert node.mode == "-rw-r-----"
    assert ThisMachine().user().may_open(node)
    assert ThisMachine().node(str(tmp_path / "none")) is None


def test_space_is_asked_of_the_nearest_folder_that_exists(tmp_path: Path) -> None:
    space = ThisMachine().space(str(tmp_path / "not" / "yet" / "there"))
    assert space is not None
    assert space.writable
    assert space.free_mb > 0


@pytest.mark.parametrize(
    ("user", "may"),
    [
        (User(0, "root", ("root",)), True),
        (User(1000, "ana", ("ana", "plugdev")), True),
        (User(1000, "ana", ("ana", "dialout")), False),
    ],
)
def test_the_devices_own_group_decides(user: User, may: bool) -> None:
    assert user.may_open(Node("crw-rw----", "root", "plugdev")) is may


def test_others_and_owners_rights() -> None:
    ana = User(1000, "ana", ("ana",))
    assert ana.may_open(Node("crw-rw-rw-", "root", "root"))
    assert ana.may_open(Node("crw-------", "ana", "root"))
    assert not ana.may_open(Node("cr--r--r--", "root", "root"))


def test_another_process_that_holds_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "leds0"
    path.write_bytes(b"x" * 4096)
    hold = (
        "import mmap, sys; f = open(sys.argv[1], 'r+b'); m = mmap.mmap(f.fileno(), 0)\n"
        "if sys.argv[2] == 'mapped': f.close()\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    for way in ("open", "mapped"):
        command = [sys.executable, "-c", hold, str(path), way]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            assert f"(process {other.pid})" in " ".join(ThisMachine().holders(str(path)))
            other.communicate()
    assert ThisMachine().holders(str(path)) == ()
    with path.open("rb"):
        assert ThisMachine().holders(str(path)) == ()


def test_gpio_requests_have_the_size_that_their_number_says() -> None:
    # <linux/ioctl.h>: bits 16 to 29 of an ioctl number are the size of its argument.
    assert module._CHIP_INFO.size == (module._GET_CHIPINFO >> 16) & 0x3FFF
    assert module._LINE_INFO.size == (module._GET_LINEINFO >> 16) & 0x3FFF


def test_a_recording_of_this_machine_gives_the_same_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path))
    for kit, board in ((None, "auto"), ("full", "pi"), ("pi5", "pi"), ("pico", "pico"), (None, "text")):
        recorder = Recorder(ThisMachine())
        report = diagnose(recorder, kit, board, str(tmp_path))
        path = tmp_path / "recorded.toml"
        path.write_text(tomlkit.dumps(recorder.recording("here")), encoding="utf-8")
        assert diagnose(load_recording(path), kit, board, str(tmp_path)) == report


def test_a_recording_can_stand_on_another(tmp_path: Path) -> None:
    recorder = Recorder(ThisMachine())
    recorder.text("/proc/self/comm")
    (tmp_path / "base.toml").write_text(tomlkit.dumps(recorder.recording("base")), encoding="utf-8")
    (tmp_path / "other.toml").write_text(
        'based_on = "base.toml"\ntitle = "other"\nwithout = [["files", "/proc/self/comm"]]\n[files]\n"/a" = "b"\n',
        encoding="utf-8",
    )
    other = load_recording(tmp_path / "other.toml")
    assert (other.title, other.text("/a"), other.text("/proc/self/comm")) == ("other", "b", None)
    assert other.user().euid == os.geteuid()
