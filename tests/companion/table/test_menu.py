from __future__ import annotations

import pytest

from companion.game.events import Ending, Phase
from companion.settings import Settings
from tests.companion.table.living import Living, live


async def choose(living: Living, seat: int, digit: str) -> str:
    """Open the menu, take a digit, and return what is said."""
    await living.hold(seat)
    await living.tap(seat, digit)
    return living.caption(seat)


def test_holding_the_star_opens_the_menu_and_the_star_closes_it() -> None:
    async def play(living: Living) -> None:
        await living.hold(1)
        assert living.caption(1).startswith("Menu: 1 rules, 2 opponent, 3 kingdom, 4 brightness, 5 sound, 6 blinking, ")
        assert living.console(1).legend["8"] == "leave"
        assert set(living.console(1).legend) == set("1234567890*")
        await living.tap(1, "A")
        assert living.caption(1) == "Choose a digit, or * to close the menu"
        await living.tap(2, "A")
        assert living.match.sea(2).fleet, "the other seat plays on"
        await living.tap(1, "*")
        assert living.caption(1) == "The menu is closed"
        await living.tap(1, "A")
        assert living.match.sea(1).fleet

    live(play)


def test_a_star_that_is_let_go_in_time_opens_nothing() -> None:
    async def play(living: Living) -> None:
        await living.hold(1, "*", 0.95)
        assert living.caption(1) == "* does nothing now"
        assert living.table.desk(1).overlay is None

    live(play)


def test_every_choice_of_the_menu() -> None:
    settings = Settings(names=("Ana", "Rui"), captain_pause=0)

    async def play(living: Living) -> None:
        assert await choose(living, 1, "1") == "The next new game: Salvo"
        assert await choose(living, 1, "1") == "The next new game: Naval Warfare"
        assert settings.rules == "naval-warfare"
        assert (await choose(living, 1, "2")).startswith("The next new game: against ")
        assert settings.against != "jack"
        for _ in range(10):
            if settings.against == "jack":
                break
            await choose(living, 1, "2")
        assert settings.against == "jack"
        assert await choose(living, 1, "3") == "Your kingdom: Clubs"
        assert [console.suit for console in living.picture.consoles] == ["clubs", "diamonds"]
        assert await choose(living, 2, "3") == "Your kingdom: Clubs"
        assert settings.kingdoms == ("diamonds", "clubs")
        for percent in (20, 40, 60, 80, 100):
            assert await choose(living, 1, "4") == f"Brightness: {percent} %"
            assert living.picture.brightness == percent / 100
        sounds = len(living.board.sounds)
        assert await choose(living, 1, "5") == "Sound is off"
        await living.tap(1, "A")
        assert len(living.board.sounds) == sounds
        assert await choose(living, 1, "5") == "Sound is on"
        assert await choose(living, 1, "6") == "Blinking is off"
        pictures = len(living.board.pictures)
        await living.wait(30)
        assert len(living.board.pictures) == pictures, "nothing moves"
        assert await choose(living, 1, "6") == "Blinking is on"
        await living.wait(2)
        assert len(living.board.pictures) > pictures + 4
        assert await choose(living, 1, "7") == "There is no shot to take back yet"
        assert await choose(living, 1, "9") == "Português"
        await living.tap(1, "*")
        await living.hold(1)
        assert living.console(1).legend["8"] == "sair"
        await living.tap(1, "9")
        assert settings.language == "en"
        assert living.match.phase is Phase.PLACING

    live(play, settings=settings)


def test_a_name_is_written_letter_by_letter() -> None:
    settings = Settings(names=("Ana", "Rui"))

    async def play(living: Living) -> None:
        assert (await choose(living, 1, "0")).startswith("Write the name with 2 to 9")
        assert living.console(1).legend["7"] == "PQRS"
        await living.tap(1, "1")
        assert living.caption(1) == "Write the name with 2 to 9; # keeps it"
        await living.tap(1, "0")
        assert living.caption(1) == "Write the name with 2 to 9; # keeps it", "no blank first"
        await living.tap(1, "2")
        assert living.caption(1) == "Name: A_"
        await living.tap(1, "2D22")
        assert living.caption(1) == "Name: Bb_"
        await living.tap(1, "22")
        assert living.caption(1) == "Name: Ba_", "round again"
        await living.tap(1, "*0888")
        assert living.caption(1) == "Name: B V_"
        await living.tap(1, "#")
        assert settings.names == ("B V", "Rui")
        assert "B V" in living.caption(1)
        assert living.console(1).name == "Ana", "this game keeps its names"

    live(play, settings=settings)


def test_a_full_an_empty_and_a_taken_name_are_refused() -> None:
    settings = Settings(names=("Ana", "Rui"))

    async def play(living: Living) -> None:
        await choose(living, 1, "0")
        await living.tap(1, "#")
        assert living.caption(1) == "Write the name with 2 to 9; # keeps it"
        await living.tap(1, "234567892345")
        full = living.caption(1)
        await living.tap(1, "8")
        assert living.caption(1) == "The name is full: * deletes, # keeps it"
        await living.tap(1, "D")
        await living.tap(1, "************")
        assert full == "Name: Adgjmptwadgj_"
        await living.tap(1, "777 88D444 #")
        assert living.caption(1) == "The other player has that name: choose another"
        await living.tap(1, "***")
        assert living.caption(1) == "Name: _"
        await living.tap(1, "*")
        assert settings.names == ("Ana", "Rui")
        await living.tap(1, "*")
        assert living.table.desk(1).overlay is None

    live(play, settings=settings)


@pytest.mark.parametrize("key", ["7", "A", "0"])
def test_a_question_takes_yes_or_no_alone(key: str) -> None:
    async def play(living: Living) -> None:
        await living.to_battle()
        assert await choose(living, 2, "8") == "Leave the battle? It counts as a loss: # yes, * no"
        assert living.console(2).legend == {"#": "yes", "*": "no"}
        await living.tap(2, key)
        assert living.caption(2) == "Leave the battle? It counts as a loss: # yes, * no"
        await living.tap(2, "*")
        assert living.caption(2) == "The game goes on"
        assert living.match.phase is Phase.BATTLE
        await choose(living, 2, "8")
        await living.tap(2, "#")
        assert living.match.ended is not None
        assert (living.match.ended.winner, living.match.ended.ending) == (1, Ending.RESIGNED)

    live(play)


def test_leaving_before_the_battle_goes_to_the_lobby_with_no_winner() -> None:
    async def play(living: Living) -> None:
        assert await choose(living, 1, "8") == "Leave? The game is abandoned: # yes, * no"
        await living.tap(1, "#")
        assert living.table.views is None
        assert "The game is abandoned" in " ".join(living.told())
        assert await choose(living, 1, "8") == "There is no game to leave"
        assert await choose(living, 1, "7") == "There is no shot to take back yet"

    live(play)


def test_a_question_about_placing_is_not_answered_in_battle() -> None:
    """Whoever is asked whether to abandon a game must not lose a battle by saying yes a moment later."""

    async def play(living: Living) -> None:
        await living.tap(1, "A#")
        await living.tap(2, "A")
        assert "abandoned" in await choose(living, 1, "8")
        await living.tap(2, "#")
        assert living.match.phase is Phase.BATTLE
        await living.tap(1, "#")
        assert living.match.phase is Phase.BATTLE

    live(play)


def test_the_menu_closes_no_name_that_is_being_written_when_the_battle_begins() -> None:
    async def play(living: Living) -> None:
        await living.tap(1, "A#")
        await choose(living, 1, "0")
        await living.tap(1, "2")
        await living.tap(2, "A#")
        await living.tap(1, "D33#")
        assert living.service.settings.names[0] == "Ae"

    live(play)
