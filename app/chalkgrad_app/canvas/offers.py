"""What quick-add offers, and in which order: first what fits where it was opened, and what was placed last."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import NamedTuple

from chalkgrad.engine.record import OPS, Record
from chalkgrad.program import names
from chalkgrad.program.known import Known
from chalkgrad.program.program import Program
from chalkgrad.program.shapes import is_refused
from chalkgrad.program.statement import Empty, Ref
from chalkgrad.program.vocabulary import LIKE
from chalkgrad.session.state import State
from chalkgrad_app import catalogue, settings
from chalkgrad_app.canvas import acts, known_names
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.catalogue import COMMON, TENSOR, TENSOR_GRAD, Entry
from chalkgrad_app.editors.leaves import CONSTRUCTORS
from chalkgrad_app.i18n import translate

NOTE = "note"
INDEX = "indexing"
"""What is typed on as an expression once it is chosen: no operator is called so."""
NEW = "new tensor"
SHORT_NAME = re.compile(r"[A-Za-z]\d*", re.ASCII)
"""What lessons call tensors: no operator is meant by it unless it is its name."""
ALWAYS, USED, COMMONLY, FITTING, OTHERS, RARE, REFUSED = range(7)
"""Groups in the order in which they are listed."""
LATE = frozenset({*CONSTRUCTORS, *LIKE, *acts.ACTS})
"""What comes after the operators."""


class Purpose(Enum):
    """What is to become of the thing chosen."""

    PLACE = auto()  # put on the canvas, wired to what is selected
    FOLLOW = auto()  # read the tensor of a wire that was let go
    FEED = auto()  # make what an input port shall read
    INSERT = auto()  # stand in a wire
    CHANGE = auto()  # take the place of the operators of cards


EXACTLY = (Purpose.INSERT, Purpose.CHANGE)
"""Where what is there should suffice for an operator; elsewhere it may need one tensor more."""


class Request(NamedTuple):
    """What quick-add is asked for: the tensors to be read, the port to be fed, the cards to be changed."""

    purpose: Purpose = Purpose.PLACE
    sources: tuple[Ref, ...] = ()
    plug: Plug | None = None
    ids: tuple[int, ...] = ()


def offered(request: Request, program: Program, state: State, language: str) -> list[tuple[Entry, int]]:
    """What can be chosen, each with its group; within a group as it is to be listed."""
    recent = settings.recent_operators()
    order = {name: index for index, name in enumerate([*recent, *COMMON])}
    count = _count(request, program)
    known = tuple(fact for ref in request.sources if (fact := _known(program, state, ref)) is not None)
    of_cards = {program[id_].call for id_ in request.ids} if request.purpose is Purpose.CHANGE else set()
    present = of_cards if len(of_cards) == 1 else set()
    offers = (*catalogue.entries(language), *catalogue.rare_entries(language))
    found = [
        (_with_loss(entry, request, program), _group(entry, request, count, known, recent, present))
        for entry in (*offers, *_constructors(), _note(), *acts.entries())
        if _is_possible(entry.name, request.purpose)
    ]
    if request.purpose in (Purpose.PLACE, Purpose.FOLLOW):
        found += [(entry, OTHERS) for entry in _indexing(request.sources, program)]
    if request.purpose in (Purpose.PLACE, Purpose.FEED):
        found += [(entry, OTHERS) for entry in known_names.entries(program, request.plug is not None)]
    return sorted(found, key=lambda pair: (pair[1], order.get(pair[0].name, len(order))))


def with_new(typed: str, found: Sequence[Entry], request: Request) -> list[Entry]:
    """What was ``found``, and first of all a new tensor, where a name is typed that is short and that nothing has."""
    name = names.narrow(typed).strip()
    wanted, possible = catalogue.plain(name), request.purpose in (Purpose.PLACE, Purpose.FEED)
    if not possible or not SHORT_NAME.fullmatch(name) or any(wanted in entry.exact for entry in found):
        return list(found)
    sentence = translate("Offers", "A new tensor of this name")
    return [Entry(NEW, "", "", sentence, "", frozenset({wanted}), "", written=name, icon="tensor"), *found]


def _with_loss(entry: Entry, request: Request, program: Program) -> Entry:
    """The entry of an operator that has fewer ports than the card to be changed has inputs says so."""
    record = OPS.get(entry.name)
    if request.purpose is not Purpose.CHANGE or record is None or record.inputs == ("tensors",):
        return entry
    lost = max(_given(program, id_) for id_ in request.ids) - len(record.inputs)
    if lost <= 0:
        return entry
    said = translate("Offers", "loses an input")
    if lost > 1:
        said = translate("Offers", "loses {count} inputs").format(count=lost)
    return replace(entry, section=said, sentence=f"{entry.sentence} ({said})")


def _given(program: Program, id_: int) -> int:
    """How many inputs of a card are tensors or numbers."""
    return len([operand for operand in program[id_].ports() if operand is not None and not isinstance(operand, Empty)])


def _is_possible(name: str, purpose: Purpose) -> bool:
    """True for what can serve a purpose at all."""
    record = OPS.get(name)
    if record is None:
        made = (TENSOR, TENSOR_GRAD, *CONSTRUCTORS, *LIKE)
        follows = purpose is Purpose.FOLLOW and name in LIKE
        return purpose is Purpose.PLACE or follows or (purpose is Purpose.FEED and name in made)
    if purpose is Purpose.FOLLOW:
        return bool(record.inputs)
    if purpose is Purpose.INSERT:
        return bool(record.inputs) and not record.writes
    return purpose is Purpose.PLACE or not record.writes


def _group(
    entry: Entry,
    request: Request,
    count: int | None,
    known: tuple[Known, ...],
    recent: Sequence[str],
    present: Collection[str],
) -> int:
    record = OPS.get(entry.name)
    if record is None:
        # Where wires wait for something to read them, what reads nothing comes last.
        is_late = (request.sources and request.purpose is Purpose.PLACE) or entry.name in LATE
        return OTHERS if is_late else ALWAYS
    if record.name in present:  # to change it into what it is changes nothing
        return REFUSED
    if known and is_refused(record.name, known[: len(record.inputs)]):
        return REFUSED
    if record.hidden and record.name not in recent:
        return RARE
    if count is not None and not _takes(record, count, exactly=count > 1 or request.purpose in EXACTLY):
        return OTHERS
    if record.name in recent:
        return USED
    if record.name in COMMON:
        return COMMONLY
    return FITTING if count is None or _takes(record, count, exactly=True) else OTHERS


def _takes(record: Record, count: int, exactly: bool) -> bool:
    """True for an operator that so many tensors suffice for; without ``exactly`` it may need another one besides."""
    if record.inputs == ("tensors",):
        return True
    needed = len([name for name in record.inputs if name not in record.optional])
    most = len(record.inputs)
    return needed <= count + (0 if exactly else 1) and count <= most


def _count(request: Request, program: Program) -> int | None:
    """How many tensors there are for the operator to read; None when that says nothing."""
    if request.purpose is Purpose.CHANGE:
        return _given(program, request.ids[0]) or len(program[request.ids[0]].ports())
    if request.purpose is Purpose.INSERT:
        return 1
    return len(request.sources) or None


def _known(program: Program, state: State, ref: Ref) -> Known | None:
    """Shape and dtype of a tensor at the cursor, as far as the state has it."""
    made = program.maker(ref)
    tensor = state.tensor(made.statement, made.output)
    if tensor is not None and "grad" in made.path:
        tensor = tensor.grad
    return None if tensor is None else Known(tensor.shape, tensor.dtype)


def _constructors() -> tuple[Entry, ...]:
    """The functions that make a tensor of a size, beside those of its numbers."""
    sentences = {
        "zeros": (translate("Offers", "A tensor of zeros"), "zero 零 全零"),
        "ones": (translate("Offers", "A tensor of ones"), "one 一 全一"),
        "full": (translate("Offers", "A tensor of one number, again and again"), "fill 填充"),
        "eye": (translate("Offers", "A matrix with ones on its diagonal"), "identity matrix 单位矩阵"),
        "arange": (translate("Offers", "Numbers from a start to an end, step by step"), "range 序列"),
        "linspace": (translate("Offers", "So many numbers from a start to an end"), "range 序列 等分"),
        "rand": (translate("Offers", "Random numbers from 0 to 1"), "uniform 随机 均匀"),
        "randn": (translate("Offers", "Random numbers, normally distributed"), "gaussian 随机 正态"),
        "randint": (translate("Offers", "Random whole numbers"), "random integers 随机 整数"),
        "randperm": (translate("Offers", "The whole numbers below one, in random order"), "shuffle 随机 排列 打乱"),
        "empty": (
            translate("Offers", "A tensor whose numbers nobody has set"),
            "uninitialised uninitialized 空 未初始化",
        ),
    }
    made = [_constructor(name, said, words, name) for name, (said, words) in sentences.items()]
    like = translate("Offers", "The same in the shape of a tensor")
    return (*made, *(_constructor(name, like, "shape like 形状 同形", name.removesuffix("_like")) for name in LIKE))


def _constructor(name: str, said: str, words: str, icon: str) -> Entry:
    known = f"{said} {words} tensor leaf 张量".casefold()
    names = frozenset({name, *(word for word in words.split() if not word.isascii())})
    return Entry(name, "", "", said, "", names, known, icon=icon)


def _indexing(sources: Sequence[Ref], program: Program) -> list[Entry]:
    """Square brackets behind the tensor that is to be read, else behind the last one that has a name."""
    ref = sources[0] if sources else None
    name = next((name for name, at in reversed([*program.bindings.items()]) if ref in (None, at)), None)
    if name is None:
        return []
    sentence = translate("Offers", "Take a part out: a number, start:end, a mask ... between the brackets")
    words = {"[", "[]", "index", "indexing", "slice", "slicing", "getitem", "索引", "切片", "下标"}
    known = f"{sentence} {' '.join(sorted(words))}".casefold()
    return [Entry(INDEX, "", "", sentence, "", frozenset(words), known, written=f"{name}[0]", icon="section-index")]


def _note() -> Entry:
    words = "note text comment 便签 笔记 注释 文字"
    sentence = translate("Offers", "A note with text and formulas")
    return Entry(NOTE, "", translate("Offers", "Note"), sentence, "", frozenset({NOTE, "comment"}), words)
