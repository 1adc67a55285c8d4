"""Makes the picture that a board is handed from what the table is at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.events import Phase
from companion.table.effects import Effect
from companion.table.help import help_lines
from companion.table.marks import BLANK
from companion.table.table import Table
from hardware.frame import Console, Grid, Panel, Picture, Silhouette

if TYPE_CHECKING:
    from companion.table.painter import Painter, PanelScene

WAITING = 0.6
"""How bright the panels of the seat that waits stand (LOOK)."""


def make_picture(
    table: Table, painter: Painter | None, *, brightness: float = 1.0, dark: bool = False
) -> tuple[Picture, float | None]:
    """Return the picture at `table.now` and when it changes next by itself (s), or None.

    Without a painter the panels have no frames. `dark` puts every light out and leaves the marks.
    """
    panels = {(seat, grid): _marks(table, seat, grid) for seat in (1, 2) for grid in Grid}
    next_change = None
    if painter is not None:
        scenes = [_scene(table, seat, grid, panel, dark=dark) for (seat, grid), panel in panels.items()]
        frames, next_change = painter.paint(scenes, table.now)
        for (place, panel), frame in zip(list(panels.items()), frames, strict=True):
            panels[place] = Panel(panel.marks, panel.cursor, frame)
    consoles = tuple(_console(table, seat, panels[seat, Grid.OCEAN], panels[seat, Grid.TARGET]) for seat in (1, 2))
    words = table.words
    labels = {
        "ocean": words("Own sea"),
        "target": words("Target"),
        "current": words("Current"),
        "fleet": words("Fleet"),
        "help": words("F1 help"),
    }
    picture = Picture(
        (consoles[0], consoles[1]),
        brightness,
        labels,
        help_lines(words),
        moving=any(effect.ends > table.now for effect in table.effects),
    )
    return picture, next_change


def _marks(table: Table, seat: int, grid: Grid) -> Panel:
    if table.views is None or (grid is Grid.OCEAN and table.curtained(seat)):
        return Panel(BLANK)
    square = table.screen.cursor(seat, grid)
    cursor = (square.row, square.column) if square else None
    return Panel(table.screen.marks(seat, grid).rows(), cursor)


def _scene(table: Table, seat: int, grid: Grid, panel: Panel, *, dark: bool) -> PanelScene:
    from companion.game.squares import Square
    from companion.table.painter import PanelScene

    hidden = grid is Grid.OCEAN and table.curtained(seat)
    effects: tuple[Effect, ...] = ()
    if not hidden:
        effects = tuple(effect for effect in table.effects if effect.seat == seat and effect.grid is grid)
    waiting = (
        table.views is not None
        and table.view(seat).phase is Phase.BATTLE
        and not table.view(seat).my_turn
        and not any(effect.ends > table.now for effect in table.effects)
    )
    return PanelScene(
        seat=seat,
        grid=grid,
        rows=panel.marks,
        kingdom=table.host.settings.kingdoms[seat - 1],
        cursor=Square.at(*panel.cursor) if panel.cursor else None,
        effects=effects,
        level=WAITING if waiting else 1.0,
        dark=dark or hidden,
        text=table.panel_text(seat) if grid is Grid.TARGET else "",
        text_since=table.desk(seat).said_at,
    )


def _console(table: Table, seat: int, ocean: Panel, target: Panel) -> Console:
    desk = table.desk(seat)
    legend = desk.overlay.legend() if desk.overlay else table.screen.legend(seat)
    if desk.dial is not None:
        legend = {digit: _dial_label(desk.dial.column, digit) for digit in "1234567890"}
        legend |= {"*": table.words("end"), "D": table.words("again")}
    return Console(
        seat=seat,
        name=table.words.player(table.name(seat)),
        suit=table.host.settings.kingdoms[seat - 1],
        ocean=ocean,
        target=target,
        caption=desk.caption,
        legend=legend,
        fleet=_fleet(table, seat),
        focus=table.focus(seat),
        curtained=table.curtained(seat),
        curtain=table.screen.curtain(seat) if table.curtained(seat) and table.is_person(seat) else "",
    )


def _dial_label(column: int | None, digit: str) -> str:
    number = (int(digit) - 1) % 10
    return "ABCDEFGHIJ"[number] if column is None else str(number + 1)


def _fleet(table: Table, seat: int) -> tuple[Silhouette, ...]:
    """The seat's fleet, as far as everybody at the board may know it: a ship that sank unnamed still stands there
    while the own sea is covered."""
    if table.views is None:
        return ()
    view, other = table.view(seat), table.view(3 - seat)
    sunk = list(other.enemy_named) if table.curtained(seat) else [ship.name for ship in view.own_sunk]
    silhouettes = []
    for name in view.ruleset.ships:
        afloat = name not in sunk
        if not afloat:
            sunk.remove(name)
        silhouettes.append(Silhouette(table.words.name(name), view.ruleset.lengths[name], afloat))
    return tuple(silhouettes)
