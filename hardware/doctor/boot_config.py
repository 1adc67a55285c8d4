"""The Raspberry Pi's config.txt: which file the firmware reads, and what of it holds for this model.

Source: Raspberry Pi documentation, config.txt: conditional filters, dtparam and dtoverlay; the file moved to
/boot/firmware with Bookworm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.header import PiModel

if TYPE_CHECKING:
    from hardware.doctor.machine import Machine

NEW_PATH = "/boot/firmware/config.txt"
OLD_PATH = "/boot/config.txt"

_FILTERS = {
    PiModel.ZERO_2: {"all", "pi0", "pi0w", "pi02", "pi3"},
    PiModel.PI_3: {"all", "pi3", "pi3+"},
    PiModel.PI_4: {"all", "pi4", "pi400", "cm4"},
    PiModel.PI_5: {"all", "pi5", "pi500", "cm5"},
}


@dataclass(frozen=True)
class BootConfig:
    """The settings in force on this model, in the order of the file. `stray` is an old config.txt that has settings
    which nothing reads, or None."""

    path: str
    lines: tuple[str, ...]
    stray: str | None = None

    def parameter(self, name: str) -> str | None:
        """Return the last value of a dtparam ("on" where it stands without one), or None where it isn't set."""
        found = None
        for line in self.lines:
            key, _, value = line.partition("=")
            if key != "dtparam":
                continue
            for part in value.split(","):
                parameter, _, setting = part.partition("=")
                if parameter == name:
                    found = setting or "on"
        return found

    def is_on(self, name: str) -> bool:
        """Whether a dtparam is switched on."""
        return self.parameter(name) in {"on", "yes", "true", "1"}

    def overlays(self, name: str) -> list[dict[str, str]]:
        """Return the parameters of every use of an overlay."""
        uses = [line for line in self.lines if line.partition("=")[0] == "dtoverlay"]
        return [overlay_parameters(line) for line in uses if line.partition("=")[2].split(",")[0] == name]

    def setting(self, name: str) -> str | None:
        """Return the last value of a plain setting such as core_freq, or None."""
        values = [line.partition("=")[2] for line in self.lines if line.partition("=")[0] == name]
        return values[-1] if values else None


def overlay_parameters(line: str) -> dict[str, str]:
    """Return the parameters of one dtoverlay line."""
    parts = (part.partition("=") for part in line.partition("=")[2].split(",")[1:])
    return {name: value for name, _, value in parts}


def read_boot_config(machine: Machine, model: PiModel | None) -> BootConfig | None:
    """Return the settings that the firmware takes on this model, or None where there is no config.txt."""
    new, old = machine.text(NEW_PATH), machine.text(OLD_PATH)
    if new is not None:
        # A link or a note stands at the old place since Bookworm; settings in it are read by nobody.
        stray = OLD_PATH if old is not None and old != new and _in_force(old, model) else None
        return BootConfig(NEW_PATH, _in_force(new, model), stray)
    return None if old is None else BootConfig(OLD_PATH, _in_force(old, model))


def _in_force(text: str, model: PiModel | None) -> tuple[str, ...]:
    filters = _FILTERS.get(model, {"all"}) if model is not None else {"all"}
    lines, applies = [], True
    for raw in text.splitlines():
        line = raw.split("#", 1)[0].strip().replace(" ", "")
        if line.startswith("[") and line.endswith("]"):
            applies = line[1:-1].lower() in filters
        elif line and "=" in line and applies:
            lines.append(line)
    return tuple(lines)
