"""Gradients lie in memory as PyTorch's: views of one another or not, written so often, shared with what was given."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from itertools import islice
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("expecttest")

import torch as theirs

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from live.both import NotComparableError, Side, ours, supported, tensors, weight_of
    from live.op_db import counterpart, offered, op_db, samples, title

SAMPLES = 2

KNOWN = {"aminmax": "how often it is written depends on which of its two gradients come"}
"""Operators whose gradients are not looked at, and why."""

OPERATORS = [op for op in op_db if op.supports_autograd and offered(op) and op.name not in KNOWN]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OPERATORS, ids=title)
def test_gradients_lie_in_memory_as_pytorchs(op):
    for sample in islice(samples(op, "float32"), SAMPLES):
        try:
            expected = seen(Side(theirs), op.op, sample)
        except (NotComparableError, RuntimeError, TypeError):
            continue  # that both refuse it is tested where operators are
        try:
            found = seen(Side(ours), counterpart(op), sample)
        except NotComparableError:
            continue
        assert found == expected


def seen(side: Side, function: Any, sample: Any) -> list[Any]:
    """What is seen of the gradients of a sample: asked for, with and without a graph, and accumulated."""
    args, kwargs = side.of((sample.input, *sample.args)), side.of(sample.kwargs)
    found = []
    for graph in (False, True):
        side.module.default_generator.manual_seed(7)
        outputs = [member for member in tensors(function(*args, **kwargs)) if member.requires_grad]
        if side.module is theirs and not all(map(supported, outputs)):
            raise NotComparableError("its result")
        if not outputs:
            return found
        weights = [weight_of(side.module, output, False) for output in outputs]
        gradients = side.module.autograd.grad(
            outputs, side.leaves, weights, allow_unused=True, create_graph=graph, retain_graph=True
        )
        found.append(in_memory(gradients, [*outputs, *side.leaves, *weights]))
        if not graph:
            side.module.autograd.backward(outputs, weights)
            found.append(in_memory([leaf.grad for leaf in side.leaves], [*outputs, *side.leaves, *weights]))
    return found


def in_memory(gradients: Iterable[Any], others: list[Any]) -> tuple[Any, ...]:
    """Versions and places of those gradients that have elements, and what lies in the same memory as what else."""
    there = [gradient for gradient in gradients if gradient is not None and gradient.numel()]
    facts = [
        (one._is_view(), one._version, one.untyped_storage().nbytes(), one.storage_offset(), [one is x for x in there])
        for one in there
    ]
    return facts, shared([one.detach() for one in (*there, *others)])


def shared(members: list[Any]) -> list[list[int]]:
    """The numbers of those that have their memory in common."""
    groups: dict[int, list[int]] = {}
    for number, member in enumerate(members):
        if member.numel():
            groups.setdefault(member.untyped_storage().data_ptr(), []).append(number)
    return [group for group in groups.values() if len(group) > 1]
