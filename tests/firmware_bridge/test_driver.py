"""The drivers as the board opens them, with the unmodified firmware at the other end."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from firmware_bridge.configuration import configuration
from firmware_bridge.driver import PicoLeds, open_keypads, open_leds
from firmware_bridge.errors import PicoError
from firmware_bridge.link import BACK, LOST, Link
from firmware_bridge.pico import wire
from firmware_bridge.ports import PORT_VARIABLE
from firmware_bridge.probe import probe
from firmware_bridge.session import Timing
from hardware.drivers.base import DriverError, TellsTrouble
from hardware.keys import KeyEvent
from hardware.lighting import Lighting
from tests.firmware_bridge.emulator import MISSING, EmulatedPico, copy_with
from tests.firmware_bridge.kits import CHAIN_BYTES, COLUMNS, KIT, PINS, ROWS

pytestmark = [pytest.mark.micropython, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

WAIT_S = 5.0
FAST = Timing(hello=0.1, hellos=3, answer=0.1, ping=0.1, search=0.05)


@pytest.fixture
def pico(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatedPico]:
    with EmulatedPico(tmp_path) as pico:
        monkeypatch.setenv(PORT_VARIABLE, str(pico.port))
        yield pico


def wanted(chains: tuple[bytes, ...]) -> dict[int, bytes]:
    return dict(zip(PINS, chains, strict=True))


def picture(value: int) -> tuple[bytes, ...]:
    return tuple(bytes([value]) * CHAIN_BYTES for _ in PINS)


def next_of(heard: queue.Queue[str]) -> str:
    return heard.get(timeout=WAIT_S)


def test_lights_frames_and_names_keys(pico: EmulatedPico) -> None:
    keys: queue.Queue[KeyEvent] = queue.Queue()
    leds = open_leds(KIT)
    keypads = open_keypads(KIT, KIT.keypads, keys.put)
    assert isinstance(leds, TellsTrouble)
    assert leds.status().connections == 1
    lighting = Lighting(KIT)
    frames = [np.full((10, 10, 3), 40 * number, np.uint8) for number in range(len(lighting.panels))]
    lit = lighting.light_frames(frames).chains
    leds.write(lit)
    assert leds.settled(WAIT_S)
    assert pico.wait_for(wanted(lit), WAIT_S)
    while not leds.status().scanning:
        time.sleep(0.01)
    before = time.monotonic()
    pico.contact(ROWS[1][3], COLUMNS[1][2], True)
    pico.contact(ROWS[1][3], COLUMNS[1][2], False)
    down, up = keys.get(timeout=WAIT_S), keys.get(timeout=WAIT_S)
    assert (down.seat, down.key, down.down, up.down) == (2, "#", True, False)
    assert before - 0.1 <= down.time <= up.time <= time.monotonic()
    keypads.close()
    keypads.close()
    leds.close()
    leds.close()
    assert pico.wait_for(wanted(picture(0)), WAIT_S)


def test_the_brightest_picture_is_not_dimmed_a_second_time(pico: EmulatedPico) -> None:
    lighting = Lighting(KIT)
    lit = lighting.light_frames([np.full((10, 10, 3), 255, np.uint8)] * len(lighting.panels))
    assert lit.estimate.limited
    leds = open_leds(KIT)
    leds.write(lit.chains)
    assert leds.settled(WAIT_S)
    assert pico.wait_for(wanted(lit.chains), WAIT_S)
    assert leds.status().counts.limited == 0
    leds.close()


def test_a_picture_of_another_kit_is_refused(pico: EmulatedPico) -> None:
    leds = open_leds(KIT)
    with pytest.raises(DriverError, match="does not fit the kit"):
        leds.write([b"123"])
    leds.close()


def test_darkens_what_a_program_left_that_was_ended_by_force(pico: EmulatedPico) -> None:
    program = (
        "import os, sys, time\n"
        "from firmware_bridge.driver import open_leds\n"
        "from tests.firmware_bridge.kits import CHAIN_BYTES, KIT, PINS\n"
        "leds = open_leds(KIT)\n"
        "leds.write([b'\\x09' * CHAIN_BYTES for _ in PINS])\n"
        "assert leds.settled(5)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False, cwd=Path(__file__).parents[2])
    assert ended.returncode == -signal.SIGKILL
    assert pico.wait_for(wanted(picture(9)), WAIT_S)
    leds = open_leds(KIT)
    assert leds.settled(WAIT_S)
    assert pico.wait_for(wanted(picture(0)), WAIT_S)
    leds.close()


def test_unplugged_in_the_middle_it_tells_once_and_goes_on(pico: EmulatedPico) -> None:
    heard: queue.Queue[str] = queue.Queue()
    leds = open_leds(KIT)
    leds.tell_trouble_to(heard.put)
    for number in range(3):
        pico.unplug()
        assert next_of(heard) == LOST
        leds.write(picture(number))
        leds.write(picture(number + 20))
        pico.plug()
        assert next_of(heard) == BACK
        assert pico.wait_for(wanted(picture(number + 20)), WAIT_S)
    assert heard.empty()
    leds.close()


def test_writing_never_waits_for_a_pico_that_hangs(pico: EmulatedPico) -> None:
    heard: queue.Queue[str] = queue.Queue()
    link = Link(configuration(KIT), FAST)
    link.trouble.listen(heard.put)
    link.open()
    pico.pause()
    # Far more than the line holds: each returns at once, or this would never end.
    for number in range(5000):
        link.write(picture(number % 30))
    assert not link.settled(0)
    assert next_of(heard) == LOST
    pico.go_on()
    assert next_of(heard) == BACK
    assert link.settled(WAIT_S)
    assert pico.wait_for(wanted(picture(4999 % 30)), WAIT_S)
    link.close()


def test_a_second_program_gets_a_clear_message(pico: EmulatedPico) -> None:
    leds = open_leds(KIT)
    with pytest.raises(PicoError, match=r"Another program uses .* end it"):
        Link(configuration(KIT), FAST).open()
    with pytest.raises(PicoError, match="Another program uses"):
        probe()
    leds.write(picture(3))
    assert leds.settled(WAIT_S)
    leds.close()


def test_says_what_is_connected(pico: EmulatedPico) -> None:
    found = probe()
    assert found.port == str(pico.port)
    assert (found.device.firmware, found.device.configured) == (wire.FIRMWARE, 0)


@pytest.mark.parametrize(("theirs", "cure"), [(0, "pico install"), (2, "update Broadside")])
def test_firmware_of_another_protocol_is_refused(pico: EmulatedPico, tmp_path: Path, theirs: int, cure: str) -> None:
    heard: queue.Queue[str] = queue.Queue()
    link = Link(configuration(KIT), FAST)
    link.trouble.listen(heard.put)
    link.open()
    pico.unplug()
    assert next_of(heard) == LOST
    ours = pico.drive
    pico.drive = copy_with(ours, tmp_path / "other", "PROTOCOL = (1, 0)", f"PROTOCOL = ({theirs}, 0)")
    pico.plug()
    # In the middle of a game, and when one begins.
    assert cure in next_of(heard)
    with pytest.raises(PicoError, match=cure):
        probe_again(link)
    pico.unplug()
    pico.drive = ours
    pico.plug()
    assert next_of(heard) == BACK
    link.close()


def probe_again(link: Link) -> None:
    """Ask on the same port; the link holds it only while it tries."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        try:
            probe()
        except PicoError as error:
            if "Another program" not in str(error):
                raise
            time.sleep(0.01)
    raise AssertionError(link.status())


def test_without_a_pico_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PORT_VARIABLE, str(tmp_path / "nothing"))
    with pytest.raises(PicoError, match="No such file"):
        Link(configuration(KIT), FAST).open(0.3)
    assert not any(thread.name == "pico link" for thread in threading.enumerate())


def test_pins_that_the_pico_does_not_have_are_told(pico: EmulatedPico) -> None:
    chains = (msgspec.structs.replace(KIT.leds.chains[0], pin=29), KIT.leds.chains[1])
    kit = msgspec.structs.replace(KIT, leds=msgspec.structs.replace(KIT.leds, chains=chains))
    with pytest.raises(PicoError, match=r"GP29.*correct the kit"):
        PicoLeds(kit)
