"""The unit with each of its drop-ins, judged by systemd's own tools."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.machine_needs import ServiceKind

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
EXPOSURE = {ServiceKind.PWM: 3.2, ServiceKind.SPI: 2.0, ServiceKind.PIO: 2.0, ServiceKind.PICO: 2.0}
"""The highest exposure that each kind may have, on systemd's scale from 0 to 10."""

needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed (Debian package systemd)"
)


@pytest.fixture(params=list(ServiceKind))
def kind(request: pytest.FixtureRequest) -> ServiceKind:
    assert isinstance(request.param, ServiceKind)
    return request.param


@pytest.fixture
def root(kind: ServiceKind, tmp_path: Path) -> Path:
    """A root with the unit as it is installed, and the least that it refers to."""
    units = tmp_path / "etc/systemd/system"
    drop_in = units / "broadside.service.d/kit.conf"
    drop_in.parent.mkdir(parents=True)
    shutil.copy(SYSTEMD / "broadside.service", units)
    shutil.copy(SYSTEMD / "drop-ins" / f"{kind}.conf", drop_in)
    for program in ("opt/broadside/bin/broadside", "bin/sh"):
        (tmp_path / program).parent.mkdir(parents=True)
        (tmp_path / program).touch(mode=0o755)
    for target in ("sysinit", "basic", "shutdown", "multi-user"):
        (units / f"{target}.target").write_text(f"[Unit]\nDescription={target}\nDefaultDependencies=no\n")
    return tmp_path


def analyze(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments, f"--root={root}", "--no-pager", "broadside.service"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@needs_analyze
def test_the_unit_is_clean(root: Path) -> None:
    verified = analyze(root, "verify", "--man=no", "--recursive-errors=yes")
    assert (verified.returncode, verified.stdout) == (0, "")


@needs_analyze
def test_a_misspelt_line_of_a_drop_in_would_be_found(root: Path) -> None:
    with (root / "etc/systemd/system/broadside.service.d/kit.conf").open("a") as drop_in:
        drop_in.write("DeviceAlow=/dev/mem\n")
    verified = analyze(root, "verify", "--man=no", "--recursive-errors=yes")
    assert verified.returncode
    assert "DeviceAlow" in verified.stdout


@needs_analyze
def test_the_unit_exposes_little(root: Path, kind: ServiceKind) -> None:
    report = analyze(root, "security", "--offline=yes").stdout
    (level,) = re.findall(r"Overall exposure level for broadside\.service: ([0-9.]+)", report)
    assert float(level) <= EXPOSURE[kind]


def test_each_kind_of_kit_has_its_drop_in() -> None:
    assert {path.stem for path in (SYSTEMD / "drop-ins").iterdir()} == set(ServiceKind)


def test_every_group_of_a_unit_or_rule_is_made() -> None:
    made = set(re.findall(r"^g (\S+)", (SYSTEMD / "broadside.sysusers").read_text(), re.M))
    used: set[str] = set()
    for drop_in in (SYSTEMD / "drop-ins").iterdir():
        for groups in re.findall(r"^SupplementaryGroups=(.*)", drop_in.read_text(), re.M):
            used |= set(groups.split())
    for rules in SYSTEMD.glob("*.rules"):
        used |= set(re.findall(r'GROUP="([^"]+)"', rules.read_text()))
    assert used <= made


@pytest.mark.skipif(shutil.which("udevadm") is None, reason="udevadm is not installed (Debian package udev)")
def test_the_rules_are_clean() -> None:
    usage = subprocess.run(["udevadm", "--help"], capture_output=True, text=True, check=False)
    if "verify" not in usage.stdout:
        pytest.skip("this udevadm cannot verify rules (systemd 254 and newer can)")
    rules = [str(path) for path in SYSTEMD.glob("*.rules")]
    done = subprocess.run(
        ["udevadm", "verify", "--no-style", "--resolve-names=never", *rules],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
