"""Short sounds by name, as tones that a buzzer can play: frequency in Hz and duration in ms."""

from __future__ import annotations

from hardware.board import Tone

_C5, _E5, _G5, _C6 = 523.25, 659.26, 783.99, 1046.5
"""Equal temperament, A4 = 440 Hz."""

SOUNDS: dict[str, tuple[Tone, ...]] = {
    "refused": (Tone(196, 90), Tone(0, 40), Tone(196, 90)),
    "placed": (Tone(_E5, 60),),
    "sailed": (Tone(_C5, 90), Tone(_E5, 90), Tone(_G5, 140)),
    "turn": (Tone(_G5, 80),),
    "asked": (Tone(_E5, 90), Tone(_G5, 140)),
    "miss": (Tone(330, 60), Tone(262, 90)),
    "hit": (Tone(110, 120), Tone(147, 80)),
    "sunk": (Tone(220, 140), Tone(165, 140), Tone(110, 320)),
    "wasted": (Tone(262, 60),),
}

_VICTORY = {
    "diamonds": (Tone(_C5, 120), Tone(_E5, 120), Tone(_G5, 120), Tone(_C6, 360)),
    "clubs": (Tone(_G5, 120), Tone(_E5, 120), Tone(_G5, 120), Tone(_C6, 360)),
}


def tones(name: str, kingdom: str) -> tuple[Tone, ...]:
    """Return the tones of a sound; a victory sounds as the winner's kingdom does. Raises KeyError for no sound."""
    return _VICTORY[kingdom] if name == "won" else SOUNDS[name]
