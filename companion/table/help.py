"""The help that a board with a screen shows: what the keys do, in the players' language."""

from __future__ import annotations

from companion.table.words import Words, mark

_LINES = (
    mark("2 4 6 8 move the cursor, held they repeat; 1 3 7 9 go diagonally"),
    mark("5 or # places, fires and says yes; * goes back and says no"),
    mark("A lays a whole fleet; C picks up a ship; 0 turns it"),
    mark("D dials a square: the column 1 to 9 and 0 is A to J, then the row"),
    mark("B looks back over your own shots, at any time"),
    mark("Hold * for the menu: rules, sound, take back, leave and more"),
    mark("In a salvo 5 marks a square and # fires when the salvo is full"),
    mark("Keyboard, seat 1: 1234 qwer asdf zxcv; seat 2: 7890 uiop jkl; m,./"),
    mark("Click a square of the target panel to dial it"),
    mark("F1 closes this help, F11 fills the screen, F12 saves a picture"),
)


def help_lines(words: Words) -> tuple[str, ...]:
    """Return the help, a line each."""
    return tuple(words(line) for line in _LINES)
