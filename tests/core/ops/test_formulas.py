"""The derivative that an operator's record writes in LaTeX is the one that its backward computes."""

from __future__ import annotations

import numpy as np
import pytest
from support.latex_values import NotKnownError, value

import chalkgrad.torch  # noqa: F401
from chalkgrad.engine.base import meta_of, new_tensor
from chalkgrad.engine.record import OPS, Call, filled
from chalkgrad.engine.rules import ARRAYS, TENSORS
from chalkgrad.engine.shapes import sum_to

ELEMENTWISE = ("arithmetic", "pointwise", "activation", "loss")
IN_WORDS = {
    "glu": "halves of the input",
    "heaviside": "none",
    "log_softmax": "a matrix",
    "nextafter": "it has no backward",
    "rrelu": "random",
    "softmax": "a matrix",
}
"""Operators whose formulas are not of single elements, and what they are."""
NORMS = ("norm", "linalg_vector_norm")

BOUNDS = {"min": -np.inf, "max": np.inf}
UNSAID = {"approximate", "eps", "threshold"}
"""Arguments that some formulas leave out: an explanation does not use those then."""
NAMES = ("x", "y", "z")
CONSTANTS = {"lambda": 1.0507009873554805, "alpha": 1.6732632423543772}
"""Of selu."""
CASES = [
    (record, key)
    for record in OPS.values()
    for key in record.inputs
    if ((record.section in ELEMENTWISE and record.name not in IN_WORDS) or record.name in NORMS)
    and (record.derivatives.get(key) or record.varying)
    and (record.vjps or record.compose)
]


def settings_of(record, operands, options):
    """All arguments of a sample that are no inputs."""
    found = {attribute.name: attribute.default for attribute in record.attributes}
    return found | dict(zip(found, operands[len(record.inputs) :], strict=False)) | options


def slope(record, key, operands, options):
    """The formula for a sample by one of its inputs, None where the record has none."""
    if record.varying is None:
        return record.derivatives[key]
    given = zip(record.inputs, operands, strict=False)
    shapes = {name: array.shape for name, array in given if isinstance(array, np.ndarray)}
    return record.varying(Call(settings_of(record, operands, options), shapes)).get(key)


def worked(record, key, operands, options):
    """The gradient of the sum of the result by input ``key``, and the result."""
    count = len(record.inputs)
    tensors = [new_tensor(array.copy()) if isinstance(array, np.ndarray) else array for array in operands[:count]]
    target = tensors[record.inputs.index(key)]
    meta_of(target).requires_grad = True
    result = getattr(TENSORS, record.name)(*tensors, *operands[count:], **options)
    result.sum().backward()
    return target.grad.array, result.array


def written(record, key, operands, options, result):
    """What the formula comes to, element by element."""
    letters = dict(zip(record.inputs, NAMES, strict=False))
    given = dict(zip(record.inputs, operands, strict=False))
    values = {letters[name]: array for name, array in given.items() if array is not None}
    values |= {letters[name]: bound for name, bound in BOUNDS.items() if name in letters and given.get(name) is None}
    settings = settings_of(record, operands, options)
    numbers = {name: f"({number})" for name, number in settings.items() if isinstance(number, int | float)}
    values |= {"n": operands[1].size if record.section == "loss" else 1.0, "r": result}
    classes = operands[0].shape[-1] if record.section == "loss" else 0
    functions = {"onehot": lambda numbers: np.eye(classes)[np.asarray(numbers, int)]}
    with np.errstate(all="ignore"):
        text = filled(slope(record, key, operands, options), numbers | letters | {"result": "r"})
        return value(text, CONSTANTS | values, functions)


@pytest.mark.parametrize(("record", "key"), CASES, ids=[f"{record.name}-{key}" for record, key in CASES])
def test_formula_and_backward_agree(record, key):
    place = record.inputs.index(key)
    for operands, options in record.samples:
        wanted = operands[place] if place < len(operands) else None
        if not isinstance(wanted, np.ndarray) or wanted.dtype.kind != "f" or UNSAID & options.keys():
            continue
        given = [attribute.name for attribute in record.attributes][: len(operands) - len(record.inputs)]
        if UNSAID.intersection(given) and record.name != "threshold":
            continue
        if slope(record, key, operands, options) is None:
            continue
        found, result = worked(record, key, operands, options)
        each = written(record, key, operands, options, result)
        is_reduced = record.section == "loss" or record.name in NORMS
        each = each if is_reduced else np.broadcast_to(each, result.shape)
        np.testing.assert_allclose(found, sum_to(ARRAYS, each, found.shape), rtol=1e-3, atol=1e-5)


def test_the_evaluator_reads_what_people_write():
    assert value(r"\frac{1}{2 \sqrt{x}}", {"x": 4.0}) == 0.25
    assert value(r"-2 \, x^{2} + [1 < x \le 3] \ln e", {"x": 3.0}) == -17.0
    assert value(r"\sin^{2} x + \cos^{2} x", {"x": 0.3}) == pytest.approx(1.0)
    assert value(r"\operatorname{sgn} x \cdot \lvert x \rvert", {"x": -2.0}) == -2.0
    with pytest.raises(NotKnownError):
        value(r"\operatorname{reshape}(x)", {"x": 1.0})
