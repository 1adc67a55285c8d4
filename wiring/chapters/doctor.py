"""The doctor: is this machine ready for this kit?"""

from __future__ import annotations

from wiring.document.blocks import Chapter, Commands, SeeNow, Table, Text
from wiring.steps import DOCTOR
from wiring.subject import Subject


def doctor(subject: Subject) -> Chapter:
    """Return the chapter."""
    board = "a Pi" if subject.on_any_computer else "the Pi"
    return Chapter(
        DOCTOR,
        (
            Text("The tests looked at the wires; the doctor looks at the machine. It changes nothing."),
            Commands((subject.command("doctor"),)),
            Text(
                "Each line is `ok`, `warning` or `error`, and each that is not `ok` has its cure in the next line. It looks, among others, at:"
            ),
            Table(
                ("What", "Why"),
                (
                    ("model, system, packages", "the LED driver must suit the computer, its libraries must be there"),
                    ("rights, occupied", "who may open the LED and keypad devices, and who has them open already"),
                    (
                        "boot, audio, spi",
                        "lines of config.txt that take pins away, such as analog audio on the PWM block",
                    ),
                    ("supply", f"whether {board}'s own voltage was ever too low since it was started"),
                    ("budget", "the LEDs' budget against the supply"),
                    ("storage, time", "room for the games, a writable folder, a clock that is right"),
                ),
                (35, 65),
            ),
            SeeNow(
                (
                    "The last line begins with `Ready`. A warning leaves it so; an error makes it `Not ready`, and the exit code 1.",
                )
            ),
        ),
    )
