"""The life of a turn: intake, queue, order, delivery, recovery."""
