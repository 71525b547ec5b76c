"""Running a program line by line on PyTorch or on ours, and what can be seen of its tensors after each line."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
from support.accidents import correlates_equals, gelu_of_infinity, turns_far, zero_instead_of_nan
from support.sensitive import moves_as_far
from support.values import (
    adds_what_it_writes,
    any_cancelled,
    any_nan,
    any_rounded,
    any_singular,
    asked,
    asks_for_sign,
    factorises_nan,
    fit,
    has_twice,
    hopeless,
    inverse_of_nearly_1,
    is_single,
    jumps_when_rounded,
    left_of_terms,
    left_to_rounding,
    lies_in_more,
    logarithm_of_nearly_0,
    masks_apart,
    named_values,
    nans_apart,
    nearly_singular,
    normalised_nearly,
    numbers,
    of_one_observation,
    parted_by_growth,
    reads_out_otherwise,
    reads_what_it_writes,
    root_of_nearly_0,
    rounded_apart,
    same,
    shares_with_out,
    solved_as_badly,
    solved_singular,
    spanned,
    sum_of_a_series,
    went_through_sgn,
    writes_over_cancelled,
    zeros_signed_apart,
)

from chalkgrad.engine.base import state

NODES = 40
"""How many nodes of a backward graph are looked at."""


@dataclass(frozen=True)
class Difference:
    """Where a program behaves differently: the line, what is different, both sides, and what both raised before."""

    line: str
    what: str
    ours: str
    theirs: str
    raised: str | None = None

    @property
    def signature(self) -> str:
        """The same for differences that are alike: no names of variables and no numbers."""
        errors = (self.ours, self.theirs) if self.what.startswith("error") else (self.raised,)
        parts = (self.what, call_of(self.line), *(text for text in errors if text is not None))
        return re.sub(r"0x[0-9a-f]+|\bv\d+\b|-?\d+(\.\d+)?(e-?\d+)?", "#", " | ".join(parts))

    def __str__(self) -> str:
        return f"at {self.line!r}: {self.what} is {self.ours} instead of {self.theirs}"


def call_of(line: str) -> str:
    """The names that a line calls, and whether it says ``rcond=`` or ``out=``, or even writes so what it reads."""
    names = re.findall(r"\.([A-Za-z_]\w*)|\s([-+*/@]=?|\*\*)\s|\b((?:out|rcond)=)", line)
    words = ["".join(found) for found in names]
    out = re.search(r"\bout=(v\d+)", line)
    if out and len(re.findall(rf"\b{out[1]}\b", line)) > 1:
        words.append("read")
    if re.search(r"\blstsq\(v\d+, v\d+, (?!\w+=)", line):
        words.append("rcond=")
    return " ".join(word for word in words if word not in ("torch", "nn", "functional"))


class Run:
    """One program on one side."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.seen: list[Any] = []
        self.went: list[str] = []
        self.names: dict[str, Any] = {"torch": module, "note": self.note, "one": self.one, "fit": fit}

    def note(self, *values: Any) -> None:
        """What hooks call: keeps what they were given."""
        for value in values:
            if isinstance(value, tuple):
                self.note(*value)
            else:
                self.seen.append(numbers(value) if isinstance(value, self.module.Tensor) else value)

    def one(self, result: Any, number: int = 0) -> Any:
        """A tensor out of a result that may be a tuple."""
        self.seen.append((type(result).__name__, len(result) if isinstance(result, tuple) else None))
        return result[number % len(result)] if isinstance(result, (tuple, list)) and result else result

    def line(self, line: str) -> tuple[str | None, list[str]]:
        """Run one line; what it raised and warned of."""
        self.went.append(line)
        state.warned = set()
        error = None
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                exec(line, self.names)
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
        return error, plain_warnings(heard)

    @property
    def variables(self) -> dict[str, Any]:
        """The program's tensors."""
        return {name: value for name, value in self.names.items() if re.fullmatch(r"v\d+", name)}


def plain_warnings(heard: Sequence[Any]) -> list[str]:
    """The texts of warnings, without where they come from; that something is in beta PyTorch says once."""
    texts = [str(entry.message).partition(" (Triggered internally")[0] for entry in heard]
    return [text for place, text in enumerate(texts) if "in beta" not in text or text not in texts[:place]]


def flags(tensor: Any) -> dict[str, Any]:
    """All that is quickly seen of a tensor."""
    grad = asked(lambda: tensor.grad) if tensor.requires_grad or tensor.is_leaf is True else None
    return {
        "value": asked(lambda: numbers(tensor)),
        "dtype": str(tensor.dtype),
        "shape": tuple(tensor.shape),
        "stride": tuple(tensor.stride()) if tensor.numel() else (),
        "storage_offset": tensor.storage_offset(),
        "requires_grad": tensor.requires_grad,
        "grad_fn": asked(lambda: None if tensor.grad_fn is None else tensor.grad_fn.name()),
        "is_leaf": asked(lambda: tensor.is_leaf),
        "version": asked(lambda: tensor._version),
        "retains_grad": asked(lambda: tensor.retains_grad),
        "is view": tensor._is_view(),
        "is inference": tensor.is_inference(),
        "output_nr": asked(lambda: tensor.output_nr),
        "grad": grad if grad is None or isinstance(grad, str) else numbers(grad),
        "grad's grad_fn": None if grad is None or isinstance(grad, str) else asked(lambda: _name(grad.grad_fn)),
        "grad's version": None if grad is None or isinstance(grad, str) else asked(lambda: grad._version),
    }


def _name(node: Any) -> str | None:
    return None if node is None else node.name()


def graph(tensor: Any) -> list[Any]:
    """The backward graph behind a tensor: names, edges by number of node, and names of what is saved."""
    nodes = nodes_behind(tensor)
    places = {node: place for place, node in enumerate(nodes)}
    found: list[Any] = []
    for node in nodes:
        if node is None or isinstance(node, str):
            return [node]
        edges = [(places.get(target), number) for target, number in node.next_functions]
        found.append((node.name(), edges, sorted(name for name in dir(node) if name.startswith("_saved_"))))
    return found


def births(tensor: Any) -> list[Any]:
    """The nodes of that graph that are no leaves, in the order in which they were born: a backward comes to the last
    first."""
    nodes = nodes_behind(tensor)
    inner = [place for place, node in enumerate(nodes) if hasattr(node, "name") and not hasattr(node, "variable")]
    return [(place, nodes[place].name()) for place in sorted(inner, key=lambda place: nodes[place]._sequence_nr())]


def nodes_behind(tensor: Any) -> list[Any]:
    """The first of the nodes behind a tensor; None where there is none, and the error where asking for it fails."""
    start = asked(lambda: tensor.grad_fn)
    order: list[Any] = [start]
    for node in order:
        if node is None or isinstance(node, str):
            break
        for target, _ in node.next_functions:
            if target is not None and target not in order and len(order) < NODES:
                order.append(target)
    return order


def turned_alike(ours: list[Any], theirs: list[Any]) -> bool:
    """True for two graphs of the same nodes, but for those that turn a matrix."""
    mine, other = (sorted(node[0] for node in nodes if node and node[0] != "TBackward0") for nodes in (ours, theirs))
    return mine == other


def printed(tensor: Any) -> Any:
    """How a tensor prints."""
    return asked(lambda: repr(tensor))


def kind_of(fact: str, ours: Any, theirs: Any, single: bool, tensor: Any) -> str:
    """What to call a difference in ``fact``; more exactly where the values are related."""
    if not tensor.numel() and fact in ("version", "grad's version", "is view", "requires_grad", "grad's grad_fn"):
        return f"{fact} of nothing"
    if fact == "storage_offset" and tensor.storage_offset() * tensor.itemsize > tensor.untyped_storage().nbytes():
        return "storage_offset beyond the memory"
    if fact == "graph" and not tensor.numel() and turned_alike(ours, theirs):
        return "graph of nothing"
    if fact == "storage_offset" and not tensor.numel():
        return "storage_offset of nothing"
    if fact == "stride" and all(a == b for a, b, size in zip(ours, theirs, tensor.shape, strict=True) if size != 1):
        return "stride of one"
    if fact != "value" or not isinstance(ours, np.ndarray) or not isinstance(theirs, np.ndarray):
        return fact
    if has_twice(tensor):
        return "repeated value"
    if same(np.abs(ours), np.abs(theirs), single):
        return "signs"
    if nans_apart(ours, theirs, single):
        return "nans"
    mine, other = spanned(ours), spanned(theirs)
    return "basis" if mine is not None and same(mine, other, single) else fact


def kind_of_warnings(ours: list[str], theirs: list[str]) -> str:
    """What to call a difference of warnings; more exactly where the same is said more often of a result that gets
    another size, and where all are of how a gradient without elements lies."""
    if set(ours) == set(theirs) and all("was resized since it had shape" in text for text in ours):
        return "repeated warnings"
    apart = [text for text in (*ours, *theirs) if (text in ours) != (text in theirs)]
    of_nothing = r"grad and param do not obey the gradient layout contract.*\ngrad\.sizes\(\) = \[(\d+, )*0\b"
    nothing = apart and all(re.match(of_nothing, text, re.DOTALL) for text in apart)
    return "warnings of nothing" if nothing else "warnings"


def kind_of_value(line: str, name: str, pair: tuple[Any, Any], ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """What to call a difference between the values of tensor ``name``, by what the line does and what it reads."""
    if 0 in theirs[name].stride() and re.search(r"\btri[lu]_\(", line):
        return "repeated value"
    if shares_with_out(line, name, theirs):
        return "value of memory that grew"
    if any(reads(line, theirs) for reads in (reads_what_it_writes, adds_what_it_writes, reads_out_otherwise)):
        return "value read and written"
    if factorises_nan(line, theirs):
        return "value by nan"
    if correlates_equals(line, named_values(line, theirs)):
        return "value of equals"
    if gelu_of_infinity(line, named_values(line, theirs), *pair):
        return "nans"
    if any_singular(line, theirs) or solved_singular(line, *pair) or solved_as_badly(line, *pair, theirs):
        return "value of singular"
    if logarithm_of_nearly_0(line, *pair) or root_of_nearly_0(line, *pair):
        return "value of nearly nothing"
    if inverse_of_nearly_1(line, *pair):
        return "value of nearly one"
    if sum_of_a_series(line, *pair):
        return "value of a series"
    if normalised_nearly(line, *pair):
        return "value of normalised"
    if any_cancelled(line, name, ours, theirs):
        return "value of cancelled"
    if not any_rounded(line, name, ours, theirs):
        return "value"
    return "value of far turns" if turns_far(line, named_values(line, theirs)) else "value of rounded"


def kind_of_error(line: str, said: str, mine: Run, other: Run) -> str:
    """What to call a difference of errors, by what the line reads and what ours ``said``."""
    if nearly_singular(line, other.variables):
        return "error of singular"
    if of_one_observation(line, other.variables):
        return "error of one observation"
    beyond = "setStorage: " in said and lies_in_more(line, mine.variables, other.variables)
    return "error in more memory" if beyond else "error"


def first_difference(ours: ModuleType, theirs: ModuleType, lines: list[str]) -> Difference | None:
    """Where a program behaves differently; None where it doesn't."""
    return compared(ours, theirs, lines)[1]


def compared(ours: ModuleType, theirs: ModuleType, lines: list[str]) -> tuple[int, Difference | None]:
    """How many lines of a program leave the same on both sides, and the difference that the next one makes, if any.

    Where rounding decides what comes after a line, nothing is compared any more, nor where tensors no longer share
    memory that had to grow, or zeros have another sign, which PyTorch gives them by how many it shrinks at once.
    """
    mine, other = Run(ours), Run(theirs)
    ours.set_default_dtype(ours.float32)
    theirs.set_default_dtype(theirs.float32)
    single = not any("set_default_dtype" in line for line in lines)
    for number, line in enumerate(lines):
        if masks_apart(line, mine.variables, other.variables):
            return number, None
        jumps = jumps_when_rounded(line, mine.variables, other.variables)
        over = writes_over_cancelled(line, mine.variables, other.variables)
        said = mine.line(line), other.line(line)
        found = line_differs(line, mine, other, said, single)
        if found is not None:
            if jumps:
                found = replace(found, what=re.sub("^value of v", "value of rounded of v", found.what))
            if over:
                found = replace(found, what=re.sub("^(value|nans) of v", "value of cancelled of v", found.what))
            return number, unless_it_moves(found, theirs, lines[: number + 1], mine, other)
        single = (
            single or rounded_apart(mine.variables, other.variables) or any(map(is_single, other.variables.values()))
        )
        if hopeless(other.variables) or left_to_rounding(line, other.variables):
            return number, None
        if any(parts(line, mine.variables, other.variables) for parts in (parted_by_growth, zeros_signed_apart)):
            return number, None
    return len(lines), None


def unless_it_moves(found: Difference, theirs: ModuleType, lines: list[str], mine: Run, other: Run) -> Difference:
    """The difference, told apart where PyTorch's own numbers move as far when their last digits are changed."""
    told = re.fullmatch(r"(value|grad|nans|signs)( of rounded)? of (v\d+)", found.what)
    if told is None:
        return found
    fact, name = "grad" if told[1] == "grad" else "value", told[3]
    pair = [flags(run.names[name])[fact] for run in (mine, other)]

    def make() -> Run:
        theirs.set_default_dtype(theirs.float32)
        return Run(theirs)

    moves = moves_as_far(make, lines, name, fact, *pair)
    return replace(found, what=f"{fact} that moves of {name}") if moves else found


def line_differs(line: str, mine: Run, other: Run, said: Sequence[Any], single: bool) -> Difference | None:
    """What is different after a line: what both ``said`` (error and warnings), what hooks saw, and the tensors."""
    a, b = said
    if a[0] != b[0]:
        return Difference(line, kind_of_error(line, str(a[0]), mine, other), str(a[0]), str(b[0]))
    if a[1] != b[1]:
        return Difference(line, kind_of_warnings(a[1], b[1]), str(a[1]), str(b[1]), a[0])
    if not same(mine.seen, other.seen, single):
        return Difference(line, "what hooks and results show", str(mine.seen), str(other.seen))
    found = tensors_differ(line, mine, other, single)
    return None if found is None else replace(found, raised=a[0])


def tensors_differ(line: str, mine: Run, other: Run, single: bool) -> Difference | None:
    """The first tensor that looks different, quickly for all of them and in full for those that the line names."""
    ours = mine.variables
    # PyTorch counts what its kernels write on the way when an inference tensor is among the inputs, and only then.
    inferred = any(isinstance(v, other.module.Tensor) and v.is_inference() for v in other.variables.values())
    for name, theirs in other.variables.items():
        if not isinstance(theirs, other.module.Tensor) or not isinstance(ours.get(name), mine.module.Tensor):
            if type(theirs).__name__ != type(ours.get(name)).__name__:
                return Difference(line, f"type of {name}", str(type(ours.get(name))), str(type(theirs)))
            continue
        facts, expected = flags(ours[name]), flags(theirs)
        if re.search(rf"\b{name}\b", line):
            facts["graph"], expected["graph"] = graph(ours[name]), graph(theirs)
            facts["births"], expected["births"] = births(ours[name]), births(theirs)
            values = facts["value"], expected["value"]
            plain = not any(isinstance(value, str) for value in values) and isinstance(expected["is_leaf"], bool)
            if plain and values[0].tobytes() == values[1].tobytes():
                facts["printed"], expected["printed"] = printed(ours[name]), printed(theirs)
        for fact, value in expected.items():
            if inferred and "version" in fact:
                continue
            if not same(facts[fact], value, single):
                what = kind_of(fact, facts[fact], value, single, theirs)
                if isinstance(value, str) and "INTERNAL ASSERT FAILED" in value:
                    return Difference(line, f"{fact} where PyTorch asserts of {name}", str(facts[fact]), value)
                if what == "nans" and factorises_nan(line, other.variables):
                    what = "value by nan"
                elif what == "value":
                    what = kind_of_value(line, name, (facts[fact], value), ours, other.variables)
                elif what == "basis" and any_rounded(line, name, ours, other.variables):
                    what = "basis of rounded"
                elif what == "nans" and shares_with_out(line, name, other.variables):
                    what = "value of memory that grew"
                elif what == "nans" and any_cancelled(line, name, ours, other.variables):
                    what = "value of cancelled"
                elif what == "nans" and any_rounded(line, name, ours, other.variables):
                    what = "value of rounded"
                elif what == "signs" and any_nan(line, other.variables):
                    what = "signs by nan"
                elif what == "signs" and any_singular(line, other.variables):
                    what = "value of singular"
                elif what == "signs" and asks_for_sign(line) and any_rounded(line, name, ours, other.variables):
                    what = "value of rounded"
                elif what == "signs" and shares_with_out(line, name, other.variables):
                    what = "value of memory that grew"
                elif what == "signs" and reads_what_it_writes(line, other.variables):
                    what = "value read and written"
                elif what == "grad" and (
                    any_cancelled(line, name, ours, other.variables)
                    or (rounded_apart(ours, other.variables) and left_of_terms(facts[fact], value))
                ):
                    what = "grad of cancelled"
                elif what == "grad's version" and went_through_sgn(other.went):
                    what = "grad's version beside zeros"
                elif what == "grad" and went_through_sgn(other.went) and zero_instead_of_nan(facts[fact], value):
                    what = "grad beside zeros"
                if of_one_observation(line, other.variables):
                    what = f"{what} of one observation"
                beside = " beside inference tensors" if inferred and fact == "is view" else ""
                return Difference(line, f"{what} of {name}{beside}", str(facts[fact]), str(value))
    return None
