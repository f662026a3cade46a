"""Prompt texts: complete in both languages, and faithful to the canons (spec 02 §3.19, spec 05 §3.19)."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

import pytest

from novaberg.errors import SettingsError
from novaberg.language import LANGUAGES, Language
from novaberg.prompts import load_prompts
from novaberg.vocabulary import (
    DYNAMIC_CANON,
    EMOTION_CANON,
    INTENT_CANON,
    MODE_CANON,
    STYLE_CANON,
    TONE_CANON,
)

LIBRARY = load_prompts()
TASKS = ("perzeption.task", "perzeption.assistant_task")
OFFERED = {
    "intent": INTENT_CANON,
    "tone": TONE_CANON,
    "emotion": EMOTION_CANON,
    "modus": MODE_CANON,
    "sprach_stil": STYLE_CANON,
    "beziehungs_dynamik": DYNAMIC_CANON,
}


def placeholders(text: str) -> set[str]:
    return set(Template(text).get_identifiers())


def section(task: str, field: str) -> str:
    """The part of a task block that explains one field."""
    (found,) = re.findall(rf"^## {field} .*?(?=^## |\Z)", task, re.MULTILINE | re.DOTALL)
    return str(found)


def offered(task: str, field: str) -> list[str]:
    return re.findall(r"^- `(\w+)`: \S", section(task, field), re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("field", OFFERED)
def test_a_task_block_explains_exactly_the_values_of_the_canon(
    task: str, field: str, language: Language
) -> None:
    """B-020, B-048, B-051: each value once, with an explanation; nothing else. ``kreativ`` once stood in no turn at
    all because the modes were merely listed."""
    values = offered(LIBRARY.texts[language][task], field)
    assert len(values) == len(set(values))
    assert set(values) == set(OFFERED[field])


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_task_blocks_demand_the_same_json(language: Language) -> None:
    """B-083, B-084."""
    forms = {
        tuple(re.findall(r'^\{"rational".*$', LIBRARY.texts[language][task], re.MULTILINE)) for task in TASKS
    }
    assert len(forms) == 1
    (form,) = next(iter(forms))
    for key in ("rational", "emotional", "psychologisch", *OFFERED, "thema", "arousal"):
        assert f'"{key}"' in form


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_the_bands_of_arousal_stand_in_the_task(task: str, language: Language) -> None:
    """B-023."""
    text = section(LIBRARY.texts[language][task], "arousal")
    assert [float(number) for number in re.findall(r"\d\.\d", text)] == [
        *(0.0, 1.0),
        *(0.7, 1.0, 0.4, 0.6, 0.1, 0.3, 0.0),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_assistant_task_is_about_novas_words(language: Language) -> None:
    """B-085: every field describes Nova's wording, not the user's."""
    own, user = (LIBRARY.texts[language][task] for task in reversed(TASKS))
    assert own.partition("\n")[0].count("Nova") >= 2
    assert "Nova" not in user


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_forbid_reading_the_history(language: Language) -> None:
    """B-058: only the current text."""
    rules = LIBRARY.block("perzeption.rules", language=language)
    assert {"de": "nicht den Verlauf", "en": "not the history"}[language] in rules


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_context_says_what_it_is_for_and_that_higher_numbers_are_newer(language: Language) -> None:
    """B-060."""
    context = LIBRARY.texts[language]["perzeption.context"]
    for word in {
        "de": ("Fürwörter", "Gefühl", "Thema", "Höhere"),
        "en": ("pronouns", "feeling", "topic", "Higher"),
    }[language]:
        assert word in context


def test_every_language_has_the_same_blocks_with_the_same_placeholders() -> None:
    """Design §6.7: German and English complete."""
    shapes = [
        {key: placeholders(text) for key, text in LIBRARY.texts[language].items()} for language in LANGUAGES
    ]
    assert shapes[0] == shapes[1]
    assert all(text for language in LANGUAGES for text in LIBRARY.texts[language].values())


def test_the_override_is_chosen_by_the_model_that_answers() -> None:
    """B-059: keyed by model, not by the way to it, else it is silently never loaded."""
    general = LIBRARY.block("perzeption.rules", language="de", model="ollama:qwen36")
    special = LIBRARY.block("perzeption.rules", language="de", model="ollama:gemma4-gpu")
    assert special != general
    assert special == LIBRARY.block("perzeption.rules", language="de", model="openai:gemma4-gpu")
    assert special == LIBRARY.block("perzeption.rules", language="de", model="gemma4-gpu")
    assert general == LIBRARY.block("perzeption.rules", language="de", model="gemma4-gpu:qwen36")


def test_overrides_replace_existing_blocks_in_every_language_and_no_task() -> None:
    """B-059: the task blocks have no override; a misspelt file would never be found."""
    assert set(LIBRARY.overrides) == {"gemma4-gpu"}
    for texts in LIBRARY.overrides.values():
        keys = {frozenset(blocks) for blocks in texts.values()}
        assert set(texts) == set(LANGUAGES)
        assert len(keys) == 1
        for key in next(iter(keys)):
            assert key in LIBRARY.texts["de"]
            assert key not in TASKS


def test_what_a_person_wrote_is_not_read_as_a_placeholder() -> None:
    """Design §6.4: memory is data."""
    text = "Kostet $today 5 $ und ${name}?"
    assert text in LIBRARY.block("salienz.objekt", language="de", text=text)


def test_an_unknown_block_and_a_missing_value_are_programming_errors() -> None:
    with pytest.raises(KeyError):
        LIBRARY.block("perzeption.nichts", language="de")
    with pytest.raises(KeyError):
        LIBRARY.block("perzeption.identity", language="de")


def test_a_block_that_only_one_language_has_is_a_damaged_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told at the start and by name, not by a failure in the middle of a turn."""
    for folder in ("de", "en", "models"):
        (tmp_path / folder).mkdir()
    (tmp_path / "de" / "responder.rolle.md").write_text("Du bist Nova.", encoding="utf-8")
    monkeypatch.setattr("novaberg.prompts.library.files", lambda _package: tmp_path)
    with pytest.raises(SettingsError, match=r"for en: responder\.rolle"):
        load_prompts()
