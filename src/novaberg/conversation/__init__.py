"""What travels in a turn: state, stimulus, events."""
