"""Finds out how a keypad is wired by asking for keys in turn, and finds stuck and dead keys and bounce.

The keys of the top row and of the left column are asked for. Two keys of a row have one wire in common, the row's;
from there each further key tells one more wire. So seven keys tell all eight wires of a 4×4 keypad, whatever pins they
are on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from hardware.bringup.answers import listed, yes_or_no
from hardware.bringup.asker import AgainError, Outcome, UnclearError
from hardware.bringup.contacts import Wires, wires_by_key
from hardware.drivers.gpio_keypad import DEFAULT_TIMING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hardware.bringup.asker import Asker
    from hardware.bringup.contacts import Contacts, Press
    from hardware.kit import Keypad, Kit

PATIENCE_SECONDS = 20.0
"""How long a key that was asked for is waited for."""

TRIES = 3
"""How often a key is asked for whose wires cannot be."""


class _SpoiltError(Exception):
    """A keypad cannot be tested; the text says why and what to do."""


class KeypadFinder:
    """Tests one seat's keypad. `wires` becomes known key by key; `bounces` holds ms by key."""

    def __init__(self, kit: Kit, keypad: Keypad, contacts: Contacts, asker: Asker) -> None:
        self._keypad = keypad
        self._contacts = contacts
        self._asker = asker
        self._names = {wires: f"seat {seat}'s {key}" for (seat, key), wires in wires_by_key(kit).items()}
        self._rows: dict[int, int] = {}
        self._columns: dict[int, int] = {}
        self._seen: dict[str, Wires | None] = {}
        self.bounces: dict[str, float] = {}
        self.dead: set[str] = set()

    def check_rest(self) -> None:
        """Raise _SpoiltError where something is down although no hand is on the keypads."""
        seat = self._keypad.seat
        self._asker.ask(f"Seat {seat}: take your hands off the keypads, then press Enter.", lambda _answer: None)
        if closed := self._contacts.closed():
            raise _SpoiltError(f"{self._stuck(closed)} Free it or look at those wires, then run this again.")

    def find(self) -> tuple[list[int | None], list[int | None]]:
        """Return the pins of rows and columns as they are really wired, None for a wire that no key shows."""
        layout = self._keypad.layout
        self._find_first_row()
        for column in range(len(layout[0])):
            self._extend(column, self._columns, self._rows, lambda known, new: layout[known][new])
        for row in range(len(layout)):
            self._extend(row, self._rows, self._columns, lambda known, new: layout[new][known])
        return (
            [self._rows.get(row) for row in range(len(layout))],
            [self._columns.get(column) for column in range(len(layout[0]))],
        )

    def press_the_rest(self, names: Mapping[Wires, str] | None) -> None:
        """Have every other key pressed, in any order; show each, and note those that never come as dead. `names` are
        the keys by the wires that were found; None goes by the names that the board tells."""
        left = [key for line in self._keypad.layout for key in line if key not in self._seen]
        self._asker.say(f"Seat {self._keypad.seat}: now press every other key once, in any order: {' '.join(left)}")
        while left:
            press = self._contacts.press(PATIENCE_SECONDS)
            if press is None:
                if self._try_again(f"Not seen yet: {' '.join(left)}."):
                    continue
                break
            key = press.key if names is None else names.get(press.wires or Wires())
            if key is None:
                self._asker.say("  A key of another keypad, or two wires that touch.")
                continue
            self._note(key, press)
            self._asker.say(f"  {key}")
            if key in left:
                left.remove(key)
        self.dead |= set(left)

    def _find_first_row(self) -> None:
        """Find one row's wire and two columns', from two keys of that row."""
        for row, line in enumerate(self._keypad.layout):
            live: list[tuple[int, Wires]] = []
            for column, key in enumerate(line):
                for _ in range(TRIES):
                    wires = self._ask(key)
                    if wires is None or not live or len(wires & live[0][1]) == 1:
                        break
                    self._asker.say(f"! {line[live[0][0]]} and {key} have no wire in common. Once more, both of them.")
                    first = self._ask(line[live[0][0]])
                    live = [(live[0][0], first)] if first is not None else []
                if wires is None:
                    continue
                live.append((column, wires))
                if len(live) == 2:
                    self._settle_first(row, live)
                    return
        raise _SpoiltError(
            "No two keys of any row are seen. Check that the keypad's ribbon is plugged in, and that its pins are "
            "those of the kit."
        )

    def _settle_first(self, row: int, live: Sequence[tuple[int, Wires]]) -> None:
        common = live[0][1] & live[1][1]
        if len(common) != 1:
            raise _SpoiltError("Keys of one row have no wire in common; two wires of the ribbon may touch.")
        (self._rows[row],) = common
        for column, wires in live:
            (self._columns[column],) = wires - common

    def _extend(
        self, new: int, unknown: dict[int, int], known: Mapping[int, int], key_of: Callable[[int, int], str]
    ) -> None:
        """Find one more wire, from a key whose other wire is known."""
        if new in unknown:
            return
        taken = {*self._rows.values(), *self._columns.values()}
        for place, wire in sorted(known.items()):
            key = key_of(place, new)
            for _ in range(TRIES):
                wires = self._ask(key)
                if wires is None:
                    break
                rest = wires - {wire}
                if wire in wires and not rest & taken:
                    (unknown[new],) = rest
                    return
                self._asker.say(f"! That cannot have been {key}, or an earlier key was not the one asked for.")
            else:
                raise AgainError

    def _ask(self, key: str) -> Wires | None:
        """Ask for one key; return the wires that it joins, or None where it does nothing."""
        self._asker.say(f"Seat {self._keypad.seat}: press {key}")
        while True:
            press = self._contacts.press(PATIENCE_SECONDS)
            if press is not None and press.wires is not None:
                self._note(key, press)
                self._seen[key] = press.wires
                self._asker.say(f"  seen, on {listed(self._pin_names(press.wires), 'and')}")
                return press.wires
            if press is None and not self._try_again(f"{key} was not seen."):
                self.dead.add(key)
                self._seen[key] = None
                return None

    def _note(self, key: str, press: Press) -> None:
        self.bounces[key] = max(self.bounces.get(key, 0.0), press.bounce_ms)
        self.dead.discard(key)

    def _try_again(self, text: str) -> bool:
        def read(answer: str) -> bool:
            if answer in {"", "again", "y", "yes"}:
                return True
            if answer in {"dead", "no", "n"}:
                return False
            raise UnclearError(f"{answer!r} is no answer; press Enter, or say dead.")

        return self._asker.ask(f"{text} Enter to try again, dead if it does nothing.", read)

    def _stuck(self, closed: Sequence[Press]) -> str:
        names = []
        for press in closed:
            wires = press.wires
            if wires is not None and len(wires) == 1:
                names.append(f"{listed(self._pin_names(wires))} is joined to ground")
            elif wires is not None and wires in self._names:
                names.append(f"{self._names[wires]} is stuck, or its wires touch")
            elif wires is not None:
                names.append(f"{listed(self._pin_names(wires), 'and')} touch")
            else:
                names.append(f"seat {press.seat}'s {press.key} is stuck")
        return f"With no hand on the keypads, {'; '.join(names)} (by the kit's wiring)."

    def _pin_names(self, wires: Iterable[int]) -> list[str]:
        return [f"{'GP' if self._keypad.driver == 'pico' else 'GPIO'}{number}" for number in sorted(wires)]


def find_keys(kit: Kit, contacts: Contacts, asker: Asker) -> Outcome:
    """Return the kit with every keypad's rows and columns as they are really wired, and a debounce that suits them.

    Raises LeaveError where the person leaves, DriverError where the pins fail.
    """
    keypads, told, passed = list(kit.keypads), [], True
    for number, keypad in enumerate(kit.keypads):
        try:
            found, sentences = _find_keypad(kit, keypad, contacts, asker)
        except _SpoiltError as error:
            told.append(f"Seat {keypad.seat}: {error}")
            passed = False
            continue
        passed = passed and not sentences
        told += [f"Seat {keypad.seat}: {sentence}" for sentence in sentences] or [
            f"Seat {keypad.seat}: every key works and is where the kit says."
        ]
        keypads[number] = found
    return Outcome(passed, tuple(told), msgspec.structs.replace(kit, keypads=tuple(keypads)))


def _find_keypad(kit: Kit, keypad: Keypad, contacts: Contacts, asker: Asker) -> tuple[Keypad, list[str]]:
    """Return a keypad as it is, and what is wrong with it."""
    while True:
        finder = KeypadFinder(kit, keypad, contacts, asker)
        try:
            finder.check_rest()
            found = _with_pins(keypad, *finder.find()) if keypad.rows else keypad
            finder.press_the_rest(_names(kit, found))
        except AgainError:
            asker.say("From this keypad's beginning.")
            continue
        if asker.ask(f"Seat {keypad.seat}: was every key called by its right name? (y, n)", yes_or_no):
            break
        asker.say("Then one of the keys was not the one asked for. From this keypad's beginning.")
    sentences = [*_wiring_faults(kit, keypad, found), *_dead_keys(keypad, finder.dead)]
    found, bounce = _with_debounce(found, finder.bounces)
    return found, [*sentences, *bounce]


def _names(kit: Kit, keypad: Keypad) -> dict[Wires, str] | None:
    """Return a keypad's keys by their wires; None for one that has no wires of its own."""
    alone = msgspec.structs.replace(kit, keypads=(keypad,))
    return {wires: key for (_, key), wires in wires_by_key(alone).items()} or None


def _with_pins(keypad: Keypad, rows: Sequence[int | None], columns: Sequence[int | None]) -> Keypad:
    """Return a keypad with the wires that were found. A single wire that no key showed must be on the pin that is left;
    where several are missing, nobody knows which is which, and the kit's pins stay."""
    missing = [*rows, *columns].count(None)
    left = set(keypad.rows + keypad.columns) - {*rows, *columns}
    if missing > 1 or len(left) < missing:
        return keypad
    spare = next(iter(left), None)
    filled = [[spare if pin is None else pin for pin in pins] for pins in (rows, columns)]
    return msgspec.structs.replace(
        keypad,
        rows=tuple(pin for pin in filled[0] if pin is not None),
        columns=tuple(pin for pin in filled[1] if pin is not None),
    )


def _wiring_faults(kit: Kit, old: Keypad, new: Keypad) -> Iterator[str]:
    if (old.rows, old.columns) == (new.rows, new.columns):
        return
    others = {
        pin: keypad.seat for keypad in kit.keypads if keypad.seat != old.seat for pin in keypad.rows + keypad.columns
    }
    foreign = {others[pin] for pin in new.rows + new.columns if pin in others}
    if foreign:
        yield f"the keypad is on the pins of seat {foreign.pop()}'s."
    elif set(new.rows) == set(old.rows):
        yield from (
            f"{wires} {_order(was, now)}."
            for wires, was, now in (("rows", old.rows, new.rows), ("columns", old.columns, new.columns))
            if was != now
        )
    elif set(new.rows) == set(old.columns):
        yield "rows and columns are exchanged."
    else:
        yield "wires of rows and columns are mixed up."
    yield f"the wiring is rows {list(new.rows)}, columns {list(new.columns)}."


def _order(was: Sequence[int], now: Sequence[int]) -> str:
    moved = [place for place, (before, after) in enumerate(zip(was, now, strict=True)) if before != after]
    if len(moved) == 2:
        return f"{moved[0] + 1} and {moved[1] + 1} are swapped"
    if list(now) == list(reversed(was)):
        return "come in reverse order"
    return f"come in the order {listed([was.index(pin) + 1 for pin in now], 'and')}"


def _dead_keys(keypad: Keypad, dead: set[str]) -> Iterator[str]:
    layout = keypad.layout
    lines = [(f"row {number}", set(line)) for number, line in enumerate(layout, start=1)]
    lines += [(f"column {number}", {line[number - 1] for line in layout}) for number in range(1, len(layout[0]) + 1)]
    for name, keys in lines:
        if keys <= dead:
            yield f"no key of {name} is seen: its wire is broken or not plugged in."
            dead = dead - keys
    if dead:
        ordered = [key for line in layout for key in line if key in dead]
        yield f"{listed(ordered, 'and')} {'does' if len(ordered) == 1 else 'do'} nothing: replace the keypad."


def _with_debounce(keypad: Keypad, bounces: Mapping[str, float]) -> tuple[Keypad, list[str]]:
    """Return a keypad whose equal scans outlast its longest bounce."""
    if not bounces:
        return keypad, []
    worst = max(bounces, key=lambda key: bounces[key])
    scan_ms = DEFAULT_TIMING.scan * 1000
    # So many equal scans span more than the bounce: no state of it can stand that long.
    needed = int(bounces[worst] // scan_ms) + 2
    if needed <= keypad.debounce_scans:
        return keypad, []
    told = (
        f"{worst} bounces for {bounces[worst]:.0f} ms, longer than {keypad.debounce_scans} equal scans; {needed} are "
        "needed."
    )
    return msgspec.structs.replace(keypad, debounce_scans=needed), [told]
