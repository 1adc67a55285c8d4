"""Stands in for CircuitPython's `digitalio`. Simpler: a pin remembers its value, and drives nothing."""


class Direction:
    INPUT = "input"
    OUTPUT = "output"


class DigitalInOut:
    def __init__(self, pin):
        pin.take(self)
        self._pin = pin
        self.direction = Direction.INPUT
        self.value = False

    @property
    def number(self):
        if self._pin is None:
            raise ValueError("Object has been deinitialized and can no longer be used.")
        return self._pin.number

    def deinit(self):
        if self._pin is not None:
            self._pin.release()
        self._pin = None
