"""The page in the browser: a conversation set like a letter, and one living thing in it."""
