"""The built-in model: the companion's perception and voice when no language model is connected."""

from novaberg.models.builtin.model import BuiltinModel

__all__ = ["BuiltinModel"]
