"""A warning points at the line that caused it, wherever PyTorch's does; what has called what inside is not shown."""

from __future__ import annotations

import contextlib
import warnings

import numpy
import pytest

from chalkgrad import torch as ours

theirs = pytest.importorskip("torch")

LINES = (
    "torch.tensor(torch.ones(2))",
    "torch.ones(2).new_tensor(torch.ones(2))",
    "torch.range(0, 2)",
    "torch.arange(3, out=torch.ones(2, dtype=torch.long))",
    "torch.add(torch.ones(2), torch.ones(2), out=torch.ones(3))",
    "torch.ones(2).add(2, torch.ones(2))",
    "float(torch.ones(1, requires_grad=True))",
    "torch.ones(2)[torch.tensor([1, 0], dtype=torch.uint8)]",
    "torch.ones(2, 2)[[[0, 1], [1, 0]]]",
    "torch.where(torch.tensor([1, 0], dtype=torch.uint8), 1.0, 2.0)",
    "torch.ones(2, 2, 2).T",
    "torch.ones(()).T",
    "torch.ones(1).var()",
    "torch.ones(1).std()",
    "torch.std_mean(torch.ones(1))",
    "torch.cov(torch.ones(2, 1))",
    "torch.cross(torch.ones(3), torch.ones(3))",
    "torch.qr(torch.ones(2, 2))",
    "torch.cholesky(torch.eye(2))",
    "torch.ones(1).expand(3).masked_fill_(torch.tensor([True, False, True]), 2)",
    "torch.zeros(3).scatter_(0, torch.tensor([0]), torch.ones(1), reduce='add')",
    "torch.ones(3).index_reduce(0, torch.tensor([0]), torch.ones(1), 'prod')",
    "torch.from_numpy(numpy.frombuffer(b'abcd', dtype='uint8'))",
    "torch.as_tensor(numpy.frombuffer(b'abcd', dtype='uint8'))",
    "(torch.ones(2, requires_grad=True) * 2).grad",
    "torch.tensor([torch.ones(1, requires_grad=True)])",
    "torch.tensor([torch.ones(2, requires_grad=True)])",
    "torch.randint(0, 2**30, (2,), dtype=torch.float32)",
    "torch.nn.functional.mse_loss(torch.ones(2, 1), torch.ones(2))",
    "torch.nn.functional.softmax(torch.ones(2, 2))",
    "torch.nn.init.xavier_uniform(torch.ones(2, 2))",
    "torch.nn.Linear(0, 1)",
)


def heard(module, line):
    """The warnings of a line: their kind, how they begin, and whether they point at it."""
    with warnings.catch_warnings(record=True) as caught, contextlib.suppress(Exception):
        warnings.simplefilter("always")
        module.set_warn_always(True)
        exec(compile(line, "<line>", "exec"), {"torch": module, "numpy": numpy})
    module.set_warn_always(False)
    return [(entry.category.__name__, str(entry.message)[:40], entry.filename == "<line>") for entry in caught]


@pytest.mark.parametrize("line", LINES)
def test_a_warning_points_at_the_line_that_caused_it(line):
    expected, found = heard(theirs, line), heard(ours, line)
    assert expected
    assert [(kind, text) for kind, text, _ in found] == [(kind, text) for kind, text, _ in expected]
    assert all(here for (_, _, here), (_, _, there) in zip(found, expected, strict=True) if there), found
