"""Constants that may be set from the environment under the seeds' names (spec 01 §5.5)."""

from __future__ import annotations

import logging

from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from novaberg.ei.ageing import DEFAULT_AGEING, AgeingCalibration
from novaberg.errors import SettingsError

log = logging.getLogger(__name__)


class _Eigenzeit(BaseSettings):
    """``EIGENZEIT_*``."""

    model_config = SettingsConfigDict(env_prefix="EIGENZEIT_", extra="ignore", frozen=True)

    kipppunkt_sekunden: float = DEFAULT_AGEING.tipping_seconds
    kipppunkt_faktor: float = DEFAULT_AGEING.tipping_factor
    halbwert_sekunden: float = DEFAULT_AGEING.half_seconds
    halbwert_faktor: float = DEFAULT_AGEING.half_factor
    nullpunkt_sekunden: float = DEFAULT_AGEING.zero_seconds
    kategorie_schwelle: float = DEFAULT_AGEING.category_threshold
    arousal_ruhe: float = DEFAULT_AGEING.resting_arousal


def load_ageing() -> AgeingCalibration:
    """The decay curve of Nova's own time. Marks that coincide or stand out of order are reported, not repaired.

    Raises:
        SettingsError: a value is no number.
    """
    try:
        chosen = _Eigenzeit()
    except ValidationError as error:
        names = ", ".join(f"EIGENZEIT_{str(problem['loc'][0]).upper()}" for problem in error.errors())
        raise SettingsError(f"Settings that are no numbers: {names}. Correct or remove them.") from error
    ageing = AgeingCalibration(
        tipping_seconds=chosen.kipppunkt_sekunden,
        tipping_factor=chosen.kipppunkt_faktor,
        half_seconds=chosen.halbwert_sekunden,
        half_factor=chosen.halbwert_faktor,
        zero_seconds=chosen.nullpunkt_sekunden,
        category_threshold=chosen.kategorie_schwelle,
        resting_arousal=chosen.arousal_ruhe,
    )
    for problem in ageing.problems():
        log.error("%s", problem)
    return ageing
