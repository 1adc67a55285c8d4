"""The kits that come with Broadside, one TOML file each."""
