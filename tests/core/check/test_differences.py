"""Finite differences beside one gradient: of leaves, of what retain_grad() kept, of results of autograd.grad."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalkgrad.check.differences import differences
from chalkgrad.engine import generator
from chalkgrad.engine.graph import state as engine_state
from chalkgrad.session.recorder import Recorder
from chalkgrad.source import read
from chalkgrad.text import LANGUAGES, render

X = "x = torch.tensor([0.5, 1.], requires_grad=True)\n"
CASES = {
    "a leaf": (X + "y = (x * x).sum()\ny.backward()", "x"),
    "two backwards": (X + "y = (x * x).sum()\ny.backward(retain_graph=True)\ny.backward()", "x"),
    "weights": (X + "y = x ** 3\ny.backward(torch.tensor([1., 2.]))", "x"),
    "retained": (X + "a = x.exp()\na.retain_grad()\ny = (a * a).sum()\ny.backward()", "a"),
    "retained after a write": (X + "a = x.sin()\na.add_(x)\na.retain_grad()\ny = (a * a).sum()\ny.backward()", "a"),
    "a result": (X + "y = (x ** 3).sum()\ng, = torch.autograd.grad(y, x)", "g"),
    "a matrix": (
        "x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\ny = (x @ x).tanh().sum()\ny.backward()",
        "x",
    ),
    "random numbers": (X + "m = torch.rand(2)\ny = (x * m).sum()\ny.backward()", "x"),
    "detached": (X + "y = (x * x.detach()).sum()\ny.backward()", "x"),
    "under no_grad": (X + "with torch.no_grad():\n    s = x * 3\ny = (x * s).sum()\ny.backward()", "x"),
    "after a loop": (X + "for i in range(3):\n    y = (x ** 2 * (i + 1)).sum()\n    y.backward()", "x"),
    "descent": (
        (
            "w = torch.tensor([0.5, 2.], requires_grad=True)\n"
            "for i in range(4):\n"
            "    loss = ((w * 2 - 1) ** 2).sum()\n"
            "    w.grad = None\n"
            "    loss.backward()\n"
            "    with torch.no_grad():\n"
            "        w -= 0.1 * w.grad"
        ),
        "w",
    ),
    "an optimiser": (
        (
            "w = torch.tensor([0.5, 2.], requires_grad=True)\n"
            "optimizer = torch.optim.Adam([w], lr=0.1)\n"
            "for i in range(4):\n"
            "    optimizer.zero_grad()\n"
            "    loss = ((w * 2 - 1) ** 4).sum()\n"
            "    loss.backward()\n"
            "    optimizer.step()"
        ),
        "w",
    ),
    "one number": ("x = torch.tensor(2., requires_grad=True)\ny = x.log()\ny.backward()", "x"),
}


def worked_out(text, name, line=None, rounds=None):
    program = read.read_source(f"import torch\n{text}\n", "case.py")
    ids = [id_ for id_ in program.order if not program.is_inline(id_)]
    return differences(program, None if line is None else ids[line - 1], rounds or {}, program.named(name))


@pytest.mark.parametrize("name", CASES)
def test_right_gradients_agree(name):
    found = worked_out(*CASES[name]).finish()
    assert found.rows
    assert len(found.rows) == found.count
    assert all(row.agrees and not row.is_kink for row in found.rows)


def test_at_an_earlier_line_it_is_the_gradient_of_then():
    text, name = CASES["two backwards"]
    at_first, at_second = (worked_out(text, name, line).finish() for line in (3, 4))
    assert [row.gradient * 2 for row in at_first.rows] == [row.gradient for row in at_second.rows]
    assert all(row.agrees for row in at_first.rows)


def test_a_kink_is_told():
    found = worked_out("x = torch.tensor([0., 1.], requires_grad=True)\ny = x.relu().sum()\ny.backward()", "x").finish()
    assert [row.is_kink for row in found.rows] == [True, False]
    assert found.rows[0].left == 0
    assert found.rows[0].right == pytest.approx(1)
    assert [note.key for note in found.notes] == ["fd.kink"]


def test_a_wrong_gradient_differs(monkeypatch):
    right = Recorder.accumulated
    monkeypatch.setattr(
        Recorder, "accumulated", lambda self, node, leaf, g, first: right(self, node, leaf, g * 1.01, first)
    )
    found = worked_out(*CASES["a leaf"]).finish()
    assert not any(row.agrees for row in found.rows)


def test_a_large_tensor_is_looked_at_here_and_there():
    found = worked_out("x = torch.ones(8, 8, requires_grad=True)\ny = x.sum()\ny.backward()", "x").finish()
    assert found.count == 64
    assert len(found.rows) == 32
    assert found.rows[0].index == (0, 0)
    assert found.rows[-1].index == (7, 7)


@pytest.mark.parametrize("number", range(3))
def test_in_a_round_of_a_loop_it_is_the_gradient_of_that_round(number):
    text = CASES["descent"][0]
    program = read.read_source(f"import torch\n{text}\n", "case.py")
    (loop,) = program.bodies
    found = worked_out(text, "w", 4, {loop: number}).finish()
    w = np.array([0.5, 2.0])
    for _ in range(number):
        w -= 0.1 * 4 * (w * 2 - 1)
    assert [row.gradient for row in found.rows] == pytest.approx(4 * (w * 2 - 1))
    assert all(row.agrees for row in found.rows)


def test_a_line_of_a_loop_is_named_by_its_number_in_the_program():
    text = X + "for i in range(3):\n    y = x.sum()\n    y.backward()\n    x.grad.mul_(3)"
    (note,) = worked_out(text, "x").finish().notes
    assert render(note, "en").startswith("Line 4 put into .grad")


@pytest.mark.parametrize(
    "text, name, note",
    [
        (X + "y = x * 2", "x", "fd.none"),
        ("x = torch.tensor([1, 2])", "x", "fd.none"),
        (X + "y = x.sum()\ny.backward()\nx.grad.mul_(3)", "x", "fd.replaced"),
        (X + "x.grad = torch.ones(2)\ny = x.sum()\ny.backward()", "x", "fd.by_hand"),
        (X + "for step in range(3000):\n    y = x.sum()\n    y.backward()", "x", "fd.loop"),
    ],
)
def test_why_there_is_nothing_to_compare(text, name, note):
    found = worked_out(text, name).finish()
    assert note in [text.key for text in found.notes]
    assert all(render(text, language) for text in found.notes for language in LANGUAGES)


@given(st.lists(st.floats(-2, 2).filter(lambda x: abs(x) > 0.1), min_size=1, max_size=3))
def test_of_any_numbers(values):
    found = worked_out(
        f"x = torch.tensor({values}, requires_grad=True)\ny = (x * x.sigmoid()).sum()\ny.backward()", "x"
    )
    assert all(row.agrees for row in found.finish().rows)


def test_between_two_slices_the_engine_is_as_it_was():
    work = worked_out(X + "with torch.no_grad():\n    m = torch.rand(2)\ny = (x * m).sum()\ny.backward()", "x")
    generator.default_generator.manual_seed(3)
    before = generator.default_generator.state_bytes()
    while not work.advance(0.0001):
        assert engine_state.grad
        assert engine_state.observer is None
        assert generator.default_generator.state_bytes() == before
    assert np.isfinite([row.difference for row in work.result.rows]).all()
