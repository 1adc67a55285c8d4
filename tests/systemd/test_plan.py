"""What a kit needs of its machine, and what the installer asks of the package tools for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from installer.actions import AptPackages, RestUntilRestart, StartService
from installer.boot_config import WriteBootConfig
from installer.machine import CommandError, InstallError, Machine
from installer.plan import plan_installation, read_needs
from installer.release import CompleteRelease

from hardware.header import PiModel
from hardware.kit import KitError, load_kit
from hardware.machine_needs import LedLine, MachineNeeds, ServiceKind, kit_needs, machine_needs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHECKOUT = Path(__file__).resolve().parents[2]
KITS = sorted((CHECKOUT / "wiring/kits").glob("*.toml"))
LINE = LedLine(18, 400)
SPI_LINE = LedLine(10, 400)


@pytest.mark.parametrize("path", KITS, ids=lambda path: path.stem)
def test_the_installer_reads_a_kit_as_the_program_does(path: Path) -> None:
    assert read_needs(path) == kit_needs(load_kit(path))


def test_a_kit_file_may_begin_with_the_mark_of_windows_editors(tmp_path: Path) -> None:
    marked = tmp_path / "full.toml"
    marked.write_bytes(b"\xef\xbb\xbf" + (CHECKOUT / "wiring/kits/full.toml").read_bytes())
    assert read_needs(marked) == read_needs(CHECKOUT / "wiring/kits/full.toml")


def _without(text: str, key: str) -> str:
    return re.sub(rf"(?m)^{key} = .*\n", "", text, count=1)


FULL = (CHECKOUT / "wiring/kits/full.toml").read_text()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x80",
        FULL.replace("kit = 1", "kit = ").encode(),
        FULL.replace("kit = 1", "kit = 9").encode(),
        FULL.replace("kit = 1", "kit = 1\nkit = 1").encode(),
        b"a = " + b"[" * 5000 + b"]" * 5000,
        FULL[: FULL.index("[leds]")].encode(),
        FULL.replace('"pi4"', '"pi17"').encode(),
        _without(FULL, "model").encode(),
        _without(FULL, "driver").encode(),
        _without(FULL, "pin").encode(),
    ],
    ids=[
        "empty",
        "bytes",
        "no TOML",
        "newer",
        "twice",
        "nested",
        "no leds",
        "no such model",
        "no model",
        "no driver",
        "no pin",
    ],
)
def test_a_kits_faults_are_told_as_the_program_tells_them(content: bytes, tmp_path: Path) -> None:
    kit = tmp_path / "wrong.toml"
    kit.write_bytes(content)
    with pytest.raises(KitError) as told:
        load_kit(kit)
    with pytest.raises(InstallError) as read:
        read_needs(kit)
    assert str(read.value) == f"{told.value} Nothing was installed."


@pytest.mark.parametrize("wrong", ["leds = 3", "leds = { driver = 3, chains = [3] }", "keypads = 3", "keypads = [[]]"])
def test_a_kit_of_another_shape_is_one_sentence(wrong: str, tmp_path: Path) -> None:
    kit = tmp_path / "wrong.toml"
    leds = "" if wrong.startswith("leds") else 'leds = { driver = "pico", chains = [{ pin = 2, panels = [1] }] }'
    kit.write_text(f'kit = 1\nmodel = "pi4"\n{wrong}\n{leds}\n')
    with pytest.raises(InstallError, match=r"cannot be installed|is missing") as read:
        read_needs(kit)
    assert "\n" not in str(read.value)


@pytest.mark.parametrize(
    ("model", "driver", "lines", "kind"),
    [
        (PiModel.PI_4, "rpi_ws281x", [LINE], ServiceKind.PWM),
        (PiModel.PI_3, "rpi_ws281x", [LedLine(21, 200)], ServiceKind.PWM),
        (PiModel.PI_4, "rpi_ws281x", [SPI_LINE], ServiceKind.SPI),
        (PiModel.PI_4, "neopixel", [LINE], ServiceKind.PWM),
        (PiModel.PI_5, "neopixel", [LINE], ServiceKind.PIO),
        (PiModel.PI_5, "ws2812_pio", [LINE], ServiceKind.PIO),
        (PiModel.ANY, "pico", [LedLine(0, 200)], ServiceKind.PICO),
    ],
)
def test_the_kind_of_service(model: PiModel, driver: str, lines: list[LedLine], kind: ServiceKind) -> None:
    assert machine_needs(model, driver, lines, {"gpio"}, []).service is kind


def test_a_driver_of_another_package_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="'dmx' comes from another package"):
        machine_needs(PiModel.PI_4, "dmx", [LINE], {"gpio"}, [])


@pytest.mark.parametrize(
    ("model", "driver", "lines", "pins", "expected"),
    [
        (PiModel.PI_4, "rpi_ws281x", [LINE], [4], ["dtparam=audio=off"]),
        (PiModel.PI_4, "rpi_ws281x", [LINE], [8, 3], ["dtparam=audio=off", "dtparam=spi=off", "dtparam=i2c_arm=off"]),
        (PiModel.PI_4, "rpi_ws281x", [SPI_LINE], [], ["dtparam=spi=on", "core_freq=500", "core_freq_min=500"]),
        (PiModel.PI_3, "rpi_ws281x", [SPI_LINE], [], ["dtparam=spi=on", "core_freq=250"]),
        (
            PiModel.PI_5,
            "ws2812_pio",
            [LedLine(18, 200), LedLine(13, 100, white=True)],
            [],
            [
                "dtoverlay=ws2812-pio,gpio=18,num_leds=200,brightness=0",
                "dtoverlay=ws2812-pio,gpio=13,num_leds=100,brightness=0,rgbw",
            ],
        ),
        (PiModel.ANY, "pico", [LedLine(3, 200)], [], []),
    ],
)
def test_the_lines_of_config_txt(
    model: PiModel, driver: str, lines: list[LedLine], pins: list[int], expected: list[str]
) -> None:
    assert list(machine_needs(model, driver, lines, {"gpio"}, pins).boot_lines) == expected


def test_a_number_pad_wants_a_compiler() -> None:
    needs = machine_needs(PiModel.ANY, "pico", [LedLine(0, 200)], {"evdev"}, [])
    assert needs.extras == ("numpad",)
    assert needs.compiles


def needs_pins() -> MachineNeeds:
    return machine_needs(PiModel.PI_5, "ws2812_pio", [LINE], {"gpio"}, [4])


@pytest.mark.parametrize(
    ("processor", "version", "packaged", "optional"),
    [
        ("aarch64", (3, 11), False, False),
        ("aarch64", (3, 13), True, False),
        ("armv7l", (3, 11), True, False),
        ("x86_64", (3, 11), True, True),
    ],
)
def test_lgpio_comes_from_where_it_is(
    processor: str,
    version: tuple[int, int],
    packaged: bool,
    optional: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """PyPI has lgpio for Python up to 3.12 on 64-bit ARM; else it is the system's, which the release must see."""
    monkeypatch.setattr("sys.version_info", version)
    machine = Machine(CHECKOUT, tmp_path, processor=processor)
    steps = plan_installation(machine, CHECKOUT / "wiring/kits/pi5.toml", needs_pins())
    lgpio = [step for step in steps if isinstance(step, AptPackages) and "python3-lgpio" in step.names]
    (complete,) = [step for step in steps if isinstance(step, CompleteRelease)]
    assert [step.optional for step in lgpio] == ([optional] if packaged else [])
    assert complete.release.sees_system == packaged


class Apt:
    """Stands for the package tools: what is installed, what apt-get answers, and what it was asked."""

    def __init__(self, installed: set[str], answer: str = "") -> None:
        self.installed = installed
        self.answer = answer
        self.asked: list[Sequence[str]] = []

    def __call__(self, command: Sequence[str], environment: Mapping[str, str]) -> str:
        if command[0] == "dpkg-query":
            return "installed" if command[-1] in self.installed else "not-installed"
        self.asked.append(command)
        if self.answer and "install" in command:
            raise CommandError(command, self.answer)
        return ""


def live(tmp_path: Path, apt: Apt, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine that is this one, with its paths in a folder."""
    monkeypatch.setattr(Machine, "at", lambda _, path: tmp_path / path.lstrip("/"))
    return Machine(CHECKOUT, execute=apt)


def test_only_missing_packages_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apt = Apt({"gcc"})
    machine = live(tmp_path, apt, monkeypatch)
    step = AptPackages(["gcc", "python3-dev"], "a driver")
    assert step.pending(machine)
    step.carry_out(machine)
    assert [command[0] for command in apt.asked] == ["dpkg", "apt-get", "apt-get"]
    assert apt.asked[-1][-2:] == ("--no-install-recommends", "python3-dev")
    apt.installed.add("python3-dev")
    assert not step.pending(machine)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("E: Unable to locate package python3-lgpio", "This system's package lists do not have it"),
        (
            "E: Failed to fetch http://deb…  Temporary failure",
            "There is no way to the package servers",
        ),
        ("dpkg: error: cannot copy: No space left on device\nE: Sub-process returned an error", "The disk is full"),
        ("E: Write error - write (30: Read-only file system)", "The disk is read-only"),
        ("E: Broken packages", "It failed (apt-get: E: Broken packages)"),
    ],
)
def test_a_failure_says_why(answer: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = live(tmp_path, Apt(set(), answer), monkeypatch)
    step = AptPackages(["python3-lgpio"], "pins")
    assert step.pending(machine)
    with pytest.raises(InstallError) as raised:
        step.carry_out(machine)
    assert str(raised.value).startswith(words)
    assert answer.splitlines()[-1] in str(raised.value)
    assert answer in (tmp_path / "var/log/broadside-install.log").read_text()


def test_what_a_machine_without_a_header_lacks_is_only_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = live(tmp_path, Apt(set(), "E: Unable to locate package python3-lgpio"), monkeypatch)
    said: list[str] = []
    machine.say = said.append
    step = AptPackages(["python3-lgpio"], "pins as inputs and outputs", optional=True)
    assert step.pending(machine)
    step.carry_out(machine)
    assert "no package python3-lgpio; pins as inputs and outputs will not work" in said[0]


def test_a_changed_config_txt_waits_for_the_machines_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the run that changed it was interrupted; the marker in /run is gone after the restart."""
    (tmp_path / "run").mkdir()
    (tmp_path / "config.txt").write_text("dtparam=audio=on\n")
    state = ["active\n"]
    asked: list[Sequence[str]] = []

    def systemctl(command: Sequence[str], environment: Mapping[str, str]) -> str:
        asked.append(command)
        return state[0] if "show" in command else ""

    monkeypatch.setattr(Machine, "at", lambda _, path: tmp_path / path.lstrip("/"))
    monkeypatch.setattr(Machine, "managed", property(lambda machine: machine.live))
    WriteBootConfig("/config.txt", ["dtparam=audio=off"]).carry_out(Machine(CHECKOUT, execute=systemctl))
    (tmp_path / "opt/broadside").mkdir(parents=True)
    (tmp_path / "opt/broadside/unfinished").touch()
    second = Machine(CHECKOUT, execute=systemctl)
    assert not StartService().pending(second)
    assert RestUntilRestart().pending(second)
    RestUntilRestart().carry_out(second)
    assert asked[-1] == ("systemctl", "stop", "broadside.service")
    state[0] = "inactive\n"
    assert not RestUntilRestart().pending(second)
    (tmp_path / "run/broadside-restart-needed").unlink()
    assert StartService().pending(second)
