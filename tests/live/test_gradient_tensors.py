"""The gradients of every operator are tensors like PyTorch's: written as often, views alike, in the same order."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

theirs = pytest.importorskip("torch")

from support.outcomes import Run  # noqa: E402
from support.random_calls import PUBLIC, laid_out, literal  # noqa: E402

from chalkgrad import torch as ours  # noqa: E402

OTHERWISE = {
    "as_strided": "the result is no view when it is recorded",
    "trace": "the same",
    "binary_cross_entropy": "the gradient for a target is written once for each weight and mean",
}
"""Operators whose gradients differ, and how."""


class Call:
    """The lines of a program that calls an operator on one of its samples and takes the gradient of each input."""

    def __init__(self, record, args, kwargs, create_graph):
        self.lines = ["torch.set_default_dtype(torch.float64)"]
        self.leaves = []
        names = [*record.inputs, *(attribute.name for attribute in record.attributes)]
        texts = {name: self.written(value) for name, value in zip(names, args, strict=False)}
        texts |= {name: self.written(value) for name, value in kwargs.items()}
        given, options = laid_out(record, texts, len(args), random.Random(0))
        named = [f"{name}={text}" for name, text in options.items()]
        if record.function:
            call = f"{record.function}({', '.join([*given, *named])})"
        else:
            call = f"{given[0]}.{record.method}({', '.join([*given[1:], *named])})"
        self.lines += [f"v50 = one({call})", "v51 = (v50 * v50).sum()"]
        for place, leaf in enumerate(self.leaves):
            options = f"create_graph={create_graph}, retain_graph=True, allow_unused=True"
            self.lines.append(f"g{place}, = torch.autograd.grad(v51, [{leaf}], {options})")

    def written(self, value):
        if isinstance(value, np.ndarray):
            name = f"v{len(self.lines)}"
            leaf = value.dtype.kind == "f"
            self.lines.append(f"{name} = {literal(value)}" + (".requires_grad_()" if leaf else ""))
            self.leaves += [name] if leaf else []
            return name
        if isinstance(value, list | tuple) and any(isinstance(member, np.ndarray) for member in value):
            return f"[{', '.join(self.written(member) for member in value)}]"
        return str(value) if hasattr(value, "scalar_type") else repr(value)

    def gradients(self, module):
        module.set_default_dtype(module.float32)
        run = Run(module)
        for line in self.lines:
            error, _ = run.line(line)
            if error:
                return error
        return [seen(run.names[f"g{place}"]) for place in range(len(self.leaves))]


def seen(gradient):
    if gradient is None:
        return None
    strides = tuple(step for step, size in zip(gradient.stride(), gradient.shape, strict=True) if size > 1)
    return gradient._version, gradient._is_view(), strides, gradient.storage_offset(), gradient.requires_grad


def calls(create_graph):
    for record in PUBLIC:
        if record.writes is None and record.samples:
            for args, kwargs in list(record.samples)[:2]:
                call = Call(record, args, kwargs, create_graph)
                if call.leaves:
                    yield record.name, call


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_are_tensors_like_pytorchs(create_graph):
    different = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, call in calls(create_graph):
            mine, other = call.gradients(ours), call.gradients(theirs)
            if mine != other:
                different[name] = (mine, other, call.lines)
    assert different.keys() <= OTHERWISE.keys(), {name: different[name] for name in different.keys() - OTHERWISE.keys()}
