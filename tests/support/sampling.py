"""Running an operator's samples on PyTorch or on ours, through the same public names."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.dtype import DType
from chalkgrad.program.arguments import arranged, caller, ways


def spelled(record, module) -> Any:
    """``module``'s operator by its public name, called with the record's inputs and attributes; None if absent."""
    public = caller(record.name)
    if public.function is not None:
        found = module
        for part in public.function.split(".")[1:]:
            found = getattr(found, part, None)
        if found is not None:
            return lambda *args, **kwargs: _call(found, record, "function", args, kwargs)
    if public.method is not None and hasattr(module.Tensor, public.method):
        return lambda *args, **kwargs: _call(getattr(module.Tensor, public.method), record, "method", args, kwargs)
    return None


def _call(function, record, style, args, kwargs) -> Any:
    """``function`` with the arguments in PyTorch's order, where an attribute stands before an input."""
    names = [*record.inputs, *(attribute.name for attribute in record.attributes)]
    if len(args) > len(names) or not ways(record.name, style):
        return function(*args, **kwargs)
    count = len(record.inputs)
    options = {**dict(zip(names[count:], args[count:], strict=False)), **kwargs}
    call = arranged(record, style, args[:count], tuple(options.items()))
    return function(*[value for _, value in call.positional], **dict(call.keywords))


def tensor_of(module, value: Any, grad: bool) -> Any:
    """Arrays become tensors, lists of arrays lists of tensors, dtypes the module's; everything else stays."""
    if isinstance(value, np.ndarray):
        dtype = getattr(module, value.dtype.name)
        made = module.tensor(value.tolist(), dtype=dtype).reshape(value.shape).detach()
        if not made.is_contiguous() or not value.flags.c_contiguous:
            made = made.t().contiguous().t()
        return made.requires_grad_() if grad and value.dtype.kind == "f" else made
    if isinstance(value, list):
        return [tensor_of(module, member, grad) for member in value]
    return getattr(module, value.name) if isinstance(value, DType) else value


def leaves(args: list[Any]) -> list[Any]:
    """The tensors among arguments that require grad."""
    flat = [member for value in args for member in (value if isinstance(value, list) else [value])]
    return [value for value in flat if getattr(value, "requires_grad", False)]


def members(result: Any) -> list[Any]:
    """The tensors that an operator gives, one or several."""
    return list(result) if isinstance(result, (tuple, list)) else [result]


def outcome(module, record, args, kwargs) -> dict[str, Any]:
    """Result, gradients and second gradients of one sample, and the node it leaves; lists where it gives several."""
    given = [tensor_of(module, value, grad=True) for value in args]
    sources = leaves(given)
    called = list(given)
    if record.writes is not None:
        called[0] = called[0] * 1
    result = spelled(record, module)(*called, **kwargs)
    facts = [tensor_facts(one) for one in members(result)]
    several = isinstance(result, (tuple, list))
    found: dict[str, Any] = {key: [one[key] for one in facts] for key in facts[0]} if several else facts[0]
    outputs = [one for one in members(result) if one.requires_grad]
    if not outputs:
        return found
    weights = [module.linspace(0.5, 1.5, one.numel(), dtype=one.dtype).reshape(one.shape) for one in outputs]
    first = module.autograd.grad(outputs, sources, weights, create_graph=True, allow_unused=True)
    found["gradients"] = [None if g is None else listed(g) for g in first]
    dependent = [g for g in first if g is not None and g.requires_grad]
    found["gradient_fns"] = [None if g is None or g.grad_fn is None else type(g.grad_fn).__name__ for g in first]
    if dependent:
        total = sum((g * g).sum() for g in dependent)
        try:
            second = module.autograd.grad(total, sources, allow_unused=True)
        except RuntimeError as error:
            if "is not implemented" not in str(error):  # PyTorch has no second derivative of some
                raise
            return found
        found["second"] = [None if g is None else listed(g) for g in second]
    return found


def listed(tensor) -> Any:
    """A tensor as nested lists; PyTorch's zeros that have no memory are written out."""
    unwritten = getattr(tensor, "_is_zerotensor", None)
    if unwritten is not None and unwritten():
        return np.zeros(tuple(tensor.shape)).tolist()
    return tensor.detach().tolist()


def tensor_facts(tensor) -> dict[str, Any]:
    """What is seen of one result."""
    return {
        "value": tensor.detach().tolist(),
        "shape": list(tensor.shape),
        "dtype": str(tensor.dtype),
        "grad_fn": None if tensor.grad_fn is None else type(tensor.grad_fn).__name__,
        "saved": saved_names(tensor.grad_fn),
        "version": tensor._version,
    }


def saved_names(node) -> list[str]:
    """Which ``_saved_*`` attributes a node shows."""
    return [] if node is None else sorted(name[7:] for name in dir(node) if name.startswith("_saved_"))


def bad_outcome(module, record, args, kwargs) -> list[str]:
    """Type and text of what a bad sample raises."""
    given = [tensor_of(module, value, grad=False) for value in args]
    try:
        spelled(record, module)(*given, **kwargs)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["", ""]
