"""One panel's wires close up: feed, capacitor, resistor, and which side of each is which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiring.drawing.drawing import GREY, INK, Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.parts import CAPACITOR, RESISTOR
from wiring.plans.style import DATA, EDGE, GROUND, PALE, POINTER, SUPPLY
from wiring.shifter import GATES

if TYPE_CHECKING:
    from wiring.electrics import Electrics

WIDTH = 1040
PANEL = Area(760, 84, 1000, 450)
START = 330
SUPPLY_Y, GROUND_Y, DATA_Y = 130, 250, 336
SPARE_Y = (394, 420)
"""Where the wires of the panel's data plug end that are not used."""

CAPACITOR_X = 560


def feed_close_up(electrics: Electrics) -> Drawing:
    """Draw how the first panel of the first chain is connected."""
    feed = electrics.feeds[0]
    drawing = Drawing(
        title="One panel's wires close up",
        description=(
            "The feed with its capacitor across it, plus leg to +5 V, and the resistor in the data line. The "
            "data plug's own +5 V and ground wires end insulated."
        ),
        width=WIDTH,
        height=524,
    )
    drawing.label(WIDTH / 2, 36, drawing.title, 21, anchor="middle", bold=True)
    drawing.block(PANEL, fill=PALE, pen=EDGE, radius=8)
    drawing.label(880, 112, f"panel {feed.name}", 16, anchor="middle", bold=True)
    rows = (
        (SUPPLY_Y, f"from fuse F{feed.number}, AWG {feed.awg}", "+5 V", SUPPLY, "+5 V"),
        (GROUND_Y, f"to the 0 V bar, AWG {feed.awg}", "0 V", GROUND, "GND, 0 V or −"),
    )
    for y, words, net, pen, terminal in rows:
        drawing.label(START - 14, y + 5, words, 14.5, anchor="end", bold=True)
        drawing.wire(((START, y), (PANEL.left, y)), net, pen)
        drawing.label(PANEL.left + 12, y + 5, terminal, 14)
    body = Area(CAPACITOR_X - 46, 160, CAPACITOR_X + 46, 220)
    drawing.block(body, pen=EDGE, radius=4)
    drawing.block(Area(body.left, 210, body.right, 220), fill="#4a4a4a", pen=EDGE)
    drawing.label(CAPACITOR_X, 190, CAPACITOR, 14, anchor="middle", bold=True)
    drawing.label(CAPACITOR_X, 206, "6.3 V or more", 11, anchor="middle", colour=GREY)
    drawing.wire(((CAPACITOR_X, SUPPLY_Y), (CAPACITOR_X, body.top)), "+5 V", Pen(SUPPLY.colour, 2.5))
    drawing.wire(((CAPACITOR_X, body.bottom), (CAPACITOR_X, GROUND_Y)), "0 V", Pen(GROUND.colour, 2.5))
    drawing.disc(CAPACITOR_X, SUPPLY_Y, 5, fill=SUPPLY.colour, pen=Pen(SUPPLY.colour, 1))
    drawing.disc(CAPACITOR_X, GROUND_Y, 5, fill=GROUND.colour, pen=Pen(GROUND.colour, 1))
    drawing.label(body.right + 12, 172, "+ long leg", 13)
    drawing.label(body.right + 12, 218, "− stripe", 13)
    for row, text in enumerate(
        (f"W4, data alone, from shifter pin {GATES[0].output};", "it lies along the black wires")
    ):
        drawing.label(START - 14, DATA_Y + 18 * row - 4, text, 14.5, anchor="end", bold=row == 0)
    resistor = Area(600, DATA_Y - 13, 680, DATA_Y + 13)
    drawing.wire(((START, DATA_Y), (resistor.left, DATA_Y)), "data", DATA)
    drawing.block(resistor, pen=EDGE)
    drawing.label(640, DATA_Y + 5, RESISTOR, 14, anchor="middle", bold=True)
    drawing.label(640, DATA_Y - 24, "within 5 cm of the panel", 13, anchor="middle", colour=GREY)
    drawing.wire(((resistor.right, DATA_Y), (PANEL.left, DATA_Y)), "data in", DATA)
    drawing.arrow(PANEL.left, DATA_Y, 1, 0, size=10, colour=DATA.colour)
    drawing.label(PANEL.left + 12, DATA_Y + 5, "DIN (never DOUT)", 14)
    for y, terminal in zip(SPARE_Y, ("+5 V", "GND"), strict=True):
        end = Area(PANEL.left - 96, y - 7, PANEL.left - 76, y + 7)
        drawing.wire(((end.right, y), (PANEL.left, y)), f"spare {terminal}", POINTER)
        drawing.block(end, fill=INK, pen=EDGE)
        drawing.label(PANEL.left + 12, y + 5, f"{terminal} beside DIN or DOUT", 13, colour=GREY)
    words = "A data plug's other two wires: cut back,"
    drawing.label(PANEL.left - 112, SPARE_Y[0] + 5, words, 14, anchor="end")
    drawing.label(PANEL.left - 112, SPARE_Y[1] + 5, "each insulated for itself, never joined", 14, anchor="end")
    notes = (
        "The resistor sits at the first panel of each chain only; a capacitor sits at every panel.",
        f"Built from strips: a second pair of AWG {feed.awg} from these two points to the far end of the last strip.",
    )
    for row, text in enumerate(notes):
        drawing.label(WIDTH / 2, 484 + 20 * row, text, 13.5, anchor="middle")
    return drawing
