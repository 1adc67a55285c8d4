"""The host's end, by bytes and a clock that is handed in."""

from __future__ import annotations

import contextlib
import json
import struct
from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import LineLostError, PicoError
from firmware_bridge.key_tracker import KeyTracker
from firmware_bridge.pico import wire
from firmware_bridge.session import CONTROL, Counts, Session, Timing, draw_number

CONFIG = b'{"a": 1}'
NUMBER = 77
TIMING = Timing()


class Ends:
    """A session, and what it sends."""

    def __init__(self) -> None:
        self.now = 100.0
        self.counts = Counts()
        self.told: list[tuple[int, int, bool]] = []
        tracker = KeyTracker(lambda pad, key, down, _age: self.told.append((pad, key, down)))
        self.session = Session(CONFIG, NUMBER, tracker, TIMING, self.counts, self.now)

    def sent(self) -> list[tuple[int, bytes]]:
        reader = wire.Reader()
        reader.feed(self.session.take())
        found = []
        while message := reader.next():
            found.append(message)
        return found

    def kinds(self) -> list[int]:
        return [kind for kind, _ in self.sent()]

    def answer(self, kind: int, payload: bytes = b"") -> None:
        self.session.receive(wire.pack(kind, payload), self.now)

    def device(self, **changed: object) -> None:
        about: dict[str, object] = {"protocol": wire.PROTOCOL, "firmware": "1.2.3", "session": NUMBER, **changed}
        self.answer(wire.DEVICE, json.dumps(about).encode())

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.session.tick(self.now)

    def run(self) -> None:
        self.device(configured=crc32(CONFIG))
        assert self.session.running
        self.sent()

    def shown(self) -> int:
        """Acknowledge the picture that is on its way; return its sequence."""
        sequence = next(wire.unpack_show(payload)[0] for kind, payload in self.sent() if kind == wire.SHOW)
        self.answer(wire.ACK, struct.pack("<HB", sequence, 0))
        return sequence


@pytest.fixture
def ends() -> Ends:
    return Ends()


def test_greets_configures_and_runs(ends: Ends) -> None:
    assert ends.kinds() == [wire.HELLO]
    ends.device()
    assert ends.sent() == [(wire.CONFIG, CONFIG)]
    ends.answer(wire.CONFIGURED, json.dumps({"check": crc32(CONFIG), "chains": [[0, 200, "GRB"]]}).encode())
    assert ends.session.running
    assert ends.session.device is not None
    assert ends.session.device.chains == ((0, 200, "GRB"),)


def test_does_not_configure_again_what_is_configured(ends: Ends) -> None:
    ends.sent()
    ends.device(configured=crc32(CONFIG))
    assert ends.session.running
    assert ends.kinds() == []


@pytest.mark.parametrize(
    ("major", "says"),
    [(wire.PROTOCOL[0] - 1, "too old .*broadside pico install"), (wire.PROTOCOL[0] + 1, "newer .*update Broadside")],
)
def test_another_major_version_is_refused_with_the_cure(ends: Ends, major: int, says: str) -> None:
    with pytest.raises(PicoError, match=says):
        ends.answer(wire.DEVICE, json.dumps({"protocol": [major, 0], "firmware": "0.1", "else": {}}).encode())


def test_a_newer_minor_version_is_welcome(ends: Ends) -> None:
    ends.device(protocol=[wire.PROTOCOL[0], 9], configured=crc32(CONFIG), novelty=[1])
    assert ends.session.running


def test_what_the_pico_cannot_set_up_is_told(ends: Ends) -> None:
    ends.device()
    with pytest.raises(PicoError, match=r"GP99.*correct the kit"):
        ends.answer(wire.CONFIGURED, json.dumps({"check": crc32(CONFIG), "fault": "no attribute GP99"}).encode())


def test_an_answer_without_sense_opens_the_line_again(ends: Ends) -> None:
    with pytest.raises(LineLostError, match="makes no sense"):
        ends.answer(wire.DEVICE, b"[]")


def test_one_picture_is_on_its_way_and_the_newest_wins(ends: Ends) -> None:
    ends.run()
    for value in range(1, 6):
        ends.session.offer((bytes([value]) * 6,), ends.now)
    sent = ends.sent()
    assert [kind for kind, _ in sent] == [wire.FRAME, wire.SHOW]
    assert sent[0][1][1:] == b"\x01" * 6
    assert not ends.session.settled
    ends.answer(wire.ACK, struct.pack("<HB", wire.unpack_show(sent[1][1])[0], 0))
    frames = [payload for kind, payload in ends.sent() if kind in (wire.FRAME, wire.PATCH)]
    assert [frame[-6:] for frame in frames] == [b"\x05" * 6]
    assert ends.counts.pictures == 1


def test_only_changed_chains_are_sent_and_lit(ends: Ends) -> None:
    ends.run()
    ends.session.offer((bytes(600), bytes(600)), ends.now)
    ends.shown()
    ends.session.offer((bytes(600), b"\x07" + bytes(599)), ends.now)
    (kind, payload), (_, show) = ends.sent()
    assert (kind, payload[0]) == (wire.PATCH, 1)
    assert wire.unpack_show(show)[1:] == (0b10, [crc32(bytes(600)), crc32(b"\x07" + bytes(599))])


def test_an_equal_picture_is_lit_again_without_its_bytes(ends: Ends) -> None:
    ends.run()
    ends.session.offer((bytes(600), bytes(600)), ends.now)
    ends.shown()
    ends.session.offer((bytes(600), bytes(600)), ends.now)
    ((kind, show),) = ends.sent()
    assert kind == wire.SHOW
    assert wire.unpack_show(show)[1] == 0b11


def test_everything_is_sent_once_a_second_while_something_changes(ends: Ends) -> None:
    ends.run()
    whole = []
    for number in range(40):
        ends.session.offer((bytes([number]) + bytes(599), bytes(600)), ends.now)
        sent = ends.sent()
        whole.append(sum(kind == wire.FRAME for kind, _ in sent))
        ends.answer(wire.ACK, struct.pack("<HB", wire.unpack_show(sent[-1][1])[0], 0))
        ends.pass_time(0.1)
        ends.answer(wire.PONG, bytes(2))
        ends.sent()
    assert whole.count(2) == 4
    assert set(whole) == {0, 2}


@pytest.mark.parametrize("refused", [True, False], ids=["NAK", "no answer"])
def test_what_was_not_shown_is_sent_as_a_whole(ends: Ends, refused: bool) -> None:
    ends.run()
    ends.session.offer((bytes(600),), ends.now)
    ends.shown()
    ends.session.offer((b"\x01" + bytes(599),), ends.now)
    show = ends.sent()[-1][1]
    if refused:
        ends.answer(wire.NAK, struct.pack("<HB", wire.unpack_show(show)[0], wire.WRONG_PICTURE))
    else:
        ends.pass_time(TIMING.answer)
    assert ends.kinds() == [wire.FRAME, wire.SHOW]
    assert ends.counts.again == 1


def test_a_late_acknowledgement_of_an_older_picture_means_nothing(ends: Ends) -> None:
    ends.run()
    ends.session.offer((bytes(600),), ends.now)
    old = ends.shown()
    ends.session.offer((b"\x01" + bytes(599),), ends.now)
    ends.answer(wire.ACK, struct.pack("<HB", old, 0))
    assert not ends.session.settled


def test_gives_a_silent_pico_three_pings(ends: Ends) -> None:
    ends.run()
    for _ in range(TIMING.misses):
        ends.pass_time(TIMING.ping)
        assert ends.kinds() == [wire.PING]
    with pytest.raises(LineLostError):
        ends.pass_time(TIMING.ping)


def test_a_pico_that_answers_pings_is_kept(ends: Ends) -> None:
    ends.run()
    for _ in range(20):
        ends.pass_time(TIMING.ping)
        for kind, payload in ends.sent():
            assert kind == wire.PING
            ends.answer(wire.PONG, payload)


def test_gives_up_a_port_where_nobody_answers(ends: Ends) -> None:
    for _ in range(TIMING.hellos - 1):
        ends.pass_time(TIMING.hello)
    assert ends.kinds() == [wire.HELLO] * TIMING.hellos
    with pytest.raises(LineLostError, match="does not answer"):
        ends.pass_time(TIMING.hello)


def test_a_pico_that_started_anew_is_greeted_and_gets_the_picture(ends: Ends) -> None:
    ends.run()
    ends.session.offer((bytes(600),), ends.now)
    ends.shown()
    ends.answer(wire.KEYS, wire.pack_keys(0, 0, [(0, 3, True, 0)])[wire.HEADER_SIZE : -wire.TRAILER_SIZE])
    assert ends.kinds() == [wire.KEYS_ACK]
    ends.device(session=None, boot=2)
    assert ends.kinds() == [wire.HELLO]
    assert ends.told == [(0, 3, True), (0, 3, False)]
    ends.device(configured=crc32(CONFIG))
    assert ends.kinds() == [wire.FRAME, wire.SHOW]


from_pico = st.sampled_from(
    [wire.DEVICE, wire.CONFIGURED, wire.ACK, wire.NAK, wire.PONG, wire.KEYS, wire.STATE, wire.GONE, 0xFF]
)
senseless = st.binary(max_size=40) | st.sampled_from(
    [
        b"{}",
        b'{"protocol": [1, 0]}',
        b'{"protocol": [1, 0], "firmware": "", "session": 77, "first": 99999, "held": [-1]}',
    ]
)


@given(st.lists(st.tuples(from_pico, senseless), max_size=20), st.booleans())
def test_no_pico_however_mad_does_more_than_lose_its_line(frames: list[tuple[int, bytes]], running: bool) -> None:
    ends = Ends()
    if running:
        ends.run()
        ends.session.offer((bytes(6),), ends.now)
    with contextlib.suppress(LineLostError, PicoError):
        for kind, payload in frames:
            ends.answer(kind, payload)
            ends.pass_time(0.01)
            ends.session.take()


def test_says_goodbye(ends: Ends) -> None:
    ends.run()
    ends.session.leave()
    assert ends.kinds() == [wire.BYE]
    ends.answer(wire.GONE)
    assert ends.session.gone


def test_a_number_is_drawn_that_a_console_survives() -> None:
    draws = iter([3, 0x04000000, 0x55667788, 0x11223355, 0x99999999])
    assert not CONTROL & set(wire.pack_hello(draw_number(lambda: next(draws))))
