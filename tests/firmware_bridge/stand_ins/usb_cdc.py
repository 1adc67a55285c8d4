"""Stands in for CircuitPython's `usb_cdc`: `data` is a pseudo-terminal, or a line that the emulator disturbs.

Simpler: the input buffer has no end (the real one holds USB back when it is full), `connected` is not known, and
writing gives up when `write_timeout` has passed without any byte taken.
"""

import time

import emulated


def enable(console=True, data=False):
    emulated.remember("data", data)


class Serial:
    def __init__(self):
        self._file = emulated.descriptor("SERIAL")
        self._waiting = b""
        self.timeout = None
        self.write_timeout = None

    @property
    def in_waiting(self):
        try:
            self._waiting += self._file.read(4096) or b""
        except OSError:
            # Nobody has the other end open.
            return len(self._waiting)
        return len(self._waiting)

    def read(self, size=1):
        if self.timeout != 0:
            raise NotImplementedError("the stand-in only reads what is waiting")
        data, self._waiting = self._waiting[:size], self._waiting[size:]
        return data

    def write(self, data):
        started = time.ticks_ms()
        left = data
        while left:
            try:
                written = self._file.write(left) or 0
            except OSError:
                # Nobody has the other end open: like a cable, it forgets.
                return len(data)
            left = left[written:]
            if written:
                started = time.ticks_ms()
            elif time.ticks_diff(time.ticks_ms(), started) > self.write_timeout * 1000:
                break
            else:
                time.sleep_ms(1)
        return len(data) - len(left)


data = Serial() if emulated.remembered().get("data") else None
