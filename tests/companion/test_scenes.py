"""The scenes of a game look as they did when somebody last looked at them, in both kingdoms."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PIL import Image

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from hardware.simulator import render
from tests.companion import scenes


@pytest.mark.parametrize("name", scenes.GOLDEN)
def test_a_scene_looks_as_it_was_approved(name: str) -> None:
    scene, kingdoms = scenes.GOLDEN[name]
    surface = render(scene(kingdoms), scenes.SIZE)
    drawn = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    with Image.open(scenes.FOLDER / f"{name}.png") as file:
        golden = file.convert("RGB")
    # Words are set a little differently by another pygame; lights are not.
    difference = np.abs(np.asarray(drawn.reduce(4), np.int16) - np.asarray(golden.reduce(4), np.int16)).max(axis=2)
    assert difference.mean() < 0.9
    assert np.mean(difference > 24) < 0.006
