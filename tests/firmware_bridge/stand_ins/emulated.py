"""What the stand-ins share: the files through which the emulator speaks with them, named by environment variables.

BROADSIDE_EMULATED_SERIAL, _LEDS and _KEYS are inherited file descriptors; BROADSIDE_EMULATED_USB is a file that keeps
what boot.py set until code.py runs.
"""

import json
import os


def descriptor(name):
    """Open an inherited file descriptor; it does not wait where there is nothing to read."""
    return open(int(os.getenv("BROADSIDE_EMULATED_" + name)), "r+b", buffering=0)


def remembered():
    """Return what boot.py set."""
    try:
        with open(os.getenv("BROADSIDE_EMULATED_USB")) as file:
            return json.load(file)
    except OSError:
        return {}


def remember(name, value):
    """Keep what boot.py set."""
    kept = remembered()
    kept[name] = value
    with open(os.getenv("BROADSIDE_EMULATED_USB"), "w") as file:
        json.dump(kept, file)
