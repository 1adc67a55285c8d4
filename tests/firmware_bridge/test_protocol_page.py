"""PROTOCOL.md says what `wire` does."""

from __future__ import annotations

import re
from importlib.resources import files

from firmware_bridge.pico import wire

PAGE = (files("firmware_bridge") / "PROTOCOL.md").read_text(encoding="utf-8")

KINDS = {
    name: value
    for name, value in vars(wire).items()
    if name.isupper() and isinstance(value, int) and name not in {"LIMITED", "WRONG_PICTURE"}
    if not name.startswith(("MAX_", "_")) and not name.endswith("_SIZE")
}


def test_names_every_kind_with_its_number() -> None:
    told = {
        name: int(number, 16) for number, name in re.findall(r"^\| `([0-9A-F]{2})` \| (\w+) \|", PAGE, re.MULTILINE)
    }
    assert told == KINDS


def test_tells_version_mark_and_sizes() -> None:
    assert f"This is protocol {wire.PROTOCOL[0]}.{wire.PROTOCOL[1]}." in PAGE
    assert f"mark `{wire.MARK.hex(' ').upper()}`" in PAGE
    assert f"at most {wire.MAX_PAYLOAD}" in PAGE
    assert f"({wire.MAX_KEYS} at most)" in PAGE
    assert len(wire.pack(1)) == wire.HEADER_SIZE + wire.TRAILER_SIZE == 2 + 1 + 2 + 2 + 4
