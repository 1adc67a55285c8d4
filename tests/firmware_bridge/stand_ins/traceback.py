"""Stands in for CircuitPython's `traceback`, which MicroPython has in `sys`."""

import sys


def print_exception(error):
    sys.print_exception(error)
