"""Analog audio and I2S use the PWM and PCM hardware that LED data needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.doctor.findings import Finding, error, ok
from hardware.doctor.subject import MEMORY
from hardware.header import PCM_GPIO, PWM_CHANNELS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.doctor.subject import Subject


def check_audio(subject: Subject) -> Iterator[Finding]:
    """Whether the sound driver takes the hardware that the LED data needs."""
    if MEMORY not in subject.led_devices or subject.config is None:
        return
    modules = {line.split(" ", 1)[0] for line in (subject.machine.text("/proc/modules") or "").splitlines()}
    pwm = [pin for pin in subject.data_pins if pin in PWM_CHANNELS]
    if pwm and "snd_bcm2835" in modules:
        yield error(
            "audio",
            "analog audio (snd_bcm2835) is on and uses the same PWM as the LED data",
            f"set dtparam=audio=off in {subject.config.path} and restart; sound goes over HDMI or USB",
        )
    elif PCM_GPIO in subject.data_pins and (subject.config.is_on("i2s") or "snd_soc_bcm2835_i2s" in modules):
        yield error(
            "audio",
            "I2S audio is on and uses the same PCM as the LED data",
            f"take dtparam=i2s=on and the sound card's dtoverlay out of {subject.config.path} and restart",
        )
    elif pwm or PCM_GPIO in subject.data_pins:
        yield ok("audio", "no sound driver uses the LED data's hardware")
