"""The table: views become lights and captions, keys become commands."""
