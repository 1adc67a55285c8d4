"""Everything that a view tells of the other fleet, in the order in which it was told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.game.events import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.game.events import Shot
    from companion.game.ruleset import Ruleset
    from companion.game.squares import Square
    from companion.game.views import SeatView


class Sinking(NamedTuple):
    """A ship that sank: the square of the shot that sank it, what was hit by then (a mask by square index, with that
    square), its kind's key where it was told, and its squares (a mask) where they were told, else 0."""

    square: int
    hits_by_then: int
    kind: str | int | None
    squares: int


class Kind(NamedTuple):
    """Ships that cannot be told apart before they sink: a key, a length in squares, and how many ships there are."""

    key: str | int
    length: int
    ships: int


class Told(NamedTuple):
    """What is known of the other sea. Masks have bit `square.index` set.

    `hit_kinds` are the kinds of the hits that named their ship, by square index.
    """

    kinds: tuple[Kind, ...]
    may_touch: bool
    water: int
    hits: int
    sinkings: tuple[Sinking, ...]
    hit_kinds: dict[int, str | int]


def mask_of(squares: Iterable[Square]) -> int:
    """Return squares as a mask with bit `square.index` set for each."""
    mask = 0
    for square in squares:
        mask |= 1 << square.index
    return mask


def kinds_of(ruleset: Ruleset) -> tuple[Kind, ...]:
    """Return the kinds of a fleet, longest first: by name where a hit names its ship, else by length, since then
    ships of one length can't be told apart while they are afloat."""
    counts: dict[str | int, Kind] = {}
    for line in ruleset.fleet:
        key = line.ship if ruleset.hit_tells_ship else line.length
        before = counts[key].ships if key in counts else 0
        counts[key] = Kind(key, line.length, before + line.count)
    return tuple(sorted(counts.values(), key=lambda kind: -kind.length))


def read(view: SeatView) -> Told:
    """Take from a view what it tells of the other fleet."""
    ruleset = view.ruleset
    lengths = ruleset.lengths
    hits = 0
    sinkings: list[Sinking] = []
    hit_kinds: dict[int, str | int] = {}

    def kind(shot: Shot) -> str | int | None:
        if shot.ship is None:
            return None
        return shot.ship if ruleset.hit_tells_ship else lengths[shot.ship]

    for move in view.fired:
        for shot in move:
            if shot.outcome not in (Outcome.HIT, Outcome.SUNK):
                continue
            hits |= 1 << shot.square.index
            key = kind(shot)
            if shot.outcome is Outcome.SUNK:
                sinkings.append(Sinking(shot.square.index, hits, key, mask_of(shot.squares)))
            if key is not None and ruleset.hit_tells_ship:
                hit_kinds[shot.square.index] = key
    water = mask_of(view.target.misses) | mask_of(view.target.water)
    return Told(kinds_of(ruleset), ruleset.may_touch, water, hits, tuple(sinkings), hit_kinds)
