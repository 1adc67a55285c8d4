"""What every pin of a kit's headers is used for, ground wires included."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from hardware.header import I2C_GPIOS, MODEL_NAMES, SPI0_GPIOS, UART_GPIOS, PinKind, header, pico_header
from wiring.electrics import panel_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.header import HeaderPin
    from hardware.kit import Kit

PICO = "pico"
"""The driver name of LEDs and keypads that a Raspberry Pi Pico drives."""


class Use(StrEnum):
    """The kinds of use, each with the letter that stands in its pins on the header map."""

    DATA = "D"
    ROW = "R"
    COLUMN = "C"
    BUZZER = "B"
    BUTTON = "P"
    GROUND = "G"
    """A ground pin that gets a wire; its mark is "0V" like that of every ground pin."""
    NONE = ""


class PinUse(NamedTuple):
    """One pin of a header and what is connected to it.

    `mark` is the two or so letters in the pin on the drawing, `label` the words beside it, `seat` the seat that it
    serves, or 0. `serves` is, for a ground pin with a wire, the GPIO whose part the wire belongs to.
    """

    pin: HeaderPin
    use: Use
    mark: str
    label: str
    seat: int = 0
    serves: int | None = None


class HeaderUse(NamedTuple):
    """One board of the kit with its pins in the order of their numbers."""

    board: str
    is_pico: bool
    pins: tuple[PinUse, ...]

    def with_use(self, *uses: Use) -> tuple[PinUse, ...]:
        """Return the pins with one of these uses."""
        return tuple(pin for pin in self.pins if pin.use in uses)

    def place(self, gpio: int) -> str:
        """Return where a GPIO stands: "GPIO18 (pin 12)"."""
        pin = next(use.pin for use in self.pins if use.pin.gpio == gpio)
        return f"{pin.name} (pin {pin.number})"

    def number(self, gpio: int) -> int:
        """Return a GPIO's pin number."""
        return next(use.pin.number for use in self.pins if use.pin.gpio == gpio)

    def ground_for(self, gpio: int) -> int:
        """Return the number of the ground pin whose wire belongs to the part on a GPIO."""
        return next(use.pin.number for use in self.pins if use.serves == gpio)


class _Part(NamedTuple):
    gpio: int
    use: Use
    mark: str
    label: str
    seat: int = 0
    ground_to: str = ""
    """What the part's ground wire leads to, or nothing where it needs none."""


def header_uses(kit: Kit) -> tuple[HeaderUse, ...]:
    """Return each board of the kit that has wires on its header: a Pi, a Pico, or both."""
    boards = []
    on_pi = _parts(kit, pico=False)
    if on_pi:
        boards.append(HeaderUse(MODEL_NAMES[kit.model], False, _assign(header(kit.model), on_pi)))
    behind = _parts(kit, pico=True)
    if behind:
        boards.append(HeaderUse("Raspberry Pi Pico", True, _assign(pico_header(), behind)))
    return tuple(boards)


def led_board(kit: Kit) -> HeaderUse:
    """Return the board that the data lines start from."""
    is_pico = kit.leds.driver == PICO
    return next(board for board in header_uses(kit) if board.is_pico == is_pico)


def data_label(kit: Kit, chain_index: int) -> str:
    """Return what a data line is called: its number and its first panel, or "LED data" where there is only one."""
    chains = kit.leds.chains
    if len(chains) == 1:
        return "LED data"
    return f"LED data {chain_index + 1}: {panel_name(chains[chain_index].panels[0])}"


def _parts(kit: Kit, *, pico: bool) -> list[_Part]:
    parts: list[_Part] = []
    if (kit.leds.driver == PICO) == pico:
        for index, chain in enumerate(kit.leds.chains):
            mark = "D" if len(kit.leds.chains) == 1 else f"D{index + 1}"
            seats = {panel.seat for panel in chain.panels}
            seat = seats.pop() if len(seats) == 1 else 0
            parts.append(_Part(chain.pin, Use.DATA, mark, data_label(kit, index), seat, "shifter"))
    for keypad in kit.keypads:
        if (keypad.driver == PICO) == pico:
            for use, word, gpios in ((Use.ROW, "row", keypad.rows), (Use.COLUMN, "column", keypad.columns)):
                parts += [
                    _Part(gpio, use, f"{use}{place}", f"Keypad {keypad.seat} {word} {place}", keypad.seat)
                    for place, gpio in enumerate(gpios, start=1)
                ]
    if not pico:
        if kit.buzzer is not None:
            parts.append(_Part(kit.buzzer.pin, Use.BUZZER, "B", "Buzzer", ground_to="buzzer"))
        if kit.power_button is not None:
            parts.append(_Part(kit.power_button.pin, Use.BUTTON, "P", "Power button", ground_to="power button"))
    return parts


def _assign(pins: Sequence[HeaderPin], parts: Sequence[_Part]) -> tuple[PinUse, ...]:
    by_gpio = {part.gpio: part for part in parts}
    grounds = _grounds(pins, parts)
    return tuple(_use(pin, by_gpio, grounds) for pin in pins)


def _use(pin: HeaderPin, by_gpio: dict[int, _Part], grounds: dict[int, _Part]) -> PinUse:
    if pin.gpio in by_gpio:
        part = by_gpio[pin.gpio]
        return PinUse(pin, part.use, part.mark, part.label, part.seat)
    if pin.kind is PinKind.GROUND:
        if pin.number in grounds:
            part = grounds[pin.number]
            return PinUse(pin, Use.GROUND, "0V", f"GND to the {part.ground_to}", part.seat, part.gpio)
        return PinUse(pin, Use.NONE, "0V", "GND")
    if pin.kind is PinKind.POWER_5V:
        name = "5 V" if pin.name == "5V" else f"{pin.name} (5 V)"
        return PinUse(pin, Use.NONE, "+5", f"{name}: leave empty")
    if pin.kind is PinKind.POWER_3V3:
        return PinUse(pin, Use.NONE, "3V", "3.3 V: leave empty")
    if pin.reserved:
        return PinUse(pin, Use.NONE, "X", "HAT ID: leave empty")
    if pin.kind is PinKind.CONTROL:
        return PinUse(pin, Use.NONE, "X", f"{pin.name}: leave empty")
    bus = {**I2C_GPIOS, **SPI0_GPIOS, **dict.fromkeys(UART_GPIOS, "serial console")}.get(pin.gpio or 0, "")
    return PinUse(pin, Use.NONE, "", f"free ({bus})" if bus and pin.pull else "free")


def _grounds(pins: Sequence[HeaderPin], parts: Sequence[_Part]) -> dict[int, _Part]:
    """Give each part that needs a ground wire the nearest ground pin that no other part has."""
    taken: dict[int, _Part] = {}
    is_pico = all(pin.pull is None for pin in pins)
    number_of = {pin.gpio: pin.number for pin in pins if pin.gpio is not None}
    for part in parts:
        if part.ground_to:
            free = [pin.number for pin in pins if pin.kind is PinKind.GROUND and pin.number not in taken]
            here = _position(number_of[part.gpio], is_pico)
            taken[min(free, key=lambda number: math.dist(_position(number, is_pico), here))] = part
    return taken


def _position(number: int, is_pico: bool) -> tuple[float, float]:
    """Return where a pin stands, in steps of 2.54 mm."""
    if not is_pico:
        return (number - 1) % 2, (number - 1) // 2
    # The two sides of a Pico are 17.78 mm apart.
    return (0, number - 1) if number <= 20 else (7, 40 - number)
