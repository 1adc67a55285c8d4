"""The drawings of the wiring guide, each a function of the kit."""
