"""Pure mathematics of the conversation vector and of what may be said unasked."""
