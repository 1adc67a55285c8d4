"""The scenes of a game as pictures: the real service, keys pressed on a board in memory, at a time that is handed in.

`python -m tests.companion.scenes` paints the golden images anew; look at them before they are committed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import Settings
from hardware.frame import Picture
from hardware.memory import MemoryBoard
from hardware.simulator import save

FOLDER = Path(__file__).parent / "golden"
SIZE = (640, 360)


def _dial(square: str) -> str:
    return f"D{('ABCDEFGHIJ'.index(square[0]) + 1) % 10}{int(square[1:]) % 10}#"


class Scene:
    """A game on a shared screen, and a clock that stands still until it is moved."""

    def __init__(self, wishes: Wishes, kingdoms: tuple[str, str]) -> None:
        self.now = 100.0
        self.board = MemoryBoard(shared_screen=True, clock=lambda: self.now)
        settings = Settings(names=("Ana", "Rui"), kingdoms=kingdoms)  # type: ignore[arg-type]
        self.service = Service(
            self.board, Unkept(), settings, wishes, save=lambda _: None, clock=lambda: self.now, errand=self._run
        )
        self._steps: tuple[Callable[[Scene], None], ...] = ()

    async def _run(self, service: Service) -> None:
        for step in self._steps:
            step(self)
            await asyncio.sleep(0)
            await service.captains_settled()
        service.carry_on(lambda: None)
        service.stop()

    def play(self, *steps: Callable[[Scene], None]) -> Picture:
        """Take the steps one after the other and return the last picture."""
        self._steps = steps
        self.service.run()
        return self.board.picture


def press(seat: int, keys: str) -> Callable[[Scene], None]:
    """A step: a seat taps keys."""
    return lambda scene: scene.board.press(seat, keys)


def wait(seconds: float) -> Callable[[Scene], None]:
    """A step: time passes."""

    def step(scene: Scene) -> None:
        scene.now += seconds

    return step


def fire(*squares: str) -> list[Callable[[Scene], None]]:
    """Steps: the player on seat 1 fires at squares, with time for what each sets going."""
    return [step for square in squares for step in (press(1, _dial(square)), wait(5.0))]


FRIENDS = Wishes("kingdoms", "friend", seed=1)
SAIL = (press(1, "#A#"), press(2, "#A#"), wait(5.0))


def _ship_of_seat_2(wishes: Wishes, kingdoms: tuple[str, str], name: str) -> list[str]:
    """Where a ship of seat 2 lies, from a game that was played up to the battle."""
    scene = Scene(wishes, kingdoms)
    scene.play(*SAIL)
    game = scene.service.game
    assert game is not None
    ship = next(ship for ship in game.match.sea(2).fleet if ship.name == name)
    return [square.name for square in ship.squares]


def lobby(kingdoms: tuple[str, str]) -> Picture:
    """The lobby asks for the rules."""
    return Scene(Wishes(seed=1), kingdoms).play(wait(3.0))


def placing_fits(kingdoms: tuple[str, str]) -> Picture:
    """A ghost that fits."""
    return Scene(FRIENDS, kingdoms).play(press(1, "#5"))


def placing_refused(kingdoms: tuple[str, str]) -> Picture:
    """A ghost that doesn't."""
    return Scene(FRIENDS, kingdoms).play(press(1, "#5"), press(1, "4"))


def hand_off(kingdoms: tuple[str, str]) -> Picture:
    """Ana has sailed; both seas are covered until Rui is ready."""
    return Scene(FRIENDS, kingdoms).play(press(1, "#A#"), wait(5.0))


def battle(kingdoms: tuple[str, str]) -> Picture:
    """Some shots have been told; Ana has uncovered her own sea."""
    ship = _ship_of_seat_2(FRIENDS, kingdoms, "Cog")
    steps = [*SAIL, *fire(ship[0], "J10"), press(2, _dial("E5")), wait(5.0), press(2, _dial("C2")), wait(5.0)]
    return Scene(FRIENDS, kingdoms).play(*steps, press(1, "0"))


def sinking(kingdoms: tuple[str, str]) -> Picture:
    """Rui's Galley goes down."""
    *first, last = _ship_of_seat_2(FRIENDS, kingdoms, "Galley")
    return Scene(FRIENDS, kingdoms).play(*SAIL, *fire(*first), press(1, _dial(last)), wait(0.3))


def end(kingdoms: tuple[str, str]) -> Picture:
    """Ana has won; both fleets are shown."""
    squares = [
        square
        for ship in ("Carrack", "Galley", "Cog", "Caravel", "Barque")
        for square in _ship_of_seat_2(FRIENDS, kingdoms, ship)
    ]
    return Scene(FRIENDS, kingdoms).play(*SAIL, *fire(*squares))


SCENES = {scene.__name__: scene for scene in (lobby, placing_fits, placing_refused, hand_off, battle, sinking, end)}
KINGDOMS = {"diamonds": ("diamonds", "clubs"), "clubs": ("clubs", "diamonds")}
GOLDEN = {f"{name}-{kingdom}": (scene, KINGDOMS[kingdom]) for name, scene in SCENES.items() for kingdom in KINGDOMS}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (scene, kingdoms) in GOLDEN.items():
        save(scene(kingdoms), FOLDER / f"{name}.png", SIZE)
        print(FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
