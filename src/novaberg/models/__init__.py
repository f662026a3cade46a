"""Chat models: one protocol, one gate per server, adapters, and the built-in model."""
