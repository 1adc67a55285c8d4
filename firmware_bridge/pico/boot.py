"""Runs before USB starts: adds the serial line for the panels and gives this Pico a name that Broadside looks for."""

import supervisor
import usb_cdc

usb_cdc.enable(console=True, data=True)
supervisor.set_usb_identification(manufacturer="Broadside", product="Broadside panels")
