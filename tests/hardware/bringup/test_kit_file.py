"""The kit file: changed as little as can be, shown first, the old one kept, and never half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import wiring.kits
from hardware.bringup.kit_file import corrected_text, difference, write_kit
from hardware.kit import Kit, KitError, load_kit, parse_kit

KITS = Path(next(iter(wiring.kits.__path__)))


def with_rows(kit: Kit, number: int, rows: tuple[int, ...], columns: tuple[int, ...]) -> Kit:
    keypads = list(kit.keypads)
    keypads[number] = msgspec.structs.replace(keypads[number], rows=rows, columns=columns)
    return msgspec.structs.replace(kit, keypads=tuple(keypads))


@pytest.mark.parametrize("name", sorted(path.stem for path in KITS.glob("*.toml")))
def test_nothing_changes_where_nothing_is_wrong(name: str) -> None:
    text = (KITS / f"{name}.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, name)
    assert corrected_text(text, kit, kit) == text
    assert difference(text, text, name) == ""


def test_comments_that_name_header_pins_follow() -> None:
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, "full")
    new = corrected_text(text, kit, with_rows(kit, 0, (27, 17, 4, 22), (23, 24, 8, 7)))
    assert "rows = [27, 17, 4, 22] # header pins 13, 11, 7, 15\n" in new
    changed = [line for line in difference(text, new, "full.toml").splitlines() if line[0] in "+-"]
    assert changed == [
        "--- full.toml (old)",
        "+++ full.toml (new)",
        "-rows = [4, 17, 27, 22] # header pins 7, 11, 13, 15",
        "+rows = [27, 17, 4, 22] # header pins 13, 11, 7, 15",
    ]


def test_comments_that_name_pins_of_a_pico_follow() -> None:
    text = (KITS / "pico.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, "pico")
    new = corrected_text(text, kit, with_rows(kit, 0, (3, 2, 4, 5), (6, 7, 8, 9)))
    assert "rows = [3, 2, 4, 5] # Pico pins 5, 4, 6, 7\n" in new


def test_a_key_that_was_left_out_is_added() -> None:
    text = (KITS / "pi5.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, "pi5")
    chain = msgspec.structs.replace(kit.leds.chains[0], order="RGB")
    keypad = msgspec.structs.replace(kit.keypads[1], debounce_scans=4)
    corrected = msgspec.structs.replace(
        kit,
        leds=msgspec.structs.replace(kit.leds, chains=(chain, kit.leds.chains[1])),
        keypads=(kit.keypads[0], keypad),
    )
    new = corrected_text(text, kit, corrected)
    assert parse_kit(new, "new") == corrected
    assert new.count("debounce_scans = 4") == 1


def test_a_new_key_stands_in_its_own_table_before_the_next_ones_comment() -> None:
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, "full")
    keypad = msgspec.structs.replace(kit.keypads[1], debounce_scans=4)
    corrected = msgspec.structs.replace(
        kit,
        power=msgspec.structs.replace(kit.power, channel_ma=12.0, idle_ma=0.8),
        keypads=(kit.keypads[0], keypad),
    )
    new = corrected_text(text, kit, corrected)
    assert (
        "panel_budget_ma = 4000\nidle_ma = 0.8\nchannel_ma = 12.0\n\n# The two keypads share no pin. SPI must be off"
    ) in new
    assert "columns = [12, 16, 20, 21] # header pins 32, 36, 38, 40\ndebounce_scans = 4\n\n[buzzer]" in new
    added = [line for line in difference(text, new, "full.toml").splitlines()[2:] if line[0] in "+-"]
    assert added == ["+idle_ma = 0.8", "+channel_ma = 12.0", "+debounce_scans = 4"]


@pytest.mark.parametrize("ending", ["", "\n", "\n# the end\n"])
def test_a_new_key_in_the_last_table_of_a_file(ending: str) -> None:
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    start, end = text.index("[power]"), text.index("# The two keypads")
    text = text[:start] + text[end:] + "\n" + text[start:end].rstrip() + ending
    kit = parse_kit(text, "full")
    corrected = msgspec.structs.replace(kit, power=msgspec.structs.replace(kit.power, channel_ma=12.0))
    new = corrected_text(text, kit, corrected)
    assert new.rstrip("\n") == f"{text.removesuffix(ending)}\nchannel_ma = 12.0{ending}".rstrip("\n")


def test_a_mark_that_windows_editors_put_first_is_dropped() -> None:
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, "full")
    new = corrected_text("\ufeff" + text, kit, with_rows(kit, 0, (27, 17, 4, 22), (23, 24, 8, 7)))
    assert new == corrected_text(text, kit, with_rows(kit, 0, (27, 17, 4, 22), (23, 24, 8, 7)))


def test_a_kit_that_could_not_be_used_is_refused() -> None:
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    kit = parse_kit(text, "full")
    with pytest.raises(KitError, match="GPIO18"):
        corrected_text(text, kit, with_rows(kit, 0, (18, 17, 27, 22), (23, 24, 8, 7)))


def test_every_old_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "kits" / "mine.toml"
    assert write_kit(path, "one\n") is None
    first = write_kit(path, "two\n")
    second = write_kit(path, "three\n")
    assert (first, second) == (path.with_name("mine.toml.bak1"), path.with_name("mine.toml.bak2"))
    assert [p.read_text() for p in (path, path.with_name("mine.toml.bak1"), path.with_name("mine.toml.bak2"))] == [
        "three\n",
        "one\n",
        "two\n",
    ]
    assert sorted(file.name for file in path.parent.iterdir()) == ["mine.toml", "mine.toml.bak1", "mine.toml.bak2"]


def test_owner_and_mode_stay(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("one\n")
    path.chmod(0o664)
    if os.geteuid() == 0:
        os.chown(path, 12345, 23456)
    before = path.stat()
    backup = write_kit(path, "two\n")
    assert backup is not None
    for file in (path, backup):
        after = file.stat()
        assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can write into another's folder")
def test_a_household_owns_the_folder_and_the_kit_that_root_writes_first(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 23456)
    path = tmp_path / "kits" / "mine.toml"
    write_kit(path, "one\n")
    for made in (path, path.parent):
        assert (made.stat().st_uid, made.stat().st_gid) == (12345, 23456)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("one\n")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_kit(path, "two\n")
    assert path.read_text() == "one\n"
    assert not path.with_name(".mine.toml.new").exists()


def test_killed_in_the_middle_of_writing(tmp_path: Path) -> None:
    """SIGKILL at any moment: the kit is one of the two whole ones."""
    text = (KITS / "full.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    program = (
        "import sys; from pathlib import Path; from hardware.bringup.kit_file import write_kit\n"
        "path = Path(sys.argv[1]); text = path.read_text()\n"
        "print('ready', flush=True)\n"
        "for number in range(10**6):\n"
        "    write_kit(path, text + f'# {number}\\n' * 200)\n"
        "    [old.unlink() for old in path.parent.glob('*.bak*')]\n"
    )
    for wait in (0.0, 0.02, 0.05):
        with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            try:
                writer.wait(wait)
            except subprocess.TimeoutExpired:
                writer.send_signal(signal.SIGKILL)
        assert load_kit(path) == parse_kit(text, "full")
