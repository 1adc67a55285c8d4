"""USB number pads: evdev's own reading, with a terminal pair in the place of the kernel's device."""

from __future__ import annotations

import errno
import inspect
import os
import pty
import queue
import struct
import sys
import tty
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hardware.drivers.base import DriverError, TellsTrouble
from hardware.drivers.evdev_keypad import PAD_KEYS, EvdevKeypads, key_codes, open_device, open_keypads
from hardware.keys import KEYS, KeyEvent
from hardware.kit import Keypad

if TYPE_CHECKING:
    from collections.abc import Iterator

needs_evdev = pytest.mark.usefixtures("evdev")
PADS = (
    Keypad(seat=1, driver="evdev", device="left-event-kbd"),
    Keypad(seat=2, driver="evdev", device="right-event-kbd"),
)


@pytest.fixture
def evdev() -> Any:
    return pytest.importorskip("evdev", reason="evdev is not installed: pip install 'broadside-board[numpad]'")


class Socket:
    """A USB socket: opens evdev devices whose events are written into the other end of a terminal pair."""

    def __init__(self, evdev: Any) -> None:
        self.plugged = True
        self.grabbed: list[str] = []
        self.held: list[int] = []
        self._evdev = evdev
        self._writer = -1

    def open(self, path: Path) -> Any:
        if not self.plugged:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
        reader, self._writer = pty.openpty()
        tty.setraw(self._writer)
        os.set_blocking(reader, False)
        socket = self

        class Device(self._evdev.InputDevice):  # type: ignore[misc,name-defined]
            """evdev's device without the ioctls, which only the kernel answers."""

            def __init__(self) -> None:
                self.path = str(path)
                self.fd = reader

            def grab(self) -> None:
                socket.grabbed.append(self.path)

            def active_keys(self, verbose: bool = False) -> list[int]:
                return socket.held

        device = Device()
        device.grab()
        return device

    def send(self, *events: tuple[str, int] | tuple[str, int, int]) -> None:
        """Send (key name, value) or (type name, code, value) events, each with its report's end."""
        codes = self._evdev.ecodes
        for event in events:
            if len(event) == 2:
                triples = [(codes.EV_KEY, codes.ecodes[event[0]], event[1]), (codes.EV_SYN, codes.SYN_REPORT, 0)]
            else:
                triples = [(codes.ecodes[event[0]], event[1], event[2])]
            for triple in triples:
                os.write(self._writer, struct.pack("@llHHi", 1, 2, *triple))

    def unplug(self) -> None:
        self.plugged = False
        os.close(self._writer)


class Table:
    """Two pads, what they told, and the driver."""

    def __init__(self, evdev: Any) -> None:
        self.sockets = {"left-event-kbd": Socket(evdev), "right-event-kbd": Socket(evdev)}
        self.events: queue.Queue[KeyEvent] = queue.Queue()
        self.troubles: queue.Queue[str] = queue.Queue()
        self.driver = EvdevKeypads(
            PADS, self.events.put, by_path=Path("/by-path"), opener=lambda path: self.sockets[path.name].open(path)
        )
        self.driver.tell_trouble_to(self.troubles.put)
        self.left, self.right = self.sockets.values()

    def told(self, count: int) -> list[str]:
        """The next events, as 1+5 for seat 1's 5 down."""
        events = [self.events.get(timeout=5) for _ in range(count)]
        return [f"{event.seat}{'+' if event.down else '-'}{event.key}" for event in events]


@pytest.fixture
def table(evdev: Any) -> Iterator[Table]:
    table = Table(evdev)
    yield table
    table.driver.close()
    table.driver.close()
    assert table.events.empty()


def test_every_key_of_the_keypad_is_on_the_pad_and_known_to_the_kernel(evdev: Any) -> None:
    assert set(PAD_KEYS.values()) == set(KEYS)
    on_the_pad = {key for name, key in PAD_KEYS.items() if name.startswith("KEY_KP")}
    assert on_the_pad == set(KEYS), "a number pad alone reaches every key"
    assert len(key_codes()) == len(PAD_KEYS)


@needs_evdev
def test_each_pad_is_grabbed_and_plays_its_own_seat(table: Table) -> None:
    table.left.send(("KEY_KP5", 1), ("KEY_KP5", 0))
    assert table.told(2) == ["1+5", "1-5"]
    table.right.send(("KEY_KPENTER", 1), ("KEY_KPENTER", 0), ("KEY_KPSLASH", 1), ("KEY_KPSLASH", 0))
    assert table.told(4) == ["2+#", "2-#", "2+A", "2-A"]
    assert table.left.grabbed == ["/by-path/left-event-kbd"]
    assert table.right.grabbed == ["/by-path/right-event-kbd"]


@needs_evdev
def test_numlock_repeats_and_other_keys_are_ignored(table: Table) -> None:
    numlock = (("KEY_NUMLOCK", 1), ("KEY_NUMLOCK", 0))
    table.left.send(*numlock, ("KEY_KP0", 1), *numlock, ("KEY_KP0", 2), ("KEY_KP0", 2), ("KEY_Q", 1), ("KEY_KP0", 0))
    table.left.send(("KEY_KP1", 0), ("KEY_KP9", 1), ("KEY_KP9", 0))
    assert table.told(4) == ["1+0", "1-0", "1+9", "1-9"]


@needs_evdev
def test_two_keys_are_held_at_once(table: Table) -> None:
    table.left.send(("KEY_KPDOT", 1), ("KEY_KP2", 1), ("KEY_KPDOT", 0), ("KEY_KP2", 0))
    assert table.told(4) == ["1+D", "1+2", "1-D", "1-2"]


def test_after_dropped_events_the_true_state_counts(table: Table, evdev: Any) -> None:
    codes = evdev.ecodes
    table.left.send(("KEY_KP3", 1), ("KEY_KP4", 1))
    assert table.told(2) == ["1+3", "1+4"]
    table.left.held = [codes.KEY_KP4, codes.KEY_KP8, codes.KEY_NUMLOCK]
    table.left.send(("EV_SYN", codes.SYN_DROPPED, 0), ("KEY_KP1", 1))
    assert table.told(2) == ["1-3", "1+8"], "the 1 in the broken report is not believed"


@needs_evdev
def test_unplugging_lifts_the_held_keys_and_replugging_goes_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.drivers.evdev_keypad.RETRY", 0.01)
    table.left.send(("KEY_KP6", 1))
    assert table.told(1) == ["1+6"]
    table.left.unplug()
    assert table.told(1) == ["1-6"]
    unplugged = "Seat 1's number pad is unplugged: plug it back into the same USB socket."
    assert table.troubles.get(timeout=5) == unplugged
    table.right.send(("KEY_KP7", 1), ("KEY_KP7", 0))
    assert table.told(2) == ["2+7", "2-7"]
    table.left.plugged = True
    assert table.troubles.get(timeout=5) == "Seat 1's number pad is back."
    table.left.send(("KEY_KP6", 1), ("KEY_KP6", 0))
    assert table.told(2) == ["1+6", "1-6"]
    assert len(table.left.grabbed) == 2


@needs_evdev
def test_a_pad_that_is_not_there_is_one_sentence_that_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match="plug it in; no keyboard or number pad is connected now"):
        EvdevKeypads(PADS, print, by_path=tmp_path / "nothing")
    (tmp_path / "usb-0:1.2:1.0-event-kbd").touch()
    with pytest.raises(DriverError, match=r"^Seat 1's number pad .* in the kit: usb-0:1.2:1.0-event-kbd\.$"):
        EvdevKeypads(PADS, print, by_path=tmp_path)


@needs_evdev
def test_a_file_that_is_no_input_device_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "left-event-kbd").touch()
    with pytest.raises(DriverError, match="check that it is a number pad"):
        EvdevKeypads(PADS, print, by_path=tmp_path)


@needs_evdev
@pytest.mark.parametrize(
    ("error", "cure"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "group input"),
        (OSError(errno.EBUSY, "Busy"), "has grabbed it"),
    ],
)
def test_a_refused_pad_is_one_sentence_with_the_cure(error: OSError, cure: str) -> None:
    def refuse(_path: Path) -> Any:
        raise error

    with pytest.raises(DriverError, match=cure):
        EvdevKeypads(PADS, print, opener=refuse)


def test_without_the_package_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    with pytest.raises(DriverError, match=r"pip install 'broadside-board\[numpad\]'"):
        open_keypads(None, PADS, print)  # type: ignore[arg-type]


def test_the_package_has_what_is_called_here(evdev: Any) -> None:
    device = evdev.InputDevice
    assert next(iter(inspect.signature(device).parameters)) == "dev"
    for name in ("grab", "read", "active_keys", "fileno", "close"):
        required = [
            parameter
            for parameter in inspect.signature(getattr(device, name)).parameters.values()
            if parameter.default is parameter.empty
        ]
        assert len(required) == 1, f"{name} is called without arguments"
    assert evdev.InputEvent(1, 2, evdev.ecodes.EV_KEY, evdev.ecodes.KEY_KP5, 1).code == evdev.ecodes.KEY_KP5
    with pytest.raises(FileNotFoundError):
        open_device(Path("/dev/input/by-path/no-such-pad"))


@needs_evdev
def test_the_driver_tells_trouble(table: Table) -> None:
    assert isinstance(table.driver, TellsTrouble)
