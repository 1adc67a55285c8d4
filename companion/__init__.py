"""The game and its table: rules, captains, screens, journal and the command line."""
