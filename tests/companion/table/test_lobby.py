from __future__ import annotations

from pathlib import Path

import pytest

from companion.game.events import Phase
from companion.settings import Settings
from tests.companion.table.living import Living, live


def lobby(**choices: object) -> Settings:
    return Settings(names=("Ana", "Rui"), captain_pause=0, **choices)  # type: ignore[arg-type]


def test_a_game_is_chosen_step_by_step_and_star_goes_back() -> None:
    settings = lobby()

    async def play(living: Living) -> None:
        assert living.caption(1) == living.caption(2)
        assert living.caption(1).startswith("Rules: 1 Classic, 2 Salvo, 3 Naval Warfare, 4 Kingdoms; # takes Classic")
        assert living.console(2).legend["4"] == "Kingdoms"
        await living.tap(1, "7")
        assert living.caption(1) == "Choose 1 to 4, or # for Classic"
        await living.tap(1, "*")
        assert living.caption(1).startswith("Rules")
        await living.tap(2, "4")
        assert living.caption(1).startswith("Opponent: 1 Jack")
        await living.tap(1, "*")
        assert living.caption(1).endswith("# takes Kingdoms")
        await living.tap(1, "#")
        digit = next(key for key, label in living.console(1).legend.items() if label == "a friend" and key.isdigit())
        await living.tap(2, digit)
        assert living.caption(1).startswith("Kingdom: 1 Diamonds, 2 Clubs")
        await living.tap(1, "2")
        assert [console.suit for console in living.picture.consoles] == ["clubs", "diamonds"]
        assert living.caption(1) == "Players: Ana and Rui; # begins, 1 or 2 changes a name"
        await living.tap(2, "3")
        assert living.caption(2) == "# begins, * goes back"
        await living.tap(2, "2")
        await living.tap(2, "3666#")
        assert living.caption(1) == "Players: Ana and Do; # begins, 1 or 2 changes a name"
        await living.tap(1, "#")
        assert living.match.phase is Phase.PLACING
        assert living.match.began.rules == "kingdoms"
        assert living.match.began.players == ("Ana", "Do")

    live(play, rules=None, against=None, settings=settings)
    assert (settings.rules, settings.against, settings.kingdoms) == ("kingdoms", "friend", ("clubs", "diamonds"))


def test_what_was_chosen_last_is_taken_by_a_single_key() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "####")
        assert living.match.began.rules == "salvo"
        assert living.match.began.players == ("Ana", "Jack")

    live(play, rules=None, against=None, settings=lobby(rules="salvo", against="jack"))


def test_a_choice_that_is_gone_falls_back_to_the_first() -> None:
    async def play(living: Living) -> None:
        assert living.caption(1).endswith("# takes Classic")

    live(play, rules=None, against=None, settings=lobby(rules="last-summers"))


def test_house_rules_that_contradict_are_told_and_the_lobby_asks_again() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "####")
        assert living.table.views is None
        assert "salvo" in living.caption(1)
        assert "Rules: 1 Classic" in living.caption(1)
        await living.tap(1, "1###")
        assert living.match.phase is Phase.PLACING

    live(
        play,
        rules=None,
        against=None,
        settings=lobby(rules="salvo", against="friend", house_rules=("extra-shot-on-hit",)),
    )


def test_a_person_called_like_the_captain_is_asked_for_another_name() -> None:
    async def play(living: Living) -> None:
        assert living.table.views is None
        assert living.caption(1).startswith("Both players are called Jack: choose another name")

    live(play, against="jack", settings=Settings(names=("Jack", "Rui")))


def test_a_familys_own_rules_stand_in_the_lobby_as_long_as_they_can_be_played(household: Path) -> None:
    folder = household / "rulesets"
    folder.mkdir(parents=True)
    from importlib.resources import files

    text = (files("companion.game.rulesets") / "classic.toml").read_text("utf-8")
    ours = text.replace('title = "Classic"', 'title = "Our Own"')
    (folder / "ours.toml").write_text(ours, "utf-8")
    (folder / "torn.toml").write_text("fleet = [", "utf-8")

    async def play(living: Living) -> None:
        assert living.caption(1).startswith("Rules: 1 Classic, 2 Salvo, 3 Naval Warfare, 4 Kingdoms, 5 Our Own; #")
        await living.tap(1, "5##")
        (folder / "ours.toml").write_text("fleet = [", "utf-8")
        await living.tap(1, "#")
        assert living.table.views is None
        assert "ours.toml" in living.caption(1)
        (folder / "ours.toml").write_text(ours, "utf-8")
        await living.tap(1, "5###")
        assert living.match.began.rules == "ours"

    live(play, rules=None, against=None, settings=lobby(against="friend"))


@pytest.mark.parametrize(("rules", "against"), [("classic", None), (None, "friend")])
def test_only_what_is_missing_is_asked(rules: str | None, against: str | None) -> None:
    async def play(living: Living) -> None:
        assert living.caption(1).startswith("Opponent" if rules else "Rules")
        await living.tap(2, "1")
        assert living.match.phase is Phase.PLACING

    live(play, rules=rules, against=against, settings=lobby())
