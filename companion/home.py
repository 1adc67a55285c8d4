"""Where the games, the settings and a household's own kits and rule sets live."""

from __future__ import annotations

import os
from pathlib import Path

SERVICE_HOME = Path("/var/lib/broadside")


def home() -> Path:
    """Return the data folder: $BROADSIDE_HOME, else the service's state directory (systemd names it in
    $STATE_DIRECTORY), else ~/.local/share/broadside. The folder need not exist yet."""
    if named := os.environ.get("BROADSIDE_HOME"):
        return Path(named).expanduser()
    if os.environ.get("STATE_DIRECTORY"):
        return SERVICE_HOME
    return Path.home() / ".local" / "share" / "broadside"
