"""Finds how each panel is wired and which panel is which, from two lights a panel: "where is it?".

The first LED of a panel shows the corner where its chain starts. The eleventh starts the second run, and stands on one
of four squares: beside the first LED or at the far end, in the next row or the next column. So both together settle
start corner, direction and serpentine, and the panel that was named settles the rest.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, get_args

import msgspec
import numpy as np

from hardware.bringup.answers import PanelName, listed, panel_name, read_panel, read_place, square_name, yes_or_no
from hardware.bringup.asker import AgainError, Outcome, UnclearError
from hardware.bringup.glyphs import panel_glyph, panel_text
from hardware.bringup.wire import LEVEL, chain_name, dark, lit
from hardware.frame import SIZE
from hardware.kit import PANEL_LEDS, Along, Corner, PanelSpec
from hardware.layout import wire_order
from hardware.lighting import Lighting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hardware.bringup.answers import Place
    from hardware.bringup.asker import Asker
    from hardware.bringup.wire import Leds
    from hardware.kit import Kit

SECOND_RUN = SIZE
"""The LED (from 0) that starts a panel's second run."""

_CORNERS = [(row, column) for row in (0, SIZE - 1) for column in (0, SIZE - 1)]


class _DarkError(Exception):
    """No light is seen where there should be one."""


def find_layout(kit: Kit, leds: Leds, asker: Asker) -> Outcome:
    """Return the kit with every panel where it is seen, wired as it is seen.

    Raises LeaveError where the person leaves, DriverError where the LEDs fail.
    """
    asker.say("One light at a time. Say on which panel and square it is, as its own player sees it: A1 is top left.")
    while True:
        try:
            corrected = _look(kit, leds, asker)
        except AgainError:
            asker.say("From the beginning.")
            continue
        except _DarkError as error:
            leds.write(dark(kit))
            return Outcome(False, (str(error),), kit)
        if _confirm(corrected, leds, asker):
            break
        asker.say("Then one of the answers was not what the board shows. From the beginning.")
    leds.write(dark(kit))
    told = tuple(_differences(kit, corrected)) or ("Every panel is where the kit says, and wired as it says.",)
    return Outcome(corrected == kit, told, corrected)


def same_wiring(panel: PanelSpec, corner: tuple[int, int], second: tuple[int, int]) -> list[PanelSpec]:
    """Return every description of a panel whose first LED is at `corner` and whose second run starts at `second`; the
    first one differs in the fewest keys from `panel`."""
    wanted = [corner[0] * SIZE + corner[1], second[0] * SIZE + second[1]]
    fitting = [
        described
        for rotation, serpentine, first, along in product(
            (0, 90, 180, 270), (True, False), get_args(Corner), get_args(Along)
        )
        if wire_order(
            described := msgspec.structs.replace(
                panel, first=first, along=along, serpentine=serpentine, rotation=rotation
            )
        )[[0, SECOND_RUN]].tolist()
        == wanted
    ]
    return sorted(fitting, key=lambda described: _distance(panel, described))


def _distance(old: PanelSpec, new: PanelSpec) -> tuple[int, bool]:
    """Return how many keys differ, and whether the rotation does: of two equal changes the wiring is the likelier."""
    keys = ("first", "along", "serpentine", "rotation")
    return sum(getattr(old, key) != getattr(new, key) for key in keys), old.rotation != new.rotation


def _look(kit: Kit, leds: Leds, asker: Asker) -> Kit:
    """Ask for every panel. Raises AgainError to begin anew, _DarkError where nothing lights up."""
    left = [panel_name(panel) for chain in kit.leds.chains for panel in chain.panels]
    every = tuple(left)
    chains = []
    for number, chain in enumerate(kit.leds.chains):
        panels = []
        for position, panel in enumerate(chain.panels):
            where = f"{chain_name(chain, number, kit)}, panel {position + 1}"
            leds.write(lit(kit, number, {position * PANEL_LEDS: LEVEL}))
            corner = _ask_place(f"{where}, first light: where is it?", asker, every, left, _CORNERS)
            name = corner.panel or _ask_panel(asker, every, left, corner.square)
            left.remove(name)
            leds.write(lit(kit, number, {position * PANEL_LEDS + SECOND_RUN: LEVEL}))
            possible = _second_squares(panel, corner.square)
            second = _ask_place(f"{where}, second light: where is it now?", asker, every, [name], possible)
            seen = msgspec.structs.replace(panel, seat=name.seat, grid=name.grid)
            panels.append(same_wiring(seen, corner.square, second.square)[0])
        chains.append(msgspec.structs.replace(chain, panels=tuple(panels)))
    return msgspec.structs.replace(kit, leds=msgspec.structs.replace(kit.leds, chains=tuple(chains)))


def _second_squares(panel: PanelSpec, corner: tuple[int, int]) -> list[tuple[int, int]]:
    """Return where the second run can start when the first one starts at a corner."""
    squares = {
        divmod(int(wire_order(described)[SECOND_RUN]), SIZE)
        for first, along, serpentine in product(get_args(Corner), get_args(Along), (True, False))
        if divmod(
            int(
                wire_order(
                    described := msgspec.structs.replace(panel, first=first, along=along, serpentine=serpentine)
                )[0]
            ),
            SIZE,
        )
        == corner
    }
    return sorted(squares)


def _ask_place(
    question: str,
    asker: Asker,
    every: Sequence[PanelName],
    left: Sequence[PanelName],
    possible: Sequence[tuple[int, int]],
) -> Place:
    return asker.ask(f"{question} (like {_example(left, possible)}; none; again)", _place_reader(every, left, possible))


def _place_reader(
    every: Sequence[PanelName], left: Sequence[PanelName], possible: Sequence[tuple[int, int]]
) -> Callable[[str], Place]:
    def read(answer: str) -> Place:
        _heed(answer)
        place = read_place(answer, every)
        if place.square not in possible:
            squares = listed(square_name(square) for square in possible)
            raise UnclearError(
                f"{square_name(place.square)} cannot be: this light stands at {squares}. If it really is elsewhere, "
                "run broadside test leds and broadside test colours first."
            )
        if place.panel is not None and place.panel not in left:
            raise UnclearError(
                f"{place.panel} cannot be: it was named before, so this is {listed(left)}. again starts over."
            )
        return place

    return read


def _heed(answer: str) -> None:
    """Raise AgainError where a person wants to begin anew, _DarkError where no light is seen."""
    if answer == "again":
        raise AgainError
    if answer in {"none", "nothing", "dark", "nowhere"}:
        raise _DarkError("A LED that the layout test needs stays dark; run broadside test leds first.")


def _ask_panel(
    asker: Asker, every: Sequence[PanelName], left: Sequence[PanelName], square: tuple[int, int]
) -> PanelName:
    """Ask for the panel of a light whose square was told without one."""
    if len(left) == 1:
        return left[0]
    read_whole = _place_reader(every, left, [square])

    def read(answer: str) -> PanelName:
        _heed(answer)
        try:
            return read_panel(answer, left)
        except UnclearError:
            # Whoever is asked for more may well say all of it: the panel and the square once more.
            if not _names_a_square(answer, every):
                raise
            place = read_whole(answer)
            if place.panel is None:
                raise
            return place.panel

    return asker.ask(f"On which panel? ({listed(left)}; none; again)", read)


def _names_a_square(answer: str, every: Sequence[PanelName]) -> bool:
    try:
        read_place(answer, every)
    except UnclearError:
        return False
    return True


def _example(left: Iterable[PanelName], possible: Sequence[tuple[int, int]]) -> str:
    names = list(left)
    panel = f"{str(names[0]).removeprefix('seat ')} " if len(names) > 1 else ""
    return f"{panel}{square_name(possible[0])}"


def _confirm(kit: Kit, leds: Leds, asker: Asker) -> bool:
    """Show each panel's name on it and ask whether it can be read."""
    lighting = Lighting(kit)
    leds.write(lighting.light_frames([panel_glyph(panel) for panel in lighting.panels]).chains)
    names = sorted(panel_text(panel) for panel in lighting.panels)
    return asker.ask(
        f"Now each panel shows its own name, upright: {listed(names, 'and')}. Is that so? (y, n)", yes_or_no
    )


def _differences(old: Kit, new: Kit) -> Iterable[str]:
    for number, (before, after) in enumerate(zip(old.leds.chains, new.leds.chains, strict=True)):
        for position, (was, now) in enumerate(zip(before.panels, after.panels, strict=True)):
            where = f"{chain_name(before, number, old)}, panel {position + 1}"
            if panel_name(was) != panel_name(now):
                yield f"{where}: this is {panel_name(now)}; the kit says {panel_name(was)}."
            if not np.array_equal(wire_order(was), wire_order(now)):
                yield f"{where}: it is wired {_wiring(now)}; the kit says {_wiring(was)}."


def _wiring(panel: PanelSpec) -> str:
    turned = f", turned by {panel.rotation}°" if panel.rotation else ""
    return f"from {panel.first} along {panel.along}, {'serpentine' if panel.serpentine else 'not serpentine'}{turned}"
