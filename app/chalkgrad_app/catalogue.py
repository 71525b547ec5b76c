"""What can be put on the canvas, as a list that can be searched: tensors and all operators of the table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from chalkgrad import ops as _filled  # noqa: F401 - fills the table
from chalkgrad.engine.record import OPS, Record
from chalkgrad.program.arguments import caller
from chalkgrad.program.names import narrow
from chalkgrad.text import Text, render

TENSOR = "tensor"
TENSOR_GRAD = "tensor-grad"
MIME = "application/x-chalkgrad-operator"
"""The format of a drag from the palette: a record's name, :data:`TENSOR` or :data:`TENSOR_GRAD`, as UTF-8."""

LANGUAGES = ("en", "zh_CN")
NO_RANK = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to place: a record's name or :data:`TENSOR`, :data:`TENSOR_GRAD`; its title, and what finds it."""

    name: str
    title: str
    words: str
    exact: frozenset[str]


def section_key(section: str) -> str:
    """Key of a section's title in the message catalogues."""
    return f"section.{section.replace(' ', '-')}"


def entries(language: str, follows_tensor: bool = False) -> tuple[Entry, ...]:
    """Everything that can be placed, in the order of the palette; only what reads a tensor if ``follows_tensor``."""
    found = _entries(language)
    if not follows_tensor:
        return found
    return tuple(entry for entry in found if entry.name in OPS and OPS[entry.name].inputs)


def search(typed: str, language: str, follows_tensor: bool = False) -> list[Entry]:
    """Entries that ``typed`` finds: exact names and symbols first, then beginnings, then words anywhere."""
    wanted = narrow(typed).strip().casefold()
    everything = entries(language, follows_tensor)
    if not wanted:
        return list(everything)
    ranked = [
        (rank, index, entry) for index, entry in enumerate(everything) if (rank := _rank(entry, wanted)) < NO_RANK
    ]
    return [entry for _, _, entry in sorted(ranked, key=lambda found: found[:2])]


def is_expression(typed: str) -> bool:
    """True for text that is to be read as an expression rather than looked up: ``y = a * b``, ``exp(x)``, ``2 * w``."""
    text = narrow(typed).strip()
    return bool(re.search(r"\w", text)) and bool(re.search(r"[=()+*/@\-.]|\w\s+\w", text)) and not _names_one(text)


def _names_one(text: str) -> bool:
    wanted = text.casefold()
    return any(wanted in entry.exact for entry in _entries("en"))


def _rank(entry: Entry, wanted: str) -> int:
    if wanted in entry.exact:
        return 0
    if any(word.startswith(wanted) for word in entry.exact):
        return 1
    if any(word.startswith(wanted) for word in entry.words.split()):
        return 2
    return 3 if wanted in entry.words and (len(wanted) > 2 or not wanted.isascii()) else NO_RANK


@lru_cache(maxsize=4)
def _entries(language: str) -> tuple[Entry, ...]:
    tensors = (
        Entry(TENSOR, "tensor", "tensor leaf 张量 叶子节点", frozenset({"tensor", "torch.tensor"})),
        Entry(TENSOR_GRAD, "tensor ∇", "tensor grad leaf 张量 叶子节点 梯度", frozenset({"tensor ∇", "requires_grad"})),
    )
    shown = [record for record in OPS.values() if not record.hidden]
    return (*tensors, *(_entry(record, language) for record in shown))


def _entry(record: Record, language: str) -> Entry:
    public = caller(record.name)
    spellings = [text for text in (record.name, public.function, public.method, record.symbol) if text]
    exact = frozenset(text.casefold() for text in (*spellings, *record.aliases))
    keys = (record.text_key, section_key(record.section))
    sentences = [render(Text(key), code) for code in LANGUAGES for key in keys]
    title = f"{record.name}   {record.symbol}" if record.symbol else record.name
    sentence = render(Text(record.text_key), language)
    return Entry(record.name, f"{title}   {sentence}", " ".join([*exact, *sentences]).casefold(), exact)
