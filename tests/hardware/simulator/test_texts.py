from __future__ import annotations

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulator import palette, render
from hardware.simulator.caption import SMALLEST
from hardware.simulator.keypad import CAP, KEYBOARD_MARK, MARK, SLEEPING, SLEEPING_MARK
from hardware.simulator.layout import layout_for
from hardware.simulator.signs import SIGNS
from hardware.simulator.texts import ELLIPSIS, fitted, line_height, rendered, shortened, width_of
from tests.hardware.simulator import pictures
from tests.hardware.simulator.contrast import contrast, luminance

WORDS = "Não cabe: toca no Galeão. Escolha outro lugar, ou carregue em 0 para o virar; com A põe-se a frota toda…"


@given(st.text("abcdé wxyz, MW", max_size=200), st.integers(40, 700), st.integers(15, 60))
def test_a_fitted_text_fits(text: str, width: int, height: int) -> None:
    size, lines = fitted(text, (width, height), 18, 14)
    assert 14 <= size <= 18
    assert len(lines) <= max(1, height // line_height(size))
    for line in lines:
        assert width_of(line, size) <= width


def test_a_short_text_stands_in_one_line_at_full_size() -> None:
    assert fitted("Your turn, Ana", (600, 38), 19, 14) == (19, ("Your turn, Ana",))


def test_a_long_text_shrinks_then_breaks_then_is_cut() -> None:
    size, lines = fitted(WORDS[:75], (595, 36), 19, 14)
    assert (14 <= size < 19, len(lines)) == (True, 1)
    size, lines = fitted(WORDS, (595, 36), 19, 14)
    assert " ".join(lines) == WORDS
    assert len(lines) == 2
    _, lines = fitted(WORDS * 3, (595, 36), 19, 14)
    assert lines[-1].endswith(ELLIPSIS)
    assert len(lines) == 2


def test_a_legend_breaks_before_it_shrinks() -> None:
    assert fitted("look back", (52, 40), 12, 9, break_first=True) == (12, ("look", "back"))


def test_shortened_keeps_what_fits() -> None:
    assert shortened("Ana", 14, 500) == "Ana"
    assert shortened("Maximiliana", 14, 50).endswith(ELLIPSIS)
    assert width_of(shortened("Maximiliana", 14, 50), 14) <= 50


@pytest.mark.parametrize("letter", "áâãàçéêíóôõúüñäöß«»…–—·’“”°")
def test_the_font_has_the_letters_of_both_languages(letter: str) -> None:
    unknown = pygame.surfarray.array_alpha(rendered("\ue123", 24))
    for case in {letter, letter.upper()}:
        drawn = pygame.surfarray.array_alpha(rendered(case, 24))
        assert drawn.any()
        assert drawn.shape != unknown.shape or not np.array_equal(drawn, unknown)


@pytest.mark.parametrize("sign", SIGNS)
def test_signs_that_the_font_lacks_are_drawn(sign: str) -> None:
    drawn = pygame.surfarray.array_alpha(rendered(sign, 24))
    box = pygame.surfarray.array_alpha(rendered("\ue123", 24))
    assert drawn.any()
    assert drawn.shape != box.shape or not np.array_equal(drawn, box)
    words = rendered(f"a{sign}b", 24)
    assert words.get_width() == width_of(f"a{sign}b", 24)
    assert words.get_width() > rendered("ab", 24).get_width()


@pytest.mark.parametrize(
    ("sign", "opposite", "right", "down"), [("→", "←", 1, 0), ("↓", "↑", 0, 1), ("↘", "↖", 1, 1), ("↗", "↙", 1, -1)]
)
def test_arrows_point_where_they_say(sign: str, opposite: str, right: int, down: int) -> None:
    one, other = (
        np.argwhere(pygame.surfarray.array_alpha(rendered(arrow, 48)) > 128).mean(axis=0) for arrow in (sign, opposite)
    )
    heavier = one - other
    assert np.array_equal(np.sign(heavier) * (np.abs(heavier) > 0.4), [right, down])


def test_colours_are_legible() -> None:
    assert contrast(palette.CAPTION, palette.CAPTION_GLASS) >= 4.5
    assert contrast(palette.FAINT, (58, 37, 24)) >= 4.5
    for ground, mark in ((CAP, MARK), (CAP, palette.LEGEND), (SLEEPING, SLEEPING_MARK), (SLEEPING, KEYBOARD_MARK)):
        assert contrast(mark, ground) >= 4.5
    for livery in (palette.DIAMONDS, palette.CLUBS):
        assert contrast(livery.engraving, livery.metal) >= 4.5
        assert contrast(livery.metal, livery.body) >= 4.5


@pytest.mark.parametrize("text", ["Your turn, Ana", WORDS])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (800, 600)])
def test_captions_are_legible_as_drawn(text: str, size: tuple[int, int]) -> None:
    surface = render(pictures.with_caption(pictures.battle(), text), size)
    rect = layout_for(size).consoles[0].caption.inflate(-30, -8)
    drawn = pygame.surfarray.array3d(surface.subsurface(rect)).reshape(-1, 3)
    light = [luminance((int(red), int(green), int(blue))) for red, green, blue in np.unique(drawn, axis=0)]
    assert (max(light) + 0.05) / (min(light) + 0.05) >= 4.5


def test_captions_are_large_enough() -> None:
    assert SMALLEST >= 14


def test_nothing_jumps_when_the_caption_changes() -> None:
    size = (1280, 720)
    one = render(pictures.with_caption(pictures.battle(), "Your turn, Ana"), size)
    other = render(pictures.with_caption(pictures.battle(), WORDS), size)
    changed = np.argwhere((pygame.surfarray.array3d(one) != pygame.surfarray.array3d(other)).any(axis=2))
    caption = layout_for(size).consoles[0].caption
    assert len(changed)
    assert all(caption.collidepoint(int(x), int(y)) for x, y in (changed.min(axis=0), changed.max(axis=0)))


def test_no_text_at_all_is_drawn_as_nothing() -> None:
    surface = rendered("", 12)
    assert surface.get_width() == 1
    assert surface.get_at((0, 0)).a == 0
