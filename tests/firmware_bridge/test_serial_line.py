"""One serial line: never waiting, exclusive, and clear about what is wrong."""

from __future__ import annotations

import errno
import itertools
import os
import select
import termios
import tty
from collections.abc import Iterator

import pytest
import serial

from firmware_bridge.errors import LineLostError, PicoError
from firmware_bridge.serial_line import SerialLine


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """The other end, and the path to open."""
    master, slave = os.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    yield master, path
    os.close(master)


def test_passes_bytes_both_ways(terminal: tuple[int, str]) -> None:
    master, path = terminal
    line = SerialLine(path)
    assert line.write(b"\0\x03\r\n\x11out") == 8
    assert os.read(master, 100) == b"\0\x03\r\n\x11out"
    os.write(master, b"\0\x03\r\n\x13in")
    select.select([line], [], [], 5)
    assert line.read() == b"\0\x03\r\n\x13in"
    line.close()
    line.close()


def test_takes_only_what_the_line_takes(terminal: tuple[int, str]) -> None:
    line = SerialLine(terminal[1])
    # Nobody reads, so at some time nothing fits any more; a write that waited would wait for ever.
    sizes = list(itertools.takewhile(bool, (line.write(bytes(4096)) for _ in range(10_000))))
    assert 0 < len(sizes) < 10_000
    line.close()


def test_says_when_the_other_end_is_gone() -> None:
    master, slave = os.openpty()
    path = os.ttyname(slave)
    os.close(slave)
    line = SerialLine(path)
    os.close(master)
    with pytest.raises(LineLostError, match="gone"):
        line.read()
    with pytest.raises(LineLostError, match="gone"):
        line.write(b"x")
    line.close()


def test_belongs_to_one_program(terminal: tuple[int, str]) -> None:
    line = SerialLine(terminal[1])
    with pytest.raises(PicoError, match=r"Another program uses .* end it"):
        SerialLine(terminal[1])
    line.close()
    SerialLine(terminal[1]).close()


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (serial.SerialException(errno.EACCES, "could not open port"), PicoError, "udev rule"),
        (serial.SerialException(errno.EBUSY, "could not open port"), PicoError, "Another program"),
        (serial.SerialException(errno.ENOENT, "could not open port"), LineLostError, "No such file"),
        (serial.SerialException("Could not configure port"), LineLostError, "Could not configure port"),
        (termios.error(errno.EIO, "Input/output error"), LineLostError, "Input/output error"),
        (OSError(errno.ENXIO, "No such device or address"), LineLostError, "No such device"),
    ],
)
def test_says_why_it_cannot_be_opened(
    error: Exception, kind: type[Exception], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(kind, match=says):
        SerialLine("/dev/ttyACM7")
