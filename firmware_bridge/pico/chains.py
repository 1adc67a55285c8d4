"""The LED chains: what the host sent, what may be lit of it, and what is lit while no host speaks."""

from binascii import crc32, unhexlify

import board
import digitalio
import wire
from neopixel_write import neopixel_write


def scaled(data, numerator, denominator):
    """Return the bytes times a fraction, rounded down. Loops over the bytes: only for what is rare."""
    return bytes([value * numerator // denominator for value in data])


class Chain:
    """One data line: its pin, and the bytes that the host sent for it."""

    def __init__(self, config):
        self.number = config["pin"]
        self.leds = config["leds"]
        self.order = config["order"]
        self.received = bytearray(self.leds * len(self.order))
        self.lit = self.received
        self.sum = 0
        self.standby = bytearray(len(self.received))
        for start, piece in config["standby"]:
            piece = unhexlify(piece)
            self.standby[start : start + len(piece)] = piece
        self._pin = digitalio.DigitalInOut(getattr(board, f"GP{self.number}"))
        self._pin.direction = digitalio.Direction.OUTPUT

    def light(self, data, total):
        """Send bytes, which have this sum, to the LEDs."""
        self.lit = data
        self.sum = total
        neopixel_write(self._pin, data)

    def deinit(self):
        """Let the pin go."""
        self._pin.deinit()


class Chains:
    """All chains, and the current limit over them.

    The limit is given in sums of LED bytes, for each panel and for all: the host works them out from the kit's budgets,
    so that nothing but a sum is needed here. What exceeds them is scaled down before it reaches a pin.
    """

    def __init__(self, config):
        self._chains = []
        self._panels = config["panels"]
        self._limit = config["limit"]
        self._sums = [0] * len(self._panels)
        self._limited = False
        try:
            for chain in config["chains"]:
                self._chains.append(Chain(chain))
        except Exception:
            self.deinit()
            raise
        self._all = (1 << len(self._chains)) - 1
        self._changed = self._all

    def __len__(self):
        return len(self._chains)

    def describe(self):
        """Return pin, LEDs and colour order of each chain."""
        return [[chain.number, chain.leds, chain.order] for chain in self._chains]

    def frame(self, payload):
        """Take all bytes of one chain."""
        chain = self._chains[payload[0]]
        if len(payload) - 1 == len(chain.received):
            chain.received[:] = memoryview(payload)[1:]
        self._changed |= 1 << payload[0]

    def patch(self, payload):
        """Take pieces of one chain."""
        self._changed |= 1 << payload[0]
        wire.apply_patch(payload, self._chains[payload[0]].received)

    def matches(self, checks):
        """Whether every chain has the CRC32 that the host names: nothing was lost on the way."""
        return [crc32(chain.received) for chain in self._chains] == checks

    def show(self, mask):
        """Light the chains in the mask as the host sent them; return whether the current limit dimmed them."""
        return self._light([chain.received for chain in self._chains], mask)

    def relight(self):
        """Light again what the host sent last."""
        self.show(self._all)

    def dim(self):
        """Light what is lit with a quarter of its brightness."""
        for chain in self._chains:
            chain.light(scaled(chain.lit, 1, 4), chain.sum // 4)

    def standby(self):
        """Light the sign for "no host"."""
        self._changed = self._all
        self._light([chain.standby for chain in self._chains], self._all)
        self._changed = self._all

    def dark(self):
        """Light nothing, and forget what the host sent."""
        for chain in self._chains:
            chain.received[:] = bytes(len(chain.received))
        self._changed = self._all
        self.relight()

    def deinit(self):
        """Let every pin go."""
        for chain in self._chains:
            chain.deinit()

    def _light(self, pictures, mask):
        for number, (chain, start, end, _) in enumerate(self._panels):
            if self._changed & 1 << chain:
                self._sums[number] = sum(memoryview(pictures[chain])[start:end])
        self._changed = 0
        allowed = [min(self._sums[number], panel[3]) for number, panel in enumerate(self._panels)]
        if sum(allowed) > self._limit:
            total = sum(allowed)
            allowed = [part * self._limit // total for part in allowed]
        limited = allowed != self._sums
        if limited:
            pictures = self._scaled(pictures, allowed)
        if limited or self._limited:
            mask = self._all
        self._limited = limited
        totals = [0] * len(self._chains)
        for number, panel in enumerate(self._panels):
            totals[panel[0]] += allowed[number]
        # What gets darker goes first: not even between two chains is the limit exceeded.
        for number in sorted(range(len(totals)), key=lambda number: totals[number] - self._chains[number].sum):
            if mask & 1 << number:
                self._chains[number].light(pictures[number], totals[number])
        return limited

    def _scaled(self, pictures, allowed):
        pictures = [bytearray(picture) for picture in pictures]
        for number, (chain, start, end, _) in enumerate(self._panels):
            total = max(1, self._sums[number])
            pictures[chain][start:end] = scaled(pictures[chain][start:end], allowed[number], total)
        return pictures
