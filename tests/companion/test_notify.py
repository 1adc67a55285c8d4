"""The datagrams to the service manager, read from real sockets."""

from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING

import pytest

from companion.notify import notify, watchdog_interval

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def manager() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.settimeout(5)
        yield receiver


@pytest.fixture(autouse=True)
def no_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        monkeypatch.delenv(name, raising=False)


def test_lines_reach_a_socket_at_a_path(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.bind(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    assert notify("READY=1", "STATUS=Player 1 places ships – 3 left")
    assert manager.recv(4096).decode() == "READY=1\nSTATUS=Player 1 places ships – 3 left"


def test_lines_reach_an_abstract_socket(manager: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"broadside-test-{os.getpid()}-{time.monotonic_ns()}"
    manager.bind(f"\0{name}")
    monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
    assert notify("WATCHDOG=1")
    assert manager.recv(4096) == b"WATCHDOG=1"


def test_nothing_happens_without_a_manager() -> None:
    assert not notify("READY=1")


def test_a_manager_that_is_gone_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    assert not notify("READY=1")


def test_an_address_of_another_family_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "vsock:2:1234")
    assert not notify("READY=1")


def test_a_full_queue_does_not_hold_the_loop_up(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.bind(str(tmp_path / "notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    sent = [notify("WATCHDOG=1") for _ in range(2000)]
    assert sent[0]
    assert not sent[-1]
    manager.recv(4096)
    assert notify("WATCHDOG=1")


@pytest.mark.parametrize("line", ["READY", "STATUS=one\ntwo"])
def test_a_line_that_is_no_assignment_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="is not one NAME=VALUE line"):
        notify(line)


def test_the_interval_is_half_of_the_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    assert watchdog_interval() == 15
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    assert watchdog_interval() == 15


def test_another_process_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getppid()))
    assert watchdog_interval() is None


@pytest.mark.parametrize("timeout", ["", "0", "soon", "-5", "²"])
def test_no_watchdog_runs(timeout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", timeout)
    assert watchdog_interval() is None
