"""The header's tables agree with gpiozero's board data and with themselves."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hardware.header import (
    I2C_GPIOS,
    PCM_GPIO,
    PICO_GPIOS,
    PICO_RESERVED,
    PIN_OF_GPIO,
    PWM_CHANNELS,
    RESERVED,
    SPI0_GPIOS,
    SPI_GPIO,
    UART_GPIOS,
    PiModel,
    PinKind,
    header,
    pico_header,
    pin_name,
)

PIS = [PiModel.ZERO_2, PiModel.PI_3, PiModel.PI_4, PiModel.PI_5]


@pytest.mark.parametrize("model", PIS)
def test_the_header_has_forty_pins_and_the_gpios_stand_where_our_table_says(model: PiModel) -> None:
    pins = header(model)
    assert [pin.number for pin in pins] == list(range(1, 41))
    assert {pin.gpio: pin.number for pin in pins if pin.gpio is not None} == dict(PIN_OF_GPIO)
    assert [pin.number for pin in pins if pin.kind is PinKind.GROUND] == [6, 9, 14, 20, 25, 30, 34, 39]
    assert [pin.number for pin in pins if pin.kind is PinKind.POWER_5V] == [2, 4]
    assert [pin.number for pin in pins if pin.kind is PinKind.POWER_3V3] == [1, 17]
    assert {pin.gpio for pin in pins if pin.reserved} == set(RESERVED)


@pytest.mark.parametrize("model", PIS)
def test_the_pins_that_carry_led_data_agree_with_the_board_data(model: PiModel) -> None:
    functions = {pin.gpio: pin.functions for pin in header(model) if pin.gpio is not None}
    assert {gpio: int(names["pwm"][-1]) for gpio, names in functions.items() if "pwm" in names} == dict(PWM_CHANNELS)
    assert functions[PCM_GPIO]["pcm"] == "PCM DOUT"
    assert functions[SPI_GPIO]["spi"] == "SPI0 MOSI"
    assert all("uart" in functions[gpio] for gpio in UART_GPIOS)
    assert all("i2c" in functions[gpio] for gpio in I2C_GPIOS)


def test_the_spi_pins_are_those_of_the_oldest_board_data() -> None:
    functions = {pin.gpio: pin.functions.get("spi", "") for pin in header(PiModel.PI_3)}
    assert {gpio: name for gpio, name in functions.items() if name.startswith("SPI0")} == dict(SPI0_GPIOS)


def test_pulls_at_boot_change_at_gpio_9() -> None:
    pulls = {pin.gpio: pin.pull for pin in header(PiModel.PI_4) if pin.gpio is not None}
    assert {gpio for gpio, pull in pulls.items() if pull == "up"} == set(range(9))
    assert {gpio for gpio, pull in pulls.items() if pull == "down"} == set(range(9, 28))


def test_a_pico_has_forty_pins_and_every_gpio_it_brings_out() -> None:
    pins = pico_header()
    assert [pin.number for pin in pins] == list(range(1, 41))
    assert {pin.gpio for pin in pins if pin.gpio is not None} == PICO_GPIOS
    assert not PICO_GPIOS & set(PICO_RESERVED)
    assert PICO_GPIOS | set(PICO_RESERVED) == set(range(30))
    assert [pin.number for pin in pins if pin.kind is PinKind.GROUND] == [3, 8, 13, 18, 23, 28, 33, 38]
    assert pins[39].name == "VBUS"


def test_any_computer_has_no_header() -> None:
    with pytest.raises(ValueError, match="no header"):
        header(PiModel.ANY)


def test_a_pin_is_named_with_its_place() -> None:
    assert pin_name(18) == "GPIO18 (pin 12)"
    assert pin_name(40) == "GPIO40"


def test_reading_a_kit_imports_neither_numpy_nor_gpiozero() -> None:
    script = "import sys, hardware.kit, hardware.header; print(sorted({'numpy', 'gpiozero'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
