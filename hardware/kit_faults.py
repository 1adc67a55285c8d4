"""Turns what msgspec says of a wrong kit file into one sentence that names the key, the value and the cure."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, get_args

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPE_NAMES = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


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


def explain(message: str, data: dict[str, Any], kind: type[msgspec.Struct]) -> str:
    """Return one sentence for msgspec's message about `data`, which should have become a `kind`."""
    message, _, location = message.partition(" - at `$")
    path: list[str | int] = [
        name or int(index) for name, index in re.findall(r"\.([^.\[\]`]+)|\[(\d+)\]", location.removesuffix("`"))
    ]
    value = _value_at(data, path)
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        key = place([*path, unknown[1]])
        known = _struct_in(_type_at(kind, path)).__struct_fields__
        return f"{key} = {show(value[unknown[1]])} is not a key that a kit knows; {nearest(unknown[1], known)}"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", message):
        key = place([*path, missing[1]])
        name = f"[{key}]" if key == "power" else key
        return f"{name} is missing; add {_LINES.get(key) or _LINES[missing[1]]}."
    if wrong := re.fullmatch(r"Expected `(.*)`, got `(.*)`", message):
        expected = " or ".join(_TYPE_NAMES.get(name, name) for name in wrong[1].split(" | ") if name != "null")
        return f"{place(path)} = {show(value)} is {_TYPE_NAMES.get(wrong[2], wrong[2])}; write {expected}."
    if message.startswith("Invalid enum value"):
        found = _type_at(kind, path)
        choices = ", ".join(map(str, get_args(found) or found))
        return f"{place(path)} = {show(value)} is not a choice; it can be one of {choices}."
    return f"{place(path) if path else 'the kit'} = {show(value)}: {message}."


def _value_at(data: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        data = data[step]
    return data


def _type_at(kind: Any, path: Sequence[str | int]) -> Any:
    """Return the annotation at a path: a struct's field by name, a tuple's items by index."""
    for step in path:
        if isinstance(step, int):
            kind = get_args(kind)[0]
        else:
            fields = {field.encode_name: field.type for field in msgspec.structs.fields(_struct_in(kind))}
            kind = fields[step]
    return kind


def _struct_in(kind: Any) -> type[msgspec.Struct]:
    """Return the struct of an annotation that may be optional (`Pin | None`)."""
    options = [kind, *get_args(kind)]
    return next(option for option in options if isinstance(option, type) and issubclass(option, msgspec.Struct))
