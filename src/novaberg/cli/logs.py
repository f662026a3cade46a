"""Where the log goes while somebody talks in a terminal."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from typing import Final

from novaberg.cli.output import is_terminal
from novaberg.settings import Settings

FILE_NAME: Final = "chat.log"
MAX_BYTES: Final = 2_000_000
"""Size at which the file is renamed to ``chat.log.1``, so that two of them are the most there is."""


def keep_log_out_of_the_talk(settings: Settings) -> None:
    """From here on log lines go to ``logs/chat.log`` in the home, if they would otherwise appear in the conversation.

    Call it when the home is open.
    """
    if not is_terminal(stderr=True):
        return
    folder = settings.home / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    root = logging.getLogger()
    handler = RotatingFileHandler(
        folder / FILE_NAME, maxBytes=MAX_BYTES, backupCount=1, encoding="utf-8", delay=True
    )
    handler.setFormatter(root.handlers[0].formatter if root.handlers else None)
    root.handlers[:] = [handler]
