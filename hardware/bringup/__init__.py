"""Bring-up: one part of a newly built board at a time, by lighting something and asking what is seen.

Every test here works on raw wire bytes and raw contacts, before the kit is known to be right. What a test finds out
becomes a corrected kit; `hardware.bringup.kit_file` writes it.
"""
