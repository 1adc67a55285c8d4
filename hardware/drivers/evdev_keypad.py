"""USB number pads as keypads, through evdev: one a seat, told apart by the USB socket that they are plugged into.

The digits are the digits as printed on the pad, so 8, up on a number pad, moves the cursor down as on any telephone
keypad: what a key does is shown beside the panels. The other keys:

    number pad        keypad
    Enter             #
    *  Backspace      *
    /                 A
    -                 B
    +                 C
    .  ,              D

A pad is grabbed while it is open, so that its keys reach nothing else. NumLock is ignored, as some pads press it
around every key; so is the kernel's own key repeat.
"""

from __future__ import annotations

import errno
import importlib
import os
import selectors
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.board import Sentence
from hardware.drivers.base import DriverError
from hardware.drivers.trouble import TroubleLine
from hardware.keys import KeyEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.kit import Keypad, Kit

BY_PATH = Path("/dev/input/by-path")
"""Where udev names input devices after their USB socket, the same at every boot."""

RETRY = 1.0
"""Seconds between looks for a pad that was unplugged."""

PAD_KEYS = {
    **{f"KEY_KP{digit}": str(digit) for digit in range(10)},
    **{f"KEY_{digit}": str(digit) for digit in range(10)},
    "KEY_KPENTER": "#",
    "KEY_ENTER": "#",
    "KEY_KPASTERISK": "*",
    "KEY_BACKSPACE": "*",
    "KEY_KPSLASH": "A",
    "KEY_SLASH": "A",
    "KEY_KPMINUS": "B",
    "KEY_MINUS": "B",
    "KEY_KPPLUS": "C",
    "KEY_KPDOT": "D",
    "KEY_DOT": "D",
    "KEY_KPCOMMA": "D",
    "KEY_KPJPCOMMA": "D",
}
"""The kernel's key names (linux/input-event-codes.h) and what they are on our keypad. Cheap pads send the key names of
the main keyboard for some keys."""


def key_codes() -> dict[int, str]:
    """Return `PAD_KEYS` by the kernel's key codes."""
    ecodes = importlib.import_module("evdev").ecodes.ecodes
    return {ecodes[name]: key for name, key in PAD_KEYS.items()}


def open_device(path: Path) -> Any:
    """Open and grab one input device. Raises OSError."""
    device = importlib.import_module("evdev").InputDevice(str(path))
    try:
        device.grab()
    except OSError:
        device.close()
        raise
    return device


class NumberPad:
    """One pad: its device while it is plugged in, and the keys that are down."""

    def __init__(self, seat: int, path: Path, opener: Callable[[Path], Any]) -> None:
        self.seat = seat
        self.path = path
        self.device: Any = None
        self._opener = opener
        self._ecodes = importlib.import_module("evdev").ecodes
        self._codes = key_codes()
        self._held: set[str] = set()
        self._lost = False

    def open(self) -> None:
        """Open the device. Raises OSError."""
        self.device = self._opener(self.path)

    def read(self) -> list[tuple[str, bool]]:
        """Return the keys that went down (True) or up since the last call. Raises OSError when the pad is unplugged."""
        codes, ecodes = self._codes, self._ecodes
        changes: list[tuple[str, bool]] = []
        for event in self.device.read():
            if event.type == ecodes.EV_SYN and event.code == ecodes.SYN_DROPPED:
                self._lost = True
            elif self._lost and event.type == ecodes.EV_SYN and event.code == ecodes.SYN_REPORT:
                # The kernel's buffer was full and events are missing; the report ends here, so ask for the true state.
                self._lost = False
                changes += self._become({codes[code] for code in self.device.active_keys() if code in codes})
            elif not self._lost and event.type == ecodes.EV_KEY and event.code in codes and event.value in {0, 1}:
                key = codes[event.code]
                changes += self._become(self._held | {key} if event.value else self._held - {key})
        return changes

    def unplugged(self) -> list[tuple[str, bool]]:
        """Let the device go; return the keys that therefore come up."""
        self.close()
        self._lost = False
        return self._become(set())

    def close(self) -> None:
        """Let the device go, which ends the grab; may be called twice."""
        device, self.device = self.device, None
        if device is not None:
            device.close()

    def _become(self, keys: set[str]) -> list[tuple[str, bool]]:
        held, self._held = self._held, keys
        return [(key, False) for key in sorted(held - keys)] + [(key, True) for key in sorted(keys - held)]


class EvdevKeypads:
    """The number pads of one kit, read by one thread that sleeps until a key moves."""

    def __init__(
        self,
        keypads: Sequence[Keypad],
        on_key: Callable[[KeyEvent], None],
        *,
        by_path: Path = BY_PATH,
        opener: Callable[[Path], Any] = open_device,
    ) -> None:
        self._on_key = on_key
        self._trouble = TroubleLine()
        self._selector = selectors.DefaultSelector()
        self._wake_reader, self._wake_writer = os.pipe()
        self._selector.register(self._wake_reader, selectors.EVENT_READ)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="evdev-keypads", daemon=True)
        self._pads: list[NumberPad] = []
        try:
            for keypad in keypads:
                self._pads.append(_open_pad(keypad, by_path, opener))
                self._selector.register(self._pads[-1].device, selectors.EVENT_READ, self._pads[-1])
        except DriverError:
            self.close()
            raise
        self._thread.start()

    def tell_trouble_to(self, listener: Callable[[str], None]) -> None:
        """Hand every sentence about a pad, unplugged or back again, to the listener."""
        self._trouble.listen(listener)

    def close(self) -> None:
        """Stop reading and let the pads go; may be called twice."""
        if self._closed:
            return
        self._closed = True
        os.write(self._wake_writer, b"!")
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        self._selector.close()
        for pad in self._pads:
            pad.close()
        os.close(self._wake_reader)
        os.close(self._wake_writer)

    def _run(self) -> None:
        while not self._closed:
            missing = [pad for pad in self._pads if pad.device is None]
            for ready, _ in self._selector.select(RETRY if missing else None):
                if ready.data is not None:
                    self._read(ready.data)
            for pad in missing:
                self._reopen(pad)

    def _read(self, pad: NumberPad) -> None:
        device = pad.device
        try:
            changes = pad.read()
        except BlockingIOError:
            return
        except OSError:
            self._selector.unregister(device)
            changes = pad.unplugged()
            self._trouble.say(
                Sentence("Seat {seat}'s number pad is unplugged: plug it back into the same USB socket.", seat=pad.seat)
            )
        now = time.monotonic()
        for key, down in changes:
            self._on_key(KeyEvent(pad.seat, key, down, now))

    def _reopen(self, pad: NumberPad) -> None:
        try:
            pad.open()
        except OSError:
            return
        self._selector.register(pad.device, selectors.EVENT_READ, pad)
        self._trouble.say(Sentence("Seat {seat}'s number pad is back.", seat=pad.seat))


def _open_pad(keypad: Keypad, by_path: Path, opener: Callable[[Path], Any]) -> NumberPad:
    path = by_path / (keypad.device or "")
    try:
        pad = NumberPad(keypad.seat, path, opener)
        pad.open()
    except ImportError as error:
        raise DriverError(
            "The Python package evdev is missing: run `sudo apt install gcc python3-dev`, then "
            "`pip install 'broadside-board[numpad]'`."
        ) from error
    except OSError as error:
        raise DriverError(
            f"Seat {keypad.seat}'s number pad {path} cannot be opened: {_cure(error, by_path)}."
        ) from error
    return pad


def _cure(error: OSError, by_path: Path) -> str:
    if isinstance(error, FileNotFoundError):
        there = sorted(entry.name for entry in by_path.glob("*-kbd")) if by_path.is_dir() else []
        if there:
            return f"plug it in, or write one of these as its device in the kit: {', '.join(there)}"
        return "plug it in; no keyboard or number pad is connected now"
    if isinstance(error, PermissionError):
        return "add the user to the group input with `sudo usermod -aG input $USER` and log in again"
    if error.errno == errno.EBUSY:
        return "another program has grabbed it; end that one"
    return f"{error.strerror}; check that it is a number pad and plug it in again"


def open_keypads(_kit: Kit, keypads: Sequence[Keypad], on_key: Callable[[KeyEvent], None]) -> EvdevKeypads:
    """Open USB number pads and begin to hand in key events, from a thread of the driver's own.

    Raises DriverError where evdev is not installed, or a pad is missing, refused or grabbed by another program.
    """
    return EvdevKeypads(keypads, on_key)
