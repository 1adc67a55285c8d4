"""The rule sets that come with the game, one TOML file each."""
