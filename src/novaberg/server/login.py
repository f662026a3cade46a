"""How a browser shows the token: a form on the 401 page, and a cookie that stands for the token afterwards."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from novaberg.server.access import COOKIE, cookie_for, is_token
from novaberg.settings import Settings

LOGIN_PATH: Final = "/login"
COOKIE_AGE_S: Final = 30 * 86_400
"""Seconds for which a browser stays logged in."""

_TEXTS: Final = {
    "de": ("Das Token aus NOVABERG_TOKEN:", "Öffnen", "Das war nicht das Token."),
    "en": ("The token of NOVABERG_TOKEN:", "Open", "That was not the token."),
}
_PAGE: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Novaberg</title><style>
:root {{ color-scheme: light dark; --ground: #faf9f7; --ink: #1d1c1a; --line: #8a867e; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ground: #161615; --ink: #e9e6e1; }} }}
body {{ background: var(--ground); color: var(--ink); font: 17px/1.55 system-ui, sans-serif;
  display: grid; place-items: center; min-height: 100vh; margin: 0; }}
form {{ display: grid; gap: 12px; width: min(22rem, 90vw); }}
input, button {{ font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px;
  padding: 8px 12px; }}
</style></head><body><main><form method="post" action="{path}">
<h1>Novaberg</h1>
<label for="token">{prompt}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>{button}</button>
<p role="alert">{alert}</p>
</form></main></body></html>
"""


def login_page(settings: Settings, *, failed: bool = False) -> Response:
    """The 401 answer to a browser that opens a page without having logged in."""
    prompt, button, wrong = _TEXTS[settings.language]
    page = _PAGE.format(
        language=settings.language,
        path=LOGIN_PATH,
        prompt=escape(prompt),
        button=escape(button),
        alert=escape(wrong) if failed else "",
    )
    return HTMLResponse(
        page, status_code=HTTPStatus.UNAUTHORIZED, headers={"WWW-Authenticate": 'Bearer realm="novaberg"'}
    )


def login_router(settings: Settings) -> APIRouter:
    """``POST /login``: exchanges the token for the cookie and opens the page."""
    router = APIRouter()
    token = settings.token.get_secret_value()

    @router.post(LOGIN_PATH, include_in_schema=False)
    async def login(request: Request) -> Response:
        fields = parse_qs((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
        shown = fields.get("token", [""])[0]
        if token and not is_token(shown.encode("utf-8", "replace"), token):
            return login_page(settings, failed=True)
        response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        if token:
            response.set_cookie(
                COOKIE,
                cookie_for(token),
                max_age=COOKIE_AGE_S,
                httponly=True,
                samesite="strict",
                secure=request.url.scheme == "https",
            )
        return response

    return router
