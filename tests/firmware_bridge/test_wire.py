"""The frames: what is sent arrives, and whatever happens to the line, nothing else does."""

from __future__ import annotations

import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_bridge.pico import wire

payloads = st.binary(max_size=200)
kinds = st.integers(0, 255)
frames = st.lists(st.tuples(kinds, payloads), max_size=6)


def read_all(reader: wire.Reader) -> list[tuple[int, bytes]]:
    found = []
    while message := reader.next():
        found.append(message)
    return found


@given(frames, st.integers(1, 70))
def test_frames_arrive_in_whatever_pieces(sent: list[tuple[int, bytes]], size: int) -> None:
    line = b"".join(wire.pack(kind, payload) for kind, payload in sent)
    reader = wire.Reader()
    found = []
    for place in range(0, len(line), size):
        reader.feed(line[place : place + size])
        found += read_all(reader)
    assert found == sent
    assert not reader.pending
    assert reader.rejected == 0


@given(st.binary(max_size=300), kinds, payloads)
@example(wire.MARK, 1, b"")
@example(wire.MARK[:1], 1, b"x")
@example(wire.pack(3, bytes(90))[:50], 5, b"after a broken one")
@example(wire.pack(3, b"within " + wire.pack(9, b"another"))[:-1], 5, b"")
def test_a_frame_behind_any_bytes_is_found_when_the_line_falls_silent(noise: bytes, kind: int, payload: bytes) -> None:
    reader = wire.Reader()
    reader.feed(noise + wire.pack(kind, payload))
    found = read_all(reader)
    while reader.pending:
        reader.expire()
        found += read_all(reader)
    assert (kind, payload) in found


@given(kinds, st.binary(min_size=1, max_size=60), st.data())
def test_a_changed_frame_does_not_get_through(kind: int, payload: bytes, data: st.DataObject) -> None:
    line = bytearray(wire.pack(kind, payload))
    place = data.draw(st.integers(0, len(line) - 1))
    line[place] ^= data.draw(st.integers(1, 255))
    reader = wire.Reader()
    reader.feed(bytes(line))
    found = read_all(reader)
    while reader.pending:
        reader.expire()
        found += read_all(reader)
    assert found == []


def test_no_memory_is_kept_of_noise() -> None:
    reader = wire.Reader()
    for _ in range(50):
        reader.feed(b"\0" * 1000)
        assert reader.next() is None
    reader.feed(wire.pack(1, b"still here"))
    assert reader.next() == (1, b"still here")


def test_a_payload_has_an_end() -> None:
    assert len(wire.pack(1, bytes(wire.MAX_PAYLOAD))) == wire.MAX_PAYLOAD + wire.HEADER_SIZE + wire.TRAILER_SIZE
    with pytest.raises(ValueError, match="too long"):
        wire.pack(1, bytes(wire.MAX_PAYLOAD + 1))


def payload_of(frame: bytes) -> bytes:
    reader = wire.Reader()
    reader.feed(frame)
    message = reader.next()
    assert message is not None
    return message[1]


@given(st.integers(0, 0xFFFF), st.integers(0, 255), st.lists(st.integers(0, 0xFFFFFFFF), max_size=8))
def test_show_arrives(sequence: int, mask: int, checks: list[int]) -> None:
    assert wire.unpack_show(payload_of(wire.pack_show(sequence, mask, checks))) == (sequence, mask, checks)


keys = st.tuples(st.integers(0, 7), st.integers(0, 31), st.booleans(), st.integers(0, (1 << 29) - 1))


@given(st.integers(0, 0xFFFF), st.integers(0, (1 << 29) - 1), st.lists(keys, max_size=wire.MAX_KEYS))
def test_keys_arrive(first: int, now: int, events: list[tuple[int, int, bool, int]]) -> None:
    assert wire.unpack_keys(payload_of(wire.pack_keys(first, now, events))) == (first, now, events)


@given(st.integers(0, 0xFFFF), st.booleans(), st.lists(st.integers(0, 0xFFFFFFFF), max_size=4))
def test_state_arrives(sequence: int, started: bool, masks: list[int]) -> None:
    assert wire.unpack_state(payload_of(wire.pack_state(sequence, started, masks))) == (sequence, started, masks)


def test_hello_can_do_no_harm_in_a_console() -> None:
    frame = wire.pack_hello(0x41424344)
    assert not set(frame[: -wire.TRAILER_SIZE]) & {1, 2, 3, 4}
    assert wire.unpack_hello(payload_of(frame)) == (*wire.PROTOCOL, 0x41424344)


@pytest.mark.parametrize("place", [598, 65535])
def test_a_patch_that_does_not_fit_is_refused(place: int) -> None:
    payload = b"\0" + struct.pack("<HH", place, 3) + b"abc"
    with pytest.raises(ValueError, match="patch"):
        wire.apply_patch(payload, bytearray(600))
