"""The keys that move the cursor (DESIGN: Keys)."""

STEPS = {
    "1": (-1, -1),
    "2": (-1, 0),
    "3": (-1, 1),
    "4": (0, -1),
    "6": (0, 1),
    "7": (1, -1),
    "8": (1, 0),
    "9": (1, 1),
}
"""The way that each move key goes: rows down, columns right."""

ARROWS = {"1": "↖", "2": "↑", "3": "↗", "4": "←", "6": "→", "7": "↙", "8": "↓", "9": "↘"}
"""What the move keys do, for a legend."""
