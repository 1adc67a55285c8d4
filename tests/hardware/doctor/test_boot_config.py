"""Which lines of config.txt hold on which model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.doctor.boot_config import NEW_PATH, OLD_PATH, read_boot_config
from hardware.doctor.machine import ThisMachine
from hardware.header import PiModel

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXT = """
dtparam=audio=on,spi=on # both at once
 core_freq = 250
dtoverlay=spi0-0cs

[pi4]
core_freq=500
dtparam=audio=off

[pi5]
dtoverlay=ws2812-pio,gpio=18,num_leds=200,brightness=0
[EDID=somebody]
dtparam=i2c_arm=on
[all]
dtparam=i2s
"""


class Files(ThisMachine):
    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def text(self, path: str) -> str | None:
        return self._files.get(path)


@pytest.mark.parametrize(
    ("model", "audio", "core", "overlays"),
    [
        (PiModel.PI_3, True, "250", []),
        (PiModel.PI_4, False, "500", []),
        (PiModel.PI_5, True, "250", [{"gpio": "18", "num_leds": "200", "brightness": "0"}]),
        (PiModel.ZERO_2, True, "250", []),
        (None, True, "250", []),
    ],
)
def test_filters(model: PiModel | None, audio: bool, core: str, overlays: list[dict[str, str]]) -> None:
    config = read_boot_config(Files({NEW_PATH: TEXT}), model)
    assert config is not None
    assert config.path == NEW_PATH
    assert config.is_on("audio") is audio
    assert config.setting("core_freq") == core
    assert config.overlays("ws2812-pio") == overlays
    assert config.overlays("spi0-0cs") == [{}]
    assert config.is_on("spi")
    assert config.is_on("i2s")
    assert config.parameter("i2c_arm") is None


def test_the_old_place_counts_only_where_there_is_no_new_one() -> None:
    old = read_boot_config(Files({OLD_PATH: "dtparam=audio=off"}), PiModel.PI_4)
    assert old is not None
    assert (old.path, old.stray) == (OLD_PATH, None)
    both = read_boot_config(Files({OLD_PATH: "dtparam=audio=off", NEW_PATH: "dtparam=audio=on"}), PiModel.PI_4)
    assert both is not None
    assert (both.is_on("audio"), both.stray) == (True, OLD_PATH)
    linked = read_boot_config(Files({OLD_PATH: "dtparam=audio=on", NEW_PATH: "dtparam=audio=on"}), PiModel.PI_4)
    assert linked is not None
    assert linked.stray is None
    assert read_boot_config(Files({}), PiModel.PI_4) is None
