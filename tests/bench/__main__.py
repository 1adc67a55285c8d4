"""Runs the benchmarks: all modules here that have a `main`, or those that are named.

`python -m tests.bench match table` runs two of them.
"""

from __future__ import annotations

import importlib
import platform
import sys
from pathlib import Path


def machine() -> str:
    """Return this machine's processor and Python, in a line."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text("utf-8", "replace").splitlines():
            if line.startswith(("model name", "Model")):
                processor = line.partition(":")[2].strip()
    return f"{processor}, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def names() -> list[str]:
    """Return the benchmarks that there are."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main() -> int:
    """Run them one after the other."""
    wanted = sys.argv[1:] or names()
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        sys.stderr.write(f"There is no benchmark {', '.join(unknown)}: there are {', '.join(names())}.\n")
        return 2
    print(machine())
    for name in wanted:
        module = importlib.import_module(f"tests.bench.{name}")
        if hasattr(module, "main"):
            print(f"\n{name}", flush=True)
            module.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
