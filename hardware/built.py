"""The board that was built: LED chains, keypads, buzzer and power button of one kit behind `Board`."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

from hardware.board import Board, BoardError
from hardware.drivers import registry
from hardware.drivers.base import DriverError, TellsTrouble
from hardware.kit import PanelGrid
from hardware.lighting import Lighting
from hardware.power_button import PowerButton
from hardware.sound import Buzzer
from hardware.writer import LedWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.board import BoardHost, Tone
    from hardware.drivers.base import KeypadDriver, LedDriver
    from hardware.frame import Picture
    from hardware.keys import KeyEvent
    from hardware.kit import Kit


class BuiltBoard(Board):
    """Drives everything that a kit names, each device from a thread of its own.

    Without its LEDs or its keypads it does not open; without its buzzer or power button it tells the host and goes on.
    A short press of the power button makes the panels dark until a key is pressed, and that key does nothing else (or
    the button again); a long one asks the host to end the program and to switch the Pi off.

    `open_leds` and `open_keypads` are those of `hardware.drivers.registry` unless others are handed in.
    """

    name = "built"
    captions = False

    def __init__(
        self,
        kit: Kit,
        *,
        open_leds: Callable[[Kit], LedDriver] = registry.open_leds,
        open_keypads: Callable[[Kit, Callable[[KeyEvent], None]], KeypadDriver] = registry.open_keypads,
    ) -> None:
        self._kit = kit
        self._open_leds = open_leds
        self._open_keypads = open_keypads
        self._lighting = Lighting(kit)
        self.one_panel = any(panel.grid is PanelGrid.EITHER for panel in self._lighting.panels)
        self._dark = self._lighting.light_frames([None] * len(self._lighting.panels)).chains
        self._closing = ExitStack()
        self._host: BoardHost | None = None
        self._writer: LedWriter | None = None
        self._buzzer: Buzzer | None = None
        self._lock = threading.Lock()
        self._wire = self._dark
        self._blank = False
        self._swallowed: set[tuple[int, str]] = set()

    def open(self, host: BoardHost) -> None:
        """Open every device and begin to hand key events to the host. Raises BoardError where the LEDs or a keypad
        cannot be opened; then nothing stays open."""
        self._host = host
        with ExitStack() as opened:
            try:
                leds = self._open_leds(self._kit)
                self._writer = LedWriter(leds, host.trouble)
                opened.callback(self._writer.close)
                keypads = self._open_keypads(self._kit, self._on_key)
                opened.callback(keypads.close)
            except DriverError as error:
                raise BoardError(str(error)) from error
            for driver in (leds, keypads):
                if isinstance(driver, TellsTrouble):
                    driver.tell_trouble_to(host.trouble)
            self._open_extras(host, opened)
            self._closing = opened.pop_all()

    def show(self, picture: Picture) -> None:
        """Show a picture; while the panels are blank it waits until they are lit again."""
        wire = self._lighting.light(picture).chains
        with self._lock:
            self._wire = wire
            self._send()

    def sound(self, tones: Sequence[Tone]) -> None:
        """Play tones on the buzzer, if there is one."""
        if self._buzzer is not None:
            self._buzzer.play(tones)

    def close(self) -> None:
        """Let every device go, the LEDs dark; may be called twice."""
        self._closing.close()

    def _open_extras(self, host: BoardHost, opened: ExitStack) -> None:
        kit = self._kit
        if kit.buzzer is not None:
            try:
                self._buzzer = Buzzer(kit.buzzer.pin)
            except DriverError as error:
                host.trouble(str(error))
            else:
                self._buzzer.tell_trouble_to(host.trouble)
                opened.callback(self._buzzer.close)
        if kit.power_button is not None:
            try:
                button = PowerButton(kit.power_button.pin, self._on_short_press, self._on_long_press)
            except DriverError as error:
                host.trouble(str(error))
            else:
                opened.callback(button.close)

    def _on_key(self, event: KeyEvent) -> None:
        assert self._host is not None
        key = (event.seat, event.key)
        with self._lock:
            if event.down and self._blank:
                self._blank = False
                self._swallowed.add(key)
                self._send()
                return
            if not event.down and key in self._swallowed:
                self._swallowed.remove(key)
                return
        self._host.key(event)

    def _on_short_press(self) -> None:
        with self._lock:
            self._blank = not self._blank
            self._send()

    def _on_long_press(self) -> None:
        assert self._host is not None
        self._host.stop(power_off=True)

    def _send(self) -> None:
        assert self._writer is not None, "the board is shown pictures only while it is open"
        self._writer.show(self._dark if self._blank else self._wire)
