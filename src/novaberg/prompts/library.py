"""Prompt blocks: ``<language>/<node>.<block>.md``, overridden by ``models/<model name>/<language>/<node>.<block>.md``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template

from novaberg.errors import SettingsError
from novaberg.language import LANGUAGES, Language

_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class PromptLibrary:
    """All prompt texts of the program, loaded once."""

    texts: Mapping[Language, Mapping[str, str]]
    """Language → ``node.block`` → text."""
    overrides: Mapping[str, Mapping[Language, Mapping[str, str]]]
    """Name of the model that answers → language → ``node.block`` → text."""

    def block(self, key: str, *, language: Language, model: str = "", **values: object) -> str:
        """The text of block ``key`` with its ``$placeholders`` filled.

        Args:
            key: ``node.block``, like ``perzeption.rules``.
            model: ``provider:name`` of the model that answers; the part behind the colon chooses the override. Keyed
                by the model and not by the way to it, else the override is silently never loaded (spec 02 §8 no. 13).
            values: what the placeholders stand for.

        Raises:
            KeyError: there is no such block, or a placeholder has no value; both are programming errors.
        """
        override = self.overrides.get(model.partition(":")[2] or model, {}).get(language, {})
        text = override[key] if key in override else self.texts[language][key]
        return Template(text).substitute({name: str(value) for name, value in values.items()})


def load_prompts() -> PromptLibrary:
    """Read every prompt file of the package.

    Raises:
        SettingsError: a language lacks a block that another one has; the installation is damaged.
    """
    root = files(__name__.rpartition(".")[0])
    texts = {language: _read(root / language) for language in LANGUAGES}
    every_key = set().union(*texts.values())
    for language, blocks in texts.items():
        if missing := sorted(every_key - set(blocks)):
            raise SettingsError(
                f"Prompt files are missing for {language}: {', '.join(missing)}. Reinstall Novaberg."
            )
    overrides = {
        model.name: {language: _read(model / language) for language in LANGUAGES}
        for model in (root / "models").iterdir()
        if model.is_dir()
    }
    return PromptLibrary(texts=texts, overrides=overrides)


def _read(folder: Traversable) -> dict[str, str]:
    return {
        entry.name.removesuffix(_SUFFIX): entry.read_text(encoding="utf-8").strip()
        for entry in folder.iterdir()
        if entry.name.endswith(_SUFFIX)
    }
