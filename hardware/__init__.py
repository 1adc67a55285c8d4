"""The board: panels, keypads, drivers and the simulator. It knows nothing of the game."""
