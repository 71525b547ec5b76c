"""What is known of a call before it runs: that no way to call the operator takes the arguments it names."""

from __future__ import annotations

import pytest

from chalkgrad.program.statement import Statement
from chalkgrad.session.misfits import misfit
from chalkgrad.source.read import read_source


def last(line: str) -> Statement:
    program = read_source(f"import torch\nx = torch.ones(2, 3)\n{line}\n")
    return program[program.order[-1]]


@pytest.mark.parametrize(
    "line",
    [
        "y = torch.sum(x, dim=1, keepdim=True)",
        "y = x.sum()",
        "y = x + 1",
        "y = torch.var(x, correction=0, keepdim=True)",
        "y = x.argmax(keepdim=True)",
        "y = torch.cat([x, x], dim=0)",
        "y = x.reshape(3, 2)",
        "y = x[0]",
    ],
)
def test_calls_that_pytorch_takes(line):
    assert misfit(last(line)) is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "y = torch.sum(x, dim=1, keepdim=True)",
            "sum() received an invalid combination of arguments - got (Tensor",
        ),
        ("y = x.mean(dim=1, keepdim=True)", "mean() received an invalid combination of arguments - got (keepdim"),
        (
            "y = torch.prod(x, dim=1, keepdim=True)",
            "prod() received an invalid combination of arguments - got (Tensor,",
        ),
    ],
)
def test_what_lacks_its_dim(line, said):
    message = misfit(last(line).without_option("dim"))
    assert message is not None
    assert message.startswith(said)
