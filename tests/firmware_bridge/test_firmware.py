"""The firmware itself, in MicroPython's unix port, against a host that is played by hand."""

from __future__ import annotations

import json
import random
import select
import struct
import time
from binascii import crc32
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from firmware_bridge.configuration import configuration, standby
from firmware_bridge.key_tracker import KeyTracker
from firmware_bridge.pico import wire
from firmware_bridge.serial_line import SerialLine
from hardware.kit import Kit
from tests.firmware_bridge.emulator import MISSING, EmulatedPico, copy_with
from tests.firmware_bridge.kits import CHAIN_BYTES, COLUMNS, KIT, PINS, ROWS

pytestmark = [pytest.mark.micropython, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

WAIT_S = 3.0
"""For what is to happen; nothing takes that long unless it fails."""


class Host:
    """Sends frames, and waits for the answers."""

    def __init__(self, pico: EmulatedPico) -> None:
        self.pico = pico
        self.line = SerialLine(str(pico.port))
        self.reader = wire.Reader()
        self.sequence = 0
        self.heard: list[tuple[int, bytes]] = []

    def send(self, frame: bytes) -> None:
        while frame:
            select.select([], [self.line], [], WAIT_S)
            frame = frame[self.line.write(frame) :]

    def listen(self, seconds: float) -> list[tuple[int, bytes]]:
        """Return everything that comes in that time."""
        heard, self.heard = self.heard, []
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            heard += self._more(left)
        return heard

    def wait_for(self, *kinds: int) -> tuple[int, bytes]:
        """Return the next frame of these kinds; others before it are dropped."""
        deadline = time.monotonic() + WAIT_S
        while (left := deadline - time.monotonic()) > 0:
            while self.heard:
                kind, payload = self.heard.pop(0)
                if kind in kinds:
                    return kind, payload
            self.heard += self._more(left)
        raise AssertionError(f"none of {[hex(kind) for kind in kinds]} came")

    def _more(self, seconds: float) -> list[tuple[int, bytes]]:
        if select.select([self.line], [], [], seconds)[0]:
            self.reader.feed(self.line.read())
        found = []
        while message := self.reader.next():
            found.append(message)
        return found

    def greet(self, session: int = 5) -> dict[str, object]:
        self.send(wire.pack_hello(session))
        while True:
            about = json.loads(self.wait_for(wire.DEVICE)[1])
            assert isinstance(about, dict)
            if about["session"] is not None:
                return about

    def configure(self, kit: Kit = KIT) -> None:
        config = configuration(kit)
        self.send(wire.pack(wire.CONFIG, config))
        answer = json.loads(self.wait_for(wire.CONFIGURED)[1])
        assert (answer["check"], answer["fault"]) == (crc32(config), "")

    def start(self, kit: Kit = KIT) -> None:
        """Greet, configure, and wait for the scanners."""
        self.greet()
        self.configure(kit)
        sequence, started, masks = wire.unpack_state(self.wait_for(wire.STATE)[1])
        assert (sequence, started, masks) == (0, True, [0, 0])
        self.send(wire.pack_word(wire.KEYS_ACK, 1))

    def show(self, *chains: bytes, mask: int | None = None) -> tuple[int, int]:
        """Send whole chains and SHOW; return the kind of the answer and its flags or reason."""
        for number, chain in enumerate(chains):
            self.send(wire.pack_frame(number, chain))
        return self.only_show(*chains, mask=mask)

    def only_show(self, *chains: bytes, mask: int | None = None) -> tuple[int, int]:
        self.sequence += 1
        everything = (1 << len(chains)) - 1
        self.send(wire.pack_show(self.sequence, everything if mask is None else mask, [crc32(c) for c in chains]))
        while True:
            kind, payload = self.wait_for(wire.ACK, wire.NAK)
            sequence, detail = wire.unpack_answer(payload)
            if sequence == self.sequence:
                return kind, detail

    def lit(self, *chains: bytes) -> bool:
        return self.pico.wait_for(dict(zip(PINS, chains, strict=True)), WAIT_S)

    def keys(self) -> list[tuple[int, int, bool]]:
        """Return the events of the next KEYS frame, acknowledged."""
        first, _, events = wire.unpack_keys(self.wait_for(wire.KEYS)[1])
        self.send(wire.pack_word(wire.KEYS_ACK, first + len(events)))
        return [event[:3] for event in events]

    def contact(self, pad: int, key: int, closed: bool) -> None:
        self.pico.contact(ROWS[pad][key // 4], COLUMNS[pad][key % 4], closed)


@pytest.fixture(scope="module")
def pico(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatedPico]:
    with EmulatedPico(tmp_path_factory.mktemp("pico")) as pico:
        yield pico


@pytest.fixture
def host(pico: EmulatedPico) -> Iterator[Host]:
    """A host of a firmware that has just been started."""
    pico.restart()
    host = Host(pico)
    yield host
    host.line.close()


DARK = bytes(CHAIN_BYTES)
BLUE = b"\0\0\x30" * (CHAIN_BYTES // 3)


def test_says_what_it_is(host: Host) -> None:
    about = host.greet(7)
    assert about["protocol"] == list(wire.PROTOCOL)
    assert about["firmware"] == wire.FIRMWARE
    assert about["board"] == "raspberry_pi_pico"
    assert (about["session"], about["resumed"], about["configured"]) == (7, False, 0)
    host.configure()
    again = host.greet(7)
    assert (again["resumed"], again["configured"]) == (True, crc32(configuration(KIT)))
    assert again["chains"] == [[pin, 200, "GRB"] for pin in PINS]
    assert again["keypads"] == [[4, 4], [4, 4]]
    assert host.greet(8)["resumed"] is False


def test_boot_gave_it_a_name_and_a_data_line(host: Host) -> None:
    usb = json.loads((host.pico.port.parent / "usb.json").read_text())
    assert usb == {"data": True, "manufacturer": "Broadside", "product": "Broadside panels"}


def test_lights_what_it_is_sent(host: Host) -> None:
    host.start()
    assert host.show(BLUE, DARK) == (wire.ACK, 0)
    assert host.lit(BLUE, DARK)
    host.send(wire.pack_patch(1, [(3, b"\x09\x08"), (590, b"\x07" * 10)]))
    changed = bytearray(DARK)
    changed[3:5] = b"\x09\x08"
    changed[590:] = b"\x07" * 10
    assert host.only_show(BLUE, bytes(changed), mask=2) == (wire.ACK, 0)
    assert host.lit(BLUE, bytes(changed))


def test_does_not_light_what_it_did_not_get(host: Host) -> None:
    host.start()
    host.show(DARK, DARK)
    assert host.only_show(BLUE, DARK) == (wire.NAK, wire.WRONG_PICTURE)
    assert host.lit(DARK, DARK)


SENSELESS = (
    wire.pack_frame(7, BLUE),
    wire.pack_frame(0, b"short"),
    wire.pack(wire.FRAME),
    wire.pack(wire.PATCH, b"\0" + struct.pack("<HH", 599, 40) + bytes(40)),
    wire.pack(wire.PATCH, b"\0\1"),
    wire.pack(wire.SHOW),
    wire.pack(wire.HELLO),
    wire.pack(wire.HELLO, b"1"),
    wire.pack(wire.PING),
    wire.pack(wire.KEYS_ACK, b"x"),
    wire.pack(0x70, b"unknown"),
    wire.pack(wire.CONFIG, b"not JSON"),
)


def test_whole_frames_without_sense_do_no_harm(host: Host) -> None:
    host.start()
    for frame in SENSELESS:
        host.send(frame)
    assert json.loads(host.wait_for(wire.CONFIGURED)[1])["fault"]
    host.configure()
    assert host.show(BLUE, DARK) == (wire.ACK, 0)
    assert host.lit(BLUE, DARK)


def test_no_host_however_mad_stops_it_or_exceeds_the_budgets(host: Host) -> None:
    host.start(with_power(2500, 1000))
    boots = host.pico.boots
    chance = random.Random(4)
    heads = (b"", b"\0", b"\1", b"\0\0\0", b"\1\x20\2", b"{", b'{"chains": [], "panels": [], "limit": 9, "keypads": []')
    for number in range(400):
        kind = chance.choice((*range(wire.CONFIG, wire.BYE), chance.randrange(256)))
        payload = chance.choice(heads) + chance.randbytes(chance.choice((0, 1, 2, 6, 40, 600, 700)))
        host.send(wire.pack(kind, payload))
        if number % 20 == 0:
            host.send(wire.pack_hello(5))
            chains = [chance.randbytes(CHAIN_BYTES), chance.randbytes(CHAIN_BYTES)]
            host.send(wire.pack(wire.CONFIG, configuration(with_power(2500, 1000))))
            assert host.show(*chains) == (wire.ACK, wire.LIMITED)
    assert host.pico.boots == boots
    assert 400 * KIT.power.idle_ma + host.pico.brightest / 255 * KIT.power.channel_ma <= 2500


def with_power(budget_ma: int, panel_budget_ma: int) -> Kit:
    power = msgspec.structs.replace(KIT.power, budget_ma=budget_ma, panel_budget_ma=panel_budget_ma)
    return msgspec.structs.replace(KIT, power=power)


@pytest.mark.parametrize(("budget_ma", "panel_budget_ma"), [(8000, 4000), (2500, 4000), (8000, 300)])
def test_no_frame_exceeds_the_budgets(host: Host, budget_ma: int, panel_budget_ma: int) -> None:
    host.start(with_power(budget_ma, panel_budget_ma))
    white = b"\xff" * CHAIN_BYTES
    assert host.show(white, white) == (wire.ACK, wire.LIMITED)
    assert host.show(white, BLUE)[0] == wire.ACK
    chance = random.Random(budget_ma + panel_budget_ma)
    for _ in range(20):
        # Now one chain is bright and now the other: between the two writes the limit has to hold as well.
        chains = [bytes(chance.choice((0, 9, 255)) for _ in range(CHAIN_BYTES)), BLUE]
        chance.shuffle(chains)
        assert host.show(*chains)[0] == wire.ACK
    # Whatever is lit afterwards shows that everything before it has been seen.
    assert host.show(DARK, DARK) == (wire.ACK, 0)
    assert host.lit(DARK, DARK)
    panels_ma = [
        100 * KIT.power.idle_ma + total / 255 * KIT.power.channel_ma for total in host.pico.brightest_pieces(300)
    ]
    assert max(panels_ma) <= panel_budget_ma
    assert 400 * KIT.power.idle_ma + host.pico.brightest / 255 * KIT.power.channel_ma <= budget_ma
    # And it is not simply dark.
    assert host.pico.brightest / 255 * KIT.power.channel_ma > 0.9 * min(budget_ma - 400, 4 * (panel_budget_ma - 100))


def test_a_limited_picture_gives_way_to_one_within_the_budget(host: Host) -> None:
    host.start(with_power(2500, 4000))
    host.show(b"\xff" * CHAIN_BYTES, BLUE)
    assert host.pico.leds(PINS[1]) != BLUE
    # Only the first chain changes, and yet the second, dimmed for its sake, has to come back.
    host.send(wire.pack_frame(0, DARK))
    assert host.only_show(DARK, BLUE, mask=1) == (wire.ACK, 0)
    assert host.lit(DARK, BLUE)


def test_keys_come_until_they_are_acknowledged(host: Host) -> None:
    host.start()
    host.contact(0, 5, True)
    host.contact(1, 15, True)
    frames = [message for message in host.listen(0.45) if message[0] == wire.KEYS]
    assert len(frames) >= 3
    first, _, events = wire.unpack_keys(frames[-1][1])
    assert (first, [event[:3] for event in events]) == (1, [(0, 5, True), (1, 15, True)])
    assert {wire.unpack_keys(payload)[0] for _, payload in frames} == {1}
    host.send(wire.pack_word(wire.KEYS_ACK, 3))
    # What was on its way when that was sent.
    host.listen(0.05)
    assert [message for message in host.listen(0.3) if message[0] == wire.KEYS] == []
    host.contact(0, 5, False)
    assert host.keys() == [(0, 5, False)]


def test_an_acknowledgement_of_nothing_sent_means_nothing(host: Host) -> None:
    host.start()
    host.send(wire.pack_word(wire.KEYS_ACK, 9))
    host.contact(0, 1, True)
    assert wire.unpack_keys(host.wait_for(wire.KEYS)[1])[0] == 1


def test_three_corners_of_a_rectangle_press_no_fourth(host: Host) -> None:
    host.start()
    told = []
    for key, down in ((0, True), (1, True), (4, True), (4, False), (1, False), (0, False)):
        host.contact(0, key, down)
        # The fourth, 5, looks down while the other three are; then nothing is told.
        told += [
            event for kind, payload in host.listen(0.06) if kind == wire.KEYS for event in acknowledged(host, payload)
        ]
    assert told == [(0, 0, True), (0, 1, True), (0, 1, False), (0, 0, False)]


def acknowledged(host: Host, payload: bytes) -> list[tuple[int, int, bool]]:
    first, _, events = wire.unpack_keys(payload)
    host.send(wire.pack_word(wire.KEYS_ACK, first + len(events)))
    return [event[:3] for event in events]


def test_says_the_whole_state_after_the_scanner_overflowed(host: Host) -> None:
    host.start()
    host.contact(1, 3, True)
    assert host.keys() == [(1, 3, True)]
    host.pico.pause()
    for _ in range(60):
        host.contact(0, 7, True)
        host.contact(0, 7, False)
    host.contact(0, 6, True)
    host.contact(1, 3, False)
    host.pico.go_on()
    told: list[tuple[int, int, bool]] = []
    tracker = KeyTracker(lambda pad, key, down, _age: told.append((pad, key, down)))
    tracker.keys(1, 0, [(1, 3, True, 0)])
    while not {(0, 6, True), (1, 3, False)} <= set(told):
        kind, payload = host.wait_for(wire.KEYS, wire.STATE)
        if kind == wire.KEYS:
            expected = tracker.keys(*wire.unpack_keys(payload))
        else:
            expected = tracker.state(*wire.unpack_state(payload))
        host.send(wire.pack_word(wire.KEYS_ACK, expected))
    # Some were missed, but each key is down and up by turns, and in the end as it really is.
    assert {event for event in told if told.count(event) > 1} <= {(0, 7, True), (0, 7, False)}
    assert told.count((0, 7, True)) == told.count((0, 7, False)) < 60
    host.contact(0, 6, False)
    assert host.keys() == [(0, 6, False)]


def test_says_the_whole_state_when_nobody_acknowledges(host: Host) -> None:
    host.start()
    for number in range(wire.MAX_KEYS + 1):
        host.contact(0, 2, number % 2 == 0)
    sequence, started, masks = wire.unpack_state(host.wait_for(wire.STATE)[1])
    assert (started, masks) == (False, [1 << 2, 0])
    assert sequence == 1 + wire.MAX_KEYS + 1


def test_a_key_held_while_it_starts_is_in_the_first_state(host: Host) -> None:
    host.contact(0, 9, True)
    host.greet()
    host.configure()
    assert wire.unpack_state(host.wait_for(wire.STATE)[1]) == (0, True, [1 << 9, 0])


def test_a_new_program_gets_no_old_keys(host: Host) -> None:
    host.start()
    host.contact(0, 2, True)
    host.wait_for(wire.KEYS)
    about = host.greet(6)
    assert about["held"] == [1 << 2, 0]
    assert [message for message in host.listen(0.3) if message[0] == wire.KEYS] == []


def test_dims_and_then_shows_that_there_is_no_host(host: Host) -> None:
    host.start()
    bright = b"\x20\x40\x60" * 200
    host.show(bright, DARK)
    host.contact(0, 1, True)
    host.keys()
    quarter = bytes(value // 4 for value in bright)
    assert host.lit(quarter, DARK)
    host.contact(0, 2, True)
    sign = tuple(standby(KIT))
    assert host.pico.wait_for(dict(zip(PINS, sign, strict=True)), 4.0)
    assert any(any(chain) for chain in sign)
    # What was pressed at dark panels is in the state, but is no event.
    host.listen(0.05)
    host.send(wire.pack_word(wire.PING, 1))
    assert host.lit(bright, DARK)
    assert wire.unpack_state(host.wait_for(wire.STATE)[1])[2] == [0b110, 0]


def test_goes_dark_when_the_host_says_goodbye(host: Host) -> None:
    host.start()
    host.show(BLUE, BLUE)
    host.send(wire.pack(wire.BYE))
    host.wait_for(wire.GONE)
    assert host.lit(DARK, DARK)
    host.send(wire.pack_word(wire.PING, 3))
    assert json.loads(host.wait_for(wire.DEVICE)[1])["session"] is None


def test_pins_that_it_does_not_have_are_told(host: Host) -> None:
    host.greet()
    config = json.loads(configuration(KIT))
    config["chains"][1]["pin"] = 25
    host.send(wire.pack(wire.CONFIG, json.dumps(config).encode()))
    assert "GP25" in json.loads(host.wait_for(wire.CONFIGURED)[1])["fault"]
    # The pins of what did go well are free again.
    host.configure()


def test_a_pin_for_two_things_is_told(host: Host) -> None:
    host.greet()
    config = json.loads(configuration(KIT))
    config["keypads"][1]["rows"][0] = PINS[0]
    host.send(wire.pack(wire.CONFIG, json.dumps(config).encode()))
    assert f"GP{PINS[0]} in use" in json.loads(host.wait_for(wire.CONFIGURED)[1])["fault"]
    host.configure()


def test_another_kit_takes_the_place_of_the_first(host: Host) -> None:
    host.start()
    host.show(BLUE, BLUE)
    other = msgspec.structs.replace(KIT, leds=msgspec.structs.replace(KIT.leds, chains=KIT.leds.chains[:1]))
    host.configure(other)
    assert host.lit(DARK, DARK)
    assert host.show(BLUE) == (wire.ACK, 0)


def test_four_colours_and_one_chain_of_four_panels(host: Host) -> None:
    chains = (msgspec.structs.replace(KIT.leds.chains[0], order="GRBW", panels=KIT.leds.chains[0].panels * 2),)
    host.start(msgspec.structs.replace(KIT, leds=msgspec.structs.replace(KIT.leds, chains=chains)))
    light = bytes(number % 7 for number in range(4 * 400))
    assert host.show(light) == (wire.ACK, 0)
    assert host.pico.wait_for({PINS[0]: light}, WAIT_S)


def test_a_host_of_another_protocol_is_told_which_it_is(host: Host) -> None:
    # Its HELLO begins with its major, and goes on as it likes.
    host.listen(0.1)
    host.send(wire.pack(wire.HELLO, bytes([0x30 + wire.PROTOCOL[0] + 1]) + b"whatever they need then"))
    about = json.loads(host.wait_for(wire.DEVICE)[1])
    assert (about["protocol"], about["session"]) == (list(wire.PROTOCOL), None)


def test_starts_anew_after_a_fault_of_its_own(pico: EmulatedPico, tmp_path: Path) -> None:
    broken = "raise RuntimeError('made for a test')"
    drive = copy_with(pico.drive, tmp_path / "broken", "self._send(wire.pack_word(wire.PONG, ", f"{broken}; ((")
    with EmulatedPico(tmp_path, drive=drive) as faulty:
        host = Host(faulty)
        host.start()
        host.send(wire.pack_word(wire.PING, 1))
        about = json.loads(host.wait_for(wire.DEVICE)[1])
        assert (about["session"], about["configured"]) == (None, 0)
        assert faulty.boots == 2
        host.line.close()
    assert "made for a test" in (tmp_path / "console.txt").read_text()


def test_says_nothing_on_its_console_while_all_is_well(host: Host) -> None:
    before = host.pico.console()
    host.start()
    host.show(BLUE, BLUE)
    assert host.pico.console() == before
