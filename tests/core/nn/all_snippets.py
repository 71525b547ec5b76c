"""All snippets about modules, by subject."""

from __future__ import annotations

from core.nn import (
    adaptive_snippets,
    attention_snippets,
    fractional_snippets,
    hook_snippets,
    init_snippets,
    layer_snippets,
    lazy_snippets,
    loader_snippets,
    parametrize_snippets,
    pooling_snippets,
    recurrent_snippets,
    sequence_snippets,
    snippets,
)

SUBJECTS = (
    snippets,
    attention_snippets,
    hook_snippets,
    layer_snippets,
    lazy_snippets,
    parametrize_snippets,
    sequence_snippets,
    pooling_snippets,
    adaptive_snippets,
    fractional_snippets,
    init_snippets,
    loader_snippets,
    recurrent_snippets,
)

SNIPPETS = [snippet for subject in SUBJECTS for snippet in subject.SNIPPETS]
