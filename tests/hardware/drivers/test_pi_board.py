"""Boards are told apart by the name that the kernel gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.drivers.base import DriverError
from hardware.drivers.pi_board import board_model, board_name, require_board
from hardware.header import PiModel

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", PiModel.ZERO_2),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", PiModel.PI_3),
        ("Raspberry Pi 3 Model A Plus Rev 1.0", PiModel.PI_3),
        ("Raspberry Pi Compute Module 3 Plus Rev 1.0", PiModel.PI_3),
        ("Raspberry Pi 4 Model B Rev 1.5", PiModel.PI_4),
        ("Raspberry Pi 400 Rev 1.0", PiModel.PI_4),
        ("Raspberry Pi Compute Module 4 Rev 1.1", PiModel.PI_4),
        ("Raspberry Pi 5 Model B Rev 1.1", PiModel.PI_5),
        ("Raspberry Pi 500 Rev 1.0", PiModel.PI_5),
        ("Raspberry Pi Compute Module 5 Lite Rev 1.0", PiModel.PI_5),
        ("Raspberry Pi Zero W Rev 1.1", None),
        ("Raspberry Pi 2 Model B Rev 1.1", None),
        ("Raspberry Pi 6 Model B Rev 1.0", None),
        ("Orange Pi 5", None),
        ("", None),
    ],
)
def test_a_board_is_known_by_its_name(name: str, model: PiModel | None) -> None:
    assert board_model(name) is model


def test_the_name_is_read_without_its_zero_byte(tmp_path: Path) -> None:
    file = tmp_path / "model"
    file.write_bytes(b"Raspberry Pi 3 Model B Rev 1.2\0")
    assert board_name(file) == "Raspberry Pi 3 Model B Rev 1.2"
    assert board_name(tmp_path / "none") == ""


def test_an_unknown_board_is_refused_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "model"
    file.write_bytes(b"Raspberry Pi 6 Model B Rev 1.0\0")
    with pytest.raises(DriverError) as raised:
        require_board((PiModel.PI_4,), "rpi_ws281x", "use a Pico", file)
    assert str(raised.value) == (
        "The LED driver rpi_ws281x works on Raspberry Pi 4, and this is a Raspberry Pi 6 Model B Rev 1.0: use a Pico."
    )
