-- Forensic log and raw turns (spec 01 §4.4). The vocabulary of `art` is enforced by the writing API, not by a CHECK.
CREATE TABLE pipeline_log (
    id           BIGSERIAL PRIMARY KEY,
    erstellt_am  TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    turn_id      VARCHAR(100) NOT NULL,
    span_id      UUID,
    quelle       VARCHAR(50) NOT NULL,
    node         VARCHAR(50) NOT NULL,
    art          VARCHAR(30) NOT NULL,
    inhalt       JSONB NOT NULL,
    user_id      VARCHAR(50),
    character_id VARCHAR(50)
);
CREATE INDEX idx_pipeline_log_turn ON pipeline_log (turn_id);
CREATE INDEX idx_pipeline_log_span ON pipeline_log (span_id);
CREATE INDEX idx_pipeline_log_node_art ON pipeline_log (node, art);
CREATE INDEX idx_pipeline_log_erstellt ON pipeline_log (erstellt_am DESC);
CREATE INDEX idx_pipeline_log_paar ON pipeline_log (user_id, character_id);
-- A repeated tail step cannot write the raw turn twice. A missing turn_id proves no identity, so it is left out.
CREATE UNIQUE INDEX uq_pipeline_log_turn_roh ON pipeline_log (turn_id) WHERE art = 'turn_roh' AND turn_id <> '';

-- Distilled identity per pair (spec 03 §4.2). Nova's own row stands under ('nova', human). Never REAL: 0.9 must compare equal.
CREATE TABLE charakter_hash (
    user_id                   TEXT NOT NULL,
    character_id              TEXT NOT NULL DEFAULT '',
    kern_hash                 TEXT NOT NULL DEFAULT '',
    adaptive_hash             TEXT NOT NULL DEFAULT '',
    intentions_profil         TEXT NOT NULL DEFAULT '',
    emotions_profil           TEXT NOT NULL DEFAULT '',
    beziehungsprofil          TEXT NOT NULL DEFAULT '',
    kern_aktualisiert_am       TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    adaptive_aktualisiert_am   TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    intentions_aktualisiert_am TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    emotions_aktualisiert_am   TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    beziehung_aktualisiert_am  TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    nutzer_gewichtung         DOUBLE PRECISION NOT NULL DEFAULT 0.9,
    nutzer_gewichtung_quelle  TEXT NOT NULL DEFAULT 'default',
    nutzer_gewichtung_rad     TEXT NOT NULL DEFAULT
        '{"hoch": {"treue": 0.0, "dienst": 0.0, "pflicht": 0.0, "aufmerksamkeit": 0.0, "wissbegier": 0.0, "wohlwollen": 0.0}, "runter": {"widerspenstig": 0.0, "gleichgueltig": 0.0, "selbstbezogen": 0.0, "langeweile": 0.0, "distanz": 0.0, "misstrauen": 0.0}}',
    nutzer_gewichtung_am      TIMESTAMPTZ,
    initiative_versatz        DOUBLE PRECISION NOT NULL DEFAULT 0.0,
    initiative_versatz_quelle TEXT NOT NULL DEFAULT 'default',
    initiative_versatz_rad    TEXT NOT NULL DEFAULT
        '{"hoch": {"folgsamkeit": 0.0, "anschlussfreude": 0.0, "zurueckhaltung": 0.0, "antwortende_rolle": 0.0, "behutsamkeit": 0.0}, "runter": {"lenkungsdrang": 0.0, "eigensinn": 0.0, "assoziationsdrang": 0.0, "widerspruchsfreude": 0.0, "gespraechsdistanz": 0.0}}',
    initiative_versatz_am     TIMESTAMPTZ,
    PRIMARY KEY (user_id, character_id)
);

-- Identities and directives belong to the person, not to the pair (seed: node-db-zugriff §3, step 4).
CREATE TABLE charakter_anweisungen (
    id           SERIAL PRIMARY KEY,
    user_id      TEXT NOT NULL,
    anweisung    TEXT NOT NULL,
    erstellt_am  TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    aktiv        BOOLEAN NOT NULL DEFAULT TRUE,
    geaendert_am TIMESTAMPTZ
);
CREATE INDEX idx_charakter_anweisungen_user_aktiv ON charakter_anweisungen (user_id, aktiv);

CREATE TABLE direktiven (
    id           SERIAL PRIMARY KEY,
    user_id      TEXT NOT NULL,
    anweisung    TEXT NOT NULL,
    kontext      TEXT,
    erstellt_am  TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    aktiv        BOOLEAN NOT NULL DEFAULT TRUE,
    geaendert_am TIMESTAMPTZ
);
CREATE INDEX idx_direktiven_user_aktiv ON direktiven (user_id, aktiv);

-- Audit of background work (spec 03 §4.2).
CREATE TABLE hintergrund_log (
    id             SERIAL PRIMARY KEY,
    user_id        TEXT NOT NULL,
    aufgabe        TEXT NOT NULL,
    ergebnis       TEXT,
    status         TEXT NOT NULL DEFAULT 'offen',
    erstellt_am    TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    verarbeitet_am TIMESTAMPTZ
);

-- Mirror of the Redis hash nova_state, from which start-up refills what Redis lost.
CREATE TABLE nova_state_spiegel (
    user_id        VARCHAR(50) NOT NULL,
    character_id   VARCHAR(50) NOT NULL,
    felder         JSONB NOT NULL,
    geschrieben_am TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, character_id)
);
