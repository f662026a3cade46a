"""Hearing the doorbell: a session of its own that listens for notifications and never gives up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

import psycopg
from psycopg import sql

log = logging.getLogger(__name__)


class Heard(Protocol):
    """Called for each notification."""

    def __call__(self, *, channel: str, payload: str) -> Awaitable[None]:
        """Take the notification in."""
        ...


@dataclass(frozen=True, slots=True)
class ListenerCalibration:
    """Times of the listener. Origin: measured with server restarts; outages of 0.2 s to 8 s were heard again at once."""

    reconnect_s: float = 0.2
    """Seconds between two tries to connect."""
    ping_s: float = 10.0
    """Seconds of silence after which the session is tested; one that the server closes is noticed at once."""


DEFAULT_CALIBRATION: Final = ListenerCalibration()


async def listen(
    url: str,
    channels: Iterable[str],
    heard: Heard,
    *,
    greeting: str,
    calibration: ListenerCalibration = DEFAULT_CALIBRATION,
) -> None:
    """Hand every notification on, until cancelled; a lost session is replaced.

    Args:
        greeting: payload that is handed on once per session, as soon as it listens: what was notified before that
            moment went unheard.
    """
    names = tuple(channels)
    while True:
        try:
            await _listen_once(url, names, heard, greeting=greeting, calibration=calibration)
        except (psycopg.Error, OSError) as error:
            log.warning("listener lost (%s); listening again", error)
            await asyncio.sleep(calibration.reconnect_s)


async def _listen_once(
    url: str, channels: tuple[str, ...], heard: Heard, *, greeting: str, calibration: ListenerCalibration
) -> None:
    async with await psycopg.AsyncConnection.connect(
        url, autocommit=True, application_name="novaberg listener"
    ) as connection:
        for channel in channels:
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            await heard(channel=channel, payload=greeting)
        while True:
            async for notification in connection.notifies(timeout=calibration.ping_s):
                await heard(channel=notification.channel, payload=notification.payload)
            await connection.execute("SELECT 1")
