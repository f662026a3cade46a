"""The application: all routes of one open program behind one gate."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from fastapi import FastAPI

from novaberg import __version__
from novaberg.server.admin import admin_router
from novaberg.server.chat import chat_router
from novaberg.server.connections import Connections
from novaberg.server.gate import Gate
from novaberg.server.headers import SecurityHeaders
from novaberg.server.health import ModelWatch, health_router
from novaberg.server.limits import BodyLimit
from novaberg.server.login import login_router
from novaberg.server.mounted import MountedErrors
from novaberg.server.openapi import describe
from novaberg.server.problems import install_problems
from novaberg.server.sessions import session_router
from novaberg.server.websocket import websocket_router
from novaberg.turns.program import Program

log = logging.getLogger(__name__)

PAGE_MODULE: Final = "novaberg.web.page"
"""Offers ``mount(app, program)``; what no route answers goes to the page."""


def create_app(program: Program, *, page: bool = True) -> FastAPI:
    """The application for an open program; it must stay open as long as the application is served.

    Args:
        page: also serve the page in the browser, if it is there.
    """
    settings = program.settings
    models = ModelWatch(program.check_model)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await models.close()

    app = FastAPI(
        title="Novaberg",
        version=__version__,
        # Its usual documentation pages load scripts from other servers.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    install_problems(app, settings)
    for router in (
        chat_router(program),
        session_router(program),
        admin_router(program),
        health_router(program, models),
        websocket_router(program, Connections()),
        login_router(settings),
    ):
        app.include_router(router)
    describe(app)
    routes = tuple(app.router.routes)
    if page and find_spec(PAGE_MODULE):
        import_module(PAGE_MODULE).mount(app, program)
    # The last one added is the first one a request meets.
    app.add_middleware(MountedErrors, settings=settings, routes=routes)
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(Gate, settings=settings)
    app.add_middleware(SecurityHeaders)
    return app
