"""Word lists and phrase banks, one TOML file per room and language."""
