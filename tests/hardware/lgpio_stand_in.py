"""A stand-in for the module lgpio, which needs a Pi: the calls that gpiozero makes, on the pins of a mock factory.

gpiozero's own lgpio pin factory runs on top of it unchanged, so that a driver is tried on the code that a Pi runs.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hardware.matrix import BoardFactory

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
IS_OUT = 2

_PULLS = {SET_PULL_UP: "up", SET_PULL_DOWN: "down", SET_PULL_NONE: "floating"}
_EDGES = {RISING_EDGE: "rising", FALLING_EDGE: "falling", BOTH_EDGES: "both"}


class error(Exception):  # noqa: N801, N818 - the module's own name
    """What lgpio raises."""


class StandIn(ModuleType):
    """The module. `pwm` notes every call of tx_pwm as (pin, frequency in Hz, duty cycle in %)."""

    def __init__(self, factory: BoardFactory) -> None:
        super().__init__("lgpio")
        self.RISING_EDGE, self.FALLING_EDGE, self.BOTH_EDGES = RISING_EDGE, FALLING_EDGE, BOTH_EDGES
        self.SET_PULL_UP, self.SET_PULL_DOWN, self.SET_PULL_NONE = SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE
        self.error = error
        self.pwm: list[tuple[int, float, float]] = []
        self._factory = factory

    def gpiochip_open(self, gpiochip: int) -> int:
        return gpiochip + 1

    def gpiochip_close(self, handle: int) -> int:
        return 0

    def gpio_claim_input(self, handle: int, gpio: int, lFlags: int = 0) -> int:  # noqa: N803
        pin = self._factory.pin(gpio)
        pin.function = "input"
        for flag, pull in _PULLS.items():
            # GPIO2 and 3 have resistors on the board, whatever is asked for.
            if lFlags & flag and not pin.info.pull:
                pin.pull = pull
        return 0

    def gpio_claim_output(self, handle: int, gpio: int, level: int = 0, lFlags: int = 0) -> int:  # noqa: N803
        self._factory.pin(gpio).output_with_state(bool(level))
        return 0

    def gpio_claim_alert(self, handle: int, gpio: int, eFlags: int, lFlags: int = 0, notify_handle: Any = None) -> int:  # noqa: N803
        self.gpio_claim_input(handle, gpio, lFlags)
        self._factory.pin(gpio).edges = _EDGES[eFlags]
        return 0

    def gpio_free(self, handle: int, gpio: int) -> int:
        self._factory.pin(gpio).function = "input"
        return 0

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        pin = self._factory.pin(gpio)
        if pin.function == "output":
            return IS_OUT
        return next(flag for flag, pull in _PULLS.items() if pull == pin.pull)

    def gpio_set_debounce_micros(self, handle: int, gpio: int, debounce_micros: int) -> int:
        return 0

    def gpio_read(self, handle: int, gpio: int) -> int:
        return int(self._factory.pin(gpio).state)

    def gpio_write(self, handle: int, gpio: int, level: int) -> int:
        self._factory.pin(gpio).state = bool(level)
        return 0

    def tx_pwm(
        self,
        handle: int,
        gpio: int,
        pwm_frequency: float,
        pwm_duty_cycle: float,
        pulse_offset: int = 0,
        pulse_cycles: int = 0,
    ) -> int:
        self.pwm.append((gpio, pwm_frequency, pwm_duty_cycle))
        return 0

    def callback(self, handle: int, gpio: int, edge: int = RISING_EDGE, func: Callable[..., None] | None = None) -> Any:
        return _Callback(self._factory.pin(gpio), handle, gpio, func)


class _Callback:
    """Calls back at each edge of a pin, as lgpio does: chip, pin, level, nanoseconds."""

    def __init__(self, pin: Any, handle: int, gpio: int, func: Callable[..., None] | None) -> None:
        assert func is not None
        self._pin, self._handle, self._gpio, self._func = pin, handle, gpio, func
        pin.when_changed = self._edge

    def _edge(self, ticks: float, state: bool) -> None:
        self._func(self._handle, self._gpio, int(state), round(ticks * 1e9))

    def cancel(self) -> None:
        """Stop calling back."""
        self._pin.when_changed = None
