"""Tells the clients of a person what happens. Telling is best effort; what must arrive is committed before."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from pydantic import JsonValue

from novaberg.errors import StoreError
from novaberg.memory.bulletin import Bulletin
from novaberg.pair import Pair

log = logging.getLogger(__name__)


class Announcer:
    """Publishes messages; a failing bulletin costs the message and a WARNING, never the turn."""

    def __init__(self, bulletin: Bulletin) -> None:
        self._bulletin = bulletin

    async def announce(self, pair: Pair, message: Mapping[str, JsonValue]) -> None:
        """Send ``message`` to everybody who listens to the person."""
        try:
            await self._bulletin.publish(pair, message)
        except StoreError as error:
            log.warning(
                "message %s could not be announced: %s", message.get("typ"), error.message, exc_info=True
            )
