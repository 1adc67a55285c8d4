"""Kits, drawings and the wiring guide."""
