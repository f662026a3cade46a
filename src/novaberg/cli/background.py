"""An open program in a thread of its own, so that the main thread can wait for a person at the keyboard."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from novaberg.settings import Settings
    from novaberg.turns.program import Program

T = TypeVar("T")


class Background:
    """The program and the loop in which it lives."""

    def __init__(self, program: Program, loop: asyncio.AbstractEventLoop) -> None:
        self.program = program
        self._loop = loop

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine there."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)


@contextmanager
def background(settings: Settings) -> Iterator[Background]:
    """Open the home in a thread and leave it at the end; Ctrl-C while leaving hurries.

    Raises:
        NovabergError: the home cannot be opened.
    """
    life = _Life(settings)
    life.thread.start()
    try:
        yield life.opened.result()
    finally:
        life.end()


class _Life:
    """The thread: opens the program, waits until it may go, closes the program."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = Future()
        self._leave = asyncio.Event()
        self.opened: Future[Background] = Future()
        self.thread = threading.Thread(target=self._run, name="novaberg", daemon=True)

    def end(self) -> None:
        """Ask the thread to leave and wait for it; each further Ctrl-C cancels what it still waits for."""
        loop, task = self._begun.result()
        request = self._leave.set if self.opened.done() else task.cancel
        while self.thread.is_alive():
            try:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(request)
                self.thread.join()
            except KeyboardInterrupt:
                request = task.cancel

    def _run(self) -> None:
        asyncio.run(self._live())

    async def _live(self) -> None:
        from novaberg.turns.program import open_program

        task = asyncio.current_task()
        assert task is not None, "run by asyncio.run"
        loop = asyncio.get_running_loop()
        self._begun.set_result((loop, task))
        try:
            async with open_program(self._settings) as program:
                self.opened.set_result(Background(program, loop))
                await self._leave.wait()
        except asyncio.CancelledError:
            self.opened.cancel()  # no effect once it is open: then this is the hurried end
        except BaseException as error:
            if self.opened.done():
                raise
            self.opened.set_exception(error)
