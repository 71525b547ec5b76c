"""``torch.autograd.functional``: Jacobians, Hessians, and their products with vectors, of functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.autograd import grad
from chalkgrad.engine.base import TensorBase, meta_of, new_tensor
from chalkgrad.engine.modes import enable_grad, is_grad_enabled, set_grad_enabled
from chalkgrad.engine.rules import TENSORS

Function = Callable[..., Any]
Tensors = tuple[Any, ...]

RESULTS = "outputs of the user-provided function"
STRICT = "This is not allowed in strict mode."
REVERSE, FORWARD = "reverse-mode", "forward-mode"

NOT_A_LEAF_OF = {
    "outputs": "Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {i} is independent of the inputs of the user-provided function. "
    + STRICT,
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to "
    "input {i} is independent of the input. This is not allowed in strict mode. You should ensure that your function "
    "is twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear function "
    "for example).",
    "hessian": "The hessian of the user-provided function with respect to input {i} is independent of the input. This "
    "is not allowed in strict mode. You should ensure that your function is thrice differentiable and that the hessian "
    "depends on the inputs.",
}
"""What is said in strict mode of a result that doesn't require grad, by what it is."""

MISSING = {
    "back": f"The output of the user-provided function is independent of input {{i}}. {STRICT}",
    "back_trick": "The gradient with respect to the input is independent of entry {i} in the grad_outputs when using "
    f"the double backward trick to compute forward mode gradients. {STRICT}",
    "double_back": f"The jacobian of the user-provided function is independent of input {{i}}. {STRICT}",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {i} in the grad_jacobian. "
    "This is not allowed in strict mode as it prevents from using the double backward trick to replace forward mode "
    "AD.",
}
"""What is said in strict mode of a gradient that is not there, by the step it was to come from."""


def vjp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The function's result, and ``v`` times its Jacobian."""
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "vjp")
        given = _prepared(given, create_graph, True)
        many, outputs = _as_tuple(func(*given), RESULTS, "vjp")
        _check_requires_grad(outputs, "outputs", strict)
        text = (
            "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
        )
        weights = _vector(v, outputs, many, "vjp", create_graph, text)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _filled(gradients_of(outputs, given, weights, create_graph), given, strict, create_graph, "back")
    return _single(_finished(outputs, create_graph), many), _single(_finished(found, create_graph), several)


def jvp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The function's result, and its Jacobian times ``v``."""
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jvp")
        given = _prepared(given, create_graph, True)
        text = (
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
            "element."
        )
        direction = _vector(v, given, several, "jvp", create_graph, text)
        many, outputs = _as_tuple(func(*given), RESULTS, "jvp")
        _check_requires_grad(outputs, "outputs", strict)
        # The gradient is linear in what it is given: its own gradient by that is the product wanted.
        weights = tuple(_zeros(output, requires_grad=True) for output in outputs)
        gradients = gradients_of(outputs, given, weights, create_graph=True)
        _check_requires_grad(gradients, "grad_inputs", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients_of(gradients, weights, direction, create_graph)
        found = _filled(found, outputs, strict, create_graph, "back_trick")
    return _single(_finished(outputs, create_graph), many), _single(_finished(found, create_graph), many)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = REVERSE,
) -> Any:
    """All derivatives of all outputs by all inputs, each of the output's shape followed by the input's."""
    if strategy not in (FORWARD, REVERSE):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs '
            'than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == FORWARD:
        _check_forward(inputs, create_graph, strict, vectorize)
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", "jacobian")
        given = _prepared(given, create_graph, True)
        many, outputs = _as_tuple(func(*given), RESULTS, "jacobian")
        _check_requires_grad(outputs, "outputs", strict)
        if vectorize and strict:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. "
                "Please either set `strict=False` or `vectorize=False`."
            )
        rows = tuple(_by_all(number, out, given, create_graph, strict) for number, out in enumerate(outputs))
    finished = tuple(_finished(row, create_graph) for row in rows)
    unpacked = tuple(_single(row, several) for row in finished)
    return _single(unpacked, many)


def _check_forward(inputs: Any, create_graph: bool, strict: bool, vectorize: bool) -> None:
    """What PyTorch refuses in forward mode; the rest is computed backwards here, with the same result."""
    if create_graph:
        raise NotImplementedError(
            'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported '
            'together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
        )
    if strict:
        raise RuntimeError(
            'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported '
            'together (yet). Please either set `strict=False` or `strategy="reverse-mode"`.'
        )
    _as_tuple(inputs, "inputs", "jacobian")
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
            "`vectorize=True`."
        )


def _by_all(number: int, output: Any, inputs: Tensors, create_graph: bool, strict: bool) -> Tensors:
    """The Jacobians of one output by each input."""
    rows: list[list[Any]] = [[] for _ in inputs]
    for place in range(output.array.size):
        element = output.reshape(-1)[place]
        found = gradients_of((element,), inputs, None, create_graph, retain_graph=True)
        for index, (row, gradient, source) in enumerate(zip(rows, found, inputs, strict=True)):
            if gradient is None:
                if strict:
                    raise RuntimeError(
                        f"Output {number} of the user-provided function is independent of input {index}. {STRICT}"
                    )
                gradient = _zeros(source)
            elif strict and create_graph and not gradient.requires_grad:
                raise RuntimeError(
                    f"The jacobian of the user-provided function is independent of input {number}. This is not allowed "
                    "in strict mode when create_graph=True."
                )
            row.append(gradient)
    return tuple(
        TENSORS.stack(row, 0).view((*output.array.shape, *source.array.shape))
        for row, source in zip(rows, inputs, strict=True)
    )


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = REVERSE,
) -> Any:
    """All second derivatives of a function of one number."""
    several, given = _as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in (FORWARD, REVERSE):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def scalar(*values: Any) -> Any:
        return _scalar(func(*values), "hessian", strict)[0].squeeze()

    def gradient(*values: Any) -> Any:
        found = jacobian(scalar, values, create_graph=True)
        _check_requires_grad(found, "jacobian", strict)
        return found

    found = jacobian(gradient, given, create_graph, strict, vectorize, outer_jacobian_strategy)
    return _single(tuple(_single(row, several) for row in found), several)


def vhp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The function's number, and ``v`` times its Hessian."""
    several, given, direction, outputs, first = _first_derivatives(func, inputs, v, "vhp", create_graph, strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients_of(first, given, direction, create_graph)
        found = _filled(found, given, strict, create_graph, "double_back")
    return _finished(outputs, create_graph)[0], _single(_finished(found, create_graph), several)


def hvp(func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """The function's number, and its Hessian times ``v``."""
    several, given, direction, outputs, first = _first_derivatives(func, inputs, v, "hvp", create_graph, strict)
    with enable_grad():
        weights = tuple(_zeros(source, requires_grad=True) for source in given)
        second = gradients_of(first, given, weights, create_graph=True)
        _check_requires_grad(second, "hessian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients_of(second, weights, direction, create_graph)
        found = _filled(found, given, strict, create_graph, "double_back_trick")
    return _finished(outputs, create_graph)[0], _single(_finished(found, create_graph), several)


def _first_derivatives(
    func: Function, inputs: Any, v: Any, name: str, create_graph: bool, strict: bool
) -> tuple[bool, Tensors, Tensors | None, Tensors, Tensors]:
    """Whether there are several inputs, these, ``v``, the output, and its recorded gradients."""
    with enable_grad():
        several, given = _as_tuple(inputs, "inputs", name)
        given = _prepared(given, create_graph, True)
        text = (
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
            "element."
        )
        direction = _vector(v, given, several, name, create_graph, text)
        outputs = _scalar(func(*given), name, strict)
        first = gradients_of(outputs, given, None, create_graph=True)
        _check_requires_grad(first, "jacobian", strict)
    return several, given, direction, outputs, first


def _scalar(result: Any, name: str, strict: bool) -> Tensors:
    """The one number that a function gave, in a tuple; RuntimeError for anything else."""
    many, outputs = _as_tuple(result, RESULTS, name)
    _check_requires_grad(outputs, "outputs", strict)
    if many:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].array.size != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
    return outputs


# Arguments


def _as_tuple(value: Any, what: str, name: str) -> tuple[bool, Tensors]:
    """Whether ``value`` was a tuple, and it as one; TypeError for what is no tensor."""
    several = isinstance(value, tuple)
    listed = value if several else (value,)
    for place, element in enumerate(listed):
        if not isinstance(element, TensorBase):
            where = f"value at index {place}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the {where} has type "
                f"{type(element)}."
            )
    return several, listed


def _prepared(values: Tensors, create_graph: bool, need_graph: bool) -> Tensors:
    """Tensors whose gradients can be told from those of the ones given."""
    return tuple(
        value.view_as(value) if create_graph and value.requires_grad else value.detach().requires_grad_(need_graph)
        for value in values
    )


def _vector(v: Any, others: Tensors, several: bool, name: str, create_graph: bool, text: str) -> Tensors | None:
    """``v`` as a tuple that fits ``others``; None where there is one number, which needs none."""
    if v is None:
        if len(others) != 1 or others[0].array.size != 1:
            raise RuntimeError(text)
        return None
    _, vector = _as_tuple(v, "v", name)
    vector = _prepared(vector, create_graph, False)
    if len(others) != len(vector):
        if several:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(others)} but got {len(vector)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for place, (element, other) in enumerate(zip(vector, others, strict=True)):
        if element.array.shape != other.array.shape:
            where = f"Entry {place} in " if several else ""
            raise RuntimeError(f"{where}v has invalid size: should be {other.size()} but got {element.size()}.")
    return vector


# Gradients


def gradients_of(
    outputs: Sequence[Any],
    inputs: Sequence[Any],
    weights: Sequence[Any] | None,
    create_graph: bool = False,
    retain_graph: bool | None = None,
) -> Tensors:
    """The gradients of outputs by inputs, None by those that they don't depend on; outputs may require none."""
    pairs = zip(outputs, weights or (None,) * len(outputs), strict=True)
    kept = [(output, weight) for output, weight in pairs if output is not None and output.requires_grad]
    if not kept:
        return (None,) * len(inputs)
    return grad(
        [output for output, _ in kept],
        inputs,
        [weight for _, weight in kept],
        retain_graph=retain_graph,
        create_graph=create_graph,
        allow_unused=True,
    )


def _filled(found: Tensors, like: Tensors, strict: bool, create_graph: bool, step: str) -> Tensors:
    """Zeros for the gradients that are not there; RuntimeError in strict mode."""
    filled = []
    for place, (gradient, other) in enumerate(zip(found, like, strict=True)):
        if gradient is None:
            if strict:
                raise RuntimeError(MISSING[step].format(i=place))
            gradient = _zeros(other)
        elif strict and create_graph and not gradient.requires_grad:
            what = "hessian" if "double" in step else "jacobian"
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {place}. This is not allowed in "
                "strict mode when create_graph=True."
            )
        filled.append(gradient)
    return tuple(filled)


def _check_requires_grad(values: Sequence[Any], what: str, strict: bool) -> None:
    if not strict:
        return
    for place, value in enumerate(values):
        if value is None:
            raise RuntimeError(MISSING["back"].format(i=place))
        if not value.requires_grad:
            raise RuntimeError(NOT_A_LEAF_OF[what].format(i=place))


def _zeros(like: TensorBase, requires_grad: bool = False) -> TensorBase:
    made = new_tensor(np.zeros_like(like.array))
    if requires_grad:
        meta_of(made).requires_grad = True
    return made


def _finished(values: Tensors, create_graph: bool) -> Tensors:
    """Cut off from the graph, unless it was asked for."""
    return values if create_graph else tuple(value.detach() for value in values)


def _single(values: Tensors, several: bool) -> Any:
    """All of them, or where what was given was no tuple, the one there is."""
    return values if several else values[0]
