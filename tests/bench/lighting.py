"""What a picture of four panels costs on its way to the wire, beside other ways, in processor time and as ratios.

The wire is a recorder: rpi_ws281x's own module without its DMA, a file in place of the kernel's device, and a buffer
in place of Blinka's writer. A plain loop does the same work LED by LED. luma.led_matrix and Adafruit's pixel buffer
only put colours into wire order: gamma and the current limit, which ours has, are left to their users.
"""

from __future__ import annotations

import importlib
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from hardware.drivers.device_lock import DeviceLock
from hardware.drivers.neopixel import Blinka, NeoPixel
from hardware.drivers.rpi_ws281x import RpiWs281x
from hardware.drivers.ws2812_pio import Ws2812Pio
from hardware.frame import SIZE, Console, Grid, Panel, Picture
from hardware.layout import wire_order
from hardware.lighting import Lighting
from tests.hardware.drivers.recorded_ws281x import RecordedLibrary
from tests.hardware.kits import changed, shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hardware.frame import Frame
    from hardware.kit import Kit

    Ways = dict[str, tuple[Callable[[Picture], object] | None, Sequence[Picture]]]

ROUNDS = 5
PICTURES = 40


class QuickLibrary(RecordedLibrary):
    """A recorder that only counts, so that recording is not what is measured."""

    def ws2811_render(self, _device: Any) -> int:
        return self.render_result


class BufferPin:
    """A pin that is none."""

    def deinit(self) -> None:
        """Let nothing go."""


class BufferBlinka(Blinka):
    """Blinka's place, with a writer that keeps the last bytes."""

    def __init__(self) -> None:
        self.last = b""

    def output(self, gpio: int) -> Any:
        return BufferPin()

    def write(self, _pin: Any, wire: bytearray) -> None:
        self.last = bytes(wire)


def pictures(highest: int) -> list[Picture]:
    """Return pictures of four panels with random colours up to a value."""
    random = np.random.default_rng(1)

    def panel() -> Panel:
        return Panel(("." * SIZE,) * SIZE, frame=random.integers(0, highest, (SIZE, SIZE, 3), dtype=np.uint8))

    return [
        Picture((Console(1, "Ana", "diamonds", panel(), panel()), Console(2, "Ben", "clubs", panel(), panel())))
        for _ in range(PICTURES)
    ]


def milliseconds(one: Callable[[Picture], object], shown: Sequence[Picture]) -> float:
    """Return the processor time that one picture takes, the best of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for picture in shown:
            one(picture)
        times.append(time.process_time() - start)
    return min(times) * 1000 / len(shown)


class PlainLoop:
    """Gamma, brightness, current limit, layout and colour order, one LED after the other."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.table = [round((value / 255) ** kit.leds.gamma * 255 * kit.leds.brightness) for value in range(256)]
        self.orders = {panel: wire_order(panel).tolist() for chain in kit.leds.chains for panel in chain.panels}

    def light(self, picture: Picture) -> tuple[bytes, ...]:
        """Return the wire bytes of a picture."""
        power, chains = self.kit.power, []
        idle = SIZE * SIZE * power.idle_ma
        panels: list[tuple[list[tuple[int, ...]], float]] = []
        for chain in self.kit.leds.chains:
            places = ["RGB".index(letter) for letter in chain.order]
            for panel in chain.panels:
                console = picture.consoles[panel.seat - 1]
                frame: Frame | None = (console.ocean if panel.grid == "ocean" else console.target).frame
                assert frame is not None
                leds, total = [], 0
                pixels = frame.reshape(-1, 3).tolist()
                for square in self.orders[panel]:
                    pixel = pixels[square]
                    values = tuple(self.table[pixel[place]] for place in places)
                    total += sum(values)
                    leds.append(values)
                draws = total * power.channel_ma / 255
                panels.append((leds, min(1.0, (power.panel_budget_ma - idle) / max(draws, 1)) * draws))
        draws_all = sum(draws for _leds, draws in panels)
        share = min(1.0, (power.budget_ma - idle * len(panels)) / max(draws_all, 1))
        rest = iter(panels)
        for chain in self.kit.leds.chains:
            wire = bytearray()
            for _panel in chain.panels:
                leds, draws = next(rest)
                whole = sum(map(sum, leds)) * power.channel_ma / 255
                scale = share * draws / max(whole, 1)
                for values in leds:
                    wire.extend(int(value * scale) if scale < 1 else value for value in values)
            chains.append(bytes(wire))
        return tuple(chains)


@contextmanager
def luma_way(kit: Kit, library: Any) -> Iterator[Callable[[Picture], object] | None]:
    """Hand out how luma.led_matrix shows a picture: as an image, each pixel set by the library's own call."""
    if find_spec("luma") is None or find_spec("luma.led_matrix") is None:
        yield None
        return
    mapping = [0] * kit.leds.led_count
    for number, panel in enumerate(kit.leds.chains[0].panels):
        for led, square in enumerate(wire_order(panel).tolist()):
            mapping[number * SIZE * SIZE + square] = number * SIZE * SIZE + led
    device = importlib.import_module("luma.led_matrix.device").ws2812(
        dma_interface=library, width=SIZE, height=SIZE * 4, mapping=mapping
    )

    def one(picture: Picture) -> None:
        frames = [
            picture.consoles[panel.seat - 1].panel(Grid(panel.grid.value)).frame for panel in kit.leds.chains[0].panels
        ]
        device.display(Image.fromarray(np.concatenate([frame for frame in frames if frame is not None])))

    yield one
    # Its own clean-up would come twice, at exit and when it is deleted, and the second time it crashes.
    device.cleanup()
    device._ws = None


def adafruit_way(kit: Kit) -> Callable[[Picture], object] | None:
    """Return how Adafruit's neopixel class shows a picture: each pixel set in its buffer, then the buffer sent."""
    if find_spec("adafruit_pixelbuf") is None:
        return None
    buffer = importlib.import_module("adafruit_pixelbuf")
    pixels = type("Pixels", (buffer.PixelBuf,), {"_transmit": lambda _self, wire: bytes(wire)})(
        kit.leds.led_count, byteorder="GRB"
    )
    orders = [(panel, wire_order(panel).tolist()) for panel in kit.leds.chains[0].panels]

    def one(picture: Picture) -> None:
        number = 0
        for panel, order in orders:
            frame = picture.consoles[panel.seat - 1].panel(Grid(panel.grid.value)).frame
            assert frame is not None
            colours = frame.reshape(-1, 3).tolist()
            for square in order:
                pixels[number] = colours[square]
                number += 1
        pixels.show()

    return one


def main() -> None:
    """Print the cost of a picture by driver, and how many times as much the other ways take."""
    usual, bright = pictures(90), pictures(256)
    kit = shipped("one-chain")
    lighting, plain = Lighting(kit), PlainLoop(kit)
    ours = milliseconds(lighting.light, usual)
    same = all(lighting.light(picture).chains == plain.light(picture) for picture in usual)
    assert same, "the plain loop does other work than ours"
    print(
        f"picture of 400 LEDs to wire bytes: {ours:.3f} ms, limited {milliseconds(lighting.light, bright):.3f} ms; "
        f"a plain loop takes {milliseconds(plain.light, usual[:8]) / ours:.0f} times as long"
    )
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "lock"
        lock.touch()
        _bench_rpi_ws281x(kit, lighting, plain, usual, lock)
        _bench_neopixel(lighting, plain, usual, lock)
        _bench_ws2812_pio(usual, Path(folder))


def _bench_rpi_ws281x(kit: Kit, lighting: Lighting, plain: PlainLoop, usual: list[Picture], lock: Path) -> None:
    if find_spec("_rpi_ws281x") is None:
        print("rpi_ws281x: skipped, rpi-ws281x is not installed")
        return
    library = QuickLibrary(importlib.import_module("_rpi_ws281x"))
    driver = RpiWs281x(kit.leds, library, DeviceLock(lock))
    ours = milliseconds(lambda picture: driver.write(lighting.light(picture).chains), usual)
    device = library.new_ws2811_t()
    library.ws2811_channel_t_count_set(library.ws2811_channel_get(device, 0), kit.leds.led_count)
    library.ws2811_init(device)

    def loop(picture: Picture) -> None:
        channel = library.ws2811_channel_get(device, 0)
        (wire,) = plain.light(picture)
        for led in range(kit.leds.led_count):
            red, green, blue = wire[led * 3 : led * 3 + 3]
            library.ws2811_led_set(channel, led, red << 16 | green << 8 | blue)

    with luma_way(kit, library) as luma:
        _print_ratios("rpi_ws281x", ours, {"a plain loop": (loop, usual[:8]), "luma.led_matrix": (luma, usual)})
    driver.close()
    library.delete_ws2811_t(device)


def _bench_neopixel(lighting: Lighting, plain: PlainLoop, usual: list[Picture], lock: Path) -> None:
    kit = changed("one-chain", ('"rpi_ws281x"', '"neopixel"'))
    blinka = BufferBlinka()
    driver = NeoPixel(kit.leds, blinka, DeviceLock(lock))
    ours = milliseconds(lambda picture: driver.write(lighting.light(picture).chains), usual)

    def loop(picture: Picture) -> None:
        blinka.write(None, bytearray(plain.light(picture)[0]))

    ways: Ways = {"a plain loop": (loop, usual[:8]), "Adafruit's pixel buffer": (adafruit_way(kit), usual[:8])}
    _print_ratios("neopixel", ours, ways)
    driver.close()


def _bench_ws2812_pio(usual: list[Picture], folder: Path) -> None:
    kit = shipped("pi5")
    for name in ("leds0", "leds1"):
        (folder / name).touch()
    driver, lighting, plain = Ws2812Pio(kit.leds, folder), Lighting(kit), PlainLoop(kit)
    # The driver sleeps while the LEDs are sent, which costs no processor time.
    ours = milliseconds(lambda picture: driver.write(lighting.light(picture).chains), usual[:8])

    def loop(picture: Picture) -> None:
        for number, wire in enumerate(plain.light(picture)):
            data = bytearray()
            for led in range(0, len(wire), 3):
                data += bytes((wire[led + 1], wire[led], wire[led + 2], 0))
            (folder / f"leds{number}").write_bytes(data)

    _print_ratios("ws2812_pio", ours, {"a plain loop": (loop, usual[:8])})
    driver.close()


def _print_ratios(name: str, ours: float, ways: Ways) -> None:
    said = [
        f"{way} takes {milliseconds(one, shown) / ours:.0f} times as long" if one else f"{way} is not installed"
        for way, (one, shown) in ways.items()
    ]
    print(f"picture of 400 LEDs through {name}: {ours:.3f} ms; {'; '.join(said)}")


if __name__ == "__main__":
    main()
