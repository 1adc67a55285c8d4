"""The buzzer and the power button: two parts with two wires each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiring.drawing.drawing import Drawing, Pen
from wiring.drawing.geometry import Area
from wiring.parts import BUZZER_RESISTOR
from wiring.plans.style import EDGE, GROUND_THIN, PALE, PINK, YELLOW

if TYPE_CHECKING:
    from hardware.kit import Kit
    from wiring.pins import HeaderUse

WIDTH = 1000
LEFT = 330
ROW = 170


def buzzer_and_button(board: HeaderUse, kit: Kit) -> Drawing:
    """Draw the parts that the kit has, each on its GPIO; it must have one of them."""
    buzzer = kit.buzzer.pin if kit.buzzer else None
    button = kit.power_button.pin if kit.power_button else None
    count = (buzzer is not None) + (button is not None)
    names = {(True, True): "Buzzer and power button", (True, False): "Buzzer", (False, True): "Power button"}
    title = names[buzzer is not None, button is not None]
    drawing = Drawing(
        title=f"{title}: two wires each" if count == 2 else f"{title}: two wires",
        description="Each part between its GPIO and its ground pin on the header.",
        width=WIDTH,
        height=72 + count * ROW,
    )
    drawing.label(WIDTH / 2, 36, drawing.title, 21, anchor="middle", bold=True)
    top = 70.0
    if buzzer is not None:
        _buzzer(drawing, board, buzzer, top)
        top += ROW
    if button is not None:
        _part(drawing, board, button, top, Pen("#8a7f00", 3), ("push button", "normally open"), YELLOW)
    return drawing


def _buzzer(drawing: Drawing, board: HeaderUse, gpio: int, top: float) -> None:
    _part(drawing, board, gpio, top, Pen(PINK, 3), ("piezo buzzer", "passive, 2 wires"), PINK, resistor=BUZZER_RESISTOR)


def _part(
    drawing: Drawing,
    board: HeaderUse,
    gpio: int,
    top: float,
    pen: Pen,
    words: tuple[str, str],
    tint: str,
    *,
    resistor: str = "",
) -> None:
    live, ground = top + 40, top + 100
    part = Area(660, top + 14, 900, top + 126)
    drawing.block(part, fill=PALE, pen=EDGE, radius=8)
    drawing.block(Area(part.left + 10, part.top + 10, part.left + 18, part.bottom - 10), fill=tint, pen=Pen(tint, 1))
    drawing.label(790, top + 64, words[0], 16, anchor="middle", bold=True)
    drawing.label(790, top + 86, words[1], 13.5, anchor="middle")
    drawing.label(LEFT - 14, live + 5, board.place(gpio), 15, anchor="end", bold=True)
    drawing.label(LEFT - 14, ground + 5, f"GND (pin {board.ground_for(gpio)})", 15, anchor="end", bold=True)
    if resistor:
        box = Area(450, live - 14, 540, live + 14)
        drawing.wire(((LEFT, live), (box.left, live)), f"gpio {gpio}", pen)
        drawing.block(box, pen=EDGE)
        drawing.label(495, live + 5, resistor, 14, anchor="middle", bold=True)
        drawing.wire(((box.right, live), (part.left, live)), f"gpio {gpio} part", pen)
    else:
        drawing.wire(((LEFT, live), (part.left, live)), f"gpio {gpio}", pen)
    drawing.wire(((LEFT, ground), (part.left, ground)), "0 V", GROUND_THIN)
