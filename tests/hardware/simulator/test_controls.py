from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame
import pytest

from hardware.frame import Grid
from hardware.keys import KEYPAD_ROWS
from hardware.simulator.controls import Controls, dialling
from hardware.simulator.keyboard import LABELS, POSITIONS
from hardware.simulator.layout import layout_for
from tests.hardware.simulator import pictures

if TYPE_CHECKING:
    from hardware.keys import KeyEvent

SIZE = (1280, 720)
LAYOUT = layout_for(SIZE)


class Hands:
    """Two people at keyboard and mouse, and what their keypads hand in."""

    def __init__(self) -> None:
        self.events: list[KeyEvent] = []
        self.controls = Controls(self.events.append)
        self.picture = pictures.curtained()

    def do(self, kind: int, **what: Any) -> None:
        self.controls.handle(pygame.event.Event(kind, **what), LAYOUT, self.picture)

    def key_down(self, scancode: int, mod: int = 0) -> None:
        self.do(pygame.KEYDOWN, scancode=scancode, key=0, mod=mod)

    def key_up(self, scancode: int) -> None:
        self.do(pygame.KEYUP, scancode=scancode, key=0, mod=0)

    def mouse_down(self, point: tuple[int, int], button: int = pygame.BUTTON_LEFT) -> None:
        self.do(pygame.MOUSEBUTTONDOWN, pos=point, button=button)

    def mouse_up(self) -> None:
        self.do(pygame.MOUSEBUTTONUP, pos=(0, 0), button=pygame.BUTTON_LEFT)

    def seen(self) -> list[tuple[int, str, bool]]:
        seen = [(event.seat, event.key, event.down) for event in self.events]
        self.events.clear()
        return seen


def usage(label: str) -> int:
    """Return the scan code of a position, as SDL takes it from the USB HID usage tables, page 7: 4 is A, 30 is 1."""
    if label.isalpha():
        return ord(label) - ord("a") + 4
    if label.isdigit():
        return 30 + (int(label) - 1) % 10
    return {";": 51, ",": 54, ".": 55, "/": 56}[label]


def test_both_blocks_stand_for_the_keypad_by_position() -> None:
    first = "1234qwerasdfzxcv"
    second = "7890uiopjkl;m,./"
    for seat, block in ((1, first), (2, second)):
        for label, key in zip(block, "".join(KEYPAD_ROWS), strict=True):
            assert LABELS[seat, key] == label.upper()
            assert POSITIONS[usage(label)] == (seat, key)
    assert len(POSITIONS) == 32


def test_a_key_of_the_keyboard_goes_down_and_up() -> None:
    hands = Hands()
    hands.key_down(pygame.KSCAN_W)
    assert hands.seen() == [(1, "5", True)]
    assert hands.controls.pressed == {(1, "5")}
    hands.key_down(pygame.KSCAN_W)
    assert hands.seen() == []
    hands.key_up(pygame.KSCAN_W)
    assert hands.seen() == [(1, "5", False)]
    assert hands.controls.pressed == frozenset()


def test_both_seats_can_hold_keys_at_once() -> None:
    hands = Hands()
    hands.key_down(pygame.KSCAN_Q)
    hands.key_down(pygame.KSCAN_SLASH)
    hands.key_up(pygame.KSCAN_Q)
    hands.key_up(pygame.KSCAN_SLASH)
    assert hands.seen() == [(1, "4", True), (2, "D", True), (1, "4", False), (2, "D", False)]


def test_key_events_carry_rising_times() -> None:
    hands = Hands()
    hands.key_down(pygame.KSCAN_Q)
    hands.key_up(pygame.KSCAN_Q)
    assert hands.events[0].time <= hands.events[1].time


@pytest.mark.parametrize("mod", [pygame.KMOD_LCTRL, pygame.KMOD_LALT, pygame.KMOD_LMETA])
def test_shortcuts_of_the_desktop_are_no_keys(mod: int) -> None:
    hands = Hands()
    hands.key_down(pygame.KSCAN_C, mod)
    hands.key_up(pygame.KSCAN_C)
    assert hands.seen() == []


def test_other_keys_do_nothing() -> None:
    hands = Hands()
    hands.key_down(pygame.KSCAN_SPACE)
    hands.key_up(pygame.KSCAN_SPACE)
    assert hands.seen() == []


def test_a_cap_is_held_as_long_as_the_button() -> None:
    hands = Hands()
    hands.mouse_down(LAYOUT.consoles[1].keys["#"].center)
    assert hands.seen() == [(2, "#", True)]
    hands.mouse_up()
    assert hands.seen() == [(2, "#", False)]
    hands.mouse_down(LAYOUT.consoles[1].keys["#"].center, pygame.BUTTON_RIGHT)
    assert hands.seen() == []


def test_one_key_held_twice_goes_up_once() -> None:
    hands = Hands()
    hands.mouse_down(LAYOUT.consoles[0].keys["5"].center)
    hands.key_down(pygame.KSCAN_W)
    hands.mouse_up()
    assert hands.seen() == [(1, "5", True)]
    hands.key_up(pygame.KSCAN_W)
    assert hands.seen() == [(1, "5", False)]


def test_a_click_on_a_target_square_dials_it() -> None:
    hands = Hands()
    hands.mouse_down(LAYOUT.consoles[0].panels[Grid.TARGET].square(6, 1).center)
    hands.mouse_up()
    taps = [(1, key, down) for key in "D27" for down in (True, False)]
    assert hands.seen() == taps
    hands.mouse_down(LAYOUT.consoles[1].panels[Grid.TARGET].square(9, 9).center)
    assert [key for _, key, down in hands.seen() if down] == ["D", "0", "0"]


def test_every_square_has_its_dialling() -> None:
    dialled = {dialling(row, column) for row in range(10) for column in range(10)}
    assert len(dialled) == 100
    assert dialling(0, 0) == "D11"
    assert dialling(9, 0) == "D10"
    assert dialling(0, 9) == "D01"
    for outside in ((-1, 0), (0, 10)):
        with pytest.raises(ValueError, match="no square"):
            dialling(*outside)


def test_a_click_on_a_curtain_asks_for_it_to_open() -> None:
    hands = Hands()
    hands.mouse_down(LAYOUT.consoles[1].panels[Grid.OCEAN].square(4, 4).center)
    assert hands.seen() == [(2, "0", True), (2, "0", False)]


def test_a_click_on_an_open_ocean_does_nothing() -> None:
    hands = Hands()
    hands.mouse_down(LAYOUT.consoles[0].panels[Grid.OCEAN].square(4, 4).center)
    hands.mouse_up()
    assert hands.seen() == []


def test_held_keys_go_up_when_the_window_loses_the_keyboard() -> None:
    hands = Hands()
    hands.key_down(pygame.KSCAN_X)
    hands.seen()
    hands.do(pygame.WINDOWFOCUSLOST)
    assert hands.seen() == [(1, "0", False)]
    hands.key_up(pygame.KSCAN_X)
    assert hands.seen() == []
