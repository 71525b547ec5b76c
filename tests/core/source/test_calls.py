"""Calls as PyTorch's signatures have them, several results, and brackets: read, written, run."""

from __future__ import annotations

import pytest

from chalkgrad.program.known import Known
from chalkgrad.program.program import Program
from chalkgrad.program.shapes import infer
from chalkgrad.session.session import Session
from chalkgrad.source.emit import program_text
from chalkgrad.source.problem import SourceError
from chalkgrad.source.read import read_source

HEAD = """\
import torch
import torch.nn.functional as F
w = torch.tensor([[1., 2., 3.], [4., 5., 7.]], requires_grad=True)
x = torch.tensor([[1., -2., 3.], [4., 9., 7.]])
i = torch.tensor([[0, 1], [1, 2]])
j = torch.tensor([0, 1])
m = x > 2
"""

SAME = [
    "a, b = x.max(dim=1)",
    "a, b = torch.sort(w, dim=1, descending=True)",
    "a, b = torch.topk(w, 2)",
    "a, b, c = w.unbind(dim=1)",
    "a, = w.split(2)",
    "a, b = torch.std_mean(w, dim=1)",
    "y = torch.gather(w, 1, i)",
    "y = w.scatter(1, i, x)",
    "y = w.scatter(1, i, 5.0)",
    "y = torch.index_add(w, 0, j, x, alpha=2)",
    "y = w.index_fill(1, j, 3.0)",
    "y = torch.diff(w, prepend=x)",
    "y = torch.where(m, w, 0.0)",
    "y = x.where(m, w)",
    "y = torch.quantile(w, 0.5, dim=1)",
    "y = ~(m & (x < 5))",
    "y = F.linear(x, w)",
    'y = F.cross_entropy(w, j, reduction="none")',
    "y = w[0]",
    "y = w[:, 1:] * 2",
    "y = w[..., None]",
    "y = w[m].sum()",
    "y = w[[0, 1], -1]",
    "y = (w + 1)[j, :]",
    "x[0] = 5.0",
    "x[:, j] = w[:, j]",
    "x[m] = 0",
]

OTHERWISE = [
    ("a, b = torch.max(w, 1, keepdim=True)", "a, b = torch.max(w, dim=1, keepdim=True)"),
    ("y = torch.max(w, x)", "y = torch.maximum(w, x)"),
    ("y = w.gather(dim=1, index=i)", "y = w.gather(1, i)"),
    ("r = w.max(dim=1)\ny = r.values * r[0]", "r_values, r_indices = w.max(dim=1)\ny = r_values * r_values"),
    ("y = w.max(dim=0)[0].sum()", "t, _ = w.max(dim=0)\ny = t.sum()"),
    ("p = w.split(1, dim=1)\ny = p[0] + p[2]", "p0, p1, p2 = w.split(1, dim=1)\ny = p0 + p2"),
    ('y = torch.einsum("ij,kj->ik", w, x)', 'y = torch.einsum("ij,kj->ik", [w, x])'),
    ("x[0] += 1", "t = x[0]\nt += 1\nx[0] = t"),
]


def read(text: str) -> Program:
    return read_source(HEAD + text)


def body(program: Program) -> str:
    return program_text(program).split("m = x > 2\n")[1].strip()


@pytest.mark.parametrize(("text", "same"), [*((text, text) for text in SAME), *OTHERWISE])
def test_a_call_is_read_written_and_run(text: str, same: str) -> None:
    program = read(text)
    assert body(program) == same
    assert body(read(same)) == same
    session = Session(program)
    session.finish()
    state = session.trace.state()
    assert [problem.message for problem in state.problems] == []
    for (id_, output), fact in infer(program).items():
        tensor = state.tensor(id_, output)
        if isinstance(fact, Known) and tensor is not None:
            assert (tuple(tensor.shape), tensor.dtype) == (fact.shape, fact.dtype)


def test_as_many_names_as_tensors() -> None:
    with pytest.raises(SourceError, match="2 names"):
        read("a, b = w.unbind(dim=1)")


def test_how_many_is_not_known_until_it_runs() -> None:
    session = Session(read("p, q = w[m].split(1)"))
    session.finish()
    assert [problem.message for problem in session.trace.state().problems] == ["too many values to unpack (expected 2)"]


def test_gradients_go_through_every_output() -> None:
    session = Session(read("a, b, c = w.unbind(dim=1)\ny = (a * c).sum()\ny.backward()\nprint(w.grad)"))
    session.finish()
    assert session.trace.state().output[0].text == "tensor([[3., 0., 1.],\n        [7., 0., 4.]])"


@pytest.mark.parametrize(
    "call",
    [
        "F.batch_norm(x, None, None, training=True)",
        "F.batch_norm(x, m, v)",
        "F.batch_norm(x, m, v, w, training=True, momentum=0.5)",
        "torch.batch_norm(x, None, None, None, None, True, momentum=0.1, eps=0.01, cudnn_enabled=False)",
    ],
)
def test_what_may_be_none_but_not_left_out_is_written_and_called_so(call):
    head = "import torch\nimport torch.nn.functional as F\n\nx = torch.rand(4, 3, requires_grad=True)\n"
    head += "m = torch.zeros(3)\nv = torch.ones(3)\nw = torch.rand(3)\n" if "m, v" in call else ""
    program = read_source(f"{head}y = {call}\ny.sum().backward()\n")
    assert f"y = {call}" in program_text(program).splitlines()
    session = Session(program)
    session.finish()
    state = session.trace.state()
    assert not state.problems
    assert state.names["y"].grad_fn == "NativeBatchNormBackward0"
