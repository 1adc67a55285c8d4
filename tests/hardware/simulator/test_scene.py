from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pygame
import pytest
from PIL import Image

from hardware.frame import Grid
from hardware.simulator import render, save
from hardware.simulator.layout import layout_for
from hardware.simulator.picture import as_image
from hardware.simulator.scene import Scene
from tests.hardware.simulator import golden_images, pictures

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hardware.frame import Picture

SMALL = (640, 360)


def pixels(surface: pygame.Surface) -> NDArray[np.int16]:
    return np.asarray(pygame.surfarray.array3d(surface).swapaxes(0, 1), np.int16)


def part(surface: pygame.Surface, rect: pygame.Rect) -> NDArray[np.int16]:
    return pixels(surface)[rect.top : rect.bottom, rect.left : rect.right]


@pytest.mark.parametrize("name", golden_images.GOLDEN)
def test_looks_as_it_was_approved(name: str) -> None:
    with Image.open(golden_images.FOLDER / f"{name}.png") as file:
        golden = file.convert("RGB")
    picture = golden_images.GOLDEN[name]()
    drawn = as_image(render(picture, golden_images.SIZE))
    for console, place in zip(picture.consoles, layout_for(golden_images.SIZE).consoles, strict=True):
        for grid, panel in place.panels.items():
            if grid is Grid.TARGET or not console.curtained:
                glass = (*panel.glass.topleft, *panel.glass.bottomright)
                assert difference(drawn.crop(glass), golden.crop(glass)).max() <= 3
    # pygame and pygame-ce set words a quarter of a pixel apart.
    coarse = difference(drawn.reduce(4), golden.reduce(4))
    assert coarse.mean() < 0.9
    assert np.mean(coarse > 24) < 0.006


def difference(one: Image.Image, other: Image.Image) -> NDArray[np.int16]:
    """Return for each pixel the largest difference of its channels."""
    return np.asarray(np.abs(np.asarray(one, np.int16) - np.asarray(other, np.int16)).max(axis=2))


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (800, 600), (1000, 400), (321, 200)])
def test_any_size_of_window(size: tuple[int, int]) -> None:
    surface = render(pictures.curtained(), size)
    assert surface.get_size() == size
    layout = layout_for(size)
    lit = part(surface, layout.consoles[0].panels[Grid.TARGET].square(2, 3))
    assert lit[..., 0].max() > 200
    assert lit[..., 0].max() > 2 * lit[..., 2].max()


def test_an_equal_picture_costs_nothing() -> None:
    scene = Scene(SMALL)
    assert scene.draw(pictures.battle())
    assert scene.draw(pictures.battle()) == []


def test_only_what_changed_is_drawn_again() -> None:
    scene = Scene(SMALL)
    scene.draw(pictures.battle())
    dirty = scene.draw(pictures.with_caption(pictures.battle(), "B7: miss"))
    caption = scene.layout.consoles[0].caption
    assert len(dirty) == 1
    assert dirty[0].contains(caption)
    assert dirty[0].height < caption.height + 20


def test_a_drawing_does_not_depend_on_what_was_drawn_before() -> None:
    scene = Scene(SMALL)
    for picture in (pictures.placing(), pictures.battle(), pictures.curtained(), pictures.battle()):
        scene.draw(picture, frozenset({(1, "5")}))
    scene.draw(pictures.battle())
    assert np.array_equal(pixels(scene.surface), pixels(render(pictures.battle(), SMALL)))


def test_nothing_shines_through_a_curtain() -> None:
    veiled = pictures.curtained()
    leaky = pictures.with_ocean(veiled, pictures.battle().consoles[1].ocean)
    assert np.array_equal(pixels(render(leaky, SMALL)), pixels(render(veiled, SMALL)))


def test_the_curtain_opens() -> None:
    ocean = layout_for(SMALL).consoles[1].panels[Grid.OCEAN]
    closed, opened = render(pictures.curtained(), SMALL), render(pictures.battle(), SMALL)
    assert not np.array_equal(part(closed, ocean.glass), part(opened, ocean.glass))


def light_of(picture: Picture, row: int, column: int) -> NDArray[np.int16]:
    place = layout_for(SMALL).consoles[0].panels[Grid.TARGET].square(row, column)
    return np.asarray(part(render(picture, SMALL), place).max(axis=(0, 1)))


def test_brightness_dims_every_led() -> None:
    full, half = pictures.battle(), replace(pictures.battle(), brightness=0.4)
    assert light_of(half, 2, 3)[0] < light_of(full, 2, 3)[0]
    assert light_of(replace(full, brightness=0.0), 2, 3).max() < 60


def test_a_board_without_frames_stays_dark() -> None:
    picture = pictures.battle()
    one, other = picture.consoles
    unlit = replace(picture, consoles=(replace(one, target=replace(one.target, frame=None)), other))
    assert light_of(unlit, 2, 3).max() < 60


def test_a_pressed_cap_moves_and_comes_back() -> None:
    scene = Scene(SMALL)
    scene.draw(pictures.battle())
    before = pixels(scene.surface)
    dirty = scene.draw(pictures.battle(), frozenset({(1, "5")}))
    assert len(dirty) == 1
    assert dirty[0].contains(scene.layout.consoles[0].keys["5"])
    assert not np.array_equal(pixels(scene.surface), before)
    scene.draw(pictures.battle())
    assert np.array_equal(pixels(scene.surface), before)


def test_save_writes_a_png(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    save(pictures.battle(), path, SMALL)
    with Image.open(path) as image:
        assert image.format == "PNG"
        assert image.size == SMALL
