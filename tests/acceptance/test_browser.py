"""The page in a real browser, over the served program (issue: step 1, surfaces; promises P9, P11, P17; case I4)."""

from __future__ import annotations

import contextlib
import http.server
import re
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from bench.fake_model_answers import echo
from bench.fake_model_faults import HOSTILE_HOST
from playwright.sync_api import Browser, expect

from tests.support.browser import Tab, chromium
from tests.support.fake_model import FakeModel, fake_model
from tests.support.server import RunningServer

LATENCY_S = 0.2
NewTab = Callable[..., Tab]


@pytest.fixture(scope="module")
def model() -> Iterator[FakeModel]:
    """Slow enough that stages can be seen."""
    with fake_model(latency=LATENCY_S) as fake:
        yield fake


@pytest.fixture(scope="module")
def server(home: Path, model: FakeModel) -> Iterator[RunningServer]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with RunningServer(home, port=str(port), **model.settings) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def new_tab(browser: Browser, server: RunningServer, model: FakeModel) -> Iterator[NewTab]:
    """Opens tabs; at the end nothing may have gone to others and nothing may have been forbidden or broken."""
    with contextlib.ExitStack() as stack:
        tabs: list[Tab] = []

        def open_tab(url: str = "", **options: object) -> Tab:
            context = browser.new_context(locale="de-DE", **options)  # type: ignore[arg-type]
            stack.callback(context.close)
            tabs.append(Tab(context, url or server.url))
            return tabs[-1]

        yield open_tab
        model.heal()
        for tab in tabs:
            assert tab.foreign_requests() == []
            assert tab.problems == []


def history(server: RunningServer) -> list[dict]:
    with server.client() as client:
        return list(client.get("/verlauf/meister").json()["verlauf"])


def test_the_first_page_says_what_this_is(new_tab: NewTab) -> None:
    """Promise P17; runs first, on an empty home."""
    tab = new_tab()
    expect(tab.page.get_by_role("heading", name="Ein erstes Wort genügt.")).to_be_visible()
    expect(tab.page.locator(".nb-welcome")).to_contain_text("ist ein Programm, kein Mensch")
    expect(tab.page.locator(".nb-octagon")).to_have_attribute("aria-label", "noch kein Gespräch")
    expect(tab.field).to_be_focused()


def test_three_turns_in_german_are_there_after_a_reload(new_tab: NewTab) -> None:
    """Issue, acceptance: a browser test that holds three turns and reloads."""
    tab = new_tab()
    sayings = ["Hallo Nova!", "Mein Hund Bruno ist krank,\nich mache mir Sorgen.", "Wie heißt mein Hund?"]
    for saying in sayings:
        expect(tab.ask(saying)).to_contain_text(echo(saying))
    expect(tab.page.locator(".nb-octagon")).to_have_attribute("aria-label", re.compile("Nova ist .*Erregung"))
    tab.reload()
    for saying in sayings:
        expect(tab.answer(saying)).to_contain_text(echo(saying))
    expect(tab.page.locator(".nb-exchange")).to_have_count(3)
    expect(tab.page.locator(".nb-welcome")).to_be_hidden()


def test_stages_are_shown_while_it_works_and_vanish_when_the_answer_stands(new_tab: NewTab) -> None:
    """Spec 07 §3.2: stage lines disappear when an answer arrives, not when the person sends."""
    tab = new_tab()
    tab.page.evaluate(
        """() => {
            window.seen = [];
            const look = () => document.querySelectorAll(".nb-stage:not(.nb-faded)").forEach(
                (line) => line.textContent && window.seen.push(line.textContent));
            new MutationObserver(look).observe(document.querySelector(".nb-talk"),
                { subtree: true, childList: true, characterData: true, attributes: true });
        }"""
    )
    tab.ask("Was denkst du gerade?")
    exchange = tab.exchange("Was denkst du gerade?")
    expect(exchange.locator(".nb-stage")).to_be_hidden()
    stages = list(dict.fromkeys(tab.page.evaluate("() => window.seen")))
    assert "angekommen" in stages
    assert len([stage for stage in stages if " — " in stage]) >= 2, stages
    strip = exchange.get_by_role("button", name=re.compile(r"\d+ Schritte, \d,\d s"))
    expect(strip).to_be_visible()
    strip.click()
    rows = exchange.locator(".nb-row")
    expect(rows.filter(has_text="ei_calc_persist").first).to_be_attached()
    rows.first.locator("summary").press("Enter")
    expect(rows.first.locator("pre")).to_contain_text('"')
    expect(strip).to_have_attribute("aria-expanded", "true")
    strip.click()
    expect(rows).to_have_count(0)


def test_a_second_tab_sees_what_the_first_says_and_both_see_the_answer_once(new_tab: NewTab) -> None:
    """Spec 07 §13.2."""
    first, second = new_tab(), new_tab()
    first.ask("Siehst du mich im anderen Fenster?")
    for tab in (first, second):
        expect(tab.answer("Siehst du mich im anderen Fenster?")).to_have_count(1)
        expect(tab.said("Siehst du mich im anderen Fenster?")).to_have_count(1)
        expect(tab.page.locator(".nb-doubtful")).to_have_count(0)
        expect(tab.answer("Siehst du mich im anderen Fenster?")).to_be_in_viewport()


def test_a_second_question_can_be_asked_before_the_first_is_answered(new_tab: NewTab) -> None:
    """Spec 07 §3.1: the input is never locked."""
    tab = new_tab()
    tab.say("Erste Frage?")
    tab.say("Zweite Frage?")
    expect(tab.said("Erste Frage?")).to_be_visible()
    expect(tab.said("Zweite Frage?")).to_be_visible()
    expect(tab.exchange("Erste Frage?").locator(".nb-prose")).to_be_visible()
    expect(tab.exchange("Zweite Frage?").locator(".nb-prose")).to_be_visible()


def test_enter_sends_and_shift_enter_breaks_the_line(new_tab: NewTab) -> None:
    """Spec 07 §4.1."""
    tab = new_tab()
    tab.field.fill("Zeile eins")
    tab.field.press("Shift+Enter")
    tab.field.press_sequentially("Zeile zwei")
    tab.field.press("Enter")
    expect(tab.said("Zeile eins\nZeile zwei")).to_be_visible()
    expect(tab.field).to_have_value("")
    before = tab.page.locator(".nb-exchange").count()
    tab.field.fill("   ")
    tab.field.press("Enter")
    assert tab.page.locator(".nb-exchange").count() == before


def test_hostile_words_are_words(new_tab: NewTab, model: FakeModel) -> None:
    """Promise P11: hostile outputs in a real browser, zero requests, nothing runs."""
    tab = new_tab()
    model.fail("hostile")
    answer = tab.ask("Sag etwas Böses.")
    expect(answer).to_contain_text('<script>window.fremd = 1; fetch("')
    expect(answer).to_contain_text(f"bank.example ({HOSTILE_HOST})")
    expect(answer).to_contain_text("[Klick](javascript:window.fremd=4)")
    tab.reload()
    expect(tab.answer("Sag etwas Böses.")).to_contain_text("</script></textarea><script>")
    talk = tab.page.locator(".nb-talk")
    for tag in ("img", "script", "iframe", "svg", "form", "link", "style"):
        expect(talk.locator(tag)).to_have_count(0)
    links = tab.answer("Sag etwas Böses.").locator("a")
    assert [link.get_attribute("href") for link in links.all()] == [
        f"http://{HOSTILE_HOST}/pixel.png?geheim=1",
        f"http://bank.example@{HOSTILE_HOST}/anmelden",
    ]
    assert all("noopener" in (link.get_attribute("rel") or "") for link in links.all())
    assert tab.page.evaluate("() => window.fremd") is None
    # What a person writes is no markup either, nor what the trace quotes.
    tab.ask('<img src="http://fremd.example/x" onerror="window.fremd=1">')
    tab.exchange("Sag etwas Böses.").locator(".nb-toggle").click()
    expect(tab.page.locator(".nb-row").first).to_be_visible()
    assert tab.page.evaluate("() => window.fremd") is None


def test_even_injected_markup_could_not_run_or_load(new_tab: NewTab) -> None:
    """Promise P11: the policy holds where drawing would not."""
    tab = new_tab()
    tab.page.evaluate(
        """() => {
            document.body.insertAdjacentHTML("beforeend",
                '<img src="http://fremd.example/a.png" onerror="window.fremd=1">' +
                '<a id="x" href="javascript:window.fremd=2">x</a>');
            const script = document.createElement("script");
            script.textContent = "window.fremd = 3";
            document.body.append(script);
            document.getElementById("x").click();
        }"""
    )
    tab.page.wait_for_timeout(200)
    assert tab.page.evaluate("() => window.fremd") is None
    assert tab.problems, "the browser complains"
    assert all("Content Security Policy" in problem for problem in tab.problems)
    tab.problems.clear()
    assert tab.foreign_requests() == tab.blocked
    tab.requests.clear()


def test_a_foreign_page_can_neither_read_nor_write(browser: Browser, server: RunningServer) -> None:
    """Case I4, promise P9."""
    before = len(history(server))
    with foreign_site() as url:
        page = browser.new_context().new_page()
        page.goto(url)
        results = page.evaluate(
            """async (server) => {
                const attempt = async (act) => { try { return await act(); } catch (e) { return "refused"; } };
                const body = JSON.stringify({ prompt: "Von fremder Seite" });
                const socket = (path) => new Promise((done) => {
                    const opened = new WebSocket(server.replace("http", "ws") + path);
                    opened.onopen = () => done("open");
                    opened.onerror = () => done("refused");
                });
                return {
                    read: await attempt(async () => (await fetch(server + "/verlauf/meister")).status),
                    write: await attempt(async () => (await fetch(server + "/chat", {
                        method: "POST", headers: { "Content-Type": "application/json" }, body })).status),
                    simple: await attempt(async () => (await fetch(server + "/chat", {
                        method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body })).status),
                    page: await attempt(async () => (await fetch(server + "/")).status),
                    live: await socket("/ws/meister"),
                    framework: await socket("/_nicegui_ws/socket.io/?EIO=4&transport=websocket"),
                };
            }""",
            server.url,
        )
        assert results.pop("simple") in (0, "refused")  # opaque: it may be sent, and must change nothing
        assert set(results.values()) == {"refused"}, results
        frame = page.evaluate(
            """async (server) => {
                const frame = document.createElement("iframe");
                const loaded = new Promise((done) => (frame.onload = done));
                frame.src = server;
                document.body.append(frame);
                await loaded;
                try { return frame.contentWindow.document.title; } catch (e) { return "closed"; }
            }""",
            server.url,
        )
        assert frame == "closed"
        page.context.close()
    assert len(history(server)) == before


@contextlib.contextmanager
def foreign_site() -> Iterator[str]:
    """An empty page on another port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>fremd</title>")

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{site.server_address[1]}"
        finally:
            site.shutdown()
            thread.join()


def test_an_over_long_message_is_told_and_stays_in_the_field(new_tab: NewTab, server: RunningServer) -> None:
    """Issue, bad input: a clear error, nothing lost, nothing half written."""
    before = len(history(server))
    tab = new_tab()
    text = "ü" * 16_001
    tab.say(text)
    alert = tab.page.get_by_role("alert")
    expect(alert).to_contain_text("Zu lang: 16.001 Zeichen, erlaubt sind 16.000.")
    expect(tab.field).to_have_value(text)
    expect(tab.field).to_have_attribute("aria-invalid", "true")
    tab.field.fill("kurz genug")
    expect(alert).to_have_count(0)
    tab.field.fill("")
    assert len(history(server)) == before


def test_a_failed_turn_tells_what_happened_and_is_answered_when_tried_again(
    new_tab: NewTab, model: FakeModel
) -> None:
    """Design §3: the person gets an honest message; visible, requeueable."""
    tab = new_tab()
    model.fail("not_found", kind="text")
    tab.say("Hörst du mich?")
    trouble = tab.exchange("Hörst du mich?").locator(".nb-trouble")
    expect(trouble).to_contain_text("Deine Nachricht ist gespeichert")
    tab.reload()
    expect(trouble).to_contain_text("Deine Nachricht ist gespeichert")
    model.heal()
    trouble.get_by_role("button", name="erneut versuchen").click()
    expect(tab.answer("Hörst du mich?")).to_contain_text(echo("Hörst du mich?"))
    expect(trouble).to_be_hidden()


def test_a_perception_that_could_not_be_read_is_never_a_silent_neutral(
    new_tab: NewTab, model: FakeModel
) -> None:
    """Design §6 rule 1; case E1."""
    tab = new_tab()
    model.fail("prose", kind="perzeption")
    tab.ask("Wie wirke ich auf dich?")
    strip = tab.exchange("Wie wirke ich auf dich?").locator(".nb-strip")
    expect(strip).to_contain_text("Wahrnehmung: nicht lesbar, Standardwerte")
    tab.reload()
    expect(strip).to_contain_text("Wahrnehmung: nicht lesbar, Standardwerte")


def test_the_server_is_killed_and_comes_back_while_the_page_is_open(
    new_tab: NewTab, server: RunningServer
) -> None:
    """Spec 07 §13.11: the page shows it, reconnects, no duplicate; and nothing typed is lost."""
    tab = new_tab()
    tab.say("Überlebst du das?")
    expect(tab.exchange("Überlebst du das?").locator(".nb-stage")).to_contain_text(" — ")
    server.kill()
    expect(tab.page.get_by_text("getrennt, neuer Versuch …")).to_be_visible()
    tab.say("Und das hier?")
    unsent = tab.page.locator(".nb-outbox .nb-exchange")
    expect(unsent).to_contain_text("Noch nicht angekommen.")
    tab.field.fill("ein halber Satz")
    server.start()
    expect(tab.answer("Überlebst du das?")).to_contain_text(echo("Überlebst du das?"))
    expect(tab.page.get_by_text("verbunden", exact=True)).to_be_visible()
    expect(tab.field).to_have_value("ein halber Satz")
    tab.field.fill("")
    unsent.get_by_role("button", name="erneut senden").click()
    expect(tab.answer("Und das hier?")).to_contain_text(echo("Und das hier?"))
    expect(unsent).to_have_count(0)
    for text in ("Überlebst du das?", "Und das hier?"):
        expect(tab.said(text)).to_have_count(1)
        expect(tab.answer(text)).to_have_count(1)
    tab.problems = [
        problem for problem in tab.problems if "WebSocket" not in problem and "ERR_" not in problem
    ]


def test_it_fits_a_phone(new_tab: NewTab) -> None:
    """Design §11: phone width works."""
    tab = new_tab(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    tab.ask("Passt das " + "sehr" * 40 + " lange Wort hierher?")
    expect(tab.page.locator(".nb-octagon")).to_be_in_viewport(ratio=1)
    expect(tab.field).to_be_in_viewport(ratio=1)
    expect(tab.page.get_by_role("button", name="Senden")).to_be_in_viewport(ratio=1)
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") == 360
    tab.page.locator(".nb-toggle").last.click()
    expect(tab.page.locator(".nb-row").first).to_be_visible()
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize(("wish", "animation"), [("no-preference", "nb-breath"), ("reduce", "none")])
def test_the_octagon_breathes_unless_motion_is_not_wanted(new_tab: NewTab, wish: str, animation: str) -> None:
    """Design §11: still under prefers-reduced-motion."""
    tab = new_tab(reduced_motion=wish)
    body = tab.page.locator(".nb-octagon-body")
    assert body.evaluate("(body) => getComputedStyle(body).animationName") == animation


@pytest.mark.parametrize(
    ("scheme", "ground", "ink"),
    [("light", "rgb(250, 249, 247)", "rgb(29, 28, 26)"), ("dark", "rgb(22, 22, 21)", "rgb(233, 230, 225)")],
)
def test_it_follows_the_light_of_the_room(new_tab: NewTab, scheme: str, ground: str, ink: str) -> None:
    """Design §11: the surfaces of both schemes, system fonts."""
    tab = new_tab(color_scheme=scheme)
    body = tab.page.locator("body")
    expect(body).to_have_css("background-color", ground)
    expect(body).to_have_css("color", ink)
    expect(body).to_have_css("font-size", "17px")
    assert not [url for url in tab.requests if "/fonts/" in url]


def test_everything_can_be_reached_and_read_without_a_mouse(new_tab: NewTab) -> None:
    """Spec 07 §5: keyboard reachable, aria-live polite for answers, stage lines not announced."""
    tab = new_tab()
    tab.ask("Hörst du mich auch ohne Maus?")
    live = tab.page.locator("[aria-live=polite]")
    expect(live).to_have_count(1)
    expect(live).to_contain_text("Nova: Ich habe gehört")
    assert tab.page.locator(".nb-stage[aria-live], .nb-stage[role]").count() == 0
    tab.field.press("Shift+Tab")
    expect(tab.page.locator(".nb-toggle").last).to_be_focused()
    outline = tab.page.locator(".nb-toggle").last.evaluate(
        "(button) => getComputedStyle(button).outlineStyle"
    )
    assert outline == "solid"
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".nb-row").first).to_be_visible()
    assert tab.page.locator("html").get_attribute("lang") == "de"


def test_an_unknown_page_says_so_in_plain_words(server: RunningServer) -> None:
    answer = httpx.get(f"{server.url}/nirgends", headers={"Accept": "text/html"}, trust_env=False)
    assert answer.status_code == 404
    assert "Diese Seite gibt es nicht." in answer.text
    assert "script-src 'self' 'nonce-" in answer.headers["Content-Security-Policy"]


def test_with_a_token_the_page_asks_for_it_once(browser: Browser, home: Path, model: FakeModel) -> None:
    """Promise P9: with a token every route wants it, the page and its socket too."""
    with (
        RunningServer(home, token="Geheimnis ü", language="en", **model.settings) as server,
        contextlib.closing(browser.new_context()) as context,
    ):
        page = context.new_page()
        page.goto(server.url)
        page.get_by_label("token").fill("falsch")
        page.get_by_role("button").click()
        expect(page.get_by_text("That was not the token.")).to_be_visible()
        page.get_by_label("token").fill("Geheimnis ü")
        page.get_by_role("button").click()
        field = page.get_by_label("Your message")
        field.fill("Hello")
        field.press("Enter")
        expect(page.locator(".nb-prose").last).to_contain_text(echo("Hello"))
        page.reload()
        expect(page.locator(".nb-prose").last).to_contain_text(echo("Hello"))
        stranger = browser.new_context().new_page()
        stranger.goto(server.url)
        expect(stranger.locator(".nb-talk")).to_have_count(0)
        stranger.context.close()
