"""Changing pins: edit the kit, check it, make the guide again."""

from __future__ import annotations

import msgspec

from hardware.kit import KitError, check_kit
from wiring.document.blocks import Chapter, Commands, Items, SeeNow, Table, Text
from wiring.steps import CHANGING
from wiring.subject import Subject


def changing(subject: Subject) -> Chapter:
    """Return the chapter."""
    own = subject.name if subject.is_file else "my-kit.toml"
    sudo = "" if subject.on_any_computer else "sudo "
    pins = "Pico GP numbers" if subject.with_pico else "BCM GPIO numbers"
    wrong, message = _mistake(subject)
    return Chapter(
        CHANGING,
        (
            Text(
                "The kit is a text file, and everything follows it: the program, the check, this guide. Change the file first and the wires afterwards."
            ),
            Items(
                (
                    "Copy `kit.toml` from this guide's folder (it is the very file that this guide was made from) under a name of its own and edit the copy. Its comments and the table below explain the keys.",
                    "Check it: `broadside guide` refuses a kit with a fault and says what is wrong and what to do. So does everything else.",
                    "Make the guide again (a `kit.toml` that you edited in its folder is kept as `kit-1.toml`), print the new pin map, move the wires with everything switched off.",
                    "Install the kit, so that the service uses it.",
                ),
                numbered=True,
            ),
            Commands(
                (
                    f"broadside guide --kit {own} --out my-guide",
                    f"{sudo}broadside doctor --kit {own}",
                    f"sudo make install KIT={own}",
                )
            ),
            Text(f"What a mistake looks like: with `{wrong}` in this kit the answer is"),
            Commands((message,)),
            Table(
                ("In the kit", "Means"),
                (
                    ("`[[leds.chains]]` pin", f"the data line ({pins})"),
                    ("panels", "in wire order: seat, grid, and how each is wired: first, along, serpentine, rotation"),
                    ("order", "the colour order on the wire; four letters with W for four-colour LEDs"),
                    (
                        "`[power]`",
                        "supply_ma, budget_ma, and panel_budget_ma (4000 where it is left out): fuses and wires of this guide follow them",
                    ),
                    (
                        "`[[keypads]]`",
                        f'rows and columns ({pins}), layout: one text a row; or driver = "evdev" with device for a USB number pad',
                    ),
                    ("`[buzzer]`, `[power_button]`", "pin on a Pi; leave the table out where there is none"),
                ),
                (32, 68),
            ),
            SeeNow(
                (
                    f"`broadside guide --kit {own}` ends without a message on the error line, and its pin map shows your change.",
                )
            ),
        ),
    )


def _mistake(subject: Subject) -> tuple[str, str]:
    """Return a mistake and what the kit check says of it, so that the guide shows the message as it is."""
    pin = 24 if subject.with_pico else 0
    chains = (msgspec.structs.replace(subject.chains[0], pin=pin), *subject.chains[1:])
    leds = msgspec.structs.replace(subject.kit.leds, chains=chains)
    try:
        check_kit(msgspec.structs.replace(subject.kit, leds=leds))
    except KitError as error:
        return f"pin = {pin}", str(error)
    raise AssertionError(f"pin {pin} is reserved on every board")
