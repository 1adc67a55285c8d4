"""What a Pico says about itself."""

from __future__ import annotations

import msgspec

from firmware_bridge.errors import LineLostError, PicoError
from firmware_bridge.pico import wire


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to HELLO. Fields that a later minor version adds are ignored.

    `boot` is drawn anew whenever the firmware starts, `session` is the number of the host that it serves, and
    `configured` the CRC32 of the configuration that it has (0: none). `first` is the sequence of its oldest
    unacknowledged key event; `held` has a mask of the keys that are down for each keypad.
    """

    protocol: tuple[int, int]
    firmware: str
    python: str = "?"
    board: str = "?"
    uid: str = "?"
    boot: int = 0
    session: int | None = None
    configured: int = 0
    chains: tuple[tuple[int, int, str], ...] = ()
    keypads: tuple[tuple[int, int], ...] = ()
    capabilities: tuple[str, ...] = ()
    resumed: bool = False
    first: int = 0
    held: tuple[int, ...] = ()


class Configured(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to CONFIG: its CRC32, what is wrong with it, if anything, and what the Pico has set up."""

    check: int
    fault: str = ""
    chains: tuple[tuple[int, int, str], ...] = ()
    keypads: tuple[tuple[int, int], ...] = ()


class _Spoken(msgspec.Struct, frozen=True):
    protocol: tuple[int, int]
    firmware: str


def read_device(payload: bytes) -> Device:
    """Read the answer to HELLO.

    Raises PicoError where the firmware speaks another major version of the protocol, and says how that is cured;
    LineLostError where the answer makes no sense.
    """
    try:
        spoken = msgspec.json.decode(payload, type=_Spoken)
        theirs, ours = spoken.protocol[0], wire.PROTOCOL[0]
        if theirs < ours:
            raise PicoError(
                f"The firmware {spoken.firmware} on the Pico is too old (protocol {theirs}, needed is {ours}): "
                "run `broadside pico install DRIVE`, then unplug the Pico and plug it in again."
            )
        if theirs > ours:
            raise PicoError(
                f"The firmware {spoken.firmware} on the Pico is newer than this Broadside (protocol {theirs}, spoken "
                f"here is {ours}): update Broadside, or put its own firmware there with `broadside pico install DRIVE`."
            )
        return msgspec.json.decode(payload, type=Device)
    except msgspec.MsgspecError as error:
        raise LineLostError(f"The Pico's answer makes no sense ({error}).") from error


def read_configured(payload: bytes) -> Configured:
    """Read the answer to CONFIG. Raises LineLostError where it makes no sense."""
    try:
        return msgspec.json.decode(payload, type=Configured)
    except msgspec.MsgspecError as error:
        raise LineLostError(f"The Pico's answer makes no sense ({error}).") from error
