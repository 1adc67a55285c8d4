"""What the installer does to config.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from installer.boot_config import BEGIN, END, RemoveBackup, WriteBootConfig, find_boot_config, with_block, without_block
from installer.machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

FACTORY = """\
# Uncomment some or all of these to enable the optional hardware interfaces
#dtparam=spi=on

# Enable audio (loads snd_bcm2835)
dtparam=audio=on
dtoverlay=vc4-kms-v3d

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
LINES = st.sampled_from(
    [
        "dtparam=audio=off", "dtparam=audio=on", "dtparam=spi=off", "dtparam=spi=on", "dtparam=i2c=on,spi=on",
        "core_freq=250", "core_freq=500", "dtoverlay=ws2812-pio,gpio=18,num_leds=200,brightness=0", "[pi4]", "[all]",
        "# remark", "",
    ]
)  # fmt: skip
WANTED = st.lists(
    st.sampled_from(["dtparam=audio=off", "dtparam=spi=off", "dtparam=spi=on", "core_freq=250"]), unique=True
)
OVERLAY = "dtoverlay=ws2812-pio,gpio=18,num_leds=200,brightness=0"


def block(*lines: str) -> str:
    return "\n".join([BEGIN, "[all]", *lines, END]) + "\n"


def test_the_lines_stand_in_a_block_at_the_end() -> None:
    assert with_block(FACTORY, ["dtparam=audio=off"]) == FACTORY + block("dtparam=audio=off")


@given(st.lists(LINES).map("\n".join), WANTED)
def test_the_block_comes_and_goes_without_a_trace(text: str, wanted: list[str]) -> None:
    text = f"{text}\n"
    changed = with_block(text, wanted)
    assert without_block(changed) == text
    assert with_block(changed, wanted) == changed
    assert with_block(changed, []) == text


@given(st.lists(LINES).map("\n".join), WANTED)
def test_what_the_kit_needs_has_the_last_word(text: str, wanted: list[str]) -> None:
    """The firmware takes the last value; a filter such as [pi4] may hold or not."""
    wanted = [line for line in wanted if line != "dtparam=spi=on" or "dtparam=spi=off" not in wanted]
    changed = with_block(text, wanted)
    for filtered in (True, False):
        settings = {"dtparam=spi": "off", "dtparam=i2c_arm": "off"} | in_force(changed, filtered=filtered)
        assert wanted == [line for line in wanted if settings[line.rpartition("=")[0]] == line.rpartition("=")[2]]


def in_force(text: str, *, filtered: bool) -> dict[str, str]:
    settings, holds = {}, True
    for line in text.splitlines():
        if line.startswith("["):
            holds = filtered or line == "[all]"
        elif holds and line.startswith("dtparam="):
            for value in line.removeprefix("dtparam=").replace("i2c=", "i2c_arm=").split(","):
                settings[f"dtparam={value.partition('=')[0]}"] = value.partition("=")[2]
        elif holds and line.startswith("core_freq="):
            settings["core_freq"] = line.removeprefix("core_freq=")
    return settings


def test_an_overlay_is_never_loaded_twice() -> None:
    text = f"{OVERLAY}\n"
    assert with_block(text, [OVERLAY]) == text
    assert with_block(f"[pi4]\n{text}", [OVERLAY]).count(OVERLAY) == 2


@pytest.mark.parametrize("line", ["dtparam=spi=off", "dtparam=i2c_arm=off"])
def test_what_holds_anyway_is_not_said(line: str) -> None:
    assert with_block(FACTORY, [line]) == FACTORY
    assert line in with_block(FACTORY + "dtparam=spi=on,i2c=on\n", [line])


def test_a_file_without_a_last_line_break() -> None:
    assert with_block("arm_64bit=1", ["core_freq=250"]) == "arm_64bit=1\n" + block("core_freq=250")


def test_a_block_that_was_torn_is_replaced() -> None:
    torn = FACTORY + BEGIN + "\n[all]\ndtpar"
    assert with_block(torn, ["core_freq=250"]) == FACTORY + block("core_freq=250")


@pytest.mark.parametrize("path", ["/boot/firmware/config.txt", "/boot/config.txt"])
def test_the_right_file_is_found(path: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path, tmp_path)
    assert find_boot_config(machine) is None
    machine.at("/boot/config.txt").parent.mkdir()
    machine.at("/boot/config.txt").write_text("moved to /boot/firmware/config.txt")
    machine.at(path).parent.mkdir(exist_ok=True)
    machine.at(path).write_text(FACTORY)
    assert find_boot_config(machine) == path


def test_a_backup_of_the_first_file_is_kept_until_it_says_nothing_more(tmp_path: Path) -> None:
    machine = Machine(tmp_path, tmp_path)
    config, backup = tmp_path / "config.txt", tmp_path / "config.txt.before-broadside"
    foreign = FACTORY.encode() + b"# K\xfcche\r\n"
    config.write_bytes(foreign)
    WriteBootConfig("/config.txt", ["dtparam=audio=off"]).carry_out(machine)
    WriteBootConfig("/config.txt", ["core_freq=250"]).carry_out(machine)
    assert backup.read_bytes() == foreign
    assert config.read_bytes() == foreign + block("core_freq=250").encode()
    WriteBootConfig("/config.txt", []).carry_out(machine)
    assert config.read_bytes() == foreign
    removal = RemoveBackup("/config.txt")
    assert removal.pending(machine)
    config.write_bytes(foreign + b"gpu_mem=128\n")
    assert not removal.pending(machine)
