"""What can be put on the canvas, as a list that can be searched: tensors and all operators of the table."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chalkgrad import ops as _filled  # noqa: F401 - fills the table
from chalkgrad.engine.record import OPS, Record
from chalkgrad.program.arguments import caller
from chalkgrad.program.names import narrow
from chalkgrad.text import Text, catalogue, render
from chalkgrad_app import fuzzy, pinyin

TENSOR = "tensor"
TENSOR_GRAD = "tensor-grad"
MIME = "application/x-chalkgrad-operator"
"""The format of a drag from the palette: a record's name, :data:`TENSOR` or :data:`TENSOR_GRAD`, as UTF-8."""

COMMON = (
    *("add", "sub", "mul", "div", "pow", "matmul", "neg", "sum", "exp", "log", "sin", "cos"),
    *("mean", "sqrt", "relu", "tanh", "sigmoid", "softmax", "reshape", "transpose", "detach", "clone"),
    *("mse_loss", "cross_entropy"),
)
"""What lessons use most."""

LANGUAGES = ("en", "zh_CN")
SECTION_WORDS = {
    "reduce": "reduction",
    "matrix": "linear algebra linalg 线性代数",
    "loss": "objective cost 损失函数 目标函数",
    "layer": "neural network 神经网络",
    "compare": "comparison",
    "index": "indexing slicing",
}
"""What the operators of a section are called besides its title."""
FUNCTIONAL = "torch.nn.functional."
TO_FIND = "求"
"""With what names in Chinese may begin or not: to find the average is the average."""
_MODULES = re.compile(r"^(torch\.nn\.functional\.|(torch\.)?linalg\.|torch\.|f\.|\.)")
PRODUCT = re.compile(r"(\d+\.?\d*)\s*([a-ce-z]\w*.*)|(\d+\.?\d*)(\(.*)", re.DOTALL)
"""A number before what it is to multiply, as in writing by hand; ``2d`` and ``1d`` are looked for as words."""
_SIGNS = str.maketrans("ΣΠ", "∑∏")
"""Capital letters that are typed for signs; in lower case they mean something else."""
SHORT = 2
"""Letters of a word that is looked for only whole, and beside others."""
NEAR, MOST_NEAR = 0.7, 4
"""How alike names are that are near each other (1: the same), and how many of them are offered."""
_WORDS = 3
"""Kind of a match with the sentence, in either language: after a word's beginning in the name, before its inside."""

_BY_LETTERS = fuzzy.LETTERS
"""Kinds up to here have what was typed in one piece, or its words."""
_HEARD = 1000
"""What is found as it sounds comes after what is found as it is written."""

Rank = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to place: a record's name, :data:`TENSOR`, a note ...; what a row shows of it, and what finds it.

    ``called`` is its name in words, where it has one. ``exact`` are its names and its symbol, ``phrases`` what it is
    called in words of English, ``words`` its names in words, sentences and section in both languages, in lower case.
    ``written`` is its name in code and ``icon`` its drawing, where they aren't those of an operator called ``name``.
    With ``only_found`` it isn't listed where nothing is typed.
    """

    name: str
    symbol: str
    called: str
    sentence: str
    section: str
    exact: frozenset[str]
    words: str
    phrases: frozenset[str] = frozenset()
    written: str = ""
    icon: str = ""
    only_found: bool = False

    @property
    def label(self) -> str:
        """Its name as PyTorch has it."""
        return self.written or label(self.name)

    @property
    def title(self) -> str:
        """What a screen reader says of it."""
        return "   ".join(text for text in (self.label, self.symbol, self.called, self.sentence) if text)


def label(name: str) -> str:
    """An operator's name as PyTorch has it: of two with one name the table knows one as that of ``functional``.

    Both kinds of leaves are tensors; a sign tells which of them requires a gradient.
    """
    if is_rare(name):
        record = OPS[name]
        spelled = (record.function or record.method or name).rpartition(".")[2]
        return name if spelled in OPS else spelled
    return TENSOR if name == TENSOR_GRAD else name.removeprefix("functional_")


def is_rare(name: str) -> bool:
    """True for an operator that the palette leaves out, though PyTorch has a name for it: it is found by that."""
    record = OPS.get(name)
    return record is not None and record.hidden and bool(record.function or record.method)


def section_key(section: str) -> str:
    """Key of a section's title in the message catalogues."""
    return f"section.{section.replace(' ', '-')}"


def entries(language: str) -> tuple[Entry, ...]:
    """The two tensors and every operator, in the order of the palette."""
    return _entries(language)


def rare_entries(language: str) -> tuple[Entry, ...]:
    """Every other operator with a name of PyTorch's, found by its names alone."""
    return _rare_entries(language)


def search(typed: str, language: str) -> list[Entry]:
    """Entries that ``typed`` finds, the best first."""
    return ranked(typed, [(entry, 0) for entry in entries(language)])


def ranked(typed: str, offered: Sequence[tuple[Entry, int]]) -> list[Entry]:
    """Of entries, each with the group it stands in, those that ``typed`` finds: the best first, then the first group.

    A name or a symbol typed whole comes first, then what begins with it, and words that do. Letters in that order find
    where nothing else does.
    """
    wanted = plain(typed)
    if not wanted:
        return [entry for entry, _ in sorted(offered, key=lambda pair: pair[1]) if not entry.only_found]
    spellings, letters = dict.fromkeys((wanted, spelled(wanted))), _in_their_order(wanted)
    found = [
        ((kind, group, spread), index, entry)
        for index, (entry, group) in enumerate(offered)
        if (entry.words or entry.called or any(map(letters, entry.exact)))  # of thousands of names most end here
        and (rank := _rank(entry, wanted, spellings)) is not None
        for kind, spread in (rank,)
    ]
    meant = [row for row in found if row[0][0] <= _BY_LETTERS] or found
    return [entry for _, _, entry in sorted(meant, key=lambda row: row[:2])]


def near(typed: str, offered: Sequence[tuple[Entry, int]] | None = None) -> list[Entry]:
    """Entries, of those offered or of all, with a name nearly like what was typed: the nearest first, few of them."""
    wanted = plain(typed)
    shown = entries("en") if offered is None else [entry for entry, _ in offered]
    names = {name: entry for entry in reversed(shown) for name in entry.exact if name.isascii()}
    found = difflib.get_close_matches(wanted, names, len(names), NEAR) if len(wanted) > SHORT else []
    return list(dict.fromkeys(names[name] for name in found))[:MOST_NEAR]


def function_of(module: str) -> str:
    """The function that does what a module of ``torch.nn`` does, as it is called; nothing where none is called so.

    ``nn.ReLU`` is ``F.relu``, ``nn.MSELoss`` ``F.mse_loss``, ``nn.BatchNorm1d`` ``F.batch_norm``.
    """
    wanted = module.rpartition(".")[2].casefold()
    for name in (wanted, wanted.removesuffix("loss"), wanted.rstrip("123d")):
        for record in OPS.values():
            function = caller(record.name).function or ""
            if function.rpartition(".")[2].replace("_", "") == name and function.startswith(FUNCTIONAL):
                return f"F.{function.removeprefix(FUNCTIONAL)}"
        for record in OPS.values():
            function = caller(record.name).function or ""
            if function.replace("_", "") == f"torch.{name}":
                return function
    return ""


def plain(typed: str) -> str:
    """What was typed, as it is looked up: half-width, in lower case, without the module."""
    if typed.isascii() and typed.isidentifier():  # as nearly all names are
        return typed.lower()
    text = " ".join(narrow(typed).translate(_SIGNS).casefold().split())
    return _MODULES.sub("", text) or text


def spelled(wanted: str) -> str:
    """What was typed with space or hyphens between words, as PyTorch writes its names: ``no grad`` is ``no_grad``."""
    return re.sub(r"(?<=[a-z0-9])[ -](?=[a-z])", "_", wanted)


def signature(name: str) -> str:
    """How an operator is called: ``torch.sum(input, dim=None, keepdim=False)``."""
    record, public = OPS[name], caller(name)
    inputs = {"input" if source == "self" else source: source in record.optional for source in record.inputs}
    given = {source: f"{source}=None" if is_optional else source for source, is_optional in inputs.items()}
    given |= {a.name: a.name if a.required else f"{a.name}={a.default}" for a in record.attributes}
    shown = _in_order(record, given)
    if public.function:
        return f"{public.function}({', '.join(shown)})"
    return f"{shown[0]}.{public.method or name}({', '.join(shown[1:])})" if inputs else name


def _in_order(record: Record, given: dict[str, str]) -> list[str]:
    """Arguments in the order of the first of PyTorch's calls that takes them all, and those with a default last."""
    for line in record.signatures:
        by_place = re.findall(r" ([a-z]\w*)(?=[=,)])", line.split(" *,")[0])
        all_names = re.findall(r" ([a-z]\w*)(?=[=,)])", line)
        shown = [given[name] for name in sorted(given, key=lambda name: _place(by_place, name))]
        if given.keys() <= set(all_names) and shown == sorted(shown, key=lambda word: "=" in word):
            return shown
    return list(given.values())


def _place(names: list[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


def are_numbers(text: str) -> bool:
    """True for one number or several, written with commas or space between them."""
    return re.fullmatch(r"[-+]?[\d.][\d.eE]*(?:[\s,]+[-+]?[\d.][\d.eE]*)*,?", text) is not None


def is_expression(typed: str) -> bool:
    """True for text to be read as an expression rather than looked up: ``y = a * b``, ``exp(x)``, ``2 * w``, ``3``."""
    text = narrow(typed).strip()
    if are_numbers(text):
        return True
    is_built = re.search(r"\w", text) and (re.search(r"[=()+*/@\-.\n\[^<>%&|~]", text) or PRODUCT.match(text))
    return bool(is_built) and not _names_one(text)


def _names_one(text: str) -> bool:
    wanted = plain(text)
    return any(wanted in entry.exact for entry in (*_entries("en"), *_rare_entries("en")))


def _in_their_order(wanted: str) -> Callable[[str], object]:
    """What is true of a name that has the letters of ``wanted`` in their order: no other one is meant by it."""
    letters = [re.escape(letter) for letter in wanted if letter not in " -_"]  # which may be spelled otherwise
    rest = (f"[^{letter}]*{letter}" for letter in letters[1:])
    return re.compile("".join((*letters[:1], *rest))).search


def _rank(entry: Entry, wanted: str, spellings: Iterable[str]) -> Rank | None:
    """How well an entry is meant, the smaller the better; None where it isn't."""
    found = min(filter(None, (*(_named(entry, one) for one in spellings), _phrased(entry, wanted))), default=None)
    heard = pinyin.best(wanted, (entry.called,)) if entry.called else None
    if heard is not None and (found is None or heard[0] < found[0]):
        return heard[0], _HEARD + heard[1]
    kind, spread = found if found is not None else (fuzzy.LETTERS + 3, 0)
    if kind <= fuzzy.WORD_START:
        return kind, spread
    if entry.words and _in_words(entry.words, wanted):
        return _WORDS, 0
    return (kind + 1, spread) if found is not None else None


def _named(entry: Entry, wanted: str) -> Rank | None:
    """How well it is found by its names. In Chinese no gaps tell where words begin: the shortest name is meant most."""
    found = fuzzy.best(wanted, entry.exact)
    if wanted.isascii() or found is None or found[0] not in (fuzzy.PREFIX, fuzzy.WORD_START):
        return found
    return fuzzy.PREFIX, min(len(name) for name in entry.exact if wanted in name)


def _phrased(entry: Entry, wanted: str) -> Rank | None:
    """How well it is found by what it is called in words: those begin with what was typed, or a word in them does."""
    found = fuzzy.best(wanted, entry.phrases) if entry.phrases and len(wanted) > SHORT else None
    return found if found is not None and found[0] <= fuzzy.WORD_START else None


def _in_words(words: str, wanted: str) -> bool:
    """True when each word typed begins a word of the sentences; Chinese may stand anywhere.

    What has a letter or two says something only beside longer words: add up, element by element.
    """
    parts = wanted.split()
    if wanted.isascii() and all(len(part) <= SHORT for part in parts):
        return False
    return all(part in words if not part.isascii() else _begins_one(part, words) for part in parts)


def _begins_one(part: str, words: str) -> bool:
    """True when it begins one of the words; a short one has to be one of them."""
    ends = r"\b" if len(part) <= SHORT else ""
    return re.search(rf"\b{re.escape(part)}{ends}", words) is not None


@lru_cache(maxsize=4)
def _entries(language: str) -> tuple[Entry, ...]:
    shown = [record for record in OPS.values() if not record.hidden]
    return (*_tensors(), *(_entry(record, language) for record in shown))


@lru_cache(maxsize=4)
def _rare_entries(language: str) -> tuple[Entry, ...]:
    """Without sentences: what these do is said by what they are called."""
    shown = [record for record in OPS.values() if is_rare(record.name)]
    sections = {name: render(Text(section_key(name)), language) for name in {record.section for record in shown}}
    return tuple(_entry_of(record, language, sections[record.section]) for record in shown)


def _tensors() -> tuple[Entry, Entry]:
    words = "tensor leaf 张量 叶子节点"
    grad = frozenset({"tensor ∇", "requires_grad", "parameter"})
    return (
        Entry(TENSOR, "", "", "torch.tensor([1.])", "", frozenset({"tensor", "leaf"}), words),
        Entry(TENSOR_GRAD, "∇", "", "torch.tensor([1.], requires_grad=True)", "", grad, f"{words} grad 梯度"),
    )


def _entry(record: Record, language: str) -> Entry:
    keys = (record.text_key, section_key(record.section))
    sentences = [render(Text(key), code) for code in LANGUAGES for key in keys]
    sentence, section = (render(Text(key), language) for key in keys)
    return _entry_of(record, language, section, sentence, sentences)


def _entry_of(record: Record, language: str, section: str, sentence: str = "", sentences: Sequence[str] = ()) -> Entry:
    called = [catalogue(code).get(f"name.{record.name}", "") for code in LANGUAGES]
    words = " ".join([*called, *sentences]).casefold()
    words = f"{words} {SECTION_WORDS.get(record.section, '')}"
    words = f"{words} {' '.join(re.findall(r'[a-z]+-[a-z]+', words)).replace('-', '')}"  # inplace finds in-place
    own = called[LANGUAGES.index(language)] if language in LANGUAGES else called[0]
    chinese = [plain(name) for name in called if name and not name.isascii()]
    chinese += [part.removeprefix(TO_FIND) for name in chinese for part in name.split() if not part.isascii()]
    phrases = frozenset(plain(name) for name in called if name.isascii() and name)
    names = _names(record).union(chinese)
    return Entry(record.name, record.symbol or "", own, sentence, section, names, words, phrases)


def _names(record: Record) -> frozenset[str]:
    """Every name and symbol it is known by, without modules."""
    public = caller(record.name)
    spellings: Iterable[str | None] = (record.name, public.function, public.method, record.symbol, *record.aliases)
    return frozenset(plain(text) for text in (*spellings, *record.said) if text)
