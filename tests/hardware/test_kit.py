"""Kit files: the shipped ones are right, and every fault is told in one sentence with its key, value and cure."""

from __future__ import annotations

import importlib.metadata
import tomllib
from copy import deepcopy
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.header import PWM_CHANNELS, PiModel
from hardware.kit import KitError, PanelGrid, Power, check_kit, load_kit, parse_kit
from hardware.kit_check import KEYPAD_DRIVERS, LED_DRIVERS, spi_bytes
from tests.hardware.kits import SHIPPED, changed, changed_text, shipped, shipped_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def fault(text: str) -> str:
    """Return what is said of a wrong kit, without the file's name."""
    with pytest.raises(KitError) as raised:
        parse_kit(text, "my.toml")
    message = str(raised.value)
    assert message.startswith("my.toml: ")
    assert "\n" not in message
    assert message.endswith((".", "?"))
    return message.removeprefix("my.toml: ")


# What ships.


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_kit_reads_and_fits_its_own_rules(name: str) -> None:
    kit = shipped(name)
    assert {keypad.seat for keypad in kit.keypads} == {1, 2}


def test_the_full_kit_has_the_default_pins() -> None:
    kit = shipped("full")
    assert [chain.pin for chain in kit.leds.chains] == [18, 13]
    assert [(keypad.rows, keypad.columns) for keypad in kit.keypads] == [
        ((4, 17, 27, 22), (23, 24, 8, 7)),
        ((5, 6, 19, 26), (12, 16, 20, 21)),
    ]
    assert kit.buzzer is not None
    assert kit.buzzer.pin == 25
    assert kit.power_button is not None
    assert kit.power_button.pin == 3
    assert kit.leds.led_count == 400
    assert kit.power == Power(supply_ma=10_000, budget_ma=8_000)


def test_the_compact_kit_has_one_panel_a_seat_for_both_grids() -> None:
    panels = [panel for chain in shipped("compact").leds.chains for panel in chain.panels]
    assert [(panel.seat, panel.grid) for panel in panels] == [(1, PanelGrid.EITHER), (2, PanelGrid.EITHER)]


def test_the_one_chain_kit_has_four_panels_on_one_pin() -> None:
    (chain,) = shipped("one-chain").leds.chains
    assert (chain.pin, len(chain.panels), chain.led_count) == (18, 4, 400)


def test_a_kit_file_is_loaded_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(shipped_text("compact"))
    assert load_kit(path) == shipped("compact")


# Good kits beside the shipped ones.


OTHERS: dict[str, tuple[str, *tuple[tuple[str, str], ...]]] = {
    "one chain on PWM channel 1": ("one-chain", ("pin = 18 #", "pin = 13 #")),
    "the other pins of both PWM channels": (
        "full",
        ("pin = 18 #", "pin = 12 #"),
        ("columns = [12,", "columns = [14,"),
        ("pin = 13 #", "pin = 19 #"),
        ("6, 19, 26", "6, 18, 26"),
    ),
    "PCM": ("one-chain", ("pin = 18 #", "pin = 21 #"), ("16, 20, 21]", "16, 20, 14]")),
    "SPI": (
        "one-chain",
        ("pin = 18 #", "pin = 10 #"),
        ('driver = "rpi_ws281x"', 'driver = "rpi_ws281x"\nspi_buffer = 32768\n#'),
        ("[23, 24, 8, 7]", "[23, 24, 14, 15]"),
    ),
    "Blinka": ("one-chain", ('"rpi_ws281x"', '"neopixel"')),
    "the safe DMA channel written out": ("compact", ("[leds]", "[leds]\ndma = 10")),
    "any pin of a Pi 5": ("pi5", ("pin = 18 #", "pin = 14 #")),
    "a Pico on a Pi with a buzzer": (
        "pico",
        ('model = "any"', 'model = "pi4"'),
        ("[power]", "[buzzer]\npin = 18\n[power_button]\npin = 3\n[power]"),
    ),
    "a Pico for the keypads alone": (
        "full",
        *(
            ("seat = 1\nrows = [4, 17, 27, 22]", 'seat = 1\ndriver = "pico"\nrows = [18, 13, 27, 22]'),
            ("23, 24, 8", "28, 0, 8"),
        ),
    ),
    "SPI beside a Pico's pins of the same numbers": (
        "one-chain",
        *(("pin = 18 #", "pin = 10 #"), ("[leds]", "[leds]\nspi_buffer = 32768")),
        ("seat = 1\nrows = [4, 17, 27, 22]", 'seat = 1\ndriver = "pico"\nrows = [9, 10, 11, 22]'),
        ("columns = [23, 24, 8, 7]", "columns = [28, 0, 8, 7]"),
    ),
    "the last pins of a Pico": ("pico", ("rows = [2, 3, 4, 5]", "rows = [28, 27, 10, 15]")),
    "two rows of eight keys": (
        "full",
        ("rows = [4, 17, 27, 22]", 'layout = ["123A456B", "789C*0#D"]\nrows = [4, 17]'),
        ("columns = [23, 24, 8, 7]", "columns = [27, 22, 23, 24, 8, 7, 10, 11]"),
    ),
    "a keypad turned upside down": (
        "full",
        ("seat = 1\nrows", 'seat = 1\nlayout = ["D#0*", "C987", "B654", "A321"]\nrows'),
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_ways_to_build_are_welcome(name: str) -> None:
    kit, *changes = OTHERS[name]
    changed(kit, *changes)


def test_usb_number_pads_and_a_keypad_each() -> None:
    kit = changed(
        "full",
        ("rows = [4, 17, 27, 22]", 'driver = "evdev"\ndevice = "platform-fd500000.pcie-usb-0:1.1:1.0-event-kbd"'),
        ("columns = [23, 24, 8, 7]", ""),
    )
    assert [keypad.driver for keypad in kit.keypads] == ["evdev", "gpio"]


def test_one_seat_may_have_a_matrix_and_a_number_pad() -> None:
    text = shipped_text("full") + '\n[[keypads]]\nseat = 1\ndriver = "evdev"\ndevice = "usb-pad"\n'
    assert len(parse_kit(text, "my.toml").keypads) == 3


# Files.


@pytest.mark.parametrize("text", ["", "\n \n", "\0\0\0\0"])
def test_an_empty_file_is_told_as_such(text: str) -> None:
    assert fault(text).startswith("is empty")


def test_a_missing_folder_and_binary_files_are_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="cannot be read"):
        load_kit(tmp_path / "none.toml")
    with pytest.raises(KitError, match="cannot be read"):
        load_kit(tmp_path)
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(KitError, match="not a text file"):
        load_kit(picture)


def test_what_is_no_toml_is_told_with_its_line() -> None:
    assert "line 2" in fault("kit = 1\ntitle = full\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "the key kit is missing"),
        ("kit = 2", "newer Broadside"),
        ("kit = 0", "no version"),
        ('kit = "1"', "no version"),
        ("kit = true", "no version"),
    ],
)
def test_the_version_of_the_format_is_checked_first(line: str, words: str) -> None:
    assert words in fault(changed_text("full", ("kit = 1\n", f"{line}\n")))


def test_the_mark_that_windows_editors_put_first_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + shipped_text("full").replace("\n", "\r\n").encode())
    assert load_kit(path) == shipped("full")


@pytest.mark.parametrize("deep", ["a = " + "[" * 5000 + "]" * 5000, "a = " + "{ a = " * 5000 + "1" + "}" * 5000])
def test_what_is_nested_too_deep_is_told(deep: str) -> None:
    assert "nested too deep" in fault(deep)


def test_the_largest_budgets_that_a_fuse_carries_are_welcome() -> None:
    kit = changed(
        "full",
        ("supply_ma = 10000", "supply_ma = 60000"),
        ("\nbudget_ma = 8000\npanel_budget_ma = 4000", "\nbudget_ma = 32000\npanel_budget_ma = 32000"),
    )
    assert kit.power.budget_ma == 32_000


# Faults: the kit, what was changed in it, and what the sentence must hold (key, value, cure).

FULL = shipped_text("full")
SECOND_KEYPAD = FULL[FULL.index("[[keypads]]\nseat = 2") : FULL.index("[buzzer]")]

FAULTS: dict[str, tuple[str, tuple[str, str] | None, tuple[str, ...], *tuple[tuple[str, str], ...]]] = {
    "pin used twice": (
        "full",
        ("pin = 25 #", "pin = 18 #"),
        ("buzzer: pin = 18", "GPIO18 (pin 12)", "leds, chain 1: pin and buzzer: pin", "free pin"),
    ),
    "pin used twice in one keypad": (
        "full",
        ("[4, 17, 27, 22]", "[4, 17, 4, 22]"),
        ("keypad 1: rows = 4", "(twice)", "free pin"),
    ),
    "keypads sharing a pin": (
        "full",
        ("[5, 6, 19, 26]", "[4, 6, 19, 26]"),
        ("keypad 1: rows and keypad 2: rows",),
    ),
    "HAT pin": ("full", ("[5, 6, 19, 26]", "[0, 6, 19, 26]"), ("keypad 2: rows = 0", "GPIO0 (pin 27)", "reserved")),
    "no such GPIO": ("full", ("pin = 25 #", "pin = 40 #"), ("buzzer: pin = 40", "from 2 to 27")),
    "negative GPIO": ("full", ("pin = 25 #", "pin = -1 #"), ("buzzer: pin = -1", "from 2 to 27")),
    "buzzer on a pulled-up pin": ("full", ("pin = 25 #", "pin = 2 #"), ("buzzer: pin = 2", "pulled up", "25")),
    "no PWM": (
        "one-chain",
        ("pin = 18 #", "pin = 14 #"),
        ("chain 1: pin = 14", "cannot carry PWM", "10, 12, 13, 18, 19, 21"),
    ),
    "Blinka on a pin without PWM": (
        "one-chain",
        ("pin = 18 #", "pin = 14 #"),
        ("cannot carry PWM",),
        ('"rpi_ws281x"', '"neopixel"'),
    ),
    "two chains on one PWM channel": (
        "full",
        ("pin = 13 #", "pin = 12 #"),
        ("chain 2: pin = 12", "PWM channel 0", "13 or 19"),
        ("[12, 16", "[14, 16"),
    ),
    "second chain without PWM": (
        "full",
        ("pin = 13 #", "pin = 21 #"),
        ("chain 2: pin = 21", "two chains need PWM", "13 or 19"),
        ("20, 21]", "20, 14]"),
    ),
    "three chains": (
        "full",
        (
            '{ seat = 2, grid = "ocean", first = "top left", along = "rows", serpentine = true },\n]',
            ']\n[[leds.chains]]\npin = 10\npanels = [{ seat = 2, grid = "ocean" }]',
        ),
        ('driver = "rpi_ws281x"', "at most 2 chains", "3"),
    ),
    "two chains over Blinka": ("full", ('"rpi_ws281x"', '"neopixel"'), ("at most 1 chain,", "has 2")),
    "rpi_ws281x on a Pi 5": (
        "full",
        ('model = "pi4"', 'model = "pi5"'),
        ('driver = "rpi_ws281x"', "Raspberry Pi 5", '"ws2812_pio"'),
    ),
    "ws2812_pio elsewhere": (
        "pi5",
        ('model = "pi5"', 'model = "pi4"'),
        ('driver = "ws2812_pio"', "Raspberry Pi 4", '"rpi_ws281x"'),
    ),
    "LED driver without a Pi": ("one-chain", ('model = "pi4"', 'model = "any"'), ("any computer with USB",)),
    "unknown LED driver": (
        "full",
        ('"rpi_ws281x"', '"rpi_ws2812"'),
        ('leds: driver = "rpi_ws2812"', "did you mean rpi_ws281x?"),
    ),
    "LED driver unlike any": ("full", ('"rpi_ws281x"', '"zzz"'), ("neopixel, pico, rpi_ws281x, ws2812_pio",)),
    "unknown keypad driver": (
        "pico",
        ('driver = "pico"\nrows = [2', 'driver = "pic"\nrows = [2'),
        ('keypad 1: driver = "pic"', "pico?"),
    ),
    "GPIO keypad without a Pi": (
        "pico",
        ('driver = "pico"\nrows = [2', 'driver = "gpio"\nrows = [2'),
        ('keypad 1: driver = "gpio"', "model"),
    ),
    "buzzer without a Pi": ("pico", ("[power]", "[buzzer]\npin = 18\n[power]"), ("buzzer: pin = 18", "no header")),
    "Pico pin of the board itself": (
        "pico",
        ("pin = 1 #", "pin = 23 #"),
        ("chain 2: pin = 23", "power supply", "another pin"),
    ),
    "no such Pico pin": ("pico", ("pin = 1 #", "pin = 30 #"), ("chain 2: pin = 30", "GP26 to GP28")),
    "Pico pin used twice": (
        "pico",
        ("pin = 1 #", "pin = 2 #"),
        ("GP2 is used twice", "leds, chain 2: pin and keypad 1: rows"),
    ),
    "no chain": ("full", None, ("chains = []", "[[leds.chains]]")),
    "chain without panels": (
        "compact",
        ('[{ seat = 2, grid = "either" }]', "[]"),
        ("leds, chain 2: panels = []", "take the chain out"),
    ),
    "panel twice": (
        "one-chain",
        ('seat = 2, grid = "ocean"', 'seat = 1, grid = "ocean"'),
        ("panel 3", "already leds, chain 1, panel 2"),
    ),
    "seat without panels": (
        "compact",
        ('{ seat = 2, grid = "either" }', '{ seat = 1, grid = "ocean" }'),
        ("seat 2 has no panel",),
    ),
    "no such seat": ("compact", ("seat = 2, grid", "seat = 3, grid"), ("chain 2, panel 1: seat = 3", "1 and 2")),
    "either beside another": (
        "one-chain",
        ('seat = 2, grid = "ocean"', 'seat = 2, grid = "either"'),
        ("seat 2", "one panel a seat"),
    ),
    "target alone": (
        "compact",
        ('seat = 2, grid = "either"', 'seat = 2, grid = "target"'),
        ('grid = "target"', 'write "either"'),
    ),
    "rotation": (
        "compact",
        ('seat = 2, grid = "either"', 'seat = 2, grid = "either", rotation = 45'),
        ("panel 1: rotation = 45", "0, 90, 180 or 270"),
    ),
    "colour order": ("full", ('order = "GRB" #', 'order = "GRG" #'), ('chain 1: order = "GRG"', '"GRB"')),
    "colour order in small letters": ("full", ('order = "GRB" #', 'order = "grb" #'), ('order = "grb"', '"GRB"')),
    "number pad with pins": (
        "compact",
        ("[[keypads]]\nseat = 2\nrows", '[[keypads]]\nseat = 1\ndriver = "evdev"\ndevice = "x"\nrows'),
        ("keypad 2: rows and columns are pins", "take them out"),
    ),
    "seat without keypad": (
        "full",
        (SECOND_KEYPAD, ""),
        ("seat 2 has no keypad", "[[keypads]]"),
    ),
    "two keypads for one seat": (
        "full",
        ("[[keypads]]\nseat = 2", "[[keypads]]\nseat = 1"),
        ("keypad 2: seat = 1", "already"),
    ),
    "keypad for nobody": (
        "full",
        ("[[keypads]]\nseat = 2", "[[keypads]]\nseat = 0"),
        ("keypad 2: seat = 0", "1 and 2"),
    ),
    "number pad without device": (
        "full",
        ("seat = 1\nrows", 'seat = 1\ndriver = "evdev"\nrows'),
        ("keypad 1: device is missing", "by-path"),
    ),
    "matrix with a device": (
        "full",
        ("seat = 1\nrows", 'seat = 1\ndevice = "x"\nrows'),
        ('keypad 1: device = "x"', "evdev"),
    ),
    "too few rows": ("full", ("[4, 17, 27, 22]", "[4, 17, 27]"), ("keypad 1: rows = [4, 17, 27]", "4 rows")),
    "too many columns": (
        "full",
        ("[23, 24, 8, 7]", "[23, 24, 8, 7, 9]"),
        ("keypad 1: columns", "has 5 pins", "4 columns"),
    ),
    "key missing from layout": (
        "full",
        ("seat = 1\nrows", 'seat = 1\nlayout = ["123A", "456B", "789C", "*0#E"]\nrows'),
        ("keypad 1: layout", "exactly once"),
    ),
    "key twice in layout": (
        "full",
        ("seat = 1\nrows", 'seat = 1\nlayout = ["123A", "456B", "789C", "*0##"]\nrows'),
        ("keypad 1: layout", "exactly once"),
    ),
    "layout without rows": (
        "full",
        ("seat = 1\nrows", "seat = 1\nlayout = []\nrows"),
        ("keypad 1: layout = []", "rectangle"),
    ),
    "crooked layout": (
        "full",
        ("seat = 1\nrows", 'seat = 1\nlayout = ["123A", "456B789C", "*0#D"]\nrows'),
        ("rectangle",),
    ),
    "SPI buffer": (
        "one-chain",
        ("pin = 18 #", "pin = 10 #"),
        ("chain 1: pin = 10", "400 LEDs", "4096", "32768"),
        ("[23, 24, 8, 7]", "[23, 24, 14, 15]"),
    ),
    "keypad on SPI's pins": (
        "one-chain",
        ("pin = 18 #", "pin = 10 #"),
        ("keypad 1: columns = 8", "SPI0 CE0"),
        ('driver = "rpi_ws281x"', 'driver = "rpi_ws281x"\nspi_buffer = 32768\n#'),
    ),
    "budget over the supply": (
        "full",
        ("\nbudget_ma = 8000", "\nbudget_ma = 12000"),
        ("budget_ma = 12000", "supply_ma = 10000", "8000"),
    ),
    "no budget": (
        "full",
        ("\nbudget_ma = 8000\npanel_budget_ma = 4000", "\nbudget_ma = 0\npanel_budget_ma = 0"),
        ("budget_ma = 0", "400 mA", "at least 420"),
    ),
    "no panel budget": (
        "full",
        ("panel_budget_ma = 4000", "panel_budget_ma = 0"),
        ("panel_budget_ma = 0", "100 LEDs", "at least 120"),
    ),
    "negative budget": ("full", ("panel_budget_ma = 4000", "panel_budget_ma = -5"), ("panel_budget_ma = -5",)),
    "panel budget over the whole": (
        "full",
        ("panel_budget_ma = 4000", "panel_budget_ma = 9000"),
        ("panel_budget_ma = 9000", "at most 8000"),
    ),
    "supply in amperes": ("full", ("supply_ma = 10000", "supply_ma = 10"), ("supply_ma = 10 ", "in mA")),
    "LEDs that draw nothing": ("full", ("[power]", "[power]\nchannel_ma = 0"), ("channel_ma = 0", "write 10 or more")),
    "idle current that is no number": ("full", ("[power]", "[power]\nidle_ma = nan"), ("idle_ma = nan", "from 0 to 5")),
    "brightness in percent": (
        "full",
        ("brightness = 1.0", "brightness = 80"),
        ("leds: brightness = 80", "from 0.01 to 1"),
    ),
    "no brightness": ("full", ("brightness = 1.0", "brightness = 0"), ("brightness = 0",)),
    "endless gamma": ("full", ("gamma = 2.2", "gamma = inf"), ("gamma = inf", "from 1 to 4")),
    "DMA channel 5": ("full", ("gamma = 2.2", "dma = 5"), ("leds: dma = 5", "SD cards", "10")),
    "unknown key": ("full", ("gamma = 2.2", "gama = 2.2"), ("leds: gama = 2.2", "did you mean gamma?")),
    "unknown table": ("full", ("[buzzer]", "[buzer]"), ("buzer = {…}", "did you mean buzzer?")),
    "unknown key in a panel": (
        "compact",
        ('seat = 2, grid = "either"', 'seat = 2, grid = "either", rotate = 90'),
        ("leds, chain 2, panel 1: rotate = 90", "rotation?"),
    ),
    "unknown key in an optional table": (
        "full",
        ("pin = 25 #", "pin = 25\nvolume = 3 #"),
        ("buzzer: volume = 3", "pin"),
    ),
    "text for a number": (
        "full",
        ("pin = 25 #", 'pin = "GPIO25" #'),
        ('buzzer: pin = "GPIO25"', "a text in quotes", "a whole number"),
    ),
    "number for a list": ("full", ("[4, 17, 27, 22]", "4"), ("keypad 1: rows = 4", "write a list")),
    "text in a list": ("full", ("[4, 17, 27, 22]", '[4, "17", 27, 22]'), ('keypad 1, row 2 = "17"', "a whole number")),
    "broken number": (
        "full",
        ("\nbudget_ma = 8000", "\nbudget_ma = 8.5e3"),
        ("power: budget_ma = 8500.0", "a whole number"),
    ),
    "no pin": ("full", ("pin = 25 # header pin 22\n", ""), ("buzzer: pin is missing", "add pin = ")),
    "unknown model": ("full", ('model = "pi4"', 'model = "pi6"'), ('model = "pi6"', "zero2, pi3, pi4, pi5, any")),
    "unknown corner": (
        "compact",
        ('seat = 2, grid = "either"', 'seat = 2, grid = "either", first = "top-left"'),
        ('panel 1: first = "top-left"', "one of top left, top right"),
    ),
    "one chain's table": ("full", ("[[leds.chains]]\npin = 13", "[leds.chains]\npin = 13"), ("is not TOML",)),
    "no power": (
        "full",
        ("[power]\nsupply_ma = 10000\nbudget_ma = 8000\npanel_budget_ma = 4000\n", ""),
        ("[power] is missing", "[power], supply_ma = 10000", "budget_ma = 8000"),
    ),
    "no supply": ("full", ("supply_ma = 10000\n", ""), ("power: supply_ma is missing", "add supply_ma = 10000")),
    "no budget written": (
        "full",
        ("\nbudget_ma = 8000\n", "\n"),
        ("power: budget_ma is missing", "add budget_ma = 8000"),
    ),
    "no keypads": (
        "full",
        (FULL[FULL.index("[[keypads]]") : FULL.index("[buzzer]")], ""),
        ("keypads is missing", "[[keypads]], seat = 1, rows = ["),
    ),
    "budget that no fuse carries": (
        "full",
        ("\nbudget_ma = 8000", "\nbudget_ma = 32001"),
        ("power: budget_ma = 32001", "40 A", "at most 32000"),
        ("supply_ma = 10000", "supply_ma = 60000"),
    ),
    "panel budget that no fuse carries": (
        "full",
        ("\nbudget_ma = 8000\npanel_budget_ma = 4000", "\nbudget_ma = 33000\npanel_budget_ma = 33000"),
        ("budget_ma = 33000", "at most 32000"),
        ("supply_ma = 10000", "supply_ma = 60000"),
    ),
    "budget of nothing beside a panel budget": (
        "full",
        ("\nbudget_ma = 8000", "\nbudget_ma = 0"),
        ("power: budget_ma = 0 leaves nothing", "at least 420"),
    ),
    "LEDs that draw less than any": (
        "full",
        ("[power]", "[power]\nchannel_ma = 6.9"),
        ("channel_ma = 6.9", "33 to 52 mA", "write 10 or more"),
    ),
    "dark LEDs that draw nothing": ("full", ("[power]", "[power]\nidle_ma = 0"), ("idle_ma = 0", "write 1.0")),
    "no title": ("full", ('title = "Full table: four panels, two data lines"', 'title = " "'), ("title", "is empty")),
    "title of two lines": ("full", ('"Full table: ', '"Full\\ntable: '), ("title", "line breaks", "one plain line")),
    "title with an escape": ("full", ('"Full table: ', '"\\u001b[31m'), ("title", "control characters")),
    "key twice": ("full", ("pin = 25 #", "pin = 25\npin = 24 #"), ("pin stands there twice", "in line 51")),
    "list twice": (
        "full",
        ("rows = [4, 17, 27, 22]", "rows = [4, 17, 27, 22]\nrows = [\n4, 17]"),
        ("rows stands there twice", "in line 42"),
    ),
    "table twice": ("full", ("[buzzer]", "[power]\n[buzzer]"), ("[power] stands there twice",)),
    "key twice in a panel": (
        "compact",
        ('seat = 2, grid = "either"', 'seat = 2, grid = "either", seat = 2'),
        ("seat stands there twice",),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_its_key_value_and_cure(name: str) -> None:
    kit, change, words, *more = FAULTS[name]
    if change is None:
        start = shipped_text(kit).index("[[leds.chains]]")
        text = shipped_text(kit)[:start] + "chains = []\n" + shipped_text(kit)[shipped_text(kit).index("[power]") :]
    else:
        text = changed_text(kit, change, *more)
    message = fault(text)
    for word in words:
        assert word in message, message


def test_the_file_stands_before_the_fault(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed_text("full", ("pin = 25 #", "pin = 1 #")))
    with pytest.raises(KitError) as raised:
        load_kit(path)
    assert str(raised.value).startswith(f"{path}: buzzer: pin = 1")


@given(st.integers(1, 30), st.integers(1, 30))
def test_two_pwm_chains_are_accepted_on_different_channels_alone(first: int, second: int) -> None:
    text = changed_text(
        "full",
        ("pin = 18 # header", f"pin = {first} # the first"),
        ("pin = 13 # header", f"pin = {second} # the second"),
        ("seat = 1\nrows = [4, 17, 27, 22]", 'seat = 1\ndriver = "evdev"\ndevice = "a"'),
        ("columns = [23, 24, 8, 7]", ""),
        ("seat = 2\nrows = [5, 6, 19, 26]", 'seat = 2\ndriver = "evdev"\ndevice = "b"'),
        ("columns = [12, 16, 20, 21]", ""),
    )
    fits = {PWM_CHANNELS.get(first), PWM_CHANNELS.get(second)} == {0, 1}
    if fits:
        parse_kit(text, "my.toml")
    else:
        fault(text)


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a kit's data, tables and lists included."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from paths(value, (*path, key))


DATA = {name: tomllib.loads(shipped_text(name)) for name in ("full", "pico")}
PLACES = [(name, path) for name, data in DATA.items() for path in paths(data)]
VALUES = st.recursive(
    st.integers(-5, 300) | st.floats() | st.booleans() | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PLACES), VALUES, st.none() | st.sampled_from(["pin", "seat", "x", "a b", "a.b", "`", "$[0]"]))
def test_whatever_stands_in_a_kit_is_accepted_or_told_in_one_sentence(
    place: tuple[str, tuple[Any, ...]], value: Any, key: str | None
) -> None:
    name, path = place
    data = deepcopy(DATA[name])
    table: Any = data
    for step in path[:-1]:
        table = table[step]
    if key is not None and isinstance(table, dict):
        table[key] = value
    else:
        table[path[-1]] = value
    message = told(tomlkit.dumps(data))
    assert message is None or message.startswith("my.toml: ")
    assert message is None or len(message.splitlines()) == 1


def told(text: str) -> str | None:
    """Return what is said of a kit, or None of a good one."""
    try:
        parse_kit(text, "my.toml")
    except KitError as error:
        return str(error)
    return None


def test_the_kernels_spi_buffer_takes_339_leds() -> None:
    assert spi_bytes(339) <= 4096 < spi_bytes(340)


@pytest.mark.parametrize("model", PiModel)
def test_rpi_ws281x_is_for_the_boards_that_it_knows(model: PiModel) -> None:
    kit = msgspec.structs.replace(shipped("one-chain"), model=model)
    if model in (PiModel.ZERO_2, PiModel.PI_3, PiModel.PI_4):
        check_kit(kit)
    else:
        with pytest.raises(KitError, match="does not work on"):
            check_kit(kit)


def test_a_driver_of_another_package_is_welcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*, group: str) -> EntryPoints:
        return EntryPoints([EntryPoint("apa102", "somewhere:open_leds", group)])

    monkeypatch.setattr(importlib.metadata, "entry_points", found)
    kit = changed("full", ('"rpi_ws281x"', '"apa102"'), ("pin = 18 #", "pin = 14 #"))
    assert kit.leds.driver == "apa102"
    assert "did you mean apa102?" in fault(changed_text("full", ('"rpi_ws281x"', '"apa10"')))


def test_every_driver_that_a_kit_can_name_is_registered() -> None:
    assert set(LED_DRIVERS) <= set(entry_points(group="broadside.leds").names)
    assert set(KEYPAD_DRIVERS) <= set(entry_points(group="broadside.keypads").names)
