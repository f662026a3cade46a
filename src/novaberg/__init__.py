"""Novaberg: a private companion that perceives, remembers, and can show every calculation behind every turn."""

__version__ = "0.1.0"
