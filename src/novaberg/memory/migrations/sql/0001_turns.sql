-- The life of a turn. Inbox and turn rows are the truth; a job of the queue is only the doorbell.
-- Every time stamp is handed over by the program's clock, none is made here.

-- zustand: offen = a worker is on it (or was, when it died); wartend = queued again by hand, waits for its pair;
--          gescheitert = given up, can be queued again; erledigt = done.
CREATE TABLE turns (
    turn_id      TEXT PRIMARY KEY CHECK (turn_id ~ '^[0-9a-f]{32}$'),
    nummer       BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
    user_id      VARCHAR(50) NOT NULL,
    character_id VARCHAR(50) NOT NULL,
    zustand      TEXT NOT NULL CHECK (zustand IN ('offen', 'wartend', 'gescheitert', 'erledigt')),
    prompt       TEXT NOT NULL,
    -- Renewed by whoever takes the turn; who does not know the present value may not write.
    fence        UUID NOT NULL,
    starts       INTEGER NOT NULL DEFAULT 1,
    versuche     INTEGER NOT NULL DEFAULT 0,
    fehler       TEXT,
    human_done   BOOLEAN NOT NULL DEFAULT FALSE,
    erstellt_am  TIMESTAMPTZ NOT NULL,
    begonnen_am  TIMESTAMPTZ NOT NULL,
    frist        TIMESTAMPTZ NOT NULL,
    beendet_am   TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_turns_offen ON turns (user_id, character_id) WHERE zustand = 'offen';
CREATE INDEX idx_turns_paar ON turns (user_id, character_id, nummer);
CREATE INDEX idx_turns_unfertig ON turns (user_id, character_id, zustand) WHERE zustand <> 'erledigt';

-- Accepted messages. id is the order of arrival within a pair; turn_id stays empty while a message waits.
CREATE TABLE inbox (
    id             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    nachrichten_id TEXT NOT NULL UNIQUE CHECK (nachrichten_id ~ '^[0-9a-f]{32}$'),
    user_id        VARCHAR(50) NOT NULL,
    character_id   VARCHAR(50) NOT NULL,
    client_id      TEXT NOT NULL DEFAULT '',
    message_id     TEXT,
    prompt         TEXT NOT NULL,
    empfangen_am   TIMESTAMPTZ NOT NULL,
    turn_id        TEXT REFERENCES turns (turn_id),
    CONSTRAINT uq_inbox_message_id UNIQUE (user_id, character_id, message_id)
);
CREATE INDEX idx_inbox_wartend ON inbox (user_id, character_id, id) WHERE turn_id IS NULL;
CREATE INDEX idx_inbox_turn ON inbox (turn_id, id);

-- What path 1 hands over to path 2 (spec 01 §2.7–2.8). resume is for whoever takes the turn up again.
CREATE TABLE events (
    turn_id       TEXT PRIMARY KEY REFERENCES turns (turn_id) ON DELETE CASCADE,
    event_id      UUID NOT NULL UNIQUE,
    user_id       VARCHAR(50) NOT NULL,
    character_id  VARCHAR(50) NOT NULL,
    source        TEXT NOT NULL,
    typ           TEXT NOT NULL,
    payload       JSONB NOT NULL,
    trigger_count INTEGER NOT NULL DEFAULT 0,
    resume        JSONB,
    erstellt_am   TIMESTAMPTZ NOT NULL
);

-- Committed before it is sent; an answer that exists is never generated again.
CREATE TABLE answers (
    turn_id      TEXT PRIMARY KEY REFERENCES turns (turn_id) ON DELETE CASCADE,
    nummer       BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
    user_id      VARCHAR(50) NOT NULL,
    character_id VARCHAR(50) NOT NULL,
    text         TEXT NOT NULL,
    payload      JSONB NOT NULL,
    resume       JSONB,
    erstellt_am  TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_answers_paar ON answers (user_id, character_id, nummer);

-- Steps after the answer that are done and must not be done twice.
CREATE TABLE turn_steps (
    turn_id     TEXT NOT NULL REFERENCES turns (turn_id) ON DELETE CASCADE,
    schritt     TEXT NOT NULL,
    ergebnis    JSONB,
    erstellt_am TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (turn_id, schritt)
);

-- The end of a job wakes nobody by itself: the next job of the pair would start only at the next poll. It rings always,
-- because a job that is being put in at this very moment can neither be seen here nor be fetched yet.
CREATE FUNCTION novaberg_ring_next_job() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify(
        'procrastinate_queue_v1#' || OLD.queue_name,
        json_build_object('type', 'job_inserted', 'job_id', OLD.id)::text
    );
    RETURN NULL;
END;
$$;
CREATE TRIGGER novaberg_job_ended AFTER UPDATE OF status ON procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status = 'doing' AND NEW.status <> 'doing') EXECUTE FUNCTION novaberg_ring_next_job();
CREATE TRIGGER novaberg_job_deleted AFTER DELETE ON procrastinate_jobs
    FOR EACH ROW WHEN (OLD.status = 'doing') EXECUTE FUNCTION novaberg_ring_next_job();
