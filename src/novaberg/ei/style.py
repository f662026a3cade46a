"""Style recognition by rules: surface observations of the last turns, without a model (spec 02 §3.9)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from novaberg.ei.records import TurnRecord
from novaberg.ei.style_tables import (
    ABBREVIATIONS,
    CONJUNCTIVES,
    COURTESY,
    EMOJI,
    INTERJECTIONS,
    SLANG,
    STYLE_HINTS,
    STYLE_ORDER,
    STYLE_SCORES,
    RuleStyleName,
)
from novaberg.personality import Character
from novaberg.vocabulary import NEUTRAL

CharacterHash = Mapping[str, str | None]
"""A character's layers under their stored keys (``kern``, ``adaptiv``, ``intentions_profil`` …)."""

_SENTENCE_END: Final = re.compile(r"[.!?]+")


@dataclass(frozen=True, slots=True)
class StyleCalibration:
    """Thresholds of the rules. Origin: reference."""

    turns: int = 5
    """``STIL_ANALYSE_TURNS``: the speaker's last texts that count."""
    short_sentence: float = 8
    """Mean words per sentence below which sentences are short."""
    long_sentence: float = 15
    """Mean words per sentence above which sentences are long."""
    comma_share: float = 0.1
    """Commas per word above which there are many."""
    min_words: int = 3
    """Shares are judged only in texts of more words than this."""
    long_word: int = 10
    """Letters, attached punctuation included, above which a word is long."""
    long_word_share: float = 0.1
    min_capitals: int = 3
    """Length from which a word in capitals counts."""
    min_score: float = 1.5
    """Below it no style stands out."""
    clear_margin: float = 2.0
    """Lead over the second style below which the character's profile may decide."""


DEFAULT_STYLE: Final = StyleCalibration()


@dataclass(frozen=True, slots=True)
class RuleStyle:
    """What the rules recognised."""

    style: str
    """One of the canon; ``neutral`` if nothing stands out or there was nothing to read."""
    texts: int
    """Texts that were read; 0 = the style is no finding but the default."""


def character_hash(character: Character) -> CharacterHash | None:
    """The five layers under their stored keys; ``None`` if nothing was distilled yet."""
    if character.is_empty:
        return None
    return {
        "kern": character.core,
        "adaptiv": character.adaptive,
        "beziehungsprofil": character.relationship,
        "intentions_profil": character.intentions,
        "emotions_profil": character.emotions,
    }


def style_features(text: str, calibration: StyleCalibration = DEFAULT_STYLE) -> dict[RuleStyleName, float]:
    """Points of one text for each of the five styles; may be negative."""
    observed = {name: count for name, count in _observe(text, calibration).items() if count}
    return {
        style: float(sum(count * STYLE_SCORES[name][column] for name, count in observed.items()))
        for column, style in enumerate(STYLE_ORDER)
    }


def hash_style(character: CharacterHash) -> str:
    """The style at which a character's profile hints; ``neutral`` if none.

    Reads ``intentions_profil`` (if empty ``kommunikations_profil``) and ``kern``; null counts as empty.
    """
    profile = character.get("intentions_profil") or character.get("kommunikations_profil") or ""
    searched = f"{profile} {character.get('kern') or ''}".lower()
    for style, hints in STYLE_HINTS.items():
        if any(hint in searched for hint in hints):
            return style
    return NEUTRAL


def detect_style(
    turns: Sequence[TurnRecord],
    character: CharacterHash | None,
    *,
    role: str,
    calibration: StyleCalibration = DEFAULT_STYLE,
) -> RuleStyle:
    """The style of one speaker's last texts.

    Args:
        turns: stored turns of both speakers, oldest first.
        character: breaks a narrow decision; ``None`` = nothing known.
        role: whose style. It must be honoured: read from the other speaker's turns, Nova's style drifts.
        calibration: thresholds.
    """
    texts = [text for turn in turns if turn.get("rolle") == role and (text := turn.get("inhalt"))]
    texts = texts[-calibration.turns :]
    if not texts:
        return RuleStyle(NEUTRAL, 0)
    scores: dict[str, float] = dict.fromkeys(STYLE_ORDER, 0.0)
    for text in texts:
        for style, points in style_features(text, calibration).items():
            scores[style] += points
    return RuleStyle(_decide(scores, character, calibration), len(texts))


def _decide(
    scores: Mapping[str, float], character: CharacterHash | None, calibration: StyleCalibration
) -> str:
    first, second = sorted(scores, key=lambda style: scores[style], reverse=True)[:2]
    if scores[first] < calibration.min_score:
        return NEUTRAL
    if character is not None and scores[first] - scores[second] < calibration.clear_margin:
        hinted = hash_style(character)
        if scores.get(hinted, 0.0) > 0:
            return hinted
    return first


def _observe(text: str, calibration: StyleCalibration) -> dict[str, int]:
    """How often each observation of `STYLE_SCORES` holds."""
    lower = text.lower()
    tokens = frozenset(lower.split(" "))
    words = lower.split()
    mean_sentence = _mean_sentence_length(text)
    emoji = EMOJI.search(text) is not None
    slang = _markers(SLANG, tokens)
    abbreviations = _markers(ABBREVIATIONS, tokens) > 0
    return {
        "short_sentences": int(mean_sentence < calibration.short_sentence),
        "long_sentences": int(mean_sentence > calibration.long_sentence),
        "many_commas": int(_share(text.count(","), words, calibration) > calibration.comma_share),
        "full_punctuation": int("." in text and "," in text),
        "no_punctuation": int("." not in text and "," not in text),
        "exclamations": int(text.count("!") > 1),
        "emoji": int(emoji),
        "slang": slang,
        "courtesy": sum(marker in lower for marker in COURTESY),
        "long_words": int(
            _share(sum(len(word) > calibration.long_word for word in words), words, calibration)
            > calibration.long_word_share
        ),
        "interjections": int(_markers(INTERJECTIONS, tokens) > 0),
        "ellipsis": int("..." in text),
        "capitals": int(any(_is_shouted(word, calibration) for word in text.split())),
        "abbreviations": int(abbreviations),
        "conjunctives": int(_markers(CONJUNCTIVES, tokens) > 0),
        "plain": int(not (slang or emoji or abbreviations)),
    }


def _markers(markers: Sequence[str], tokens: frozenset[str]) -> int:
    """Distinct markers that stand between blanks; one followed by punctuation does not count."""
    return len(tokens.intersection(markers))


def _mean_sentence_length(text: str) -> float:
    lengths = [len(sentence.split()) for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    return sum(lengths) / len(lengths) if lengths else 0.0


def _share(count: int, words: Sequence[str], calibration: StyleCalibration) -> float:
    """Count per word; 0 in texts too short for a share."""
    return count / len(words) if len(words) > calibration.min_words else 0.0


def _is_shouted(word: str, calibration: StyleCalibration) -> bool:
    return word.isupper() and len(word) >= calibration.min_capitals
