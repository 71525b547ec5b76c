"""``torch.autograd.gradcheck``: derivatives checked against finite differences."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from chalkgrad.engine.autograd import grad
from chalkgrad.engine.base import TensorBase, meta_of, new_tensor
from chalkgrad.engine.generator import Generator, default_generator
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.jacobians import (
    Array,
    Check,
    Function,
    analytic_jacobians,
    as_tuple,
    gradients_by,
    numeric_jacobians,
    slopes_along,
)
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.storage import element_strides


class GradcheckError(RuntimeError):
    """A derivative that differs from the slope, or is wrong in another way."""


GradcheckError.__module__ = "torch.autograd.gradcheck"

NONDETERMINISTIC = """

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""

FAST_FAILED_SLOW_PASSED = """Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck:

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `fast_mode=False` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_fast_mode=False`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_fast_mode=False`"""

UNDEFINED_SUPPORT = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break "
    "existing callers of this function. If this is true for you, you can call this function with "
    '"check_undefined_grad=False" to disable the feature'
)
UNDEFINED_NOTES = 'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'


def gradcheck(
    func: Function,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """True when the derivatives of ``func`` at ``inputs`` agree with central differences of width ``2 * eps``.

    The inputs that require grad should be float64; they are moved in place and put back. ``fast_mode`` compares one
    random projection of each Jacobian. GradcheckError, or False without ``raise_exception``, when they disagree.
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    if check_forward_ad or check_batched_grad:
        raise NotImplementedError("forward-mode derivatives and vmap are not offered by Chalkgrad")
    check = Check(func, as_tuple(inputs), eps, atol, rtol, nondet_tol, check_grad_dtypes)
    try:
        _run(check, fast_mode=fast_mode, undefined=check_undefined_grad, masked=bool(masked))
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Function,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """:func:`gradcheck` of the gradients of ``func``, by its inputs and by the gradients it is given.

    ``grad_outputs`` are drawn at random where they are not given.
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    if check_undefined_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_undefined_grad=True requires check_rev_over_rev to be True")
    if check_batched_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_batched_grad=True requires check_rev_over_rev to be True")
    given = as_tuple(inputs)
    check = Check(func, given, eps, atol, rtol, nondet_tol, check_grad_dtypes)
    if grad_outputs is None:
        weights = tuple(_random_leaf(out, gen_non_contig_grad_outputs) for out in check.differentiable())
    else:
        weights = as_tuple(grad_outputs)
    by = {place for place, value in enumerate(given) if isinstance(value, TensorBase) and requires_grad_of(value)}
    weighted = {place for place, value in enumerate(weights) if requires_grad_of(value)}

    def gradients(*values: Any) -> tuple[TensorBase, ...]:
        inside, around = values[: len(given)], values[len(given) :]
        for place in by:
            inside[place].requires_grad_()
        for place in weighted:
            around[place].requires_grad_()
        outputs = tuple(output for output in as_tuple(func(*inside)) if output.requires_grad)
        sources = [value for place, value in enumerate(inside) if place in by]
        found = grad(outputs, sources, around, create_graph=True, allow_unused=True)
        return tuple(gradient for gradient in found if gradient is not None)

    return gradcheck(
        gradients,
        (*given, *weights),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def _run(check: Check, *, fast_mode: bool, undefined: bool, masked: bool) -> None:
    _check_inputs(check.inputs)
    outputs = check.differentiable()
    if not outputs:
        _check_zero(check)
    elif fast_mode:
        _compare_projections(check, outputs)
    else:
        _compare_jacobians(check, outputs)
    _check_scaled_by_gradient(check, outputs, masked)
    if undefined:
        _check_undefined(check)


def _check_inputs(inputs: tuple[Any, ...]) -> None:
    """Warn of inputs that are not float64; ValueError where none requires grad."""
    found = False
    for number, value in enumerate(inputs):
        if not isinstance(value, TensorBase) or not requires_grad_of(value):
            continue
        found = True
        if value.array.dtype != np.float64:
            warnings.warn(
                f"Input #{number} requires gradient and is not a double precision floating point or complex. This "
                "check will likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=4,
            )
        steps = zip(element_strides(value.array), value.array.shape, strict=True)
        if any(stride == 0 and size > 1 for stride, size in steps):
            raise RuntimeError(
                f"The {number}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous "
                "on the input before passing it to gradcheck."
            )
    if not found:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )


# What is compared


def _compare_jacobians(check: Check, outputs: tuple[TensorBase, ...]) -> None:
    kept = [output.requires_grad for output in check.outputs()]
    slopes = [
        [jacobian for jacobian, wanted in zip(numeric_jacobians(check, source), kept, strict=True) if wanted]
        for source in check.checked
    ]
    for number, output in enumerate(outputs):
        derivatives = _checked_jacobians(check, output)
        for place, derivative in enumerate(derivatives):
            if not _near(derivative, slopes[place][number], check.rtol, check.atol):
                raise GradcheckError(_mismatch(number, place, slopes[place][number], derivative))


def _checked_jacobians(check: Check, output: TensorBase) -> list[Array]:
    """The derivatives, which must come out the same twice and in the dtype of the input."""
    sources = check.checked
    first, second = analytic_jacobians(output, sources), analytic_jacobians(output, sources)
    if check.check_grad_dtypes:
        sample = gradients_by(output, sources, np.ones_like(output.array))
        for source, gradient in zip(sources, sample, strict=True):
            if gradient is not None and gradient.array.dtype != source.array.dtype:
                raise GradcheckError("Gradient has dtype mismatch")
    _check_reentrant(check, first, second)
    return first


def _check_reentrant(check: Check, first: list[Array], second: list[Array]) -> None:
    for one, other in zip(first, second, strict=True):
        if one.size and np.abs(one - other).max() > check.nondet_tol:
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                "gives different values, although analytical gradient matches numerical gradient."
                f"The tolerance for nondeterminism was {check.nondet_tol}." + NONDETERMINISTIC
            )


def _compare_projections(check: Check, outputs: tuple[TensorBase, ...]) -> None:
    """The same along one random direction of each input, weighted by random numbers for each output."""
    generator = Generator()
    steps = [_direction(source.array, generator) for source in check.checked]
    weights = [_direction(output.array, generator) for output in outputs]
    kept = [output.requires_grad for output in check.outputs()]
    analytic = [_projected(check, output, weight, steps) for output, weight in zip(outputs, weights, strict=True)]
    for place, (source, step) in enumerate(zip(check.checked, steps, strict=True)):
        slopes = slopes_along(check, source.array, step.reshape(source.array.shape) * check.eps)
        wanted = [slope for slope, keep in zip(slopes, kept, strict=True) if keep]
        for number, (slope, weight) in enumerate(zip(wanted, weights, strict=True)):
            numeric = np.asarray(slope.reshape(-1).dot(weight))
            atol = check.atol * float(step.sum()) * float(weight.sum())
            if not _near(analytic[number][place], numeric, check.rtol, atol):
                text = _mismatch(number, place, numeric, analytic[number][place])
                raise GradcheckError(text + _slow_report(check, outputs, number, place))


def _direction(like: Array, generator: Generator) -> Array:
    """A random vector of length 1, all of whose numbers are positive."""
    drawn = generator.rand((like.size,)).astype(like.dtype)
    direction: Array = drawn / np.sqrt((drawn * drawn).sum())
    return direction


def _projected(check: Check, output: TensorBase, weight: Array, steps: list[Array]) -> list[Array]:
    def once() -> list[Array]:
        found = gradients_by(output, check.checked, weight.reshape(output.array.shape))
        return [
            np.asarray(0.0 if gradient is None else gradient.array.reshape(-1).dot(step))
            for gradient, step in zip(found, steps, strict=True)
        ]

    first = once()
    _check_reentrant(check, first, once())
    return first


def _slow_report(check: Check, outputs: tuple[TensorBase, ...], number: int, place: int) -> str:
    """What the slow mode would have said, for a projection that disagreed."""
    kept = [index for index, output in enumerate(check.outputs()) if output.requires_grad]
    numeric = numeric_jacobians(check, check.checked[place])[kept[number]]
    analytic = analytic_jacobians(outputs[number], check.checked)[place]
    difference = new_tensor(np.asarray(np.abs(numeric - analytic).max()))
    text = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {new_tensor(numeric)}\nAnalytical:\n{new_tensor(analytic)}\n\n"
        f"The max per-element difference (slow mode) is: {difference}.\n"
    )
    return text + (FAST_FAILED_SLOW_PASSED if _near(analytic, numeric, check.rtol, check.atol) else "")


def _check_zero(check: Check) -> None:
    """A function of which nothing requires grad must not change with its inputs."""
    for source in check.checked:
        if any(jacobian.any() for jacobian in numeric_jacobians(check, source)):
            raise GradcheckError("Numerical gradient for function expected to be zero")


def _check_scaled_by_gradient(check: Check, outputs: tuple[TensorBase, ...], masked: bool) -> None:
    """Gradients of 0 must give gradients of 0."""
    zeros = [new_tensor(np.zeros_like(output.array)) for output in outputs]
    if not outputs:
        return
    for gradient in grad(outputs, check.checked, zeros, retain_graph=True, allow_unused=True):
        if gradient is None:
            continue
        near = np.allclose(gradient.array, 0) if masked else not gradient.array.any()
        if not near:
            raise GradcheckError("backward not multiplied by grad_output")


def _check_undefined(check: Check) -> None:
    """Outputs whose gradient doesn't come at all count as gradients of 0: all of them, and each by itself."""
    count = len(check.differentiable())
    for left_out in range(-1, count if count > 1 else 0):
        outputs = [
            _undefined(output) if left_out in (-1, number) else output
            for number, output in enumerate(check.differentiable())
        ]
        zeros = [new_tensor(np.zeros_like(output.array)) for output in outputs]
        try:
            found = grad(outputs, check.checked, zeros, allow_unused=True)
        except RuntimeError as error:
            warnings.warn(UNDEFINED_SUPPORT, stacklevel=4)
            raise GradcheckError(
                f"Expected backward function to handle undefined output grads. {UNDEFINED_NOTES}"
            ) from error
        if any(gradient is not None and gradient.array.any() for gradient in found):
            warnings.warn(UNDEFINED_SUPPORT, stacklevel=4)
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero. "
                + UNDEFINED_NOTES
            )


class UndefinedGrad(Node):
    """Lets no gradient through."""

    __slots__ = ()

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """Nothing."""
        return [None]

    run_recorded = run


def _undefined(output: TensorBase) -> TensorBase:
    """``output``, for whose makers no gradient will come."""
    made = new_tensor(output.array)
    made.node = UndefinedGrad((edge_of(output),), (), (), output.array.shape, output.array.dtype)
    made.node.ports = (output.output_nr,)
    return made


def _near(first: Array, second: Array, rtol: float, atol: float) -> bool:
    return bool(np.allclose(first, second, rtol, atol))


def _mismatch(number: int, place: int, numeric: Array, analytic: Array) -> str:
    return (
        f"Jacobian mismatch for output {number} with respect to input {place},\n"
        f"numerical:{new_tensor(numeric)}\nanalytical:{new_tensor(analytic)}\n"
    )


def _random_leaf(like: TensorBase, spread: bool) -> TensorBase:
    """Even numbers from -1 to 1 in the shape of ``like``, not side by side in memory if ``spread``."""
    values = np.asarray(default_generator.rand(like.array.shape, like.array.dtype) * 2 - 1)
    if spread and values.size > 1:
        wide = np.zeros((*values.shape[:-1], values.shape[-1] * 2), values.dtype)
        wide[..., ::2] = values
        values = wide[..., ::2]
    made = new_tensor(values)
    meta_of(made).requires_grad = True
    return made
