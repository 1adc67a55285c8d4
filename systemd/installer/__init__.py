"""Puts Broadside on a Raspberry Pi as a service and takes it off again; the standard library is all it imports."""
