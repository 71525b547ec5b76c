"""The same call on real PyTorch and on ours: arguments for each side, and what came out in comparable form."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch as theirs

from chalkgrad import torch as ours

DTYPES = ("float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool")
"""The dtypes that both sides have."""


class NotComparableError(Exception):
    """A sample with something that our face does not offer on purpose: complex, half, sparse, another device."""


def supported(tensor: theirs.Tensor) -> bool:
    """True for plain tensors of a dtype both sides have."""
    return (
        str(tensor.dtype)[6:] in DTYPES
        and tensor.layout == theirs.strided
        and tensor.device.type == "cpu"
        and not tensor.is_nested
    )


class Side:
    """Makes fresh arguments for one of the two sides, the same tensor for the same tensor."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.made: dict[int, Any] = {}
        self.leaves: list[Any] = []

    def of(self, value: Any) -> Any:
        """``value``, an argument made for PyTorch, for this side."""
        if isinstance(value, theirs.Tensor):
            if id(value) not in self.made:
                self.made[id(value)] = self.tensor(value)
            return self.made[id(value)]
        if isinstance(value, theirs.dtype):
            if str(value)[6:] not in DTYPES:
                raise NotComparableError(str(value))
            return getattr(self.module, str(value)[6:])
        if isinstance(value, (theirs.memory_format, theirs.layout)):
            if str(value) in ("torch.sparse_coo", "torch.sparse_csr"):
                raise NotComparableError(str(value))
            return getattr(self.module, str(value)[6:])
        if isinstance(value, theirs.device):
            return self.module.device(str(value))
        if isinstance(value, complex):
            raise NotComparableError("complex")
        if isinstance(value, theirs.Size):
            return self.module.Size(tuple(value))
        if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            return type(value)(self.of(member) for member in value)
        if isinstance(value, slice):
            return slice(self.of(value.start), self.of(value.stop), self.of(value.step))
        if isinstance(value, dict):
            return {key: self.of(member) for key, member in value.items()}
        if isinstance(value, (types.FunctionType, theirs.nn.Module, theirs.Generator)) and self.module is ours:
            return rebound(value) if isinstance(value, types.FunctionType) else _refuse(value)
        return value

    def tensor(self, value: theirs.Tensor) -> Any:
        """A leaf with the values and strides of ``value``."""
        if not supported(value) or value.ndim > 64:  # NumPy has no more dimensions
            raise NotComparableError(f"{value.dtype} {value.layout}")
        array = strided_copy(value)
        made = (
            self.module.from_numpy(array)
            if array.size
            else self.module.empty_strided(
                tuple(value.shape), value.stride(), dtype=getattr(self.module, str(value.dtype)[6:])
            )
        )
        if array.size and array.flags.forc:
            made = made.clone()
        if value.requires_grad:
            made.requires_grad_()
            self.leaves.append(made)
        return made


def _refuse(value: Any) -> Any:
    raise NotComparableError(type(value).__name__)


def strided_copy(value: theirs.Tensor) -> np.ndarray:
    """The values as an array with the same strides, overlaps too."""
    plain = value.detach()
    if not plain.numel():
        return np.empty(tuple(plain.shape), str(plain.dtype)[6:])
    span = 1 + sum((size - 1) * stride for size, stride in zip(plain.shape, plain.stride(), strict=True))
    flat = plain.as_strided((span,), (1,), plain.storage_offset()).resolve_neg().numpy().copy()
    steps = [stride * flat.itemsize for stride in plain.stride()]
    return np.lib.stride_tricks.as_strided(flat, tuple(plain.shape), steps)


def rebound(function: Any) -> Any:
    """A plain Python function of PyTorch's tests with our face in place of ``torch``."""
    names = {**function.__globals__, "torch": ours, "wrapper_set_seed": seeded}
    if "F" in names:
        names["F"] = ours.nn.functional
    cells = []
    for cell in function.__closure__ or ():
        inner = cell.cell_contents
        cells.append(types.CellType(ours_of(inner) if callable(inner) else inner))
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, tuple(cells))


def seeded(function: Any, *args: Any, **kwargs: Any) -> Any:
    """What PyTorch's tests do to make random operators repeat themselves."""
    ours.manual_seed(42)
    return function(*args, **kwargs)


def ours_of(function: Any) -> Any:
    """Our counterpart of a function of PyTorch; AttributeError where there is none."""
    module, name = str(getattr(function, "__module__", "")), getattr(function, "__name__", "")
    if isinstance(function, types.FunctionType) and (name == "<lambda>" or module.startswith("torch.testing")):
        return rebound(function)
    for place in ("torch", "torch.nn.functional", "torch.linalg", "torch.special"):
        here = _at(theirs, place[6:])
        if name and getattr(here, name, None) is function:
            return getattr(_at(ours, place[6:]), name)
    if name and getattr(theirs.Tensor, name, None) is function:
        return getattr(ours.Tensor, name)
    raise AttributeError(f"no counterpart of {module}.{name}")


def _at(module: Any, path: str) -> Any:
    for part in path.split("."):
        module = getattr(module, part) if part else module
    return module


def flat(value: Any) -> Iterator[Any]:
    """The members of a result, nested tuples and lists spread out."""
    if isinstance(value, (list, tuple)) and not isinstance(value, (theirs.Size, ours.Size)):
        for member in value:
            yield from flat(member)
    else:
        yield value


def tensors(value: Any) -> list[Any]:
    """The tensors in a result."""
    return [member for member in flat(value) if isinstance(member, (theirs.Tensor, ours.Tensor))]


def structure(value: Any) -> str:
    """The types of a result and its members."""
    if isinstance(value, (theirs.Tensor, ours.Tensor)):
        return "Tensor"
    if isinstance(value, (list, tuple)):
        name = type(value).__name__
        return f"{name}({', '.join(structure(member) for member in value)})"
    return type(value).__name__


def array_of(tensor: Any) -> np.ndarray:
    """The numbers of a tensor."""
    try:
        return np.array(tensor.detach().numpy())
    except RuntimeError:  # PyTorch's zeros without memory
        return np.array(tensor.detach().numpy(force=True))


def alike(found: Any, expected: Any, slack: float = 1) -> bool:
    """Equal as far as rounding lets them: integers exactly, double to 1e-12 and single to 1e-5, times ``slack``."""
    if found is None or expected is None:
        return found is expected
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    if expected.dtype.kind != "f":
        return bool(np.array_equal(found, expected))
    relative, absolute = (1e-5, 1e-6) if expected.dtype == np.float32 else (1e-12, 1e-13)
    finite = np.abs(expected[np.isfinite(expected)])
    scale = max(1.0, float(finite.max())) if finite.size else 1.0
    with np.errstate(all="ignore"):
        return bool(np.allclose(found, expected, relative * slack, absolute * scale * slack, equal_nan=True))


def error_text(error: BaseException) -> str:
    """Type and text of an error."""
    return f"{type(error).__name__}: {error}"


def grad_fn_name(tensor: Any) -> str | None:
    """The name of a tensor's ``grad_fn``."""
    return None if tensor.grad_fn is None else type(tensor.grad_fn).__name__


class Call:
    """One call on one side, with everything that can be seen of it afterwards."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.facts: dict[str, Any] = {}

    def run(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], second: bool, process: Any) -> None:
        """Call, take gradients and gradients of the gradients."""
        self.side.module.default_generator.manual_seed(7)  # the function asks all devices, which takes long
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                result = function(*args, **kwargs)
            except Exception as error:
                self.facts["error"] = error_text(error)
                return
            finally:
                self.facts["warnings"] = sorted({str(entry.message).splitlines()[0] for entry in heard})
        self.look(result)
        try:
            self.differentiate([member for member in tensors(process(result)) if member.requires_grad], second)
        except Exception as error:
            self.facts["gradient error"] = error_text(error)

    def look(self, result: Any) -> None:
        """What is seen of the result."""
        found = tensors(result)
        if self.side.module is theirs and any(not supported(tensor) for tensor in found):
            raise NotComparableError("its result")
        self.facts["structure"] = structure(result)
        self.facts["plain"] = [member for member in flat(result) if not isinstance(member, self.side.module.Tensor)]
        self.facts["shape"] = [tuple(tensor.shape) for tensor in found]
        self.facts["dtype"] = [str(tensor.dtype) for tensor in found]
        self.facts["requires_grad"] = [tensor.requires_grad for tensor in found]
        self.facts["grad_fn"] = [grad_fn_name(tensor) for tensor in found]
        self.facts["is view"] = [tensor._is_view() for tensor in found]
        self.facts["layout"] = [layout(tensor) for tensor in found]
        self.facts["value"] = [array_of(tensor) for tensor in found]
        self.facts["version"] = [tensor._version for tensor in found]

    def differentiate(self, outputs: list[Any], second: bool) -> None:
        """First and second gradients, with weights that are different everywhere."""
        if not outputs or not self.side.leaves:
            return
        grad, module = self.side.module.autograd.grad, self.side.module
        weights = [weight_of(module, output, second) for output in outputs]
        first = grad(outputs, self.side.leaves, weights, create_graph=second, allow_unused=True)
        self.facts["gradient"] = [None if one is None else array_of(one) for one in first]
        self.facts["gradient grad_fn"] = [None if one is None else grad_fn_name(one) for one in first]
        further = [one for one in first if one is not None and one.requires_grad]
        if second and further:
            weights2 = [weight_of(module, one, False) for one in further]
            last = grad(further, [*self.side.leaves, *weights], weights2, allow_unused=True)
            self.facts["second gradient"] = [None if one is None else array_of(one) for one in last]


def layout(tensor: Any) -> tuple[Any, ...]:
    """Strides where they matter, and the offset."""
    strides = tuple(stride for stride, size in zip(tensor.stride(), tensor.shape, strict=True) if size > 1)
    return (strides if tensor.numel() else (), tensor.storage_offset())


def weight_of(module: Any, like: Any, grad: bool) -> Any:
    """Weights for a gradient: growing numbers around one."""
    count = like.numel()
    numbers = np.linspace(0.5, 1.5, count).reshape(tuple(like.shape)).astype(str(like.dtype)[6:])
    made = module.from_numpy(numbers) if count else module.zeros(tuple(like.shape), dtype=like.dtype)
    return made.requires_grad_() if grad else made


def differences(found: dict[str, Any], expected: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What differs: the fact, ours and PyTorch's. A wrong error or structure hides all else."""
    for first in ("error", "structure"):
        if found.get(first) != expected.get(first):
            return [(first, brief(found.get(first)), brief(expected.get(first)))]
    different: list[tuple[str, str, str]] = []
    for fact in dict.fromkeys([*expected, *found]):
        mine, other = found.get(fact), expected.get(fact)
        if fact in ("value", "gradient", "second gradient"):
            same = mine is not None and other is not None and len(mine) == len(other)
            slack = 10 if fact == "second gradient" else 1
            same = same and all(alike(a, b, slack) for a, b in zip(mine, other, strict=True))
        elif fact == "plain":
            same = all(a == b or (a != a and b != b) or alike(a, b) for a, b in zip(mine, other, strict=True))
        else:
            same = mine == other
        if not same:
            different.append((fact, brief(mine), brief(other)))
    return different


def brief(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, list) and value and any(isinstance(member, np.ndarray) for member in value):
        text = str(
            [
                None if one is None else np.round(one, 14).tolist() if one.dtype.kind == "f" else one.tolist()
                for one in value
            ]
        )
    else:
        text = str(value)
    text = " ".join(text.split()) if "\n" not in text else repr(text)
    return text if len(text) < 400 else text[:400] + " ..."


def shown(value: Any) -> str:
    """An argument as one would write it, large tensors by dtype, shape and stride."""
    if isinstance(value, theirs.Tensor):
        grad = ", requires_grad=True" if value.requires_grad else ""
        dtype = str(value.dtype)
        if value.numel() <= 6 and value.is_contiguous() and value.layout == theirs.strided:
            return f"torch.tensor({value.tolist()}, dtype={dtype}{grad})"
        stride = "" if value.is_contiguous() else f", stride={value.stride()}"
        return f"<{dtype} {tuple(value.shape)}{stride}{grad}>"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(shown(member) for member in value)
        return f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
    return repr(value)
