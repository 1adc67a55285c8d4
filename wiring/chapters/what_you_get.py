"""What you get: a picture of the board, what it takes in time, money and skill, and how the guide goes on."""

from __future__ import annotations

from importlib.resources import files

from wiring.document.blocks import Block, Chapter, Items, Photo, Table, Text, plain
from wiring.electrics import amperes
from wiring.steps import DANGERS, DOCTOR, ONE_PANEL, PIN_MAP, POWER, SERVICE, WHAT_YOU_GET, see, step
from wiring.subject import Subject, count

PICTURE = "board.jpg"


def what_you_get(subject: Subject) -> Chapter:
    """Return the chapter."""
    electrics = subject.electrics
    panels = len(electrics.feeds)
    other = "" if panels == 4 else " Yours has one panel a seat."
    grids = "the ocean grid and the target grid" if panels == 4 else "both grids, the one that matters now"
    each = "two panels" if panels == 4 else "one panel"
    blocks: list[Block] = [
        Photo(
            PICTURE,
            files("wiring").joinpath("pictures", PICTURE).read_bytes(),
            f"The finished board as its simulator draws it: two consoles, each with its panels, keypad and name plate.{other}",
        ),
        Text(
            f"A naval-combat board game for two. Each seat has {each} of 10 × 10 lights for {grids}, and a keypad. "
            f"This guide builds the kit **{plain(subject.kit.title)}**: {count(panels, 'panel')} with {electrics.leds} LEDs on "
            f"{count(len(subject.chains), 'data line')}, {count(len(subject.kit.keypads), 'keypad')}"
            f"{', a buzzer' if subject.kit.buzzer else ''}{', a power button' if subject.kit.power_button else ''}."
        ),
        Text(
            "You can play before you build: `broadside play` opens the board of the picture on any desktop. The same "
            "program drives the finished board."
        ),
        Table(
            ("", "What it takes"),
            (
                ("Time", f"{'Two weekends' if panels > 2 else 'One weekend'}: half for wiring, half for the box."),
                (
                    "Cost class",
                    f"Middle: a small computer, a {amperes(subject.kit.power.supply_ma)} supply and "
                    f"{electrics.leds} LEDs. The panels are the largest share.",
                ),
                (
                    "Skill",
                    "You can solder a through-hole part, crimp or screw a terminal, and read a multimeter. "
                    "No programming.",
                ),
                (
                    "Help",
                    "No mains work: the supply of the parts list is closed and has its leads."
                    if electrics.closed_supply
                    else f"The mains side of the supply ({see(DANGERS)}) is for somebody who is qualified.",
                ),
            ),
            (16, 84),
        ),
        Text("How the guide goes, and why in this order:"),
        Items(
            (
                f"Steps {step(WHAT_YOU_GET)} to {step(PIN_MAP)}: read, choose, buy.",
                f"Step {step(POWER)}: power alone, measured before anything that can break is connected.",
                f"From step {step(ONE_PANEL)} on one part at a time is connected, and each has its own test: when "
                "something doesn't work, it is what you have just connected.",
                f"Steps {step(DOCTOR)} and {step(SERVICE)}: the program checks the machine, then starts by itself when the board is "
                "switched on.",
            )
        ),
        Text(
            "Every pin, fuse, wire size and current here was computed from the kit file that the program itself runs, so "
            "guide and program cannot disagree. Times and the cost class are the makers' estimates; other numbers have "
            "their source beside them."
        ),
    ]
    return Chapter(WHAT_YOU_GET, tuple(blocks))
