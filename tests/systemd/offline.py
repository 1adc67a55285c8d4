"""The installer with its two steps that need a network replaced: all else is the real thing.

A virtual environment is made without pip, and what pip would install is taken from this checkout and from the
environment that the tests run in. With $REAL_PIP a real pip is asked for a package, at an address where nobody answers.
`python offline.py install --kit full --destdir DIR` runs the whole command.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHECKOUT = Path(__file__).resolve().parents[2]


def execute(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run a command of the installer without a network."""
    from installer.machine import run_command

    if command[1:4] == ("-m", "venv", "--clear"):
        return run_command([*command, "--without-pip"], environment)
    if command[1:4] == ("-m", "pip", "install"):
        if "REAL_PIP" in os.environ:
            nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_INDEX_URL": "https://127.0.0.1:9/"}
            return run_command([sys.executable, *command[1:-1], "--target=/nowhere", "--retries=0", "rich"], nowhere)
        return _install(Path(command[0]).parent.parent)
    return run_command(command, environment)


def _install(release: Path) -> str:
    (packages,) = release.glob("lib/python3*/site-packages")
    (packages / "broadside.pth").write_text(f"{CHECKOUT}\n{sysconfig.get_path('purelib')}\n")
    script = release / "bin" / "broadside"
    script.write_text(f"#!{release}/bin/python\nimport sys\nfrom companion.cli import main\nsys.exit(main())\n")
    script.chmod(0o755)
    return ""


if __name__ == "__main__":
    sys.path.insert(0, str(CHECKOUT / "systemd"))
    os.chdir(CHECKOUT)
    from install import main

    sys.exit(main(execute=execute))
