"""Names in ``turn_steps`` of what a turn leaves for whoever takes it up again, or asks for it later."""

from __future__ import annotations

from typing import Final

HUMAN_TAIL_STEP: Final = "pfad1"
"""What path 1 found out late."""
COMPLETION_STEP: Final = "abschluss"
"""The message that closes the turn."""
