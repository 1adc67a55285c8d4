from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.game.events import Outcome, Shot, ShotsTold
from companion.game.squares import Square
from companion.game.views import view
from companion.table.effects import LONGEST, Effect, Kind, effects_of, fleet_appears
from companion.table.painter import Painter, PanelScene
from hardware.frame import Grid
from tests.companion.game.strategies import new_match
from tests.companion.table.golden_effects import BEGAN, EFFECTS, SEA, frame, read


@pytest.mark.parametrize("kingdom", ["diamonds", "clubs"])
@pytest.mark.parametrize("kind", list(EFFECTS))
def test_an_effect_lights_what_it_lit_when_it_was_looked_at(kind: Kind, kingdom: str) -> None:
    effect, ages = EFFECTS[kind]
    for age, golden in zip(ages, read(kind, kingdom), strict=True):
        painted = frame(effect, age, kingdom)
        # Other processors round the last bit another way.
        assert np.abs(painted.astype(int) - golden).max() <= 1, f"{kind} at {age} s"


@pytest.mark.parametrize("kind", list(EFFECTS))
def test_an_effect_is_nothing_before_and_after_and_without_blinking(kind: Kind) -> None:
    effect, _ages = EFFECTS[kind]
    for age in (-0.01, effect.duration + 0.001, effect.duration + 10):
        with_effect = frame(effect, age, "clubs")
        (without,), _ = Painter().paint([PanelScene(1, effect.grid, SEA, "clubs")], BEGAN + age)
        assert np.array_equal(with_effect, without)
    steady = frame(effect, effect.duration / 2, "clubs", blinking=False)
    (without,), change = Painter(blinking=False).paint([PanelScene(1, effect.grid, SEA, "clubs")], BEGAN)
    assert np.array_equal(steady, without)
    assert change is None


@pytest.mark.parametrize("kind", list(EFFECTS))
def test_an_effect_moves_and_asks_for_the_next_picture_while_it_runs(kind: Kind) -> None:
    effect, _ages = EFFECTS[kind]
    frames = [frame(effect, effect.duration * part, "diamonds") for part in (0.1, 0.5, 0.95)]
    assert any(not np.array_equal(frames[0], other) for other in frames[1:])
    sea = ("." * 10,) * 10
    scene = PanelScene(1, effect.grid, sea, "diamonds", effects=(effect,))
    _, change = Painter().paint([scene], BEGAN)
    assert change == pytest.approx(BEGAN + 1 / 60)
    _, change = Painter().paint([scene], BEGAN - 1)
    assert change == pytest.approx(BEGAN)
    _, change = Painter().paint([scene], effect.ends)
    assert change is None


def test_a_splash_flares_and_its_ring_runs_two_squares_wide() -> None:
    effect = Effect(Kind.SPLASH, 1, Grid.TARGET, BEGAN, (Square("E5"),))
    sea = ("." * 10,) * 4 + ("....o.....",) + ("." * 10,) * 5

    def lit(age: float) -> set[int]:
        scene = PanelScene(1, Grid.TARGET, sea, "clubs", effects=(effect,))
        (painted,), _ = Painter().paint([scene], BEGAN + age)
        water = painted[9, 9]
        return {
            max(abs(int(row) - 4), abs(int(column) - 4)) for row, column in np.argwhere((painted != water).any(axis=2))
        }

    assert lit(0.05) == {0, 1}
    assert max(lit(0.45)) in (2, 3)
    assert lit(0.6) == {0}


def test_a_ship_lights_up_from_bow_to_stern_80_ms_a_square() -> None:
    ship = tuple(Square(f"{column}4") for column in "CDEFG")
    effect = Effect(Kind.SINKING, 1, Grid.OCEAN, BEGAN, ship)
    sea = ("." * 10,) * 3 + ("..#####...",) + ("." * 10,) * 6
    for age, warm in ((0.01, 1), (0.09, 2), (0.17, 3), (0.25, 4), (0.33, 5)):
        scene = PanelScene(1, Grid.OCEAN, sea, "clubs", effects=(effect,))
        (painted,), _ = Painter().paint([scene], BEGAN + age)
        green = painted[3, 2:7, 1].tolist()
        assert sum(light > 150 for light in green) == warm
        assert green == sorted(green, reverse=True)
    assert effect.duration <= LONGEST
    whole = Effect(Kind.SINKING, 1, Grid.OCEAN, BEGAN, tuple(Square.at(0, column) for column in range(10)))
    assert whole.duration == LONGEST


def test_shots_of_a_salvo_are_shown_one_after_the_other_on_both_panels() -> None:
    match = new_match("salvo", seed=3)
    seat = match.to_move
    ships = sorted(match.sea(3 - seat).ship_at)
    shots = tuple(Shot(square, Outcome.HIT) for square in ships[:3])
    told = ShotsTold(seat, shots)
    match.apply(told)
    effects = effects_of(told, view(match, seat), view(match, 3 - seat), 10.0)
    on_target = [effect for effect in effects if (effect.seat, effect.grid) == (seat, Grid.TARGET)]
    on_ocean = [effect for effect in effects if (effect.seat, effect.grid) == (3 - seat, Grid.OCEAN)]
    assert [effect.squares for effect in on_target] == [effect.squares for effect in on_ocean]
    begins = [effect.began for effect in on_target]
    assert begins[0] == 10.0
    assert all(later - sooner > 1 / 3 for sooner, later in pairwise(begins)), "fewer than three a second"
    turn = effects[-1]
    assert (turn.kind, turn.seat, turn.grid) == (Kind.TURN, 3 - seat, Grid.TARGET)
    assert turn.began == max(effect.ends for effect in effects[:-1])


@pytest.mark.parametrize(("rules", "shown"), [("classic", 1), ("naval-warfare", 2), ("kingdoms", 2)])
def test_only_what_is_known_of_a_sunk_ship_lights_up_on_the_target_panel(rules: str, shown: int) -> None:
    match = new_match(rules, seed=4)
    seat = match.to_move
    ship = next(ship for ship in match.sea(3 - seat).fleet if len(ship.squares) == 2)
    told = ShotsTold(seat, tuple(Shot(square, Outcome.HIT) for square in ship.squares[:1]))
    match.apply(told)
    tells = ship.squares if rules == "kingdoms" else ()
    told = ShotsTold(seat, (Shot(ship.squares[1], Outcome.SUNK, ship.name, tells),))
    match.apply(told)
    effects = effects_of(told, view(match, seat), view(match, 3 - seat), 0.0)
    sinkings = {effect.grid: effect for effect in effects if effect.kind is Kind.SINKING}
    assert len(sinkings[Grid.TARGET].squares) == shown
    assert set(sinkings[Grid.OCEAN].squares) == set(ship.squares)


def test_auto_shows_ships_90_ms_apart() -> None:
    match = new_match("kingdoms", seed=1)
    (effect,) = fleet_appears(2, match.sea(2).fleet, 5.0)
    assert (effect.kind, effect.seat, effect.grid, effect.began) == (Kind.APPEAR, 2, Grid.OCEAN, 5.0)
    assert effect.duration == pytest.approx(0.45)
    assert len(effect.squares) == len(effect.steps) == 17
