"""The installer lies beside its script, in a folder that is no package: made importable here."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "systemd"))


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the installer installs from, for tests that change it, and so that nothing else does."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("companion", "hardware", "firmware_bridge", "wiring", "systemd"):
        shutil.copytree(CHECKOUT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "guides"))
    for name in ("pyproject.toml", "Makefile", "tests/systemd/offline.py"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, copy / name)
    return copy
