from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING

import pygame
import pytest
from PIL import Image

from hardware.board import BoardError
from hardware.frame import Grid
from hardware.simulator import SimulatorBoard
from hardware.simulator.layout import layout_for
from tests.hardware.simulator import pictures

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from hardware.keys import KeyEvent

SIZE = (640, 360)


class Host:
    """Keeps what a board hands in."""

    def __init__(self) -> None:
        self.keys: list[KeyEvent] = []
        self.stopped = False

    def key(self, event: KeyEvent) -> None:
        self.keys.append(event)

    async def settled(self) -> None:
        """Nothing is ever under way here."""

    def stop(self, *, power_off: bool = False) -> None:
        assert not power_off
        self.stopped = True

    def trouble(self, text: str) -> None:
        raise AssertionError(text)


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


def on_board(
    script: Callable[[SimulatorBoard, Host], Coroutine[None, None, None]],
    *,
    screenshot: Path | None = None,
    record: Path | None = None,
) -> None:
    """Run a script with an open board."""

    async def run() -> None:
        with SimulatorBoard(size=SIZE, screenshot=screenshot, record=record) as board:
            host = Host()
            board.open(host)
            await script(board, host)

    asyncio.run(run())


def window_pixel(point: tuple[int, int]) -> tuple[int, int, int]:
    surface = pygame.display.get_surface()
    assert surface is not None
    red, green, blue, _ = surface.get_at(point)
    return red, green, blue


LIT = layout_for(SIZE).consoles[0].panels[Grid.TARGET].square(2, 3).center


def test_shows_a_picture_and_hands_in_keys() -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())
        await until(lambda: window_pixel(LIT)[0] > 200)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, scancode=pygame.KSCAN_W, key=pygame.K_w, mod=0))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, scancode=pygame.KSCAN_W, key=pygame.K_w, mod=0))
        await until(lambda: len(host.keys) == 2)
        assert [(event.seat, event.key, event.down) for event in host.keys] == [(1, "5", True), (1, "5", False)]

    on_board(script)


def test_the_newest_picture_wins() -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        for red in range(0, 250, 10):
            board.show(pictures.with_target_light(pictures.battle(), 2, 3, (0, red, 0)))
        await until(lambda: window_pixel(LIT)[1] > 200 and window_pixel(LIT)[0] < 120)

    on_board(script)


def test_nothing_is_drawn_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())
        await until(lambda: window_pixel(LIT)[0] > 200)
        drawn = []
        monkeypatch.setattr(pygame.display, "update", lambda *_: drawn.append("update"))
        monkeypatch.setattr(pygame.display, "flip", lambda: drawn.append("flip"))
        await asyncio.sleep(0.3)
        assert drawn == []
        board.show(pictures.battle())
        await asyncio.sleep(0.1)
        assert drawn == []
        board.show(pictures.with_caption(pictures.battle(), "B7: miss"))
        await until(lambda: drawn == ["update"])

    on_board(script)


def test_closing_the_window_stops_the_program() -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        await until(lambda: host.stopped)

    on_board(script)


def test_f1_opens_the_help_and_any_key_closes_it() -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())
        await until(lambda: window_pixel(LIT)[0] > 200)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, scancode=pygame.KSCAN_F1, key=pygame.K_F1, mod=0))
        await until(lambda: window_pixel(LIT)[0] < 150)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, scancode=pygame.KSCAN_W, key=pygame.K_w, mod=0))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, scancode=pygame.KSCAN_W, key=pygame.K_w, mod=0))
        await until(lambda: window_pixel(LIT)[0] > 200)
        assert host.keys == []

    on_board(script)


@pytest.mark.parametrize("pictures_folder", [True, False])
def test_f12_saves_a_screenshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pictures_folder: bool) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    folder = tmp_path / "Pictures" if pictures_folder else tmp_path / "work"
    folder.mkdir(exist_ok=True)

    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())
        for _ in range(2):
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, scancode=pygame.KSCAN_F12, key=pygame.K_F12, mod=0))
        await until(lambda: len(list(folder.glob("broadside-*.png"))) == 2)

    on_board(script)
    for file in folder.glob("broadside-*.png"):
        with Image.open(file) as image:
            assert image.size == SIZE


def test_the_table_grows_with_the_window() -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())
        await until(lambda: window_pixel(LIT)[0] > 200)
        larger = (900, 500)
        pygame.display.set_mode(larger, pygame.RESIZABLE)
        pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, size=larger, w=larger[0], h=larger[1]))
        place = layout_for(larger).consoles[0]
        await until(lambda: window_pixel(place.panels[Grid.TARGET].square(2, 3).center)[0] > 200)
        await asyncio.sleep(0.3)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=place.keys["A"].center, button=1))
        await until(lambda: [event.key for event in host.keys] == ["A"])

    on_board(script)


def fills_the_screen(wanted: bool) -> bool:
    return pygame.display.is_fullscreen() == wanted


def is_lit(point: tuple[int, int]) -> bool:
    return window_pixel(point)[0] > 200


def test_f11_fills_the_screen_and_comes_back() -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())
        await until(lambda: window_pixel(LIT)[0] > 200)
        for fullscreen in (True, False):
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, scancode=pygame.KSCAN_F11, key=pygame.K_F11, mod=0))
            await until(partial(fills_the_screen, fullscreen))
            layout = layout_for(pygame.display.get_window_size())
            await until(partial(is_lit, layout.consoles[0].panels[Grid.TARGET].square(2, 3).center))

    on_board(script)


def test_a_screenshot_and_a_recording_are_written_at_the_end(tmp_path: Path) -> None:
    png, gif = tmp_path / "end.png", tmp_path / "game.gif"

    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())
        await asyncio.sleep(0.1)
        board.show(pictures.curtained())

    on_board(script, screenshot=png, record=gif)
    with Image.open(png) as image:
        assert image.size == SIZE
    with Image.open(gif) as image:
        assert image.n_frames == 2  # type: ignore[attr-defined]


def test_closing_twice_is_closing_once() -> None:
    async def script(board: SimulatorBoard, host: Host) -> None:
        board.close()
        board.close()
        board.show(pictures.battle())
        await asyncio.sleep(0.05)
        assert not pygame.display.get_init()

    on_board(script)


def test_no_display_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(BoardError, match=r"^The simulator needs a display .*--board text\.$"):
        SimulatorBoard().open(Host())


def test_a_picture_can_be_taken_without_a_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())

    on_board(script, screenshot=tmp_path / "end.png")
    assert (tmp_path / "end.png").exists()


@pytest.mark.parametrize(
    ("name", "wrong"), [("end.jpg", "should end in .png"), ("missing/end.png", "there is no folder")]
)
def test_a_file_that_cannot_be_written_is_refused_before_the_game(tmp_path: Path, name: str, wrong: str) -> None:
    with pytest.raises(BoardError, match=wrong):
        SimulatorBoard(screenshot=tmp_path / name).open(Host())


def test_a_file_that_fails_at_the_end_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "end.png"
    folder.mkdir()

    async def script(board: SimulatorBoard, host: Host) -> None:
        board.show(pictures.battle())

    with pytest.raises(BoardError, match="could not be written"):
        on_board(script, screenshot=folder)
