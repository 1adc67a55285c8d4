"""Plays three rising tones and asks what is heard."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hardware.board import Tone
from hardware.bringup.answers import one_of
from hardware.bringup.asker import AgainError, Outcome
from hardware.drivers.base import DriverError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware.bringup.asker import Asker
    from hardware.kit import Kit

TONES = (Tone(440, 300), Tone(0, 150), Tone(880, 300), Tone(0, 150), Tone(1760, 300))
"""440, 880 and 1760 Hz."""

_FAULTS = {
    "nothing": "nothing is heard. Check the buzzer's two wires: + at the pin of the kit, - at ground.",
    "same": (
        "the tones are all the same: this is an active buzzer, which knows one tone only. Use a passive one, such as a "
        "piezo disc."
    ),
    "clicks": "it only clicks: the buzzer is not made for a 3.3 V pin. Use a passive piezo.",
    "faint": "it is faint. Give the piezo a case with a hole, or use a larger one.",
}


def find_sound(
    kit: Kit,
    play: Callable[[Sequence[Tone]], None],
    asker: Asker,
    pause: Callable[[float], None] = time.sleep,
) -> Outcome:
    """Return what was heard; nothing here changes the kit.

    Raises LeaveError where the person leaves, DriverError where the kit has no buzzer: its board is silent, even if
    the simulator is not.
    """
    if kit.buzzer is None:
        raise DriverError(
            "This kit has no buzzer, so its board plays without sound: there is nothing to test. On a Pi a passive "
            "piezo can be added, as [buzzer] with its pin."
        )
    words = {"yes": "", "nothing": "nothing", "no": "nothing", "same": "same", "clicks": "clicks", "faint": "faint"}
    while True:
        play(TONES)
        pause(sum(tone.duration for tone in TONES) / 1000)
        try:
            heard = asker.ask(
                "Did you hear three tones, each higher than the last? (yes; nothing; same tone; clicks; faint; again)",
                one_of({**words, "same tone": "same"}),
            )
        except AgainError:
            continue
        if not heard:
            return Outcome(True, ("The sound works.",), kit)
        return Outcome(False, (f"The sound: {_FAULTS[heard]}",), kit)
