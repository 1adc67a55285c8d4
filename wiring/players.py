"""What players need to know: what each key does, what each light means, and the rules in eight lines."""

from __future__ import annotations

from typing import NamedTuple


class KeyWords(NamedTuple):
    """A key's short words for a key cap and its sentence for a list."""

    cap: tuple[str, ...]
    sentence: str


KEYS = {
    "1": KeyWords(("↖",), "up and left"),
    "2": KeyWords(("↑",), "up; held, it repeats"),
    "3": KeyWords(("↗",), "up and right"),
    "4": KeyWords(("←",), "left"),
    "5": KeyWords(("place", "fire"), "place, fire, yes"),
    "6": KeyWords(("→",), "right"),
    "7": KeyWords(("↙",), "down and left"),
    "8": KeyWords(("↓",), "down"),
    "9": KeyWords(("↘",), "down and right"),
    "0": KeyWords(("turn",), "turn the ship; in battle, with one panel a seat: your own sea"),
    "A": KeyWords(("AUTO",), "AUTO: a whole legal fleet"),
    "B": KeyWords(("look", "back"), "look back over your own shots, at any time"),
    "C": KeyWords(("pick", "up"), "pick up the ship under the cursor, or the next one"),
    "D": KeyWords(("dial",), "dial a square: column 1 … 9, 0 = A … J, then row 1 … 9, 0 = 10"),
    "*": KeyWords(("back", "menu"), "back, no; held for a second: the menu"),
    "#": KeyWords(("yes", "fire"), "yes, place, fire"),
}


class Light(NamedTuple):
    """One kind of light: a colour to print, its name, what it means in a word or two, and in a sentence."""

    colour: str
    name: str
    meaning: str
    sentence: str


LIGHTS = (
    Light("#10184a", "dark blue, nearly dark", "water", "Water, or a square that is not known yet."),
    Light(
        "#0b3fb5",
        "deep blue or sea green",
        "your ship",
        "A ship of yours: blue for Diamonds, green for Clubs.",
    ),
    Light("#c8c8c8", "white, steady", "miss", "A shot that fell into the water."),
    Light("#5f6a72", "dim grey, steady", "known water", "Beside a sunk ship, where no ship can be."),
    Light("#e2470b", "orange-red, steady", "hit", "A shot that struck a ship. It never blinks."),
    Light("#7a0c0c", "dark red, breathing", "sunk", "A sunk ship: it fades in and out every two seconds."),
    Light("#f2d43a", "gold or silver, in turns", "cursor", "The cursor: it takes turns with the square's own light."),
)

BLINKS = (
    "One light runs once around the target panel: your turn.",
    "The other player's panels at 60 %: that player waits.",
    "Only the outline of a ship: it doesn't fit there.",
    "A ring runs outwards: miss. A flare with embers: hit.",
    "Lights from bow to stern, then dark red: sunk.",
    "A slow swell, then dark: nobody plays. Any key wakes it.",
)

RULES = (
    "Each player has a hidden fleet on the ocean grid and a target grid for shots at the other's sea.",
    "Place your ships: move, turn with 0, set with 5. Or press A for a whole fleet. # sails.",
    "Ships lie across or down, never overlap, and stay where they are once both fleets have sailed.",
    "In your turn choose a square and fire with 5 or #. The board tells miss, hit or sunk.",
    "A square that was fired at is refused; your turn is kept.",
    "A ship is sunk when all its squares are hit.",
    "Who has sunk the whole enemy fleet wins, at once.",
    "Rule sets (salvo, another shot after a hit, …) are in the menu: hold *, then 1.",
)
