"""The small parts that every kit has, with what they must have."""

RESISTOR = "330 Ω"
"""In each data line at its first panel: 300 to 500 Ω (Adafruit NeoPixel Überguide)."""

CAPACITOR = "1000 µF"
"""Across each panel's feed, at least 6.3 V (Adafruit NeoPixel Überguide)."""

BYPASS = "100 nF"
"""Between the shifter's VCC and ground (74AHCT125 data sheets)."""

BUZZER_RESISTOR = "220 Ω"
"""In series with a piezo buzzer: 3.3 V / 220 Ω = 15 mA at most, below a GPIO's 16 mA (Raspberry Pi documentation)."""
