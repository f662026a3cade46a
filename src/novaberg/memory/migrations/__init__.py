"""Schema changes, one module each; the statements themselves are plain SQL files beside them."""
