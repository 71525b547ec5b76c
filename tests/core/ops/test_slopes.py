"""Formulas of what becomes of the incoming gradient, for calls that write them differently each time."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chalkgrad.torch  # noqa: F401
from chalkgrad.engine.base import meta_of, new_tensor
from chalkgrad.engine.record import OPS, Call
from chalkgrad.engine.rules import TENSORS
from chalkgrad.explain.writing import in_words
from chalkgrad.ops.slopes import gradient_equation

PART = re.compile(r"g\[(.*)\]")


def settings_of(record, rest, options):
    """All arguments that are no inputs."""
    found = {attribute.name: attribute.default for attribute in record.attributes}
    return found | dict(zip(found, rest, strict=False)) | options


def gradients(record, arrays, rest, options):
    """The weights of the result, and the gradients that they give to the arrays."""
    tensors = [new_tensor(array.copy()) for array in arrays]
    for tensor in tensors:
        meta_of(tensor).requires_grad = True
    operands = [tensors] if record.variadic else tensors
    result = getattr(TENSORS, record.name)(*operands, *rest, **options)
    weights = np.random.default_rng(0).normal(size=result.array.shape)
    result.backward(new_tensor(weights))
    return weights, [tensor.grad.array for tensor in tensors]


def part(weights, text):
    """What a formula such as ``g[:, 2:4]`` takes out."""
    found = []
    for place in PART.fullmatch(text)[1].split(", "):
        ends = [int(end) if end else None for end in place.split(":")]
        found.append(slice(*ends) if len(ends) > 1 else ends[0])
    return weights[tuple(found)]


@pytest.mark.parametrize("name", ["cat", "stack", "pad", "constant_pad_nd"])
def test_each_gets_its_part_of_the_gradient(name):
    record = OPS[name]
    for operands, options in record.samples:
        arrays = operands[0] if record.variadic else operands[:1]
        names = [f"tensors_{place}" for place in range(len(arrays))] if record.variadic else record.inputs[:1]
        shapes = {key: array.shape for key, array in zip(names, arrays, strict=True)}
        slopes = record.varying(Call(settings_of(record, operands[1:], options), shapes))
        if not slopes:
            assert min(operands[1], default=0) < 0
            continue
        weights, found = gradients(record, arrays, operands[1:], options)
        for key, gradient in zip(names, found, strict=True):
            np.testing.assert_allclose(part(weights, in_words(slopes[key])), gradient)


TERMS = st.lists(st.text("ijk", min_size=1, max_size=3), min_size=1, max_size=3)


@given(TERMS, st.text("ijk", max_size=3), st.booleans())
def test_the_gradient_of_a_summation_is_a_summation(terms, right, is_written):
    letters = set("".join(terms))
    right = "".join(dict.fromkeys(letter for letter in right if letter in letters))
    equation = ",".join(terms) + (f"->{right}" if is_written else "")
    sizes = {"i": 2, "j": 3, "k": 4}
    generator = np.random.default_rng(1)
    arrays = [generator.normal(size=[sizes[letter] for letter in term]) for term in terms]
    weights, found = gradients(OPS["einsum"], arrays, [equation], {})
    for place, gradient in enumerate(found):
        written = gradient_equation(equation, place)
        if written:
            others = [*arrays[:place], *arrays[place + 1 :]]
            np.testing.assert_allclose(np.einsum(written, weights, *others), gradient, rtol=1e-6, atol=1e-9)
        else:
            own = terms[place]
            rest = "".join([*terms[:place], *terms[place + 1 :]]) + (right if is_written else own)
            assert len(set(own)) < len(own) or not is_written or set(own) - set(rest)


def test_what_was_dropped_gets_nothing():
    record = OPS["dropout"]
    assert record.varying(Call({"p": 0.5, "training": False}, {"input": (3,)})) == {"input": "1"}
    assert r"\result \neq 0" in record.varying(Call({"p": 0.5, "training": True}, {"input": (3,)}))["input"]


def test_what_is_not_written_down_is_left_out():
    loss = OPS["cross_entropy"]
    shapes = {"input": (2, 3), "target": (2,)}
    usual = settings_of(loss, (), {})
    assert loss.varying(Call(usual, shapes))
    assert not loss.varying(Call(usual | {"label_smoothing": 0.1}, shapes))
    assert not loss.varying(Call(usual, shapes | {"weight": (3,)}))
