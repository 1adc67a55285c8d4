from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageSequence

from hardware.frame import Grid
from hardware.simulator.layout import layout_for
from hardware.simulator.recording import Recording
from tests.hardware.simulator import pictures

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hardware.frame import Picture

SIZE = (480, 270)


def written(path: Path, shown: list[tuple[Picture, float]], end: float, size: tuple[int, int] = SIZE) -> Path:
    recording = Recording()
    for picture, time in shown:
        recording.add(picture, time)
    recording.write(path, size, end)
    return path


def frames(path: Path) -> tuple[list[NDArray[np.uint8]], list[int]]:
    with Image.open(path) as image:
        assert image.format == "GIF"
        assert image.info["loop"] == 0
        pairs = [(np.asarray(frame.convert("RGB")), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def test_every_picture_stands_as_long_as_it_did(tmp_path: Path) -> None:
    picture = pictures.curtained()
    shown = [
        (picture, 10.0),
        (pictures.with_caption(picture, "B7: hit"), 10.5),
        (pictures.battle(), 12.25),
    ]
    images, durations = frames(written(tmp_path / "game.gif", shown, end=14.5))
    assert durations == [500, 1750, 2250]
    assert all(image.shape == (SIZE[1], SIZE[0], 3) for image in images)


def test_the_lights_keep_their_colours(tmp_path: Path) -> None:
    lit = pictures.with_target_light(pictures.battle(), 8, 0, (40, 255, 40))
    images, _ = frames(written(tmp_path / "game.gif", [(pictures.battle(), 0.0), (lit, 1.0)], end=2.0))
    target = layout_for(SIZE).consoles[0].panels[Grid.TARGET]
    x, y = target.square(8, 0).center
    dark, bright = images[0][y, x].astype(int), images[1][y, x].astype(int)
    assert bright[1] > 180
    assert bright[1] > 1.3 * bright[2]
    assert dark[1] < 80
    x, y = target.square(2, 3).center
    red, green, blue = images[1][y, x].astype(int)
    assert red > 200
    assert red > 1.5 * green
    assert red > 1.5 * blue


def test_fast_pictures_are_thinned_out_and_the_last_one_is_kept(tmp_path: Path) -> None:
    shown = [(pictures.with_caption(pictures.battle(), f"{step}"), step / 60) for step in range(60)]
    images, durations = frames(written(tmp_path / "game.gif", shown, end=2.0))
    assert 15 <= len(images) <= 21
    assert min(durations) >= 40
    assert sum(durations) == pytest.approx(2000, abs=20)
    alone, _ = frames(written(tmp_path / "last.gif", [shown[-1]], end=1.0))
    caption = layout_for(SIZE).consoles[0].caption
    box = (slice(caption.top, caption.bottom), slice(caption.left, caption.right))
    assert np.abs(images[-1][box].astype(int) - alone[0][box]).mean() < 6


def test_a_long_wait_is_kept_in_parts(tmp_path: Path) -> None:
    shown = [(pictures.battle(), 0.0), (pictures.curtained(), 1500.0)]
    _, durations = frames(written(tmp_path / "game.gif", shown, end=1501.0))
    assert sum(durations) == 1_501_000


def test_a_recording_is_at_most_960_wide(tmp_path: Path) -> None:
    with Image.open(written(tmp_path / "game.gif", [(pictures.battle(), 0.0)], end=1.0, size=(1920, 1080))) as image:
        assert image.size == (960, 540)


def test_nothing_shown_is_nothing_recorded(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing was shown"):
        written(tmp_path / "game.gif", [], end=1.0)
    assert not (tmp_path / "game.gif").exists()
