"""The forensic log on a real database (spec 01 §4.4)."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString, cast

import pytest
from pydantic import JsonValue

from novaberg.clock import MovableClock
from novaberg.errors import DatabaseUnavailableError, InvalidPairError, NotStorableError
from novaberg.memory.database import Database
from novaberg.memory.pipeline_log import LogHeader, LogRow, PipelineLog
from novaberg.memory.pipeline_log_writer import LogWriterCalibration
from novaberg.pair import Pair
from tests.integration.memory.outage import (
    IMPATIENT,
    LosesConfirmations,
    database_away,
    kill_backends,
    name_of,
    until,
)
from tests.support.stores import admin

TURN = "0123456789abcdef0123456789abcdef"
HEAD = LogHeader(TURN, "character", None, "meister", "nova")
NEVER = 3600.0
"""Interval of a writer that must not run by itself."""


@pytest.fixture
def pipeline_log(database: Database, clock: MovableClock) -> PipelineLog:
    return PipelineLog(database, clock, flush_seconds=NEVER)


def small(database: Database, clock: MovableClock, *, capacity: int, batch_rows: int = 1_000) -> PipelineLog:
    calibration = LogWriterCalibration(capacity=capacity, batch_rows=batch_rows, final_flush_s=5.0)
    return PipelineLog(database, clock, flush_seconds=NEVER, calibration=calibration)


def contents(rows: list[LogRow]) -> list[dict[str, JsonValue]]:
    return [row.inhalt for row in rows]


def unserialisable(**content: object) -> Mapping[str, JsonValue]:
    return cast(Mapping[str, JsonValue], content)


async def count_rows(database: Database) -> int:
    async with database.connection() as connection:
        row = await (await connection.execute("SELECT count(*) FROM pipeline_log")).fetchone()
    assert row is not None
    return int(row[0])


async def has_rows(database: Database, count: int) -> bool:
    return await count_rows(database) >= count


# ── rows ─────────────────────────────────────────────────────────────────────


async def test_each_kind_of_row_stands_in_the_table_as_it_was_put(
    pipeline_log: PipelineLog, clock: MovableClock
) -> None:
    """Spec 01 §4.4: thirteen kinds, header columns, content as JSON, time of the put."""
    span = pipeline_log.span_start(
        "db_zugriff", turn_id=TURN, quelle="character", user_id="meister", character_id="nova"
    )
    put = clock.now()
    for method in (
        pipeline_log.eingang,
        pipeline_log.prompt,
        pipeline_log.berechnung,
        pipeline_log.switch,
        pipeline_log.db_read,
        pipeline_log.db_write,
        pipeline_log.ausgabe,
        pipeline_log.fehler,
        pipeline_log.bemerkung,
        pipeline_log.token,
    ):
        method(span, "db_zugriff", {"wert": 0.5, "text": "grün"}, quelle="session")
    pipeline_log.span_end(span, "db_zugriff", {"status": "ok"})
    clock.move(60)
    await pipeline_log.turn_roh(HEAD, "dispatcher", {"response": "Hallo"})
    rows = await pipeline_log.rows(TURN)
    assert [row.art for row in rows] == [
        "span_start", "eingang", "prompt", "berechnung", "switch", "db_read", "db_write", "ausgabe", "fehler",
        "bemerkung", "token", "span_end", "turn_roh",
    ]  # fmt: skip
    assert {row.erstellt_am for row in rows[:-1]} == {put}
    assert {row.span_id for row in rows[:-1]} == {span.span_id}
    assert [row.quelle for row in rows] == ["character", *["session"] * 10, "character", "character"]
    assert rows[3].inhalt == {"wert": 0.5, "text": "grün"}
    assert rows[3].as_json() == {
        "id": rows[3].id,
        "zeit": "2026-08-30T12:00:00+00:00",
        "turn_id": TURN,
        "span_id": span.span_id,
        "quelle": "session",
        "node": "db_zugriff",
        "art": "berechnung",
        "inhalt": {"wert": 0.5, "text": "grün"},
        "user_id": "meister",
        "character_id": "nova",
    }


async def test_a_decision_carries_its_outcome_and_its_inputs(
    pipeline_log: PipelineLog, caplog: pytest.LogCaptureFixture
) -> None:
    """Seed node-perzeption §5a; an unregistered outcome is reported and still written (spec 01 §4.4)."""
    pipeline_log.decision(HEAD, "perzeption", "perzeption.kontext", "leer", rolle="user", zeichen=0)
    assert not caplog.records
    pipeline_log.decision(HEAD, "perzeption", "perzeption.kontext", "vielleicht")
    pipeline_log.decision(HEAD, "perzeption", "perzeption.unbekannt", "leer")
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    rows = await pipeline_log.rows(TURN)
    assert [row.art for row in rows] == ["switch"] * 3
    assert contents(rows)[0] == {
        "entscheidung": "perzeption.kontext",
        "ausgang": "leer",
        "rolle": "user",
        "zeichen": 0,
    }
    assert contents(rows)[1] == {"entscheidung": "perzeption.kontext", "ausgang": "vielleicht"}


async def test_the_order_of_the_rows_is_the_order_of_the_puts(
    database: Database, clock: MovableClock
) -> None:
    """Spec 01 §3.6: the order of the calls is behaviour; also over batches and around the raw turn."""
    log = small(database, clock, capacity=1000, batch_rows=7)
    for number in range(40):
        log.berechnung(HEAD, "ei_calc", {"n": number})
    await log.flush()
    for number in range(40, 60):
        log.berechnung(HEAD, "ei_calc", {"n": number})
    await log.turn_roh(HEAD, "dispatcher", {"n": 60})
    log.berechnung(HEAD, "ei_calc", {"n": 61})
    assert [content["n"] for content in contents(await log.rows(TURN))] == list(range(62))


async def test_content_is_taken_at_the_moment_of_the_put(pipeline_log: PipelineLog) -> None:
    """A node may go on changing what it logged."""
    content: dict[str, JsonValue] = {"mode": "alltag"}
    pipeline_log.berechnung(HEAD, "ei_calc", content)
    content["mode"] = "emotional"
    assert contents(await pipeline_log.rows(TURN)) == [{"mode": "alltag"}]


async def test_entries_may_come_from_threads(pipeline_log: PipelineLog) -> None:
    """Spec 01 §4.4: non-blocking, from loop or thread."""

    def work() -> None:
        for number in range(200):
            pipeline_log.bemerkung(HEAD, "thread", {"n": number})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(await pipeline_log.rows(TURN)) == 800


# ── bad content (case H5) ────────────────────────────────────────────────────


async def test_an_unserialisable_entry_costs_only_itself_and_leaves_a_fehler_row(
    pipeline_log: PipelineLog, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §9.2 case 20, trap T30."""
    nested: list[Any] = []
    nested.append(nested)
    pipeline_log.berechnung(HEAD, "ei_calc", {"gut": 1})
    pipeline_log.berechnung(HEAD, "ei_calc", unserialisable(wann=datetime.now(UTC)))
    pipeline_log.token(HEAD, "responder", {"anteil": float("nan")})
    pipeline_log.switch(HEAD, "router", unserialisable(kreis=nested))
    pipeline_log.berechnung(HEAD, "ei_calc", {"gut": 2})
    rows = await pipeline_log.rows(TURN)
    assert [row.art for row in rows] == ["berechnung", "fehler", "fehler", "fehler", "berechnung"]
    assert rows[1].inhalt == {
        "grund": "nicht_serialisierbar",
        "node": "ei_calc",
        "art": "berechnung",
        "felder": ["wann"],
        "fehler": "TypeError: Object of type datetime is not JSON serializable",
    }
    assert [row.node for row in rows] == ["ei_calc", "ei_calc", "responder", "router", "ei_calc"]
    assert [record.levelname for record in caplog.records] == ["ERROR"] * 3
    assert all(record.exc_info for record in caplog.records)


async def test_a_put_never_raises(pipeline_log: PipelineLog, caplog: pytest.LogCaptureFixture) -> None:
    """A log call with nonsense is a defect of the caller, not the end of a turn."""
    pipeline_log.berechnung(cast(LogHeader, None), "ei_calc", {})
    pipeline_log.berechnung(HEAD, "ei_calc", cast(Mapping[str, JsonValue], 7))
    assert [record.levelname for record in caplog.records].count("ERROR") >= 2
    assert [row.art for row in await pipeline_log.rows(TURN)] in ([], ["fehler"])


@pytest.mark.parametrize("text", ["a\x00b", "\x00", "a\ud83db", "\udc00\ud800", "\\u0000", "😀\ud83d\ude00"])
async def test_characters_that_the_database_refuses_lose_no_row(pipeline_log: PipelineLog, text: str) -> None:
    """A person may send anything; the row stays and shows where something was replaced."""
    head = LogHeader(TURN, f"quelle{text}", None, "meister", "nova")
    pipeline_log.eingang(head, f"node{text}", {"prompt": text, text: [text]})
    await pipeline_log.turn_roh(HEAD, "dispatcher", {"user_prompt": text})
    first, raw = await pipeline_log.rows(TURN)
    shown = str(raw.inhalt["user_prompt"])
    assert first.inhalt["prompt"] == shown
    assert first.node == f"node{shown}"
    assert shown == text.replace("\x00", "␀").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


async def test_too_long_names_are_cut_visibly(
    pipeline_log: PipelineLog, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §4.4: cut over-long node, quelle and turn_id instead of losing the row."""
    head = LogHeader("t" * 200, "q" * 60, "no-uuid", "u" * 51, "c" * 51)
    pipeline_log.berechnung(head, "n" * 51, {})
    assert len(caplog.records) == 6
    (row,) = await pipeline_log.rows("t" * 99 + "…")
    assert (len(row.quelle), len(row.node), len(row.user_id or ""), len(row.character_id or "")) == (50,) * 4
    assert row.span_id is None


async def test_an_empty_turn_id_is_warned_about_and_written(
    pipeline_log: PipelineLog, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §4.4."""
    pipeline_log.berechnung(LogHeader("", "user", None, "", ""), "ei_calc", {})
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    (row,) = await pipeline_log.rows("")
    assert (row.user_id, row.character_id) == (None, None)


REFUSALS = {
    "check": (
        "ALTER TABLE pipeline_log ADD CONSTRAINT probe CHECK (node <> 'verboten')",
        "ALTER TABLE pipeline_log DROP CONSTRAINT probe",
    ),
    "limit": (
        "CREATE FUNCTION probe() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'stack depth limit exceeded' USING ERRCODE = '54001'; END $$;"
        "CREATE TRIGGER probe BEFORE INSERT ON pipeline_log FOR EACH ROW WHEN (NEW.node = 'verboten') "
        "EXECUTE FUNCTION probe()",
        "DROP FUNCTION probe CASCADE",
    ),
}


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_row_that_the_database_refuses_costs_only_itself(
    pipeline_log: PipelineLog, database: Database, caplog: pytest.LogCaptureFixture, refusal: str
) -> None:
    """Case H5: a fehler row stands in its place. A limit of the server is an "operational error" in the driver's words;
    taken for an outage it would be tried for ever."""
    begin, end = REFUSALS[refusal]
    async with database.connection() as connection:
        await connection.execute(cast(LiteralString, begin))
    try:
        for number in range(50):
            pipeline_log.berechnung(HEAD, "verboten" if number in (0, 31, 49) else "erlaubt", {"n": number})
        rows = await pipeline_log.rows(TURN)
    finally:
        async with database.connection() as connection:
            await connection.execute(cast(LiteralString, end))
    assert [number for number, row in enumerate(rows) if row.art == "fehler"] == [0, 31, 49]
    assert [row.inhalt["n"] for row in rows if row.art != "fehler"] == [
        number for number in range(50) if number not in (0, 31, 49)
    ]
    assert rows[31].inhalt["grund"] == "zeile_abgewiesen"
    assert rows[31].inhalt["node"] == "verboten"
    assert [record.levelname for record in caplog.records] == ["ERROR"] * 3


async def test_unreadable_rows_are_shown_as_such(pipeline_log: PipelineLog, database: Database) -> None:
    """A foreign or broken row is no reason to show nothing of a turn (case H5)."""
    pipeline_log.berechnung(HEAD, "ei_calc", {"gut": 1})
    await pipeline_log.flush()
    bad = (
        "INSERT INTO pipeline_log (erstellt_am, turn_id, quelle, node, art, inhalt) "
        "VALUES (%s::timestamptz, %s, 'q', 'n', 'berechnung', %s::jsonb)"
    )
    async with database.connection() as connection:
        await connection.execute(bad, ["2026-01-01", TURN, "[1, 2]"])
        await connection.execute(bad, ["2026-01-01", TURN, '{"zahl": 1e5000}'])
        await connection.execute(bad, ["infinity", TURN, '{"gut": 2}'])
        await connection.execute(bad, ["0044-03-15 BC", TURN, '{"gut": 3}'])
    rows = await pipeline_log.rows(TURN)
    assert [bool(row.unlesbar) for row in rows] == [False, True, True, True, True]
    assert rows[1].inhalt == {"roh": "[1, 2]"}
    assert rows[3].erstellt_am is None
    assert rows[3].inhalt == {"gut": 2}
    assert rows[3].as_json()["zeit"] is None
    assert rows[3].as_json()["unlesbar"]


# ── the writer ───────────────────────────────────────────────────────────────


async def test_the_writer_writes_by_itself(database: Database, clock: MovableClock) -> None:
    """Spec 01 §4.4: a batch each interval, nobody has to ask for it."""
    log = PipelineLog(database, clock, flush_seconds=0.05)
    async with log.writer():
        log.berechnung(HEAD, "ei_calc", {})
        await until(lambda: has_rows(database, 1))


async def test_a_half_full_buffer_is_written_before_its_interval(
    database: Database, clock: MovableClock
) -> None:
    """A burst must not reach the limit at which entries are dropped."""
    log = small(database, clock, capacity=20)
    async with log.writer():
        for number in range(10):
            log.berechnung(HEAD, "ei_calc", {"n": number})
        await until(lambda: has_rows(database, 10))


async def test_nothing_is_lost_on_shutdown(pipeline_log: PipelineLog, database: Database) -> None:
    """Spec 01 §4.4: final flush."""
    async with pipeline_log.writer():
        await asyncio.sleep(0)
        pipeline_log.berechnung(HEAD, "ei_calc", {})
    assert await count_rows(database) == 1


async def test_nothing_is_lost_when_the_service_is_cancelled(
    pipeline_log: PipelineLog, database: Database
) -> None:
    """Spec 01 §4.4: final flush on cancellation."""
    running = asyncio.Event()

    async def serve() -> None:
        async with pipeline_log.writer():
            pipeline_log.berechnung(HEAD, "ei_calc", {})
            running.set()
            await asyncio.sleep(3600)

    task = asyncio.create_task(serve())
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await count_rows(database) == 1


async def test_nothing_is_lost_when_the_writer_itself_is_cancelled(
    pipeline_log: PipelineLog, database: Database
) -> None:
    """A loop that ends cancels every task; the writer still writes what it has."""
    async with pipeline_log.writer():
        pipeline_log.berechnung(HEAD, "ei_calc", {})
        await asyncio.sleep(0)
        (task,) = [task for task in asyncio.all_tasks() if task.get_name() == "pipeline_log writer"]
        task.cancel()
        await asyncio.wait({task})
        assert await count_rows(database) == 1


async def test_a_cancelled_insert_is_neither_lost_nor_doubled(
    database: Database, clock: MovableClock
) -> None:
    """Cancelled at any moment of a flush, each entry stands in the table exactly once afterwards."""
    log = small(database, clock, capacity=20_000, batch_rows=100)
    for number in range(2_000):
        log.berechnung(HEAD, "ei_calc", {"n": number})
    cancelled = 0
    for tick in range(60):
        task = asyncio.create_task(log.flush())
        await asyncio.sleep(0.0005 * (tick % 7))
        cancelled += task.cancel()
        await asyncio.wait({task})
    rows = await log.rows(TURN)
    assert cancelled > 0
    assert [row.inhalt["n"] for row in rows] == list(range(2_000))


async def test_a_burst_is_written_whole_and_in_order(
    pipeline_log: PipelineLog, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Ten thousand entries within one interval."""
    for number in range(10_000):
        pipeline_log.berechnung(HEAD, "ei_calc", {"n": number})
    assert [row.inhalt["n"] for row in await pipeline_log.rows(TURN)] == list(range(10_000))
    assert not caplog.records


async def test_killed_backends_in_the_middle_lose_and_double_nothing(
    database: Database, database_url: str, clock: MovableClock
) -> None:
    """Measured pattern of the stores: kill of one backend drops every session; the log tries again."""
    log = small(database, clock, capacity=20_000, batch_rows=200)
    for number in range(5_000):
        log.berechnung(HEAD, "ei_calc", {"n": number})
    killed = 0
    with admin(database_url) as executioner:
        for tick in range(30):
            task = asyncio.create_task(log.flush())
            await asyncio.sleep(0.001 * (tick % 9))
            killed += await asyncio.to_thread(kill_backends, executioner, name_of(database_url))
            await task
    rows = await log.rows(TURN)
    assert killed > 0
    assert [row.inhalt["n"] for row in rows] == list(range(5_000))


async def test_an_insert_whose_confirmation_was_lost_is_not_repeated(
    database: Database, clock: MovableClock
) -> None:
    """Rows take their number before the first try; so a repeated try of a done insert changes nothing."""
    unsure = LosesConfirmations(database)
    log = small(cast(Database, unsure), clock, capacity=20_000, batch_rows=50)
    for number in range(500):
        log.berechnung(HEAD, "ei_calc", {"n": number})
    for _ in range(30):
        await log.flush()
    rows = await PipelineLog(database, clock).rows(TURN)
    assert [row.inhalt["n"] for row in rows] == list(range(500))


async def test_while_the_database_is_away_entries_are_kept(
    database_url: str, database: Database, clock: MovableClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec 01 §7: warning, turn unaffected; ours keeps the entries and says how many."""
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        log = PipelineLog(impatient, clock, flush_seconds=NEVER)
        for number in range(3):
            log.berechnung(HEAD, "ei_calc", {"n": number})
        with database_away(database_url), caplog.at_level(logging.WARNING, "novaberg"):
            await log.flush()
            log.berechnung(HEAD, "ei_calc", {"n": 3})
            with pytest.raises(DatabaseUnavailableError):
                await log.rows(TURN)
        assert "3 entries are kept" in caplog.text
        assert "4 entries are kept" in caplog.text
        assert [row.inhalt["n"] for row in await log.rows(TURN)] == [0, 1, 2, 3]


async def test_beyond_the_limit_the_oldest_are_dropped_and_counted(
    database_url: str, database: Database, clock: MovableClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Bounded memory; the loss is a warning and a row of the table."""
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        log = small(impatient, clock, capacity=10, batch_rows=4)
        with database_away(database_url):
            for number in range(25):
                log.berechnung(HEAD, "ei_calc", {"n": number})
        assert [row.inhalt["n"] for row in await log.rows(TURN)] == list(range(15, 25))
        (loss,) = await log.rows("pipeline_log")
    assert loss.inhalt == {"grund": "eintraege_verworfen", "anzahl": 15}
    assert "15 oldest entries are lost" in caplog.text


async def test_a_shutdown_without_a_database_says_what_is_lost(
    database_url: str, database: Database, clock: MovableClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A loss is never silent, and the shutdown ends."""
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        log = small(impatient, clock, capacity=10)
        with database_away(database_url):
            async with log.writer():
                log.berechnung(HEAD, "ei_calc", {})
    assert "1 log entries could not be written and are lost" in caplog.text


# ── the raw turn ─────────────────────────────────────────────────────────────


async def test_the_raw_turn_is_written_once_whoever_repeats_the_step(
    pipeline_log: PipelineLog, database: Database
) -> None:
    """Design §3: tail steps are idempotent by turn; also at the same moment."""
    outcomes = await asyncio.gather(
        *(pipeline_log.turn_roh(HEAD, "dispatcher", {"response": f"Antwort {n}"}) for n in range(8))
    )
    assert sorted(outcomes) == [False] * 7 + [True]
    first = contents(await pipeline_log.rows(TURN))
    assert await pipeline_log.turn_roh(HEAD, "dispatcher", {"response": "später"}) is False
    assert contents(await pipeline_log.rows(TURN)) == first
    assert await count_rows(database) == 1


async def test_raw_turns_without_turn_id_are_all_kept(pipeline_log: PipelineLog) -> None:
    """A missing id proves no identity: the permanent record must not swallow a second turn."""
    head = LogHeader("", "character", None, "meister", "nova")
    assert await pipeline_log.turn_roh(head, "dispatcher", {"response": "eins"})
    assert await pipeline_log.turn_roh(head, "dispatcher", {"response": "zwei"})


async def test_the_raw_turn_demands_a_pair_and_storable_content(
    pipeline_log: PipelineLog, database: Database
) -> None:
    """Spec 01 §4.4: mandatory pair; a serialisation error is the caller's to report (seed: node-dispatcher §8)."""
    with pytest.raises(InvalidPairError):
        await pipeline_log.turn_roh(LogHeader(TURN, "character", None, "meister", ""), "dispatcher", {})
    with pytest.raises(NotStorableError, match="TypeError"):
        await pipeline_log.turn_roh(HEAD, "dispatcher", unserialisable(response=object()))
    assert await count_rows(database) == 0


async def test_the_raw_turn_of_an_absent_database_is_an_error(
    database_url: str, database: Database, clock: MovableClock
) -> None:
    """It is permanent and must not be buffered in silence."""
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        log = PipelineLog(impatient, clock)
        with database_away(database_url), pytest.raises(DatabaseUnavailableError):
            await log.turn_roh(HEAD, "dispatcher", {"response": "Hallo"})
        assert await log.turn_roh(HEAD, "dispatcher", {"response": "Hallo"})


# ── retention, latest turn ───────────────────────────────────────────────────


async def test_retention_spares_raw_turns(pipeline_log: PipelineLog, clock: MovableClock) -> None:
    """A-157, spec 01 §9.2 case 21."""
    pipeline_log.berechnung(HEAD, "ei_calc", {})
    await pipeline_log.turn_roh(HEAD, "dispatcher", {"response": "Hallo"})
    clock.move(400 * 86_400)
    young = LogHeader(uuid.uuid4().hex, "character", None, "meister", "nova")
    pipeline_log.berechnung(young, "ei_calc", {})
    await pipeline_log.flush()
    result = await pipeline_log.delete_expired(clock.now(), 365)
    assert (result.deleted_count, result.error) == (1, None)
    assert [row.art for row in await pipeline_log.rows(TURN)] == ["turn_roh"]
    assert len(await pipeline_log.rows(young.turn_id)) == 1


async def test_zero_days_keep_raw_turns_too(pipeline_log: PipelineLog, clock: MovableClock) -> None:
    """Spec 03 §9 check 11."""
    pipeline_log.berechnung(HEAD, "ei_calc", {})
    await pipeline_log.turn_roh(HEAD, "dispatcher", {"response": "Hallo"})
    assert (await pipeline_log.delete_expired(clock.now() + timedelta(seconds=1), 0)).deleted_count == 1
    assert [row.art for row in await pipeline_log.rows(TURN)] == ["turn_roh"]


@pytest.mark.parametrize("days", [-1, -0.001, float("nan")])
async def test_a_negative_retention_deletes_nothing(
    pipeline_log: PipelineLog, clock: MovableClock, days: float
) -> None:
    """Spec 01 §4.4: error, nothing deleted."""
    pipeline_log.berechnung(HEAD, "ei_calc", {})
    await pipeline_log.flush()
    result = await pipeline_log.delete_expired(clock.now() + timedelta(days=1000), days)
    assert result.deleted_count == 0
    assert result.error
    assert len(await pipeline_log.rows(TURN)) == 1


async def test_a_retention_beyond_the_calendar_deletes_nothing(
    pipeline_log: PipelineLog, clock: MovableClock
) -> None:
    result = await pipeline_log.delete_expired(clock.now(), 10**9)
    assert (result.deleted_count, result.error) == (0, None)


async def test_retention_reports_an_absent_database(
    database_url: str, database: Database, clock: MovableClock
) -> None:
    """The daily job collects errors instead of dying of them (spec 03 §3.8)."""
    async with Database.open(database_url, calibration=IMPATIENT) as impatient:
        log = PipelineLog(impatient, clock)
        with database_away(database_url):
            result = await log.delete_expired(clock.now(), 365)
    assert result.deleted_count == 0
    assert "DatabaseUnavailableError" in (result.error or "")


async def test_the_latest_turn_is_the_pairs_own(pipeline_log: PipelineLog) -> None:
    """Promise P16: another person's turn is never shown, also if it is younger."""
    pipeline_log.berechnung(HEAD, "ei_calc", {})
    other = LogHeader("f" * 32, "character", None, "gast", "nova")
    pipeline_log.berechnung(other, "ei_calc", {})
    pipeline_log.berechnung(LogHeader("", "character", None, "meister", "nova"), "ei_calc", {})
    assert await pipeline_log.last_turn_id(Pair("meister")) == TURN
    assert await pipeline_log.last_turn_id(Pair("gast")) == "f" * 32
    assert await pipeline_log.last_turn_id(Pair("nova", "meister")) is None


async def test_novas_emotions_come_from_her_last_raw_turns_of_this_pair_alone(
    pipeline_log: PipelineLog,
) -> None:
    """B-052, spec 02 §3.21: oldest first, at most as many as asked for; other pairs and broken rows do not count."""
    for number in range(5):
        head = LogHeader(f"t{number}", "character", None, "meister", "nova")
        content: dict[str, JsonValue] = {"nova_emotion": {"tone": f"ton {number}"}}
        assert await pipeline_log.turn_roh(
            head, "dispatcher", content if number != 3 else {"nova_emotion": "?"}
        )
    other = LogHeader("t9", "character", None, "ida", "nova")
    await pipeline_log.turn_roh(other, "dispatcher", {"nova_emotion": {"tone": "fremd"}})
    read = await pipeline_log.nova_emotions(Pair("meister", "nova"), 4)
    assert read == [{"tone": "ton 1"}, {"tone": "ton 2"}, {"tone": "ton 4"}]
