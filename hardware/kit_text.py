"""The text of a kit file: read, taken apart as TOML, and the words in which its faults are told.

Nothing is imported but the standard library, for the installer reads a kit before anything is installed.
"""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KIT_VERSION = 1

LONGEST_SHOWN = 60
MOST_SHOWN = 16

_LINES = {
    "title": 'title = "My table"',
    "model": 'model = "pi4" (or zero2, pi3, pi5, any)',
    "leds": '[leds], driver = "rpi_ws281x", and below it a [[leds.chains]] with pin and panels for each data line',
    "leds: driver": 'driver = "rpi_ws281x"',
    "leds: chains": "[[leds.chains]], pin = 18 and panels = […], once for each data line",
    "panels": 'panels = [{ seat = 1, grid = "target" }, { seat = 1, grid = "ocean" }]',
    "seat": "seat = 1 (or 2)",
    "grid": 'grid = "ocean" (or "target", or "either" for a seat\'s only panel)',
    "pin": "pin = … with its number",
    "keypads": "[[keypads]], seat = 1, rows = [4, 17, 27, 22] and columns = [23, 24, 8, 7] (the pins where yours is "
    "wired), and the same for seat = 2",
    "power": "[power], supply_ma = 10000 (what the supply is rated for) and budget_ma = 8000 (80 % of it)",
    "power: supply_ma": "supply_ma = 10000 (what the supply is rated for, in mA)",
    "power: budget_ma": "budget_ma = 8000 (80 % of the supply, in mA)",
}
"""What has to be written where a key is missing, by the whole key or its last word."""


class KitError(ValueError):
    """A kit file that cannot be used: one sentence that names the key, the value and the cure."""


def read_kit(path: Path) -> str:
    """Return the text of a kit file. Raises KitError where it cannot be read or is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise KitError(f"{path}: cannot be read ({error.strerror}); name another kit.") from error
    except UnicodeDecodeError as error:
        raise KitError(f"{path}: is not a text file; a kit is a TOML file in UTF-8.") from error


def kit_tables(text: str, where: str) -> dict[str, Any]:
    """Return what a kit's text says, of this version of the format and otherwise unchecked; `where` (its file) begins
    every message. Raises KitError."""
    if not text.strip("\0 \t\r\n"):
        raise KitError(f"{where}: is empty; copy a shipped kit over it, or take its older copy back.")
    try:
        # Editors on Windows put a byte order mark before the text.
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise KitError(f"{where}: is not TOML: {one_line(toml_fault(str(error), text))}.") from error
    except RecursionError as error:
        raise KitError(f"{where}: is no kit: its lists and tables are nested too deep; take a shipped kit.") from error
    _check_version(data.get("kit"), where)
    return data


def _check_version(version: object, where: str) -> None:
    if version is None:
        raise KitError(f"{where}: the key kit is missing; a kit file begins with kit = {KIT_VERSION}.")
    if type(version) is not int or version < 1:
        raise KitError(
            f"{where}: kit = {one_line(show(version))} is no version of the kit format; write kit = {KIT_VERSION}."
        )
    if version > KIT_VERSION:
        raise KitError(
            f"{where}: kit = {version} was written for a newer Broadside; update it, or use kit = {KIT_VERSION}."
        )


def nearest(word: str, choices: Sequence[str]) -> str:
    """Return advice for a word that is none of the choices: the nearest one, or else all of them."""
    close = get_close_matches(word.lower(), choices, n=1)
    return f"did you mean {close[0]}?" if close else f"it can be one of {', '.join(choices)}."


def place(path: Sequence[str | int]) -> str:
    """Return where a key stands, as a person counts: `("leds", "chains", 0, "pin")` is "leds, chain 1: pin"."""
    words: list[str] = []
    for step in path[:-1]:
        if isinstance(step, int):
            words[-1] = f"{words[-1].removesuffix('s')} {step + 1}"
        else:
            words.append(step)
    last = path[-1]
    if isinstance(last, int):
        return ", ".join([*words[:-1], f"{words[-1].removesuffix('s')} {last + 1}"])
    return f"{', '.join(words)}: {last}" if words else last


def missing_key(path: Sequence[str | int]) -> str:
    """Return one sentence about a key that is not there, with the line to add."""
    key = place(path)
    name = f"[{key}]" if key == "power" else key
    return f"{name} is missing; add {_LINES.get(key) or _LINES[str(path[-1])]}."


def not_a_choice(path: Sequence[str | int], value: object, choices: Sequence[str]) -> str:
    """Return one sentence about a value that is none of the choices."""
    return f"{place(path)} = {show(value)} is not a choice; it can be one of {', '.join(choices)}."


def show(value: object) -> str:
    """Return a value as it is written in TOML, shortened where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= LONGEST_SHOWN else f'"{value[:LONGEST_SHOWN]}…"'
    if isinstance(value, list | tuple):
        items = [show(item) for item in value[:MOST_SHOWN]]
        return f"[{', '.join(items)}{', …' * (len(value) > MOST_SHOWN)}]"
    if isinstance(value, dict):
        return "{…}"
    return str(value)


def one_line(text: str) -> str:
    """Return a text with everything escaped that is not printed as a character of its own, line ends first of all."""
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)


def toml_fault(message: str, text: str) -> str:
    """Return what tomllib says of a text that is no TOML, with the cure; what stands there twice is named."""
    at = re.search(r"at line (\d+)", message)
    lines = text.splitlines()[: int(at[1]) if at else None]
    where, name = len(lines), None
    if table := re.match(r"Cannot declare \('(.*)',?\) twice", message):
        name = "[" + table[1].replace("', '", ".") + "]"
    elif inline := re.match(r"Duplicate inline table key '(.*)'", message):
        name = inline[1]
    elif message.startswith("Cannot overwrite a value"):
        # tomllib tells where the value ends, which can be some lines below its key.
        keys = [re.match(r"\s*\[*\s*([^\s=\[\]#]+)\s*[=\]]", line) for line in lines]
        where, name = max(((number, key[1]) for number, key in enumerate(keys, start=1) if key), default=(0, None))
    if name is None:
        return f"{message}; mend that line"
    return f"{name} stands there twice, the second time in line {where}; take one of the two out"
