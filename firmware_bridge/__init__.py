"""A Raspberry Pi Pico as LED and keypad controller: protocol, serial link and firmware."""
