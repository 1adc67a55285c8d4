"""Stands in for CircuitPython's `board` on a Raspberry Pi Pico: the pins that its header has, and the LED.

Simpler than the real one: pins have only a name, none of the names for buses is there.
"""


class Pin:
    def __init__(self, number, name):
        self.number = number
        self.name = name
        self.user = None

    def __repr__(self):
        return f"board.{self.name}"

    def take(self, user):
        """As on the real one, a pin has one user at a time."""
        if self.user is not None:
            raise ValueError(f"{self.name} in use")
        self.user = user

    def release(self):
        self.user = None


board_id = "raspberry_pi_pico"

for number in range(29):
    # The other three lead to the regulator, the USB supply and the LED.
    if number not in (23, 24, 25):
        globals()[f"GP{number}"] = Pin(number, f"GP{number}")
LED = Pin(25, "LED")
