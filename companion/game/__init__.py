"""The pure rules: no I/O, no clock, no thread."""
