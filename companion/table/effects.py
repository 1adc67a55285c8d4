"""Short effects over the marks, as data: what, where, and since when. How they light up is in `effect_light`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.game.events import Outcome, Phase, Shot, ShotsTold
from companion.game.fleet import Ship
from companion.game.squares import Square
from companion.game.views import SeatView
from companion.table.marks import ship_on
from hardware.frame import Grid


class Kind(StrEnum):
    """What an effect shows."""

    SPLASH = "splash"
    STRIKE = "strike"
    SINKING = "sinking"
    TURN = "turn"
    APPEAR = "appear"
    VICTORY = "victory"
    DEFEAT = "defeat"
    SWELL = "swell"


SINKING_STEP = 0.08
"""Seconds between two squares of a ship that lights up before it sinks (LOOK)."""

APPEAR_STEP = 0.09
"""Seconds between two ships of a fleet that appears (LOOK)."""

LONGEST = 1.6
"""Seconds that any sinking takes at most (LOOK)."""

SALVO_STEP = 0.35
"""Seconds between two shots of a salvo: fewer than three flares a second."""

DURATIONS = {
    Kind.SPLASH: 0.5,
    Kind.STRIKE: 0.5,
    Kind.TURN: 0.6,
    Kind.VICTORY: 1.6,
    Kind.DEFEAT: 1.5,
    Kind.SWELL: 6.0,
}
"""Seconds that an effect lasts, where that does not depend on its squares."""


@dataclass(frozen=True)
class Effect:
    """One effect on one panel; `began` is in seconds on the table's clock, `squares` in the order they light up."""

    kind: Kind
    seat: int
    grid: Grid
    began: float
    squares: tuple[Square, ...] = ()
    steps: tuple[int, ...] = ()

    @property
    def duration(self) -> float:
        """How long it lasts, in seconds."""
        if self.kind is Kind.SINKING:
            return min(LONGEST, SINKING_STEP * len(self.squares) + 0.8)
        if self.kind is Kind.APPEAR:
            return APPEAR_STEP * (max(self.steps, default=0) + 1)
        return DURATIONS[self.kind]

    @property
    def ends(self) -> float:
        """When it is over."""
        return self.began + self.duration


def effects_of(told: ShotsTold, shooter: SeatView, other: SeatView, now: float) -> list[Effect]:
    """Return what shots look like: on the shooter's target panel as far as that seat knows, on the other's own sea,
    and at the end the victory and the defeat."""
    effects = []
    start = now
    for shot in told.shots:
        effects.append(_shot_effect(shot, shooter.seat, Grid.TARGET, start, _known_ship(shot, shooter)))
        effects.append(_shot_effect(shot, other.seat, Grid.OCEAN, start, _own_ship(shot, other)))
        start += SALVO_STEP
    over = max(effect.ends for effect in effects)
    if shooter.phase is Phase.ENDED:
        last = (told.shots[-1].square,)
        effects.append(Effect(Kind.VICTORY, shooter.seat, Grid.TARGET, over, last))
        effects.append(Effect(Kind.VICTORY, shooter.seat, Grid.OCEAN, over, last))
        effects.append(Effect(Kind.DEFEAT, other.seat, Grid.OCEAN, over))
        effects.append(Effect(Kind.DEFEAT, other.seat, Grid.TARGET, over))
    elif other.my_turn:
        effects.append(Effect(Kind.TURN, other.seat, Grid.TARGET, over))
    return effects


def _shot_effect(shot: Shot, seat: int, grid: Grid, start: float, ship: tuple[Square, ...]) -> Effect:
    if shot.outcome is Outcome.SUNK:
        return Effect(Kind.SINKING, seat, grid, start, ship)
    kind = Kind.STRIKE if shot.outcome is Outcome.HIT else Kind.SPLASH
    return Effect(kind, seat, grid, start, (shot.square,))


def _known_ship(shot: Shot, shooter: SeatView) -> tuple[Square, ...]:
    """The squares of a sunk ship as far as the shooter knows them."""
    if shot.squares or shooter.ruleset.may_touch:
        return shot.squares or (shot.square,)
    known = set(shooter.target.sunk)
    run = {shot.square}
    for _ in range(10):
        run |= {
            square
            for square in known
            if any(abs(square.row - near.row) + abs(square.column - near.column) == 1 for near in run)
        }
    return tuple(sorted(run))


def _own_ship(shot: Shot, other: SeatView) -> tuple[Square, ...]:
    ship = ship_on(other.fleet, shot.square)
    return ship.squares if ship else (shot.square,)


def fleet_appears(seat: int, ships: Sequence[Ship], now: float) -> list[Effect]:
    """Return the effect of AUTO: ships appear one by one."""
    squares = tuple(square for ship in ships for square in ship.squares)
    steps = tuple(number for number, ship in enumerate(ships) for _ in ship.squares)
    return [Effect(Kind.APPEAR, seat, Grid.OCEAN, now, squares, steps)]


def swell(now: float) -> list[Effect]:
    """Return the slow swell over all panels when nobody plays."""
    return [Effect(Kind.SWELL, seat, grid, now) for seat in (1, 2) for grid in Grid]
