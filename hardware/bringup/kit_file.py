"""Writes a corrected kit: the text changed as little as possible, shown as a difference, the old file kept."""

from __future__ import annotations

import difflib
import os
import re
import stat
from typing import TYPE_CHECKING, Any

import msgspec
import tomlkit
from tomlkit.items import Table

from hardware.header import PIN_OF_GPIO, pico_header
from hardware.kit import KitError, parse_kit
from hardware.storage import sync_folder, write_through

if TYPE_CHECKING:
    from pathlib import Path

    from hardware.kit import Kit

_PIN_COMMENT = re.compile(r"# (header|Pico) pins? [\d, to]+\d")


def corrected_text(text: str, kit: Kit, corrected: Kit) -> str:
    """Return a kit file's text with only those values changed in which the kits differ; comments stay, and those that
    name header pins are brought up to date.

    Raises KitError where the corrected kit is none that can be used.
    """
    document = tomlkit.parse(text.removeprefix("\ufeff"))
    _change(document, _values(kit), _values(corrected))
    # tomlkit puts what it adds to `{ … }` right before the brace.
    written = re.sub(r"(?m)^(\s*\{ .*[^\s{])(\},?)$", r"\1 \2", tomlkit.dumps(document))
    if parse_kit(written, "the corrected kit") != corrected:
        raise KitError("The corrected kit cannot be written into this file; change the kit by hand.")
    return written


def difference(old: str, new: str, name: str) -> str:
    """Return a unified diff of two texts of a kit file."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"{name} (old)", f"{name} (new)"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def write_kit(path: Path, text: str) -> Path | None:
    """Write a kit file so that a power cut leaves the old one or the new one. An old file is kept beside it, as
    NAME.toml.bak1, .bak2 …; its path is returned, None where there was none.

    Raises OSError where it cannot be written; then the old file stands.
    """
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
        _give_to_owner(path.parent, path.parent.parent)
    backup = _keep(path) if path.exists() else None
    temporary = path.with_name(f".{path.name}.new")
    try:
        write_through(temporary, text.encode(), "w")
        _give_to_owner(temporary, path if backup is not None else path.parent)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)
    return backup


def _keep(path: Path) -> Path:
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.bak{number}")
        try:
            write_through(backup, path.read_bytes(), "x")
        except FileExistsError:
            number += 1
        else:
            _give_to_owner(backup, path)
            return backup


def _give_to_owner(new: Path, like: Path) -> None:
    """Let a file belong to whom another belongs: a kit that root corrects stays its owner's."""
    owner = like.stat()
    if os.geteuid() == 0:
        os.chown(new, owner.st_uid, owner.st_gid)
    if like.is_file():
        new.chmod(stat.S_IMODE(owner.st_mode))


def _values(kit: Kit) -> dict[str, Any]:
    """Return a kit as TOML has it: tables and lists."""
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(kit))
    return values


def _change(table: Any, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Set what differs in a table of the document, and in the tables within it."""
    for key, value in new.items():
        was = old.get(key)
        if value == was:
            continue
        if isinstance(value, dict) and isinstance(was, dict):
            _change(table[key], was, value)
        elif _are_tables(value):
            # A correction moves panels and keypads about; it never adds one or takes one away.
            for inner, before, after in zip(table[key], was or (), value, strict=True):
                _change(inner, before, after)
        elif key not in table:
            _add(table, key, value)
        else:
            table[key] = value
            _correct_comment(table.item(key), value)


def _add(table: Any, key: str, value: Any) -> None:
    """Add a key below the last one of a table: the comments after that belong to what comes next."""
    if not isinstance(table, Table):
        table[key] = value
        return
    body = table.value.body
    after = []
    while body and body[-1][0] is None:
        after.append(body.pop())
    table[key] = value
    body.extend(reversed(after))


def _are_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _correct_comment(item: Any, value: Any) -> None:
    """Name the pins anew in a comment such as "# header pins 7, 11, 13, 15"."""
    trivia = item.trivia
    match = _PIN_COMMENT.match(trivia.comment)
    if match is None:
        return
    on_pico = {pin.gpio: pin.number for pin in pico_header() if pin.gpio is not None}
    pins = on_pico if match[1] == "Pico" else PIN_OF_GPIO
    places = [str(pins[number]) for number in (value if isinstance(value, list) else [value])]
    trivia.comment = (
        f"# {match[1]} pin{'s' if len(places) > 1 else ''} {', '.join(places)}{trivia.comment[match.end() :]}"
    )
