"""The job queue's tables come with its package; a version that changes them needs a migration of ours."""

from __future__ import annotations

import hashlib

from procrastinate.schema import SchemaManager

SCHEMA_OF_REVISION_0001 = "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009"


def test_the_queue_brings_the_tables_that_revision_0001_was_written_for() -> None:
    """If this fails, a new queue package changed its schema: keep 0001 on the old text and add a migration."""
    text = SchemaManager.get_schema().replace("\r\n", "\n")
    assert hashlib.sha256(text.encode()).hexdigest() == SCHEMA_OF_REVISION_0001
