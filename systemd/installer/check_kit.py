"""Checks a kit file with the program's own check: `python check_kit.py FILE` is silent, or says what is wrong."""

from __future__ import annotations

import sys

from companion.errors import UserError
from companion.kits import find_kit
from hardware.kit import KitError


def main() -> int:
    """Return 0 for a good kit, 2 for a wrong one with the reason on standard error."""
    try:
        find_kit(sys.argv[1])
    except (KitError, UserError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
