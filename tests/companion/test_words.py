"""The catalogue: whole, in step with the program, and spoken everywhere."""

from __future__ import annotations

import ast
import asyncio
import gettext
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

import companion
from companion.game.ruleset import PRESETS, preset
from companion.running_game import Unkept
from companion.service import Service, Wishes
from companion.settings import Settings
from companion.table.words import LANGUAGES, SHIP_NAMES, TITLES, USUAL_NAMES, Words, locale_language
from hardware.board import Sentence
from hardware.keys import HOLD_SECONDS
from hardware.memory import MemoryBoard

PROGRAM = Path(companion.__file__).parent
LOCALE = PROGRAM / "locale"
PORTUGUESE = LOCALE / "pt" / "LC_MESSAGES" / "broadside.po"

SAYS = {"say": 1, "refuse": 1, "words": 0, "mark": 0, "IllegalMove": 0, "Sentence": 0}
"""What a text goes through to a player, and the place of the text among its arguments."""

SAME_IN_BOTH = {"Jack", "Ace", "King", "menu", "Menu: {items}; * closes"}
"""Texts that may be the same in Portuguese: proper names, and words that are."""


# The program and its catalogue


def calls() -> Iterator[tuple[str, ast.expr, str]]:
    """Each call that says something: what it goes through, the text's argument, and where that is. What the hardware
    says to players are its sentences alone."""
    table = [*PROGRAM.glob("game/**/*.py"), *PROGRAM.glob("table/**/*.py"), PROGRAM / "service.py"]
    devices = [*PROGRAM.parent.glob("hardware/**/*.py"), *PROGRAM.parent.glob("firmware_bridge/*.py")]
    for path in (*table, *devices):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in (SAYS if path in table else ("Sentence",)):
                    yield name, node.args[SAYS[name]], f"{path.relative_to(PROGRAM.parent)}:{node.lineno}"


def texts(*through: str) -> set[str]:
    """The texts that stand in the program."""
    found = (argument for name, argument, _ in calls() if name in through)
    return {str(argument.value) for argument in found if isinstance(argument, ast.Constant)}


@cache
def portuguese() -> Catalog:
    return read_po(BytesIO(PORTUGUESE.read_bytes()), locale="pt")


def translations() -> dict[str, str]:
    return {str(message.id): str(message.string) for message in portuguese() if message.id}


def can_be_found(argument: ast.expr) -> bool:
    """Whether extraction finds a text: it stands there whole, or it was marked elsewhere; a choice marks each text."""
    if isinstance(argument, ast.IfExp):
        choices = (argument.body, argument.orelse)
        return all(can_be_found(choice) and not isinstance(choice, ast.Constant) for choice in choices)
    return isinstance(argument, ast.Constant | ast.Name | ast.Attribute | ast.Call)


def test_every_text_can_be_found_by_the_extraction() -> None:
    assert [where for _, argument, where in calls() if not can_be_found(argument)] == []


def test_the_catalogue_has_what_the_program_says_and_nothing_else() -> None:
    said = texts(*SAYS)
    assert len(said) > 150
    template = {str(message.id) for message in read_po(BytesIO((LOCALE / "broadside.pot").read_bytes())) if message.id}
    assert template == said
    assert set(translations()) == said
    assert not portuguese().obsolete


def test_every_text_is_translated() -> None:
    for message in portuguese():
        assert not message.id or not message.fuzzy, message.id
    for text, translated in translations().items():
        assert translated.strip(), text
        assert translated != text or text in SAME_IN_BOTH, text


def test_translations_fill_in_the_same_values_and_name_the_same_keys() -> None:
    def fields(text: str) -> Counter[str | None]:
        return Counter(field for _, field, _, _ in Formatter().parse(text) if field is not None)

    def keys(text: str) -> list[str]:
        return sorted(re.findall(r"[#*]|\b\d+\b|\bF\d+\b|\bAUTO\b", text))

    for text, translated in translations().items():
        assert fields(translated) == fields(text), translated
        assert keys(translated) == keys(text), translated


def test_the_compiled_catalogue_is_the_written_one() -> None:
    def plain(catalogue: Catalog) -> dict[object, object]:
        return {message.id: message.string for message in catalogue if message.id}

    compiled = BytesIO()
    write_mo(compiled, portuguese())
    compiled.seek(0)
    shipped = BytesIO(PORTUGUESE.with_suffix(".mo").read_bytes())
    assert plain(read_mo(shipped)) == plain(read_mo(compiled))


def test_every_refusal_of_the_rules_is_translated() -> None:
    refusals = texts("IllegalMove")
    assert len(refusals) > 25
    for refusal in refusals:
        assert translations()[refusal] != refusal


def test_what_comes_from_data_is_in_the_catalogue() -> None:
    rulesets = [preset(name) for name in PRESETS]
    assert {ship for ruleset in rulesets for ship in ruleset.ships} == set(SHIP_NAMES)
    assert [ruleset.title for ruleset in rulesets] == list(TITLES)
    assert Settings().names == USUAL_NAMES


# Words


def test_names_within_a_text_are_translated_and_players_names_are_not() -> None:
    words = Words("pt")
    assert words("{ship} on {square}: fits", ship="Galley", square="B7") == "Galé em B7: cabe"
    assert words("{rules}: {one} against {other_player}", rules="Classic", one="Salvo", other_player="Player 2") == (
        "Clássico: Salvo contra Jogador 2"
    )
    assert words.name("My {fleet}") == "My {fleet}"
    assert words.name("") == ""
    assert (words.player("Player 1"), words.player("Galley")) == ("Jogador 1", "Galley")


def test_english_is_the_program_as_it_is_written() -> None:
    assert Words("en")("Your turn, {player}", player="Player 1") == "Your turn, Player 1"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "pt_BR"}, "pt"),
        ({"LANG": "pt"}, "pt"),
        ({"LANG": "pt@euro"}, "pt"),
        ({"LANG": "PT_pt.utf8"}, "pt"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "pt_PT.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "pt_PT.UTF-8", "LC_MESSAGES": "pt_PT.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "pt_PT.UTF-8", "LC_ALL": ""}, "pt"),
    ],
)
def test_the_locale_chooses_the_language(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert locale_language() == language
    assert Words("auto").language == language
    assert Words("en").language == "en"


# The table


class Clock:
    """Seconds that go on only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def sit(
    press: Callable[[MemoryBoard, Clock], Iterator[None]],
    settings: Settings,
    wishes: Wishes,
    *,
    shared_screen: bool = False,
) -> MemoryBoard:
    """Run a table on a board in memory; `press` yields after each key, so that it is taken in."""
    clock = Clock()
    board = MemoryBoard(lit=shared_screen, shared_screen=shared_screen, clock=clock)

    async def errand(service: Service) -> None:
        for _ in press(board, clock):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            await service.captains_settled()
        service.stop()

    Service(board, Unkept(), settings, wishes, save=lambda _: None, clock=clock, errand=errand).run()
    return board


def test_what_a_device_says_is_told_in_the_players_language() -> None:
    board = MemoryBoard(lit=False)

    async def errand(service: Service) -> None:
        service.trouble(Sentence("Seat {seat}'s number pad is back.", seat=2))
        service.trouble("The Pico is of another make.")
        await asyncio.sleep(0)
        service.stop()

    wishes = Wishes(rules="classic", against="friend")
    Service(board, Unkept(), Settings(language="pt"), wishes, save=lambda _: None, errand=errand).run()
    assert board.told[-2:] == [
        (None, "O teclado numérico do lugar 2 está de volta."),
        (None, "The Pico is of another make."),
    ]
    assert Sentence("{one} of {two}", one=1, two=2) == "1 of 2"


def hold_menu(board: MemoryBoard, clock: Clock, seat: int) -> None:
    board.hold(seat, "*")
    clock.now += HOLD_SECONDS
    board.release(seat, "*")


def test_another_language_in_the_menu_speaks_from_the_next_caption_on() -> None:
    def press(board: MemoryBoard, clock: Clock) -> Iterator[None]:
        hold_menu(board, clock, 1)
        yield
        board.press(1, "9")
        yield
        board.press(1, "5")
        yield
        board.press(1, "9")
        yield
        board.press(1, "5")
        yield

    settings = Settings(language="en")
    board = sit(press, settings, Wishes(rules="classic", against="friend"))
    assert [text for _, text in board.told][-4:] == ["Português", "O som está desligado", "English", "Sound is on"]
    assert settings.language == "en"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Every text that catalogues are asked for."""
    texts_asked: set[str] = set()
    find = gettext.translation

    def translation(domain: str, localedir: str, languages: list[str], *, fallback: bool) -> gettext.NullTranslations:
        catalogue = find(domain, localedir, languages, fallback=fallback)
        translate = catalogue.gettext

        def noting(text: str) -> str:
            texts_asked.add(text)
            return translate(text)

        monkeypatch.setattr(catalogue, "gettext", noting)
        return catalogue

    monkeypatch.setattr(gettext, "translation", translation)
    return texts_asked


def wander(seed: int) -> Callable[[MemoryBoard, Clock], Iterator[None]]:
    """Press keys at random, those that lead on more often; language and names stay as they are."""
    chance = random.Random(seed)

    def press(board: MemoryBoard, clock: Clock) -> Iterator[None]:
        for _ in range(600):
            seat = chance.choice((1, 2))
            if chance.random() < 0.03:
                hold_menu(board, clock, seat)
                yield
                board.press(seat, chance.choice("12345678A*"))
            else:
                board.press(seat, chance.choice("123456780ABCD*####55555AAD"))
            clock.now += 1
            yield

    return press


@cache
def words_shown(language: str) -> tuple[set[str], set[str]]:
    """The captions and the key legends that come up in random games."""
    captions, legends = set(), set()
    for seed, rules in enumerate((*PRESETS, None)):
        settings = Settings(language="pt" if language == "pt" else "en", names=("Ana", "Rui"), captain_pause=0)
        wishes = Wishes(rules, "friend" if rules else None, seed=seed)
        board = sit(wander(seed), settings, wishes, shared_screen=seed % 2 == 0)
        captions |= {console.caption for picture in board.pictures for console in picture.consoles}
        legends |= {
            text for picture in board.pictures for console in picture.consoles for text in console.legend.values()
        }
        legends |= {console.curtain for picture in board.pictures for console in picture.consoles}
    return captions - {""}, legends - {""}


def test_random_games_say_nothing_that_is_not_in_the_catalogue(asked: set[str]) -> None:
    words_shown.cache_clear()
    captions, legends = words_shown("pt")
    assert asked <= set(translations())
    assert len(asked) > 0.7 * len(translations())
    assert {"fogo", "zarpar"} <= legends
    assert any(caption.startswith("É a tua vez, Ana") for caption in captions)


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_and_key_legends_fit_the_simulator(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from hardware.simulator import caption, keypad
    from hardware.simulator.canvas import Canvas
    from hardware.simulator.layout import layout_for
    from hardware.simulator.texts import ELLIPSIS, fitted

    cut: list[tuple[str, ...]] = []

    def watched(*arguments: object, **options: object) -> tuple[int, tuple[str, ...]]:
        size, lines = fitted(*arguments, **options)
        cut.extend([lines] if ELLIPSIS in "".join(lines) else [])
        return size, lines

    monkeypatch.setattr(caption, "fitted", watched)
    monkeypatch.setattr(keypad, "fitted", watched)
    captions, legends = words_shown(language)
    place = layout_for((1280, 720)).consoles[0]
    canvas = Canvas(np.zeros((720, 1280, 3), np.float32))
    for text in legends:
        keypad.draw_cap(canvas, place.keys["5"], 1.0, "5", text, "W", "clubs", pressed=False)
    for text in captions:
        caption.draw_caption(canvas, place.caption, 1.0, text)
    assert cut == []
