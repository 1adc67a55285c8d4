"""What is sent of a picture brings the old one to the new one, and never costs more than the whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.changes import MOST_RUNS, pack_chain, runs
from firmware_bridge.pico import wire

changes = st.dictionaries(st.integers(0, 599), st.integers(0, 255), max_size=120)


def arrived(frame: bytes, old: bytes) -> bytes:
    reader = wire.Reader()
    reader.feed(frame)
    chain = bytearray(old)
    while message := reader.next():
        kind, payload = message
        if kind == wire.FRAME:
            chain[:] = payload[1:]
        else:
            wire.apply_patch(payload, chain)
    return bytes(chain)


@given(st.binary(min_size=600, max_size=600), changes)
def test_the_new_picture_arrives(old: bytes, changed: dict[int, int]) -> None:
    new = bytearray(old)
    for place, value in changed.items():
        new[place] = value
    frame = pack_chain(0, old, bytes(new))
    assert arrived(frame, old) == new
    assert len(frame) <= len(wire.pack_frame(0, bytes(new)))
    assert len(runs(old, bytes(new))) <= len(changed)


def test_a_moved_cursor_fits_one_usb_packet() -> None:
    old = bytes(600)
    new = bytearray(old)
    new[30:33] = b"\x20\xff\x20"
    new[33:36] = b"\x20\xff\x20"
    new[300:303] = b"\x20\xff\x20"
    assert len(pack_chain(0, old, bytes(new))) + len(wire.pack_show(0, 1, [0, 0])) <= 64


def test_nothing_is_sent_of_what_has_not_changed() -> None:
    assert pack_chain(0, bytes(600), bytes(600)) == b""


def test_many_scattered_changes_are_sent_as_a_whole() -> None:
    new = bytearray(1600)
    for place in range(0, 20 * (MOST_RUNS + 1), 20):
        new[place] = 1
    assert pack_chain(0, bytes(1600), bytes(new))[2] == wire.FRAME
    new[0] = 0
    assert pack_chain(0, bytes(1600), bytes(new))[2] == wire.PATCH
