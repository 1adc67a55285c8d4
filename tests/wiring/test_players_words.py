"""The printed card and the overlay say what the table says."""

from __future__ import annotations

import pytest

from companion.table.moves import ARROWS
from companion.table.screens.menu import ITEMS
from hardware.keys import KEYS
from tests.companion import scenes
from wiring import players


def test_every_key_has_its_words() -> None:
    assert set(players.KEYS) == set(KEYS)
    assert {key: players.KEYS[key].cap for key in ARROWS} == {key: (arrow,) for key, arrow in ARROWS.items()}


@pytest.fixture
def household(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C")


@pytest.mark.usefixtures("household")
def test_the_caps_are_the_legends_of_the_table() -> None:
    placing = scenes.placing_fits(scenes.KINGDOMS["diamonds"]).consoles[0].legend
    battle = scenes.battle(scenes.KINGDOMS["diamonds"]).consoles[0].legend
    for key in "0ACD":
        assert " ".join(players.KEYS[key].cap) == placing[key]
    assert " ".join(players.KEYS["B"].cap) == battle["B"]
    assert players.KEYS["5"].cap == (placing["5"], battle["5"])


def test_the_menu_begins_with_the_rules() -> None:
    assert ITEMS["1"] == "rules"
    assert "hold *, then 1" in players.RULES[-1]
