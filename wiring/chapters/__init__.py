"""The chapters of the wiring guide, one module each, in the order in which the board is built."""
