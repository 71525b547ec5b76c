"""What is known of a call before it runs: that no way to call the operator takes the arguments it names."""

from __future__ import annotations

import pytest

from chalkgrad import torch
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
        ("y = torch.zeros(-3)", "zeros: Dimension size must be non-negative."),
        ("y = torch.zeros(-3, -100000)", "zeros: Dimension size must be non-negative."),
        ("y = torch.linspace(0., 1., -3)", "number of steps must be non-negative"),
        ("y = torch.arange(0, 5, -1)", "upper bound and lower bound inconsistent with step sign"),
        ("y = torch.randint(5, 2, (3,))", "random_ expects 'from' to be less than 'to', but got from=5 >= to=2"),
        ("y = torch.eye(-2)", "n must be greater or equal to 0, got -2"),
        ("y = torch.ones(10**8, 10**8)", "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't"),
    ],
)
def test_leaves_that_can_not_be_made(line, said):
    assert misfit(last(line)).startswith(said)


@pytest.mark.parametrize(
    "line",
    [
        "y = torch.randn(2, 3)",
        "y = torch.zeros(())",
        "y = torch.zeros(0, 5, dtype=torch.int64)",
        "y = torch.randint(2, 5, (3,))",
        "y = torch.arange(5.)",
        "y = torch.full((2, 2), 1.5)",
        "y = torch.tensor([[1., 2.]], requires_grad=True)",
        "y = torch.zeros(300, 300)",
        "y = torch.zeros_like(x)",
    ],
)
def test_leaves_that_can_be_made(line):
    assert misfit(last(line)) is None


def test_no_random_number_is_drawn_to_see_whether_it_could_be():
    torch.manual_seed(3)
    first = torch.rand(1).item()
    torch.manual_seed(3)
    misfit(last("y = torch.randn(3)"))
    assert torch.rand(1).item() == first


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
