"""Faults that people met in the field and that touch building, as symptom, cause and cure.

`met` names the public reports that the row goes back to, as owner/repository#number.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One kind of fault. `kind` groups the table."""

    kind: str
    symptom: str
    cause: str
    cure: str
    met: str

    @property
    def link(self) -> str:
        """The report, as a link."""
        repository, number = self.met.split("#")
        return f"[{self.met}](https://github.com/{repository}/issues/{number})"


FAULTS = (
    Fault(
        "Wiring",
        "The first 50 or so LEDs are fine, then they flicker.",
        "No level shifter, or a weak supply.",
        "Put in the 74AHCT125 with 5 V and its enable at ground; feed every panel from its own fuse. `test leds` walks one LED along and asks where it stopped.",
        "jgarff/rpi_ws281x#203",
    ),
    Fault(
        "Wiring",
        "Random colours, always changing.",
        "No common ground.",
        "Join the board's ground, the shifter's and the supply's −V; the meter must show less than 1 Ω with all off.",
        "cp2004/OctoPrint-WS281x_LED_Status#25",
    ),
    Fault(
        "Wiring",
        "Red and green are swapped.",
        "The LEDs want another colour order (GRB or RGB).",
        "`test colours` asks what you see and writes the order into your kit.",
        "onlaj/Piano-LED-Visualizer#156",
    ),
    Fault(
        "Wiring",
        "Every second row is mirrored.",
        "The panel's chain comes back in every second row (serpentine) and the kit says it doesn't, or the other way round.",
        "`test layout` finds it with two lights and writes it into your kit.",
        "FastLED/FastLED#34",
    ),
    Fault(
        "Power",
        "Random flashes; a GPIO burned out.",
        "More than 100 LEDs on a 2 A supply, no shifter.",
        "The supply of the parts list, a fuse a panel, the shifter. The software's limit comes from the kit's budget and cannot be 0.",
        "waldobronchart/AmbientLightServer#8",
    ),
    Fault(
        "Power",
        "The Pi shuts down or restarts.",
        "The LEDs are fed from the Pi.",
        "The Pi's 5 V pins stay empty; own supply for the panels. `doctor` reads whether the Pi's voltage was too low (vcgencmd get_throttled).",
        "naztronaut/dancyPi-audio-reactive-led#44",
    ),
    Fault(
        "Rights",
        "/dev/mem: permission denied, then a crash.",
        "PWM needs root.",
        "Use the installed service, `sudo broadside …`, or a kit without PWM (SPI, Pi 5, Pico). Broadside looks before it touches the driver.",
        "rpi-ws281x/rpi-ws281x-python#55",
    ),
    Fault(
        "Rights",
        "Pico: permission denied, though the user is in dialout.",
        "Raspberry Pi OS Trixie gives the port to plugdev.",
        "`sudo make install` brings the groups; `doctor` compares the device's real group with yours and names the command.",
        "Mesh-America/supply-drop-bbs#167",
    ),
    Fault(
        "Kit",
        "ws2811_init failed with code -1, with data on GPIO13.",
        "PWM channel 0 was used for a pin of channel 1.",
        "Nothing to do: Broadside derives the channel from the pin.",
        "jgarff/rpi_ws281x#18",
    ),
    Fault(
        "Kit",
        "The neopixel driver lights one chain only.",
        "Blinka holds a single strip.",
        "The kit check refuses it with two chains: put all panels into one, or take another driver.",
        "adafruit/Adafruit_Blinka#103",
    ),
    Fault(
        "Kit",
        "Two chains swap their pictures.",
        "Two programs, each on its own PWM channel.",
        "One program owns both lines; a lock keeps a second one out. Stop the service before a test.",
        "jgarff/rpi_ws281x#125",
    ),
    Fault(
        "Kit",
        "ws2811_init failed with code -3 on a Pi 5.",
        "rpi_ws281x does not know the Pi 5.",
        "Use the kit `pi5` or `pico`. The kit check looks at the model first.",
        "jgarff/rpi_ws281x#555",
    ),
    Fault(
        "Data",
        "Errors on the SD card, then a read-only system.",
        "DMA channel 5 belongs to the card.",
        "Broadside uses channel 10 and its kit check refuses any other. A card that has had errors is replaced.",
        "jgarff/rpi_ws281x#224",
    ),
    Fault(
        "Data",
        "Switched off at the wall, and the saved file is empty.",
        "A plain write to the SD card was not finished.",
        "Every event is on the card before it is lit; files are written beside the old one and then exchanged. A pulled plug costs no game; for the card's own sake shut the Pi down first when you can.",
        "pablogventura/OctoPrint-PowerFailure#16",
    ),
    Fault(
        "Data",
        "A file of 0 bytes keeps the program from starting.",
        "The same.",
        "An empty or damaged file counts as missing: Broadside says so and goes on with the one before. `broadside backup` keeps a copy elsewhere.",
        "openhab/openhab-core#2136",
    ),
    Fault(
        "Boot",
        "Works by hand, fails as a service.",
        "lgpio writes a file into the working folder, which was “/”.",
        "The installed service works in its own folder. Write no unit of your own.",
        "gpiozero/gpiozero#1130",
    ),
    Fault(
        "Boot",
        "“Failed to add edge detection”.",
        "RPi.GPIO on a kernel from 6.6 on.",
        "Broadside uses lgpio, and reads the keypads by polling where a pin has no edges.",
        "gpiozero/gpiozero#1136",
    ),
    Fault(
        "Plugs",
        "The Pico was unplugged; ttyACM0 is ttyACM1 now.",
        "The port was still held.",
        "Broadside opens it by its name, lets it go when it is lost, opens it again and sends the whole picture. Plug it in again.",
        "pyserial/pyserial#36",
    ),
    Fault(
        "Keys",
        "One press counts twice.",
        "The contact bounces.",
        "A change counts after equal scans only; raise debounce_scans in the kit for an old keypad.",
        "brettmclean/pad4pi#2",
    ),
    Fault(
        "Keys",
        "Quick presses give the wrong key.",
        "Row and column were read at different times.",
        "The whole matrix is read as one snapshot; nothing to do. Always the wrong key: two wires are swapped, see `test keys`.",
        "brettmclean/pad4pi#18",
    ),
    Fault(
        "Keys",
        "Two keys held, and the keypad dies or the Pi restarts.",
        "Lines driven high and low are shorted by two keys.",
        "Rows are only ever pulled low or let go, so no keys can short anything. Three keys in a corner are ambiguous and change nothing.",
        "brettmclean/pad4pi#16",
    ),
    Fault(
        "Sound",
        "Wrong LED colours while the speaker beeps.",
        "Analog audio uses the PWM block that sends LED data.",
        "`dtparam=audio=off` in config.txt (the installer writes it); sound through the buzzer, USB or HDMI. `doctor` tells.",
        "ibmtjbot/tjbot#177",
    ),
    Fault(
        "Display",
        "“Video system not initialized” over SSH.",
        "There is no display for the simulator.",
        "Without a display `broadside play` takes the text board and says why; on a Pi name the board: `--board pi`.",
        "nomachinez/pidisplay#1",
    ),
    Fault(
        "Packages",
        "“externally-managed-environment”.",
        "The system's Python belongs to the system (PEP 668).",
        "`sudo make install` uses a virtual environment of its own.",
        "prueker/METARMap#66",
    ),
    Fault(
        "Packages",
        "Python.h is missing while a driver is built.",
        "Raspberry Pi OS Lite has no python3-dev.",
        "The installer fetches it first: run `sudo make install` again.",
        "TobKra96/music_led_strip_control#174",
    ),
)
