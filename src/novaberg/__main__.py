"""``python -m novaberg`` is the same program as ``novaberg``."""

from novaberg.cli import main

if __name__ == "__main__":
    main()
