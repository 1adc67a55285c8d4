"""Power and data: supply, fuses, shifter, panels in chain order, with the size of every wire."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from wiring.drawing.drawing import GREY, Drawing
from wiring.drawing.geometry import Area
from wiring.electrics import SHIFTER_AWG, SHIFTER_FUSE_MA, Electrics, Feed, amperes, panel_name, wire_name
from wiring.parts import CAPACITOR, RESISTOR
from wiring.pins import data_label, led_board
from wiring.plans.style import (
    DATA,
    EDGE,
    GROUND,
    GROUND_THIN,
    GROUND_TRUNK,
    PALE,
    SEAT_TINTS,
    SUPPLY,
    SUPPLY_THIN,
    SUPPLY_TRUNK,
    THIN_EDGE,
)
from wiring.shifter import GATES, SHIFTER, VCC
from wiring.shifter import GROUND as GROUND_PIN

if TYPE_CHECKING:
    from hardware.kit import Kit

WIDTH = 1240
TOP = 78
STEP = 46
PANEL_HEIGHT = 132
PANEL_GAP = 30
LEFT = (20, 256)
MIDDLE = (400, 612)
PANELS = (890, 1130)
BAR_X = 1190
TRUNK_X = 752
"""Where the first chain's data line runs down; the next chains' lines run to the left of it."""


def power_and_data(kit: Kit) -> Drawing:
    """Draw how power and data reach every panel."""
    electrics = Electrics(kit)
    chains = len(kit.leds.chains)
    band = 70 + (chains + 1) * STEP
    panels_top = TOP + band + 64
    panels_bottom = panels_top + len(electrics.feeds) * (PANEL_HEIGHT + PANEL_GAP) - PANEL_GAP
    drawing = Drawing(
        title=f"Power and data: {_count(len(electrics.feeds), 'panel')}, one supply, one common ground",
        description=(
            "The 5 V supply feeds each panel through a fuse of its own; data goes from the board through the level "
            "shifter to the first panel of each chain and on from panel to panel; all grounds are joined."
        ),
        width=WIDTH,
        height=panels_bottom + 146,
    )
    drawing.label(WIDTH / 2, 36, drawing.title, 21, anchor="middle", bold=True)
    _board_and_shifter(drawing, kit, TOP, TOP + band)
    _legend(drawing, TOP, TOP + band)
    _supply(drawing, electrics, TOP + band, panels_top, panels_bottom)
    _panels(drawing, electrics, panels_top)
    _data(drawing, kit, electrics, panels_top)
    return drawing


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _board_and_shifter(drawing: Drawing, kit: Kit, top: float, bottom: float) -> None:
    board = led_board(kit)
    chains = kit.leds.chains
    drawing.block(Area(LEFT[0], top, LEFT[1], bottom), fill=PALE, pen=EDGE, radius=8)
    centre = sum(LEFT) / 2
    drawing.label(centre, top + 26, board.board, 18, anchor="middle", bold=True)
    power = (
        ("fed by its USB cable;", "VBUS, VSYS: no wire")
        if board.is_pico
        else ("own USB power supply;", "5 V pins: no wire")
    )
    for row, text in enumerate(power):
        drawing.label(centre, top + 46 + row * 17, text, 15, anchor="middle", colour=GREY)
    drawing.block(Area(MIDDLE[0], top, MIDDLE[1], bottom), fill=PALE, pen=EDGE, radius=8)
    centre = sum(MIDDLE) / 2
    drawing.label(centre, top + 26, SHIFTER, 18, anchor="middle", bold=True)
    drawing.label(centre, top + 46, "3.3 V in, 5 V out", 15, anchor="middle", colour=GREY)
    y = top + 84.0
    for index, (chain, gate) in enumerate(zip(chains, GATES, strict=False)):
        between = (LEFT[1] + MIDDLE[0]) / 2
        drawing.label(between, y - 8, board.place(chain.pin), 15, anchor="middle")
        drawing.wire(((LEFT[1], y), (MIDDLE[0], y)), f"data {index} in", DATA)
        drawing.arrow(MIDDLE[0], y, 1, 0, size=9, colour=DATA.colour)
        drawing.label(LEFT[1] - 10, y + 5, data_label(kit, index), 14.5, anchor="end")
        drawing.label(MIDDLE[0] + 10, y + 5, f"{gate.input}", 16, bold=True)
        drawing.label(MIDDLE[0] + 34, y + 5, f"{index + 1}A in", 14.5, colour=GREY)
        drawing.label(MIDDLE[1] - 10, y + 5, f"{gate.output}", 16, anchor="end", bold=True)
        drawing.label(MIDDLE[1] - 34, y + 5, f"out {index + 1}Y", 14.5, anchor="end", colour=GREY)
        y += STEP
    grounds = [board.ground_for(chain.pin) for chain in chains]
    pins = ("pin " if len(grounds) == 1 else "pins ") + ", ".join(map(str, grounds))
    drawing.label((LEFT[1] + MIDDLE[0]) / 2, y - 8, "GND", 15, anchor="middle")
    drawing.wire(((LEFT[1], y), (MIDDLE[0], y)), "0 V", GROUND_THIN)
    drawing.label(LEFT[1] - 10, y + 5, f"ground, {pins}", 14.5, anchor="end")
    drawing.label(MIDDLE[0] + 10, y + 5, f"{GROUND_PIN}", 16, bold=True)
    enables = ", ".join(str(gate.enable) for gate in GATES[: len(chains)])
    drawing.label(
        MIDDLE[0] + 34, y + 5, f"GND; also pins {enables}" if len(chains) > 1 else f"GND; also pin {enables}", 12.5
    )


def _legend(drawing: Drawing, top: float, bottom: float) -> None:
    left, right = 850, WIDTH - 30
    drawing.block(Area(left, top, right, bottom), pen=THIN_EDGE, radius=8)
    rows = (
        (SUPPLY, "+5 V: solid, orange"),
        (GROUND, "0 V (ground): solid, black"),
        (DATA, "data: thin, dashed, green"),
    )
    step = (bottom - top - 74) / 3
    y = top + 26.0
    for pen, text in rows:
        drawing.wire(((left + 18, y), (left + 88, y)), "", pen)
        drawing.label(left + 104, y + 5, text, 15.5)
        y += step
    drawing.label(left + 18, y + 2, "The thicker the line, the thicker the wire.", 15, colour=GREY)
    drawing.label(left + 18, y + 20, "A gap where lines cross: they do not touch.", 15, colour=GREY)


def _supply(drawing: Drawing, electrics: Electrics, band: float, top: float, bottom: float) -> None:
    power = electrics.kit.power
    middle_y = (top + bottom) / 2
    half = 92
    drawing.block(Area(LEFT[0], middle_y - half, LEFT[1], middle_y + half), fill=PALE, pen=EDGE, radius=8)
    centre = sum(LEFT) / 2
    rows = (
        f"{amperes(power.supply_ma)} ({power.supply_ma * 5 / 1000:g} W)",
        "closed, with a mains lead" if electrics.closed_supply else "with screws, mains covered",
        "software limits:",
        f"{amperes(power.budget_ma)} in all,",
        f"{amperes(electrics.feeds[0].limit_ma)} a panel",
    )
    drawing.label(centre, middle_y - half + 30, "5 V supply", 18, anchor="middle", bold=True)
    for row, text in enumerate(rows):
        drawing.label(centre, middle_y - half + 54 + row * 18, text, 15, anchor="middle", colour=GREY)
    trunk = wire_name(electrics.trunk_awg)
    terminal = "T1 " if electrics.closed_supply else ""
    drawing.label(LEFT[1] - 10, middle_y + 34, f"{terminal}+V", 16, anchor="end", bold=True)
    y = middle_y + 29
    fuse = Area(LEFT[1] + 20, y - 17, LEFT[1] + 124, y + 17)
    drawing.wire(((LEFT[1], y), (fuse.left, y)), "+5 V to the main fuse", SUPPLY_TRUNK)
    drawing.wire(((fuse.right, y), (MIDDLE[0], y)), "+5 V", SUPPLY_TRUNK)
    drawing.block(fuse, pen=EDGE)
    main_fuse = f"F0: {amperes(electrics.main_fuse_ma)}"
    drawing.label((fuse.left + fuse.right) / 2, y + 5, main_fuse, 16, anchor="middle", bold=True)
    drawing.label((fuse.left + fuse.right) / 2, y - 26, "main fuse", 15, anchor="middle")
    drawing.label((fuse.left + fuse.right) / 2, y + 37, f"AWG {electrics.trunk_awg}", 15, anchor="middle")
    # The shifter's ground joins the panels' at the 0 V bar and nowhere else: no second way back for their current.
    first_y = top + PANEL_HEIGHT / 2
    drawing.wire(
        ((BAR_X, first_y), (BAR_X, band + 24), (MIDDLE[0] + 22, band + 24), (MIDDLE[0] + 22, band)), "0 V", GROUND_THIN
    )
    drawing.label(PANELS[1], band + 46, f"AWG {SHIFTER_AWG}: shifter to the 0 V bar, beside the data", 15, anchor="end")
    up = LEFT[0] + 40
    drawing.label(LEFT[0] + 20, middle_y + half - 10, f"{terminal}−V", 16, bold=True)
    rail = bottom + 44
    drawing.wire(
        ((up, middle_y + half), (up, rail), (BAR_X, rail), (BAR_X, top + PANEL_HEIGHT / 2)), "0 V", GROUND_TRUNK
    )
    feed = electrics.feeds[0]
    text = f"0 V: {trunk} from the supply to the 0 V bar at the panels, {wire_name(feed.awg)} from there to each panel"
    drawing.label(WIDTH / 2, rail + 26, text, 15.5, anchor="middle")
    text = (
        f"If every LED were white and nothing limited it: {amperes(electrics.white_ma)}. "
        f"All dark: {amperes(electrics.idle_ma)}. An evening's game: about {amperes(electrics.usual_ma)}."
    )
    drawing.label(WIDTH / 2, rail + 74, text, 15.5, anchor="middle", colour=GREY)
    text = "Data wires take no second wire along. They lie beside black ones: from shifter to bar, from bar to panel."
    drawing.label(WIDTH / 2, rail + 50, text, 15.5, anchor="middle")
    _fuses(drawing, electrics, band, top, bottom)


def _fuses(drawing: Drawing, electrics: Electrics, band: float, top: float, bottom: float) -> None:
    drawing.block(Area(MIDDLE[0], top, MIDDLE[1], bottom), fill=PALE, pen=EDGE, radius=8)
    centre = sum(MIDDLE) / 2
    drawing.label(centre, top + 24, "Fuse block", 18, anchor="middle", bold=True)
    drawing.label(MIDDLE[0] + 14, top + 44, "5 V blade fuses, covered", 14.5, colour=GREY)
    x = MIDDLE[1] - 34
    drawing.wire(((x, top), (x, band)), "+5 V", SUPPLY_THIN)
    drawing.label(x - 12, top - 12, f"FS: {amperes(SHIFTER_FUSE_MA)}, AWG {SHIFTER_AWG}", 15, anchor="end")
    drawing.label(x - 16, band - 10, "VCC", 14.5, anchor="end", colour=GREY)
    drawing.label(x, band - 10, str(VCC), 16, anchor="middle", bold=True)
    for feed in electrics.feeds:
        y = _panel_top(top, feed) + PANEL_HEIGHT / 2
        drawing.label(MIDDLE[1] - 14, y + 5, f"F{feed.number}: {amperes(feed.fuse_ma)}", 16, anchor="end", bold=True)
        drawing.wire(((MIDDLE[1], y), (PANELS[0], y)), f"+5 V panel {feed.number}", SUPPLY)
        drawing.label(MIDDLE[1] + 14, y - 9, f"AWG {feed.awg}", 15)


def _panel_top(top: float, feed: Feed) -> float:
    return top + (feed.number - 1) * (PANEL_HEIGHT + PANEL_GAP)


def _panels(drawing: Drawing, electrics: Electrics, top: float) -> None:
    centre = sum(PANELS) / 2
    for feed in electrics.feeds:
        y = _panel_top(top, feed)
        drawing.block(
            Area(PANELS[0], y, PANELS[1], y + PANEL_HEIGHT), fill=SEAT_TINTS[feed.panel.seat], pen=EDGE, radius=8
        )
        chain = electrics.kit.leds.chains.index(feed.chain) + 1
        place = feed.chain.panels.index(feed.panel) + 1
        drawing.label(centre, y + 26, feed.name, 18, anchor="middle", bold=True)
        drawing.label(centre, y + 46, f"panel {place} of chain {chain}: 100 LEDs", 15, anchor="middle", colour=GREY)
        drawing.label(PANELS[0] + 10, y + 26, "DIN", 14, bold=True)
        drawing.label(PANELS[0] + 10, y + PANEL_HEIGHT / 2 + 5, "+5 V", 14, bold=True)
        if place < len(feed.chain.panels):
            drawing.label(PANELS[0] + 10, y + PANEL_HEIGHT - 16, "DOUT", 14, bold=True)
        drawing.label(PANELS[1] - 10, y + PANEL_HEIGHT / 2 + 5, "0 V", 14, anchor="end", bold=True)
        part = Area(centre - 52, y + 56, centre + 52, y + 79)
        drawing.block(part, pen=THIN_EDGE, radius=4)
        drawing.label(centre, y + 72, f"C{feed.number} {CAPACITOR}", 15, anchor="middle")
        drawing.label(centre + 12, y + 98, "across +5 V and 0 V", 14, anchor="middle", colour=GREY)
        drawing.label(centre + 12, y + 117, f"at most {amperes(feed.limit_ma)}", 15, anchor="middle")
        drawing.wire(((PANELS[1], y + PANEL_HEIGHT / 2), (BAR_X, y + PANEL_HEIGHT / 2)), "0 V", GROUND)
    bar_y = top + PANEL_HEIGHT + PANEL_GAP / 2
    drawing.label(BAR_X + 22, bar_y + 28, "0 V bar", 15, bold=True, turned=True)


def _data(drawing: Drawing, kit: Kit, electrics: Electrics, top: float) -> None:
    for index, chain in enumerate(kit.leds.chains):
        net = f"data {index}"
        shifter_y = TOP + 84 + index * STEP
        trunk = TRUNK_X - 20 * index
        feeds = [feed for feed in electrics.feeds if feed.chain is chain]
        y = _panel_top(top, feeds[0]) + 22
        resistor = Area(PANELS[0] - 88, y - 11, PANELS[0] - 32, y + 11)
        drawing.wire(((MIDDLE[1], shifter_y), (trunk, shifter_y), (trunk, y), (resistor.left, y)), net, DATA)
        drawing.block(resistor, pen=EDGE)
        drawing.label((resistor.left + resistor.right) / 2, y + 5, RESISTOR, 15, anchor="middle", bold=True)
        drawing.label(PANELS[0] - 6, y - 17, f"R{index + 1}, at the panel", 14, anchor="end")
        drawing.wire(((resistor.right, y), (PANELS[0], y)), f"{net} resistor", DATA)
        drawing.arrow(PANELS[0], y, 1, 0, size=9, colour=DATA.colour)
        for one, other in pairwise(feeds):
            start, end = _panel_top(top, one) + PANEL_HEIGHT - 20, _panel_top(top, other) + 22
            x = PANELS[0] - 30
            drawing.wire(((PANELS[0], start), (x, start), (x, end), (PANELS[0], end)), f"{net} to {other.number}", DATA)
            drawing.arrow(PANELS[0], end, 1, 0, size=9, colour=DATA.colour)
            drawing.label(x - 10, (start + end) / 2 + 5, f"to {panel_name(other.panel)}", 14, anchor="end")
