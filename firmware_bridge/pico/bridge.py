"""The firmware's run loop: what comes from the host, what goes to it, and what is shown while it is silent."""

import json
import os
import struct
import sys
import time
import traceback
from binascii import crc32, hexlify

import board
import digitalio
import microcontroller
import supervisor
import usb_cdc
import wire
from chains import Chains
from keys import Keys, ticks_diff

GAP_MS = 50
"""Silence within a frame after which the rest of it is taken as lost."""

DIM_MS = 2000
"""Silence of the host after which the panels are dimmed."""

NO_HOST_MS = 5000
"""Silence of the host after which the panels show "no host"."""

WRITE_S = 0.1
"""The longest wait for the host to take what is sent to it."""

HOST, DIMMED, NO_HOST, AT_REST = range(4)


class Bridge:
    """One connection after the other over one serial line."""

    def __init__(self, serial):
        serial.timeout = 0
        serial.write_timeout = WRITE_S
        self._serial = serial
        self._reader = wire.Reader()
        self._boot = struct.unpack("<I", os.urandom(4))[0]
        self._session = None
        self._chains = None
        self._keys = None
        self._configured = 0
        self._stage = NO_HOST
        self._heard = self._came = supervisor.ticks_ms()
        self._lamp = digitalio.DigitalInOut(board.LED)
        self._lamp.direction = digitalio.Direction.OUTPUT
        self._handlers = {
            wire.CONFIG: self._config,
            wire.FRAME: self._frame,
            wire.PATCH: self._patch,
            wire.SHOW: self._show,
            wire.PING: self._ping,
            wire.KEYS_ACK: self._keys_ack,
        }
        # A host that was connected before this start learns of it at once.
        self._introduce(False)

    def step(self):
        """Do what there is to do; return whether there was anything."""
        now = supervisor.ticks_ms()
        waiting = self._serial.in_waiting
        if waiting:
            self._reader.feed(self._serial.read(waiting))
            self._came = now
        elif self._reader.pending and ticks_diff(now, self._came) > GAP_MS:
            self._reader.expire()
        message = self._reader.next()
        while message:
            self._receive(message[0], message[1], now)
            message = self._reader.next()
        if self._keys:
            self._keys.scan(now)
            news = self._keys.message(now) if self._session is not None else None
            if news:
                self._send(news)
        self._watch(now)
        return waiting > 0

    def _send(self, frame):
        self._serial.write(frame)

    def _receive(self, kind, payload, now):
        if kind > 0x7F:
            # A terminal that is not set up yet sends back what it gets.
            return
        self._heard = now
        if self._session is not None and kind not in (wire.HELLO, wire.BYE):
            self._wake()
        try:
            self._handle(kind, payload)
        except (ValueError, IndexError) as error:
            # Whole but senseless: a host with a fault of its own. The next SHOW is refused, and it sends all.
            print("frame", kind, "is wrong:", error)

    def _handle(self, kind, payload):
        if kind == wire.HELLO:
            self._hello(payload)
        elif kind == wire.BYE:
            self._bye(payload)
        elif self._session is None:
            self._introduce(False)
        elif kind in self._handlers:
            self._handlers[kind](payload)

    def _wake(self):
        """The host is there: show again what it sent last, if something else is shown."""
        if self._stage == HOST:
            return
        if self._stage != AT_REST and self._chains:
            self._chains.relight()
        self._stage = HOST
        self._shine(True)

    def _watch(self, now):
        """Dim, then show "no host", while the host is silent."""
        quiet = ticks_diff(now, self._heard)
        if self._stage == HOST and quiet >= DIM_MS:
            self._stage = DIMMED
            if self._chains:
                self._chains.dim()
        elif self._stage == DIMMED and quiet >= NO_HOST_MS:
            self._stage = NO_HOST
            if self._chains:
                self._chains.standby()
            if self._keys:
                self._keys.resume()
        if self._stage in (DIMMED, NO_HOST):
            self._shine(now & 512 != 0)
        if quiet > NO_HOST_MS:
            # Keeps the difference small enough for a clock that starts anew.
            self._heard = now - NO_HOST_MS & (1 << 29) - 1

    def _shine(self, on):
        """Switch the board's own LED: steady with a host, blinking without, dark after a goodbye."""
        if self._lamp.value != on:
            self._lamp.value = on

    def _hello(self, payload):
        if payload[0] != 0x30 + wire.PROTOCOL[0]:
            # What stands behind it may mean anything.
            self._session = None
            self._introduce(False)
            return
        session = wire.unpack_hello(payload)[2]
        resumed = session == self._session
        self._session = session
        if self._keys and resumed:
            self._keys.repeat()
        elif self._keys:
            self._keys.forget()
        self._introduce(resumed)

    def _introduce(self, resumed):
        about = {
            "protocol": wire.PROTOCOL,
            "firmware": wire.FIRMWARE,
            "python": f"{sys.implementation.name} {'.'.join([str(part) for part in sys.implementation.version[:3]])}",
            "board": board.board_id,
            "uid": hexlify(microcontroller.cpu.uid).decode(),
            "boot": self._boot,
            "session": self._session,
            "configured": self._configured,
            "capabilities": ["patch", "limit", "standby"],
            "resumed": resumed,
            "first": self._keys.first() if self._keys else 0,
            "held": self._keys.held() if self._keys else [],
        }
        about.update(self._parts())
        self._send(wire.pack(wire.DEVICE, json.dumps(about).encode()))

    def _parts(self):
        return {
            "chains": self._chains.describe() if self._chains else [],
            "keypads": self._keys.describe() if self._keys else [],
        }

    def _config(self, payload):
        check = crc32(payload)
        fault = ""
        if check != self._configured:
            self._unconfigure()
            try:
                config = json.loads(payload.decode())
                self._chains = Chains(config)
                self._keys = Keys(config, supervisor.ticks_ms())
                self._configured = check
                self._chains.relight()
            except Exception as error:
                # Whatever is wrong with a kit, the host can say it to somebody; a firmware that stops cannot.
                self._unconfigure()
                fault = f"{type(error).__name__}: {error}"
        answer = {"check": check, "fault": fault}
        answer.update(self._parts())
        self._send(wire.pack(wire.CONFIGURED, json.dumps(answer).encode()))

    def _unconfigure(self):
        self._configured = 0
        if self._chains:
            self._chains.dark()
            self._chains.deinit()
        if self._keys:
            self._keys.deinit()
        self._chains = self._keys = None

    def _frame(self, payload):
        if self._chains:
            self._chains.frame(payload)

    def _patch(self, payload):
        if self._chains:
            self._chains.patch(payload)

    def _show(self, payload):
        sequence, mask, checks = wire.unpack_show(payload)
        if not self._chains or not self._chains.matches(checks):
            self._send(wire.pack_answer(wire.NAK, sequence, wire.WRONG_PICTURE))
            return
        limited = self._chains.show(mask)
        self._send(wire.pack_answer(wire.ACK, sequence, wire.LIMITED if limited else 0))

    def _ping(self, payload):
        self._send(wire.pack_word(wire.PONG, wire.unpack_word(payload)))

    def _keys_ack(self, payload):
        if self._keys:
            self._keys.acknowledge(wire.unpack_word(payload))

    def _bye(self, _):
        if self._chains:
            self._chains.dark()
        self._session = None
        self._stage = AT_REST
        self._shine(False)
        self._send(wire.pack(wire.GONE))


def run():
    """Run for ever; start anew after a fault of the firmware's own. Raises RuntimeError where boot.py has not added the
    serial line."""
    if usb_cdc.data is None:
        raise RuntimeError("boot.py has not run yet: unplug this Pico and plug it in again")
    # A file that is copied onto the drive must not restart a game.
    supervisor.runtime.autoreload = False
    try:
        bridge = Bridge(usb_cdc.data)
        while True:
            if not bridge.step():
                time.sleep(0.001)
    except Exception as error:
        traceback.print_exception(error)
        time.sleep(1)
        supervisor.reload()
