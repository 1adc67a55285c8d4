"""The kit that a guide is about, with all that its chapters ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from hardware.header import PiModel
from hardware.machine_needs import MachineNeeds, ServiceKind, kit_needs
from wiring.electrics import Electrics
from wiring.pins import PICO, HeaderUse, header_uses, led_board

if TYPE_CHECKING:
    from hardware.kit import Chain, Keypad, Kit, PanelSpec

EVDEV = "evdev"


@dataclass(frozen=True)
class Subject:
    """A checked kit and the name or file that a person gives to `--kit`."""

    kit: Kit
    name: str

    @property
    def is_file(self) -> bool:
        """Whether the kit is a file of the maker's own rather than one known by name."""
        return self.name.endswith(".toml")

    @cached_property
    def electrics(self) -> Electrics:
        """Its currents, fuses and wires."""
        return Electrics(self.kit)

    @cached_property
    def boards(self) -> tuple[HeaderUse, ...]:
        """Each board whose header gets wires."""
        return header_uses(self.kit)

    @cached_property
    def led_board(self) -> HeaderUse:
        """The board that the data lines start from."""
        return led_board(self.kit)

    @property
    def pi_board(self) -> HeaderUse | None:
        """The Pi's header, where it gets wires."""
        return next((board for board in self.boards if not board.is_pico), None)

    @cached_property
    def needs(self) -> MachineNeeds | None:
        """What the kit asks of its machine, or None for an LED driver of another package."""
        try:
            return kit_needs(self.kit)
        except ValueError:
            return None

    @property
    def needs_root(self) -> bool:
        """Whether the LEDs want root: PWM and PCM go through /dev/mem."""
        return self.needs is not None and self.needs.service is ServiceKind.PWM

    @property
    def with_pico(self) -> bool:
        """Whether a Pico drives the LEDs."""
        return self.kit.leds.driver == PICO

    @property
    def on_any_computer(self) -> bool:
        """Whether the program may run on any computer, for all pins are a Pico's."""
        return self.kit.model is PiModel.ANY

    def command(self, words: str) -> str:
        """Return a command for this kit as it is typed.

        On a Pi as root and with the kit that is installed, so that it works on the board's own games and kits. For a
        Pico on any computer with the board's name, which would be the simulator otherwise.
        """
        if not self.on_any_computer:
            return f"sudo broadside {words} --kit {self.name.removesuffix('.toml')}"
        board = "" if words.startswith("doctor") else " --board pico"
        return f"broadside {words} --kit {self.name}{board}"

    @property
    def chains(self) -> tuple[Chain, ...]:
        """The data lines."""
        return self.kit.leds.chains

    @property
    def panels(self) -> tuple[PanelSpec, ...]:
        """Every panel, in chain order."""
        return tuple(panel for chain in self.chains for panel in chain.panels)

    @property
    def matrices(self) -> tuple[Keypad, ...]:
        """The keypads that hang on pins."""
        return tuple(keypad for keypad in self.kit.keypads if keypad.rows)

    @property
    def number_pads(self) -> tuple[Keypad, ...]:
        """The USB number pads."""
        return tuple(keypad for keypad in self.kit.keypads if keypad.driver == EVDEV)

    def board_of(self, keypad: Keypad) -> HeaderUse:
        """Return the board that a matrix keypad hangs on."""
        return next(board for board in self.boards if board.is_pico == (keypad.driver == PICO))

    def panels_by_path(self) -> tuple[tuple[PanelSpec, ...], ...]:
        """Return the panels in groups that are wired and mounted alike, first ones first."""

        def wired(panel: PanelSpec) -> tuple[str, str, bool, int]:
            return panel.first, panel.along, panel.serpentine, panel.rotation

        order = {key: number for number, key in reversed(list(enumerate(map(wired, self.panels))))}
        ordered = sorted(self.panels, key=lambda panel: order[wired(panel)])
        return tuple(tuple(group) for _key, group in groupby(ordered, key=wired))


def count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 panel", "4 panels"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(words: list[str] | tuple[str, ...]) -> str:
    """Return words as a list in a sentence: "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
