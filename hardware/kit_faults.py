"""Turns what msgspec says of a wrong kit file into one sentence that names the key, the value and the cure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from hardware.kit_text import missing_key, nearest, not_a_choice, place, show

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
        return missing_key([*path, missing[1]])
    if wrong := re.fullmatch(r"Expected `(.*)`, got `(.*)`", message):
        expected = " or ".join(_TYPE_NAMES.get(name, name) for name in wrong[1].split(" | ") if name != "null")
        return f"{place(path)} = {show(value)} is {_TYPE_NAMES.get(wrong[2], wrong[2])}; write {expected}."
    if message.startswith("Invalid enum value"):
        found = _type_at(kind, path)
        return not_a_choice(path, value, [*map(str, get_args(found) or found)])
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
