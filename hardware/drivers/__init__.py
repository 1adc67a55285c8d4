"""LED and keypad drivers, found through the entry points `broadside.leds` and `broadside.keypads`."""
