"""The Pico's firmware, and with it the modules that both ends of the line share (`wire`)."""
