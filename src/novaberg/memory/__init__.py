"""All stores. The only room that knows SQL or Redis commands."""
