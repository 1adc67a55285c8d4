"""Stands in for CircuitPython's `supervisor`.

Its clock starts three seconds before it starts anew at 2**29 (the real one starts 65 s before), so that every test that
takes longer crosses that. A reload ends the process with exit code 3, and the emulator starts it again.
"""

import sys
import time

import emulated

_WRAP = 1 << 29
_started = time.ticks_ms()


def ticks_ms():
    return (_WRAP - 3000 + time.ticks_diff(time.ticks_ms(), _started)) % _WRAP


class _Runtime:
    autoreload = True


runtime = _Runtime()


def reload():
    sys.exit(3)


def set_usb_identification(manufacturer=None, product=None, vid=-1, pid=-1):
    emulated.remember("manufacturer", manufacturer)
    emulated.remember("product", product)
