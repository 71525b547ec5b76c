"""Running a program line by line on PyTorch or on ours, and what can be seen of its tensors after each line."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from chalkgrad.engine.base import state

NODES = 40
"""How many nodes of a backward graph are looked at."""

SHARP = {"float64": (1e-10, 1e-10), "float32": (1e-4, 1e-5)}
"""How near floats have to be, relatively and absolutely. Rounding grows along a program, so these are wider than what a
single operator is held to."""


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
        errors = (self.ours, self.theirs) if self.what == "error" else (self.raised,)
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
        self.names: dict[str, Any] = {"torch": module, "note": self.note, "one": self.one}

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
        state.warned = set()
        error = None
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                exec(line, self.names)
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
        return error, [str(entry.message).partition(" (Triggered internally")[0] for entry in heard]

    @property
    def variables(self) -> dict[str, Any]:
        """The program's tensors."""
        return {name: value for name, value in self.names.items() if re.fullmatch(r"v\d+", name)}


def asked(function: Any) -> Any:
    """What a question to a tensor gives; the error's first line where it refuses."""
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]


def numbers(tensor: Any) -> Any:
    """The elements with their dtype, of a copy: what was given to NumPy can't be resized any more."""
    plain = tensor.detach().clone()
    try:
        return np.array(plain.numpy())
    except RuntimeError:  # PyTorch's zeros without memory
        return np.array(plain.numpy(force=True))


def flags(tensor: Any) -> dict[str, Any]:
    """All that is quickly seen of a tensor."""
    grad = asked(lambda: tensor.grad) if tensor.requires_grad or tensor.is_leaf is True else None
    return {
        "value": asked(lambda: numbers(tensor)),
        "dtype": str(tensor.dtype),
        "shape": tuple(tensor.shape),
        "stride": tuple(s for s, n in zip(tensor.stride(), tensor.shape, strict=True) if n > 1)
        if tensor.numel()
        else (),
        "storage_offset": tensor.storage_offset(),
        "requires_grad": tensor.requires_grad,
        "grad_fn": asked(lambda: None if tensor.grad_fn is None else tensor.grad_fn.name()),
        "is_leaf": asked(lambda: tensor.is_leaf),
        "version": asked(lambda: tensor._version),
        "retains_grad": asked(lambda: tensor.retains_grad),
        "is view": tensor._is_view(),
        "output_nr": asked(lambda: tensor.output_nr),
        "grad": grad if grad is None or isinstance(grad, str) else numbers(grad),
        "grad's grad_fn": None if grad is None or isinstance(grad, str) else asked(lambda: _name(grad.grad_fn)),
        "grad's version": None if grad is None or isinstance(grad, str) else asked(lambda: grad._version),
    }


def _name(node: Any) -> str | None:
    return None if node is None else node.name()


def graph(tensor: Any) -> list[Any]:
    """The backward graph behind a tensor: names, edges by number of node, and names of what is saved."""
    start = asked(lambda: tensor.grad_fn)
    if start is None or isinstance(start, str):
        return [start]
    order: list[Any] = [start]
    places = {start: 0}
    found = []
    for node in order:
        edges = []
        for target, number in node.next_functions:
            if target is not None and target not in places and len(order) < NODES:
                places[target] = len(order)
                order.append(target)
            edges.append((places.get(target), number))
        found.append((node.name(), edges, sorted(name for name in dir(node) if name.startswith("_saved_"))))
    return found


def printed(tensor: Any) -> Any:
    """How a tensor prints."""
    return asked(lambda: repr(tensor))


def same(ours: Any, theirs: Any, single: bool = False) -> bool:
    """Equality that forgives the last digits of floats; ``single`` where single precision has come into all numbers."""
    if isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return False
        if ours.tobytes() == theirs.tobytes():
            return True
        if theirs.dtype.kind != "f":
            return False
        relative, absolute = SHARP["float32" if single else theirs.dtype.name]
        finite = np.abs(theirs[np.isfinite(theirs)])
        scale = max(1.0, float(finite.max())) if finite.size else 1.0
        return bool(np.allclose(ours, theirs, relative, absolute * scale, equal_nan=True))
    if isinstance(ours, (tuple, list)) and isinstance(theirs, (tuple, list)):
        return len(ours) == len(theirs) and all(same(a, b, single) for a, b in zip(ours, theirs, strict=True))
    return type(ours) is type(theirs) and bool(ours == theirs or (ours != ours and theirs != theirs))


def kind_of(fact: str, ours: Any, theirs: Any, single: bool, tensor: Any) -> str:
    """What to call a difference in ``fact``; more exactly where the values are related."""
    if fact == "storage_offset" and not tensor.numel():
        return "storage_offset of nothing"
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


def nans_apart(ours: np.ndarray, theirs: np.ndarray, single: bool) -> bool:
    """True where both have nans, not in the same places, and agree in what is a number in both."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype or ours.dtype.kind != "f":
        return False
    here, there = np.isnan(ours), np.isnan(theirs)
    numbers = ~(here | there)
    return bool(here.any() and there.any()) and same(ours[numbers], theirs[numbers], single)


def spanned(values: np.ndarray) -> Any:
    """The projection on what orthonormal columns span; None for other columns."""
    if values.ndim != 2 or values.dtype.kind != "f" or not np.isfinite(values).all():
        return None
    products = values.T @ values
    return values @ values.T if np.allclose(products, np.eye(len(products)), atol=1e-4) else None


def has_twice(tensor: Any) -> bool:
    """True for a tensor two of whose elements are the same piece of memory, without being an expanded one."""
    if min(tensor.shape, default=0) < 0:  # PyTorch's as_strided_ leaves such sizes behind
        return False
    places = np.zeros(tuple(tensor.shape), np.int64)
    for axis, step in enumerate(tensor.stride()):
        places += step * np.arange(tensor.shape[axis]).reshape(-1, *[1] * (places.ndim - axis - 1))
    return np.unique(places).size < places.size and 0 not in tensor.stride()


def first_difference(ours: ModuleType, theirs: ModuleType, lines: list[str]) -> Difference | None:
    """Where a program behaves differently; None where it doesn't."""
    mine, other = Run(ours), Run(theirs)
    ours.set_default_dtype(ours.float32)
    theirs.set_default_dtype(theirs.float32)
    single = not any("set_default_dtype" in line for line in lines)
    for line in lines:
        a, b = mine.line(line), other.line(line)
        if a[0] != b[0]:
            return Difference(line, "error", str(a[0]), str(b[0]))
        if a[1] != b[1]:
            return Difference(line, "warnings", str(a[1]), str(b[1]), a[0])
        if not same(mine.seen, other.seen, single):
            return Difference(line, "what hooks and results show", str(mine.seen), str(other.seen))
        found = tensors_differ(line, mine, other, single)
        if found is not None:
            return replace(found, raised=a[0])
        single = single or rounded_apart(mine.variables, other.variables)
        if hopeless(other.variables):
            return None
    return None


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
            values = facts["value"], expected["value"]
            plain = not any(isinstance(value, str) for value in values) and isinstance(expected["is_leaf"], bool)
            if plain and values[0].tobytes() == values[1].tobytes():
                facts["printed"], expected["printed"] = printed(ours[name]), printed(theirs)
        for fact, value in expected.items():
            if inferred and "version" in fact:
                continue
            if not same(facts[fact], value, single):
                what = kind_of(fact, facts[fact], value, single, theirs)
                if what == "value" and reads_what_it_writes(line, other.variables):
                    what = "value read and written"
                elif what == "value" and factorises_nan(line, other.variables):
                    what = "value by nan"
                elif what == "value" and any_singular(line, other.variables):
                    what = "value of singular"
                elif what == "value" and any_cancelled(line, name, ours, other.variables):
                    what = "value of cancelled"
                elif what == "value" and any_rounded(line, name, ours, other.variables):
                    what = "value of rounded"
                elif what == "signs" and any_nan(line, other.variables):
                    what = "signs by nan"
                beside = " beside inference tensors" if inferred and fact == "is view" else ""
                return Difference(line, f"{what} of {name}{beside}", str(facts[fact]), str(value))
    return None


def reads_what_it_writes(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that writes its first tensor, which has elements twice or is read through another view of it."""
    names = re.findall(r"\bv\d+\b", line)
    found = [variables[name] for name in names if hasattr(variables.get(name), "untyped_storage")]
    if not found or re.search(r"\w_\(|\s[-+*/]=\s|\]\s=\s", line) is None:
        return False
    memory = [
        (tensor.untyped_storage().data_ptr(), tensor.stride(), tensor.storage_offset(), tensor.shape)
        for tensor in found
    ]
    return has_twice(found[0]) or any(other[0] == memory[0][0] and other != memory[0] for other in memory[1:])


def rounded_apart(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True where a tensor of single precision is not the same to the last digit on the two sides."""
    pairs = [(ours.get(name), tensor) for name, tensor in theirs.items() if getattr(tensor, "itemsize", 0) == 4]
    return any(digits(mine) != digits(other) for mine, other in pairs)


def digits(tensor: Any) -> Any:
    """All digits of the elements; what asking raises where they can't be read."""
    values = asked(lambda: numbers(tensor))
    return values.tobytes() if isinstance(values, np.ndarray) else values


def named_values(line: str, variables: dict[str, Any]) -> list[np.ndarray]:
    """The elements of the floating-point tensors that a line names."""
    found = [asked(lambda n=name: numbers(variables[n])) for name in set(re.findall(r"\bv\d+\b", line))]
    return [values for values in found if isinstance(values, np.ndarray) and values.dtype.kind == "f"]


def any_singular(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that factorises a matrix whose columns depend on one another, as far as they could be a basis."""
    if re.search(r"\b(qr|svd\w*|cond|pinverse|pinv|lstsq)\b", line) is None:
        return False
    matrices = [values for values in named_values(line, variables) if values.ndim > 1 and np.isfinite(values).all()]
    counts = [(values, min(values.shape[-2:])) for values in matrices if values.size]
    return any((np.linalg.matrix_rank(values[..., :count]) < count).any() for values, count in counts)


def factorises_nan(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that asks for what is made of the factors of a matrix, of one with a nan."""
    return re.search(r"\b(slogdet|logdet|cholesky_inverse)\b", line) is not None and any_nan(line, variables)


def any_nan(line: str, variables: dict[str, Any]) -> bool:
    """True for a line that names a tensor with a nan."""
    return any(np.isnan(values).any() for values in named_values(line, variables))


def read_on_both(line: str, result: str, ours: dict[str, Any], theirs: dict[str, Any]) -> list[Any]:
    """The elements on both sides of the tensors that a line reads."""
    names = set(re.findall(r"\bv\d+\b", line)) - {result}
    pairs = [(asked(lambda n=name: numbers(ours[n])), asked(lambda n=name: numbers(theirs[n]))) for name in names]
    return [(a, b) for a, b in pairs if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)]


def any_rounded(line: str, result: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line that reads a tensor whose last digits differ on the two sides."""
    return any(a.tobytes() != b.tobytes() for a, b in read_on_both(line, result, ours, theirs))


def any_cancelled(line: str, result: str, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True for a line that reads an element of which hardly a digit is the same on both sides."""
    pairs = [pair for pair in read_on_both(line, result, ours, theirs) if pair[0].dtype.kind == "f"]
    return any(bool((np.abs(a - b) > 1e-3 * np.abs(b)).any()) for a, b in pairs if a.shape == b.shape)


def hopeless(variables: dict[str, Any]) -> bool:
    """True once numbers are so large that rounding decides what comes next."""
    for tensor in variables.values():
        if hasattr(tensor, "dtype") and tensor.is_floating_point():
            values = asked(lambda t=tensor: numbers(t))
            if isinstance(values, str):  # a view that can't be read any more
                continue
            grad = asked(lambda t=tensor: t.grad) if asked(lambda t=tensor: t.is_leaf) is True else None
            if np.any(np.abs(values[np.isfinite(values)]) > 1e6) or (
                grad is not None and not isinstance(grad, str) and np.any(np.abs(numbers(grad)) > 1e6)
            ):
                return True
    return False
