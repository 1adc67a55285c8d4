"""Tells the service manager how the program is: the datagrams of sd_notify(3), without a dependency."""

from __future__ import annotations

import os
import socket


def notify(*lines: str) -> bool:
    """Send assignments such as `READY=1`, `WATCHDOG=1`, `STOPPING=1` or `STATUS=…` to the service manager.

    One datagram goes to the socket that $NOTIFY_SOCKET names: a path, or with a leading `@` a name in Linux's abstract
    namespace. Returns whether it was sent: False without the variable, and where nobody listens, for a game must not
    end because its manager is away. Raises ValueError for a line that is no assignment or that holds a line break.
    """
    for line in lines:
        if "=" not in line or "\n" in line:
            raise ValueError(f"{line!r} is not one NAME=VALUE line.")
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not lines or address[:1] not in {"/", "@"}:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        # A full queue must not hold the run loop up: a feeding that is lost is followed by the next one.
        sender.setblocking(False)
        try:
            sender.sendto("\n".join(lines).encode(), address)
        except OSError:
            return False
    return True


def watchdog_interval() -> float | None:
    """Return how often, in seconds, to send `WATCHDOG=1`: half of the time-out in $WATCHDOG_USEC, as
    sd_watchdog_enabled(3) advises. None where no watchdog runs, or where $WATCHDOG_PID names another process.
    """
    timeout, process = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not timeout.isascii() or not timeout.isdigit() or int(timeout) == 0:
        return None
    if process and process != str(os.getpid()):
        return None
    return int(timeout) / 2_000_000
