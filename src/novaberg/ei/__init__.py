"""Pure mathematics of emotion: no clock, no I/O, no mutation of inputs."""
