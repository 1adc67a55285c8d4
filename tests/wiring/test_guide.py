from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from companion.cli import COMMANDS
from companion.commands.test import PARTS
from tests.hardware.kits import SHIPPED, shipped, shipped_text
from tests.wiring.kits import KITS
from wiring.chapters.choose import GOOD_FOR
from wiring.electrics import Electrics
from wiring.faults import FAULTS
from wiring.first_test import first_panel_talk
from wiring.guide import CHAPTERS, guide_document, guide_files
from wiring.pins import data_label
from wiring.players import KEYS, RULES
from wiring.steps import TITLES

GUIDES = Path(__file__).resolve().parents[2] / "wiring" / "guides"


def texts(name: str) -> tuple[str, str]:
    """Return a guide's Markdown and HTML."""
    files = guide_files(KITS[name], name, "")
    return files["guide.md"].decode(), files["guide.html"].decode()


@pytest.mark.parametrize("name", SHIPPED)
def test_the_committed_guides_are_what_the_kits_give(name: str) -> None:
    """After a change that is meant: `make guides`, look at them, commit."""
    folder = GUIDES / name
    committed = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    made = guide_files(shipped(name), name, shipped_text(name))
    assert sorted(committed) == sorted(made)
    assert [path for path in made if made[path] != committed[path]] == []


def test_there_is_a_guide_for_every_shipped_kit_and_for_no_other() -> None:
    assert sorted(path.name for path in GUIDES.iterdir()) == sorted(SHIPPED) == sorted(GOOD_FOR)


@pytest.mark.parametrize("name", KITS)
def test_the_chapters_stand_in_their_order_and_each_step_ends_with_what_is_seen(name: str) -> None:
    document = guide_document(KITS[name], name)
    assert tuple(chapter.title for chapter in document.chapters) == TITLES
    assert len(CHAPTERS) == len(TITLES) == 15
    steps = document.chapters[TITLES.index("Pin map") :]
    for chapter in steps:
        if chapter.title != "Symptom, cause, cure":
            assert type(chapter.blocks[-1]).__name__ == "SeeNow", chapter.title


@pytest.mark.parametrize("name", KITS)
def test_every_fault_is_there_with_its_cure(name: str) -> None:
    markdown, page = texts(name)
    for fault in FAULTS:
        assert f"{fault.symptom} | {fault.cause} | {fault.cure}" in markdown
        assert f"https://github.com/{fault.met.replace('#', '/issues/')}" in page


def test_the_faults_are_all_kinds_that_touch_building() -> None:
    kinds = {fault.kind for fault in FAULTS}
    assert kinds >= {"Wiring", "Power", "Rights", "Kit", "Data", "Boot", "Plugs", "Keys", "Sound", "Packages"}
    assert len({fault.met for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("name", KITS)
def test_nobody_is_told_to_install_into_the_systems_python(name: str) -> None:
    for text in texts(name):
        assert not re.search(r"sudo\s+(-\S+\s+)*(\S*/)?pip|--break-system-packages", text)


class Page(HTMLParser):
    """Collects what a page would load, its anchors and the links to them."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(tag, {key: value or "" for key, value in attrs})
        if tag not in {"meta", "img", "col", "wbr"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(tag, {key: value or "" for key, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def note(self, tag: str, found: dict[str, str]) -> None:
        if tag in {"script", "link", "iframe", "object", "embed", "base"}:
            self.loads.append(tag)
        self.loads += [found[key] for key in ("src", "srcset", "data", "xlink:href") if key in found]
        if tag == "a":
            self.links.append(found["href"])
        if "id" in found:
            self.ids.append(found["id"])


@pytest.mark.parametrize("name", KITS)
def test_the_page_loads_nothing_and_its_links_lead_somewhere(name: str) -> None:
    _markdown, text = texts(name)
    page = Page()
    page.feed(text)
    assert page.open == []
    assert len(page.loads) == 1
    assert page.loads[0].startswith("data:image/jpeg;base64,")
    assert not re.search(r"url\(|@import", text)
    assert len(set(page.ids)) == len(page.ids)
    inner = {link.removeprefix("#") for link in page.links if link.startswith("#")}
    assert inner == set(page.ids)
    assert all(link.startswith("https://github.com/") for link in page.links if not link.startswith("#"))


@pytest.mark.parametrize("name", KITS)
def test_the_markdown_shows_every_drawing_and_its_contents_lead_to_the_chapters(name: str) -> None:
    files = guide_files(KITS[name], name, "")
    markdown = files["guide.md"].decode()
    shown = set(re.findall(r"!\[[^\]]*\]\(([^)]+)\)", markdown))
    assert shown == {path for path in files if path.endswith((".svg", ".jpg"))}
    anchors = {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^## (.+)$", markdown, re.M)
    }
    assert set(re.findall(r"^- \[[^\]]+\]\(#([^)]+)\)$", markdown, re.M)) == anchors


@pytest.mark.parametrize("name", KITS)
def test_only_commands_that_there_are_are_named(name: str) -> None:
    markdown, _page = texts(name)
    commands = {command.name for command in COMMANDS}
    named = re.findall(r"(?:`|^|sudo )broadside ([a-z]+)(?: ([a-z]+))?", markdown, re.M)
    assert {"play", "test", "doctor", "guide"} <= {command for command, _word in named} <= commands
    assert {word for command, word in named if command == "test"} <= PARTS.keys()
    assert {word for command, word in named if command == "test"} >= {"leds", "colours", "layout", "keys", "power"}


def test_a_pico_on_any_computer_is_tested_on_the_pico_and_not_in_the_simulator() -> None:
    markdown, _page = texts("pico")
    assert "\nbroadside test leds --kit pico --board pico\n" in markdown
    assert "\nsudo broadside test leds --kit full\n" in texts("full")[0]


@pytest.mark.parametrize("name", KITS)
def test_the_mistake_that_is_shown_is_answered_with_the_kit_checks_own_words(name: str) -> None:
    markdown, _page = texts(name)
    assert "is reserved" in markdown.split("What a mistake looks like")[1].split("```")[1]


def test_the_kits_needs_stand_in_the_guide() -> None:
    assert "`dtparam=audio=off`" in texts("full")[0]
    assert "`dtoverlay=ws2812-pio,gpio=13,num_leds=200,brightness=0`" in texts("pi5")[0]
    assert "CircuitPython" in texts("pico")[0]
    assert "/dev/input/by-path" in texts("odd")[0]
    assert "neither a buzzer nor a power button" in texts("odd")[0]


def test_a_kit_with_one_panel_a_seat_is_told_so() -> None:
    assert "Each seat has one panel" in texts("compact")[0]
    assert "Each seat has two panels" in texts("full")[0]


def test_the_rules_have_eight_lines_and_every_key_its_words() -> None:
    assert len(RULES) == 8
    assert sorted(KEYS) == sorted("0123456789ABCD*#")


def test_the_folder_holds_the_very_kit() -> None:
    files = guide_files(shipped("full"), "full", shipped_text("full"))
    assert tomllib.loads(files["kit.toml"].decode())["title"] == shipped("full").title


def test_the_same_kit_gives_the_same_bytes() -> None:
    assert guide_files(KITS["odd"], "odd", "x") == guide_files(KITS["odd"], "odd", "x")


@pytest.mark.parametrize("name", KITS)
def test_nothing_is_left_to_be_filled_in(name: str) -> None:
    markdown, _page = texts(name)
    assert not re.search(r"\{[a-z_]+[.(}\[]|None\b|\b(?:0|nan) LEDs", markdown)


@pytest.mark.parametrize(
    "title", ["**A** [b](c) `d` *e* <f> & # ~g~ _h_ \\i", "1. a list", "# a heading", "| a | cell |"]
)
def test_a_title_stands_in_the_guide_as_it_is_written(title: str) -> None:
    kit = msgspec.structs.replace(KITS["full"], title=title)
    files = guide_files(kit, "mine.toml", "")
    page = Words()
    page.feed(files["guide.html"].decode())
    assert f"This guide builds the kit {title}: 4 panels" in page.text
    assert f"one tested step at a time: {title}." in page.text
    unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", files["guide.md"].decode())
    assert f"This guide builds the kit **{title}**: 4 panels" in unescaped


class Words(HTMLParser):
    """Collects the words of a page as they are read."""

    text = ""

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_first_test_is_shown_as_it_will_go() -> None:
    told = texts("full")[0].split("this end is the right one")[1].split("```")[1]
    assert "chain 1 (GPIO18): it stops between seat 1 target and seat 1 ocean." in told
    assert "chain 2 (GPIO13): no LED lights up." in told
    markdown = texts("full")[0]
    for asked, answer in (("where the light ran", "1 target A10"), ("LED 100", "y"), ("LED 101", "n")):
        assert f"| {asked} | `{answer}` |" in markdown
    whole = first_panel_talk(KITS["compact"])
    assert whole.answers[:2] == (("where the light ran", "yes"), ("dark squares, while all LEDs glow", "no"))
    assert whole.told[0] == "chain 1 (GPIO18): all 100 LEDs light up."


def test_what_config_txt_must_say_is_told_apart_from_what_it_says_by_itself() -> None:
    full, pi5 = texts("full")[0], texts("pi5")[0]
    assert "wants `dtparam=audio=off` in config.txt" in full
    assert "wants `dtparam=spi=off` and `dtparam=i2c_arm=off`, which hold already" in full
    assert "wants `dtparam=spi=off` and `dtparam=i2c_arm=off`, which hold already" in pi5


@pytest.mark.parametrize("name", KITS)
def test_data_wires_are_named_apart_and_take_no_ground_along(name: str) -> None:
    labels = [data_label(KITS[name], index) for index in range(len(KITS[name].leds.chains))]
    assert len(set(labels)) == len(labels)
    markdown, _page = texts(name)
    assert "One way back for every panel" in markdown
    assert f"| W4 | {len(Electrics(KITS[name]).feeds)} m |" in markdown


@pytest.mark.parametrize("name", KITS)
def test_one_kind_of_supply_is_recommended(name: str) -> None:
    markdown, _page = texts(name)
    closed = KITS[name].power.supply_ma <= 10_000
    assert ("| T1 |" in markdown) == closed
    assert ("### A supply with screws instead" in markdown) == closed
    assert ("no mains work at all" in markdown) == closed
