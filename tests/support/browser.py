"""A real browser for tests, and the page of the program as a person finds it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, expect, sync_playwright

QUIET: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-features=MediaRouter,OptimizationHints,Translate",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-pings",
)
"""The browser itself talks to nobody."""
LIMIT_MS: Final = 20_000
_ANYTHING: Final = re.compile(".+")
PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome")


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's Chromium; a test that needs it is skipped where there is none, but never in CI."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing; .ci/run installs it")
        pytest.skip("no Chromium on this machine")
    expect.set_options(timeout=LIMIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """One tab on the page, and everything that went wrong or out in it."""

    def __init__(self, context: BrowserContext, url: str, *, open_it: bool = True) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(LIMIT_MS)
        self.requests: list[str] = []
        self.blocked: list[str] = []
        """Requests that the page's policy forbade: they were tried, and did not leave."""
        self.problems: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", self._failed)
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._listen)
        self.url = url
        if open_it:
            self.open()

    def _failed(self, request: Request) -> None:
        if request.failure == "csp":
            self.blocked.append(request.url)

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def open(self) -> None:
        """Load the page and wait for the field."""
        self.page.goto(self.url)
        expect(self.field).to_be_visible()

    def reload(self) -> None:
        """As a person does it."""
        self.page.reload()
        expect(self.field).to_be_visible()

    @property
    def field(self) -> Locator:
        """Where one writes."""
        return self.page.get_by_label("Deine Nachricht")

    def say(self, text: str) -> None:
        """Write and press Enter."""
        self.field.fill(text)
        self.field.press("Enter")

    def said(self, text: str) -> Locator:
        """Bubbles with this text that the server confirmed."""
        return self.page.locator(".nb-talk").locator(self._bubble(text))

    def exchange(self, text: str) -> Locator:
        """The exchange that has this text."""
        return self.page.locator(".nb-talk .nb-exchange").filter(has=self._bubble(text))

    def _bubble(self, text: str) -> Locator:
        return self.page.locator(".nb-bubble-text", has_text=re.compile(f"^{re.escape(text)}$"))

    def answer(self, text: str) -> Locator:
        """Nova's words to this text."""
        return self.exchange(text).locator(".nb-prose")

    def ask(self, text: str) -> Locator:
        """Say something and wait for the end of the turn; gives the answer."""
        self.say(text)
        answer = self.answer(text)
        expect(answer).to_be_visible()
        expect(self.exchange(text).locator(".nb-toggle")).to_have_attribute("title", _ANYTHING)
        return answer

    def foreign_requests(self) -> list[str]:
        """What went to anybody but the server that the page came from."""
        host = self.url.removeprefix("http://").rstrip("/")
        own = (f"http://{host}/", f"ws://{host}/", "data:")
        return [url for url in self.requests if not url.startswith(own)]
