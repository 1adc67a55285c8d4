"""The writer thread: newest picture only, equal ones once, the standing one again, and a failing device outlived."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from hardware import writer as writer_module
from hardware.drivers.base import DriverError
from hardware.writer import LedWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ONE, TWO, THREE = (b"1",), (b"2",), (b"3",)


class Device:
    """An LED driver that notes what it is handed, and can be slow or broken."""

    def __init__(self) -> None:
        self.written: list[tuple[bytes, ...]] = []
        self.times: list[float] = []
        self.threads: set[str] = set()
        self.free = threading.Event()
        self.free.set()
        self.failure: Exception | None = None
        self.tries = 0
        self.closed = 0
        self.changed = threading.Condition()

    def write(self, chains: Sequence[bytes]) -> None:
        with self.changed:
            self.tries += 1
            self.threads.add(threading.current_thread().name)
            self.changed.notify_all()
        self.free.wait(5)
        if self.failure is not None:
            raise self.failure
        with self.changed:
            self.written.append(tuple(chains))
            self.times.append(time.monotonic())
            self.changed.notify_all()

    def close(self) -> None:
        self.closed += 1
        self.threads.add(threading.current_thread().name)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(condition, 5)


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "FIRST_RETRY_SECONDS", 0.01)
    monkeypatch.setattr(writer_module, "LAST_RETRY_SECONDS", 0.04)


def never(text: str) -> None:
    pytest.fail(f"trouble was told: {text}")


def test_a_picture_is_sent_from_the_writers_thread_and_the_device_closed_there(device: Device) -> None:
    with LedWriter(device, never) as writer:
        writer.show(ONE)
        device.wait_for(lambda: bool(device.written))
    assert device.written == [ONE]
    assert device.threads == {"LED writer"}
    assert device.closed == 1


def test_only_the_newest_picture_follows_a_slow_one(device: Device) -> None:
    device.free.clear()
    with LedWriter(device, never) as writer:
        writer.show(ONE)
        device.wait_for(lambda: device.tries == 1)
        start = time.monotonic()
        for picture in (TWO, THREE, TWO, THREE):
            writer.show(picture)
        assert time.monotonic() - start < 1
        device.free.set()
        device.wait_for(lambda: len(device.written) == 2)
    assert device.written == [ONE, THREE]


def test_an_equal_picture_is_not_sent_again(device: Device) -> None:
    with LedWriter(device, never) as writer:
        writer.show(ONE)
        device.wait_for(lambda: bool(device.written))
        writer.show((b"1",))
        writer.show(TWO)
        device.wait_for(lambda: len(device.written) == 2)
    assert device.written == [ONE, TWO]


def test_the_standing_picture_is_sent_again(device: Device) -> None:
    with LedWriter(device, never, resend_seconds=0.05) as writer:
        writer.show(ONE)
        device.wait_for(lambda: len(device.written) == 3)
    assert set(device.written) == {ONE}
    assert all(later - earlier >= 0.05 for earlier, later in zip(device.times, device.times[1:], strict=False))


def test_nothing_is_sent_before_the_first_picture(device: Device) -> None:
    with LedWriter(device, never, resend_seconds=0.01):
        time.sleep(0.05)
    assert device.tries == 0
    assert device.closed == 1


@pytest.mark.parametrize("failure", [DriverError("unplugged."), OSError(5, "Input/output error"), ValueError("odd")])
def test_a_failing_device_is_told_once_tried_again_and_gets_the_newest_picture(
    device: Device, failure: Exception
) -> None:
    said: list[str] = []
    device.failure = failure
    with LedWriter(device, said.append) as writer:
        writer.show(ONE)
        device.wait_for(lambda: device.tries >= 3)
        writer.show(TWO)
        device.failure = None
        device.wait_for(lambda: bool(device.written))
        writer.show(THREE)
        device.wait_for(lambda: THREE in device.written)
    assert said == [f"The panels cannot be reached and will be tried again: {failure}", "The panels work again."]
    assert device.written[0] in (ONE, TWO)
    assert device.written[-1] == THREE


def test_tries_become_rarer(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "FIRST_RETRY_SECONDS", 0.02)
    monkeypatch.setattr(writer_module, "LAST_RETRY_SECONDS", 10)
    device.failure = DriverError("gone")
    with LedWriter(device, lambda _text: None) as writer:
        writer.show(ONE)
        start = time.monotonic()
        device.wait_for(lambda: device.tries == 4)
        assert time.monotonic() - start >= 0.02 + 0.04 + 0.08


def test_closing_does_not_wait_for_the_next_try(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "FIRST_RETRY_SECONDS", 60)
    device.failure = DriverError("gone")
    said: list[str] = []
    writer = LedWriter(device, said.append)
    writer.show(ONE)
    device.wait_for(lambda: device.tries == 1)
    start = time.monotonic()
    writer.close()
    assert time.monotonic() - start < 5
    assert device.closed == 1


def test_closing_twice_closes_the_device_once_and_later_pictures_are_dropped(device: Device) -> None:
    writer = LedWriter(device, never)
    writer.close()
    writer.close()
    writer.show(ONE)
    assert (device.tries, device.closed) == (0, 1)


def test_a_device_that_cannot_be_blanked_is_told(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def broken() -> None:
        raise DriverError("no cable")

    monkeypatch.setattr(device, "close", broken)
    LedWriter(device, said.append).close()
    assert said == ["The panels could not be made dark: no cable"]
