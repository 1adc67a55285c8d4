"""The level shifter close up: every pin of the 74AHCT125 and where its wire goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiring.drawing.drawing import GREY, PAPER, Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.electrics import SHIFTER_FUSE_MA, amperes, panel_name
from wiring.parts import BYPASS, RESISTOR
from wiring.pins import data_label, led_board
from wiring.plans.style import DATA, GROUND_THIN, SUPPLY_THIN, THIN_EDGE
from wiring.shifter import GATES, GROUND, SHIFTER, VCC

if TYPE_CHECKING:
    from hardware.kit import Kit

WIDTH = 1040
TOP = 104
PITCH = 46
HALF = 76


def shifter_close_up(kit: Kit) -> Drawing:
    """Draw the shifter's housing from above with a word on each of its 14 pins."""
    bottom = TOP + 7 * PITCH
    drawing = Drawing(
        title=f"The level shifter {SHIFTER}, pin by pin",
        description="The 14-pin chip seen from above, notch at the top; each pin with the wire that goes to it.",
        width=WIDTH,
        height=bottom + 92,
    )
    middle = WIDTH / 2
    drawing.label(middle, 36, drawing.title, 21, anchor="middle", bold=True)
    drawing.label(middle, 64, "Seen from above: notch at the top, pin 1 left of it", 14, anchor="middle", colour=GREY)
    drawing.block(Area(middle - HALF, TOP, middle + HALF, bottom), fill="#2e2e2e", radius=6)
    drawing.disc(middle, TOP + 3, 12, fill=PAPER, pen=Pen("#2e2e2e", 2))
    drawing.label(middle + 5, (TOP + bottom) / 2, SHIFTER, 15, anchor="middle", bold=True, colour=PAPER, turned=True)
    words = _words(kit)
    for number in range(1, 15):
        left = number <= 7
        row = number - 1 if left else 14 - number
        y = TOP + (row + 0.5) * PITCH
        side = -1 if left else 1
        edge = middle + side * HALF
        name, where, pen = words[number]
        drawing.block(Area(min(edge, edge + side * 24), y - 9, max(edge, edge + side * 24), y + 9), fill="#d9d9d9")
        drawing.label(edge + side * 12, y + 4.5, str(number), 12.5, anchor="middle", bold=True)
        drawing.label(edge - side * 8, y + 4.5, name, 12.5, anchor="start" if left else "end", colour=PAPER)
        if pen:
            drawing.wire(((edge + side * 24, y), (edge + side * 84, y)), f"pin {number}", pen)
        text_x = edge + side * 94
        drawing.label(text_x, y + 5, where, 14, anchor="end" if left else "start", bold=pen is DATA)
    note = Area(140, bottom + 28, WIDTH - 140, bottom + 80)
    drawing.block(note, fill="#f4f4f4", pen=THIN_EDGE, radius=6)
    rows = (
        f"A {BYPASS} capacitor straight across pins {VCC} and {GROUND}, as short as it can be.",
        "No pin of an unused gate stays open: its input and its enable go to a rail, its output stays free.",
    )
    for row, text in enumerate(rows):
        drawing.label(middle, bottom + 50 + 20 * row, text, 13.5, anchor="middle")
    return drawing


def _words(kit: Kit) -> dict[int, tuple[str, str, Pen | None]]:
    """Return for each pin its name on the chip, where its wire goes, and the wire's pen (None: no wire)."""
    board = led_board(kit)
    chains = kit.leds.chains
    grounds = ", ".join(str(board.ground_for(chain.pin)) for chain in chains)
    pins = "pin" if len(chains) == 1 else "pins"
    words: dict[int, tuple[str, str, Pen | None]] = {
        VCC: ("VCC", f"+5 V through its own {amperes(SHIFTER_FUSE_MA)} fuse", SUPPLY_THIN),
        GROUND: ("GND", f"0 V bar, board GND {pins} {grounds}", GROUND_THIN),
    }
    for index, gate in enumerate(GATES):
        if index < len(chains):
            chain = chains[index]
            words[gate.enable] = (f"{index + 1}OE", "0 V: this gate is on", GROUND_THIN)
            words[gate.input] = (f"{index + 1}A", f"{data_label(kit, index)}: {board.place(chain.pin)}", DATA)
            words[gate.output] = (f"{index + 1}Y", f"{RESISTOR}, then DIN of {panel_name(chain.panels[0])}", DATA)
        else:
            words[gate.enable] = (f"{index + 1}OE", "+5 V: unused gate off", SUPPLY_THIN)
            words[gate.input] = (f"{index + 1}A", "0 V: unused input", GROUND_THIN)
            words[gate.output] = (f"{index + 1}Y", "unused: leave open", None)
    return words
