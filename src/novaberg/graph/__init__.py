"""The two graphs of a turn and the wrapper that checks their nodes."""
