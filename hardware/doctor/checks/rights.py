"""May this user open the devices that the kit's drivers use? The device's real group decides, whatever its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok, warning
from hardware.doctor.subject import MEMORY, PIO, SPI, Subject, Target

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVICE = "/etc/systemd/system/broadside.service"


def open_device(subject: Subject, path: str, purpose: str, missing: str) -> Finding:
    """Return whether this user may read and write a device; `missing` is the cure where it isn't there."""
    node, user = subject.machine.node(path), subject.machine.user()
    if node is None:
        return error("rights", f"{path} is not there, and is needed for {purpose}", missing)
    if user.may_open(node):
        return ok("rights", f"{user.name} may use {path} for {purpose}")
    found = f"{user.name} may not use {path} ({node.owner}:{node.group} {node.mode}), needed for {purpose}"
    if node.group == "root" or node.mode[4:6] != "rw":
        return error("rights", found, "install Broadside's udev rules with sudo make install, then restart the Pi")
    return error("rights", found, f"sudo usermod -aG {node.group} {user.name}, then log in again")


def check_leds(subject: Subject) -> Iterator[Finding]:
    """The rights that the LED driver needs."""
    if subject.pi is None:
        return
    for number, path in enumerate(subject.led_devices):
        if path == MEMORY:
            yield _root(subject)
        elif path == SPI:
            yield open_device(subject, path, "LED data", "set dtparam=spi=on in config.txt and restart the Pi")
        elif path == PIO:
            cure = "bring kernel and firmware up to date: sudo apt full-upgrade, then restart"
            yield open_device(subject, path, "LED data", cure)
        else:
            cure = f"add the dtoverlay of GPIO{subject.data_pins[number]} to config.txt and restart the Pi"
            yield open_device(subject, path, f"LED chain {number + 1}", cure)


def _root(subject: Subject) -> Finding:
    user = subject.machine.user()
    if user.euid == 0:
        return ok("rights", "running as root, which PWM and PCM need for /dev/mem")
    found = f"{user.name} is not root; LED data by PWM or PCM needs root for /dev/mem"
    if subject.machine.node(SERVICE) is not None:
        return warning("rights", found, "the installed service has the right: sudo systemctl start broadside")
    return error(
        "rights",
        found,
        "install the service (sudo make install), or move the data to GPIO10 (SPI), or use a Pico (--kit pico)",
    )


def check_gpio(subject: Subject) -> Iterator[Finding]:
    """The rights that keypads, buzzer and power button need."""
    if not subject.has_matrix or subject.pi is None:
        return
    chip = header_chip(subject)
    yield open_device(
        subject, f"/dev/{chip}", "keypads, buzzer and button", "this kernel has no GPIO device: sudo apt full-upgrade"
    )


def header_chip(subject: Subject) -> str:
    """Return the name of the GPIO chip that carries the header: gpiochip0, but gpiochip4 on a Pi 5 with an older
    kernel (raspberrypi/linux#6144)."""
    for chip in subject.machine.chips():
        if chip.label.startswith(("pinctrl-rp1", "pinctrl-bcm2")):
            return chip.name
    return "gpiochip0"


def check_numpads(subject: Subject) -> Iterator[Finding]:
    """The USB number pads: plugged in, and may be read."""
    if subject.target is not Target.BOARD:
        return
    for keypad in subject.kit.keypads:
        if keypad.driver == "evdev" and keypad.device is not None:
            yield open_device(
                subject,
                f"/dev/input/by-path/{keypad.device}",
                f"seat {keypad.seat}'s number pad",
                "plug it in where it was, or name it anew: ls /dev/input/by-path",
            )
