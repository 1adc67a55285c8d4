"""Starts the firmware in the folder that firmware.txt names. The installer writes a new version into a folder of its
own and changes firmware.txt last; where that was cut short, any whole folder will do."""

import os
import sys


def folders():
    """Return the firmware folders on this drive, the named one first."""
    found = sorted([name for name in os.listdir() if name.startswith("broadside_")])
    try:
        with open("firmware.txt") as file:
            named = file.read().strip()
    except OSError:
        named = ""
    if named in found:
        found.remove(named)
        found.insert(0, named)
    return found


def start():
    """Import the first firmware that is whole, and run it."""
    for folder in folders():
        sys.path.insert(0, folder)
        try:
            import bridge

            run = bridge.run
        except Exception as error:
            # A file that was cut short can fail in any way.
            print(folder, "is not whole:", error)
            sys.path.remove(folder)
            for name in ("bridge", "chains", "keys", "wire"):
                sys.modules.pop(name, None)
            continue
        run()
        return
    print("There is no firmware on this drive: run `broadside pico install` again.")


start()
