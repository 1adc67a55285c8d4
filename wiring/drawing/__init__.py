"""Drawings in SVG, reproducible to the byte, whose geometry is checked: no label crosses a wire or another label."""
