"""The HTTP server: routes, live channel and gate over one open `novaberg.turns.program.Program`."""
