"""Prompt texts as files, and the library that hands them out."""

from novaberg.prompts.library import PromptLibrary, load_prompts

__all__ = ["PromptLibrary", "load_prompts"]
