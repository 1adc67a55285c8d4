"""Buzzer and button, where the kit has them."""

from __future__ import annotations

from hardware.header import WAKE_GPIO, PiModel
from wiring.document.blocks import Block, Chapter, Commands, Figure, Heading, SeeNow, Text
from wiring.parts import BUZZER_RESISTOR
from wiring.plans.extras import buzzer_and_button
from wiring.steps import CHANGING, EXTRAS, SERVICE, see
from wiring.subject import Subject


def extras(subject: Subject) -> Chapter:
    """Return the chapter."""
    buzzer, button, board = subject.kit.buzzer, subject.kit.power_button, subject.pi_board
    blocks: list[Block] = []
    if board is None or (buzzer is None and button is None):
        blocks.append(
            Text(
                f"This kit has neither a buzzer nor a power button: nothing is wired in this step. The game plays without sound. To add one on a Pi: {see(CHANGING)}."
            )
        )
        blocks.append(SeeNow(("Nothing new: go on to the next step.",)))
        return Chapter(EXTRAS, tuple(blocks))
    blocks.append(Figure("buzzer-and-button", buzzer_and_button(board, subject.kit)))
    seen = []
    if buzzer is not None:
        blocks += [
            Heading("Buzzer"),
            Text(
                f"A passive piezo buzzer: the program gives it the tone. The {BUZZER_RESISTOR} resistor keeps the current of each edge at 15 mA (3.3 V / {BUZZER_RESISTOR}), below the 16 mA that a "
                "GPIO may give (Raspberry Pi documentation). It has no polarity, unless one leg is marked +: that one to the GPIO."
            ),
            Commands((subject.command("test sound"),)),
        ]
        seen.append("`test sound`: you hear the tones that it names, clear and one after the other.")
    else:
        blocks.append(Text("This kit has no buzzer: the game plays without sound."))
    if button is not None:
        wakes = button.pin == WAKE_GPIO and subject.kit.model is not PiModel.PI_5
        wake = (
            " It also wakes the Pi when it was shut down, for this pin is the one that does (GPIO3; Raspberry Pi documentation)."
            if wakes
            else " It does not wake this Pi again: switch it off and on at the wall."
            if subject.kit.model is not PiModel.PI_5
            else " To wake a Pi 5 press the button on its own board, or switch it off and on at the wall."
        )
        blocks += [
            Heading("Power button"),
            Text(
                "A short press makes the board dark, and light again. Hold it for two seconds: the game is kept, every LED goes dark, and with the service "
                f"({see(SERVICE)}) the Pi shuts down.{wake}"
            ),
        ]
        seen.append("The button is tried once the service runs: a short press blanks the panels and brings them back.")
    blocks.append(SeeNow(tuple(seen)))
    return Chapter(EXTRAS, tuple(blocks))
