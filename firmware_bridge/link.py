"""The link to a Pico: one thread that finds the port, talks, and begins anew when the line is lost."""

from __future__ import annotations

import os
import secrets
import select
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware_bridge.errors import LineLostError, NoPicoError, PicoError
from firmware_bridge.key_tracker import KeyTracker
from firmware_bridge.ports import find_ports
from firmware_bridge.serial_line import SerialLine
from firmware_bridge.session import Counts, Session, Timing, draw_number
from hardware.board import Sentence
from hardware.drivers.trouble import TroubleLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from firmware_bridge.device import Device

LOST = Sentence("The Pico with the panels and keypads is gone: plug it in again, and the game goes on by itself.")
BACK = Sentence("The Pico with the panels and keypads is back.")

OPEN_S = 5.0
"""How long opening the link waits for a Pico that is there but has not answered yet."""

GOODBYE_S = 0.5
"""How long closing the link waits for the Pico to go dark."""


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """What is connected, or None and why not, and what has happened so far. `scanning`: whether keys are heard."""

    device: Device | None
    port: str | None
    trouble: str
    counts: Counts
    connections: int
    scanning: bool


class Link:
    """One Pico, shared by the LED driver and the keypad driver of a kit.

    `write` keeps the newest picture and returns at once; the thread sends it when the line is free. `listen` hands
    events in from the thread. Trouble is told through `trouble`.
    """

    def __init__(
        self, config: bytes, timing: Timing | None = None, find: Callable[[], Sequence[str]] = find_ports
    ) -> None:
        """`config` is what `configuration` returns for the kit, `find` finds the ports to try. Nothing is opened before
        `open`."""
        self.trouble = TroubleLine()
        self._config = config
        self._find = find
        self._timing = timing or Timing()
        self._number = draw_number(lambda: secrets.randbits(32))
        self._listener: Callable[[int, int, bool, float], None] | None = None
        self._tracker = KeyTracker(self._emit)
        self._changed = threading.Condition()
        self._newest: tuple[bytes, ...] | None = None
        self._fresh = False
        self._closing = False
        self._settled = False
        self._counts = Counts()
        self._connections = 0
        self._device: Device | None = None
        self._port: str | None = None
        self._reason: Exception | None = None
        self._told: str | None = None
        self._wake_in, self._wake_out = os.pipe()
        os.set_blocking(self._wake_in, False)
        os.set_blocking(self._wake_out, False)
        self._thread = threading.Thread(target=self._run, name="pico link", daemon=True)

    def open(self, wait: float = OPEN_S) -> None:
        """Start, and wait (at most so many seconds) until the Pico is configured.

        Raises PicoError, and closes the link, where there is none, or it cannot be used.
        """
        self._thread.start()
        deadline = time.monotonic() + wait
        with self._changed:
            while self._device is None and not isinstance(self._reason, PicoError):
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            opened = self._device is not None
            reason = self._reason
        if not opened:
            self.close()
            raise PicoError(str(reason) if reason else "The Pico does not answer: unplug it and plug it in again.")

    def write(self, chains: Sequence[bytes]) -> None:
        """Show a picture: the wire bytes of each chain. Returns at once; the newest picture wins. After `close` it does
        nothing."""
        with self._changed:
            if self._closing:
                return
            self._newest = tuple(chains)
            self._fresh = True
            self._settled = False
        self._wake()

    def listen(self, listener: Callable[[int, int, bool, float], None] | None) -> None:
        """Hand key events to the listener, from the link's thread: keypad and key (both from 0), whether it went down,
        and the time on this computer's monotonic clock in seconds."""
        self._listener = listener

    def settled(self, wait: float) -> bool:
        """Wait, at most so many seconds, until the newest picture is lit; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._settled and not self._fresh, wait)

    def status(self) -> LinkStatus:
        """Return what is connected."""
        with self._changed:
            scanning = self._device is not None and self._tracker.scanning
            reason = str(self._reason or "")
            return LinkStatus(self._device, self._port, reason, self._counts, self._connections, scanning)

    def close(self) -> None:
        """Leave the LEDs dark and let the port go; may be called twice."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
        self._wake()
        if self._thread.ident is not None:
            self._thread.join()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _wake(self) -> None:
        try:
            os.write(self._wake_out, b"!")
        except BlockingIOError:
            # It is full of calls to wake up already.
            return

    def _emit(self, pad: int, key: int, down: bool, age: float) -> None:
        listener = self._listener
        if listener is not None:
            listener(pad, key, down, time.monotonic() - age)

    def _run(self) -> None:
        while not self._closing:
            try:
                line, session = self._connect()
            except (PicoError, LineLostError, OSError) as error:
                # OSError: a port that goes while it is looked at.
                self._lose(error)
                self._rest(self._timing.search)
                continue
            if self._told:
                self.trouble.say(BACK)
                self._told = None
            try:
                self._serve(line, session)
            except (PicoError, LineLostError, OSError) as error:
                self._lose(error)
            finally:
                line.close()
                self._tracker.lost()

    def _lose(self, error: Exception) -> None:
        """Note why there is no Pico, and tell it once to whoever plays.

        What somebody has to cure is told when it happens twice in a row: a Pico that comes back may for a moment have
        only one of its lines, or the wrong owner.
        """
        with self._changed:
            again = str(error) == str(self._reason)
            self._reason = error
            self._device = None
            self._port = None
            self._settled = False
            connected = self._connections > 0
            self._changed.notify_all()
        if not connected:
            return
        curable = isinstance(error, PicoError) and not isinstance(error, NoPicoError)
        sentence = str(error) if curable else LOST
        if self._told is None or (curable and again and sentence != self._told):
            self._told = sentence
            self.trouble.say(sentence)

    def _connect(self) -> tuple[SerialLine, Session]:
        """Find a Pico that answers and is configured. Raises PicoError or LineLostError."""
        failure: Exception = LineLostError("The Pico does not answer.")
        for path in self._find():
            try:
                line = SerialLine(path)
            except (PicoError, LineLostError) as error:
                failure = error
                continue
            session = Session(self._config, self._number, self._tracker, self._timing, self._counts, time.monotonic())
            try:
                self._pump(line, session, until_running=True)
            except LineLostError as error:
                failure = error
                line.close()
                continue
            except PicoError:
                line.close()
                raise
            if not session.running:
                # The link is being closed.
                line.close()
                raise failure
            with self._changed:
                self._device = session.device
                self._port = path
                self._reason = None
                self._connections += 1
                # The Pico knows nothing yet of what was shown last.
                self._fresh = self._newest is not None
                self._settled = not self._fresh
                self._changed.notify_all()
            return line, session
        raise failure

    def _serve(self, line: SerialLine, session: Session) -> None:
        self._pump(line, session)
        session.leave()
        deadline = time.monotonic() + GOODBYE_S
        out = bytearray(session.take())
        while not session.gone and (left := deadline - time.monotonic()) > 0:
            readable, writable, _ = select.select([line], [line] if out else [], [], left)
            if writable:
                del out[: line.write(out)]
            if readable:
                session.receive(line.read(), time.monotonic())

    def _pump(self, line: SerialLine, session: Session, *, until_running: bool = False) -> None:
        """Talk until the link is being closed, or only until the Pico is configured."""
        out = bytearray()
        port = line.fileno()
        while not self._closing and not (until_running and session.running):
            out += session.take()
            left = max(0.0, session.deadline - time.monotonic())
            readable, writable, _ = select.select([port, self._wake_in], [port] if out else [], [], left)
            if self._wake_in in readable:
                self._drain()
            if port in readable:
                session.receive(line.read(), time.monotonic())
            if port in writable:
                del out[: line.write(out)]
            session.tick(time.monotonic())
            self._exchange(session)

    def _exchange(self, session: Session) -> None:
        """Hand the newest picture over, and say what is settled."""
        if not session.running:
            return
        with self._changed:
            if self._fresh and self._newest is not None:
                self._fresh = False
                session.offer(self._newest, time.monotonic())
            if session.settled != self._settled:
                self._settled = session.settled
                self._changed.notify_all()
            self._device = session.device

    def _drain(self) -> None:
        try:
            while os.read(self._wake_in, 512):
                pass
        except BlockingIOError:
            return

    def _rest(self, seconds: float) -> None:
        """Wait, or less where the link is being closed."""
        deadline = time.monotonic() + seconds
        while not self._closing and (left := deadline - time.monotonic()) > 0:
            if select.select([self._wake_in], [], [], left)[0]:
                self._drain()
