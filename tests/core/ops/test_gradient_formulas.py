"""Formulas that say what becomes of the incoming gradient, such as ``g B^T``, come to what the backward computes."""

from __future__ import annotations

import re

import numpy as np
import pytest

import chalkgrad.ops
import chalkgrad.torch  # noqa: F401
from chalkgrad.engine.base import meta_of, new_tensor
from chalkgrad.engine.record import OPS
from chalkgrad.engine.rules import TENSORS

SENT = re.compile(r"(?<![A-Za-z\\])g(?![A-Za-z])")
TERM = re.compile(r"(-)|\\det\(\\(\w+)\)|(I)|\\?([a-z]\w*)(\^\{-?\\top\})?|\\,|\s")
PRODUCTS = ("mm", "mv", "bmm", "matmul", "addmm", "outer", "linear", "inverse", "det", "trace")
CASES = [
    (OPS[name], key)
    for name in PRODUCTS
    for key, text in OPS[name].derivatives.items()
    if SENT.search(text) and r"\sum" not in text
]


def product(text, values):
    """What a product of matrices, transposes and inverses comes to; numbers multiply."""
    found = np.array(1.0)
    at = 0
    while at < len(text):
        term = TERM.match(text, at)
        assert term, text[at:]
        at = term.end()
        sign, det, unit, name, turned = term.groups()
        if sign:
            found = -found
        elif det:
            found = found * np.linalg.det(values[det])
        elif unit:
            found = found * np.eye(*values["self"].shape)
        elif name:
            factor = values[name]
            if turned and "-" in turned:
                factor = np.linalg.inv(factor)
            factor = np.swapaxes(factor, -1, -2) if turned and factor.ndim > 1 else factor
            found = found * factor if not found.ndim or not factor.ndim else joined(found, factor)
    return found


def joined(left, right):
    """A matrix product; two vectors that stand for a column and a row make a matrix."""
    return np.outer(left, right) if left.ndim == right.ndim == 1 else left @ right


@pytest.mark.parametrize(("record", "key"), CASES, ids=[f"{record.name}-{key}" for record, key in CASES])
def test_formula_and_backward_agree(record, key):
    operands, options = next(
        sample for sample in record.samples if all(isinstance(given, np.ndarray) for given in sample[0][:1])
    )
    count = len(record.inputs)
    given = [array.astype(np.float64) if isinstance(array, np.ndarray) else array for array in operands[:count]]
    tensors = [new_tensor(array) if isinstance(array, np.ndarray) else array for array in given]
    target = tensors[record.inputs.index(key)]
    meta_of(target).requires_grad = True
    result = getattr(TENSORS, record.name)(*tensors, *operands[count:], **options)
    weights = np.random.default_rng(0).normal(size=result.array.shape)
    result.backward(new_tensor(weights))
    values = dict(zip(record.inputs, given, strict=False)) | {"g": weights}
    found = product(record.derivatives[key], values)
    np.testing.assert_allclose(np.broadcast_to(found, target.array.shape), target.grad.array, rtol=1e-6, atol=1e-9)
