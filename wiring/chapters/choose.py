"""Choose a kit: the shipped ones side by side."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from hardware.header import MODEL_NAMES
from hardware.kit import load_kit
from wiring.document.blocks import Chapter, Table, Text, plain
from wiring.electrics import amperes
from wiring.steps import CHANGING, CHOOSE, see
from wiring.subject import Subject, count

GOOD_FOR = {
    "full": "The whole table. Start here if you have a Pi 3, Pi 4 or Zero 2 W.",
    "compact": "Half the LEDs, half the money: one panel a seat shows whichever grid matters now.",
    "one-chain": "One data wire around the table: a shifter output less, twice the time for a frame.",
    "pi5": "A Pi 5, whose pins want another driver. No root.",
    "pico": "Any computer with USB: a laptop, an old PC, any Pi. A Pico does the timing.",
}


def shipped_kits() -> dict[str, Subject]:
    """Return the shipped kits by name, the simplest way in first."""
    folder = Path(str(files("wiring.kits")))
    found = {path.stem: Subject(load_kit(path), path.stem) for path in sorted(folder.glob("*.toml"))}
    order = [name for name in GOOD_FOR if name in found]
    return {name: found[name] for name in [*order, *(name for name in found if name not in order)]}


def choose(subject: Subject) -> Chapter:
    """Return the chapter."""
    rows = tuple(_row(name, kit, name == subject.name) for name, kit in shipped_kits().items())
    own = "" if not subject.is_file else f" This guide was made for your own kit file `{subject.name}`."
    return Chapter(
        CHOOSE,
        (
            Text(
                f"This is the guide for the kit **{plain(subject.name)}**.{own} All kits play the same game; they differ in the computer "
                "and the number of panels."
            ),
            Table(
                ("Kit", "Computer", "Panels, lines", "Supply", "Root", "Frame", "Good for"),
                rows,
                (12, 19, 12, 9, 8, 10, 30),
            ),
            Text(
                "Root: PWM reaches the memory directly, which only root may; the service then runs as root with that one right. "
                "Frame: how long one picture takes on the longest line, 30 µs a LED and 280 µs of silence (WS2812B data "
                "sheet)."
            ),
            Text(
                f"Something in between, other pins, RGBW panels, USB number pads instead of matrix keypads? Copy a kit "
                f"file and change it ({see(CHANGING)}); `broadside guide --kit FILE` then writes this guide for yours."
            ),
        ),
    )


def _row(name: str, kit: Subject, this: bool) -> tuple[str, ...]:
    electrics = kit.electrics
    longest = max(electrics.frame_ms(chain) for chain in kit.chains)
    mark = f"**{plain(name)}** (this one)" if this else f"`{name}`"
    model = "Pico on any computer" if kit.on_any_computer else MODEL_NAMES[kit.kit.model]
    if kit.kit.leds.driver == "rpi_ws281x":
        model = "Raspberry Pi 3, 4 or Zero 2 W"
    return (
        mark,
        model,
        f"{count(len(kit.panels), 'panel')}, {count(len(kit.chains), 'line')}",
        amperes(kit.kit.power.supply_ma),
        "yes" if kit.needs_root else "no",
        f"{longest:.1f} ms",
        GOOD_FOR.get(name, kit.kit.title),
    )
