from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def household(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a data folder of its own, in English."""
    folder = tmp_path / "household"
    monkeypatch.setenv("BROADSIDE_HOME", str(folder))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    return folder
