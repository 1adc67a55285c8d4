"""Times the firmware, in MicroPython: `micropython firmware_times.py FOLDER FILE…`.

FOLDER holds the firmware; each FILE a few transmissions of the host, as bytes. Those in the first file are sent once,
to set up; those in each other are sent over and over. Prints the best time of the last in each, in µs.
"""

import sys
import time

folder, *names = sys.argv[1:]
sys.path.insert(0, folder)

import bridge  # noqa: E402 - the path has to be there first


class Serial:
    """Holds what the host has sent; forgets what the Pico sends."""

    def __init__(self):
        self.sent = b""

    @property
    def in_waiting(self):
        return len(self.sent)

    def read(self, size):
        data, self.sent = self.sent[:size], self.sent[size:]
        return data

    def write(self, data):
        return len(data)


def transmissions(name):
    """Return the transmissions in a file, which hold a length each."""
    with open(name, "rb") as file:
        data = file.read()
    found = []
    while data:
        size = int.from_bytes(data[:4], "little")
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found


serial = Serial()
pico = bridge.Bridge(serial)
for piece in transmissions(names[0]):
    serial.sent = piece
    pico.step()
for name in names[1:]:
    best = 1 << 30
    for _ in range(40):
        for piece in transmissions(name):
            serial.sent = piece
            start = time.ticks_us()
            pico.step()
            taken = time.ticks_diff(time.ticks_us(), start)
        best = min(best, taken)
    print(best)
