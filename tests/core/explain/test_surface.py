"""The loss over two parameters: as a formula has it, in slices, and only where it can be worked out."""

from __future__ import annotations

import numpy as np
import pytest

from chalkgrad.explain import can_be_drawn, surface
from chalkgrad.program.statement import Ref
from chalkgrad.session import Session
from chalkgrad.session.history import Series
from chalkgrad.source.read import read_source

LINEAR = """import torch
x = torch.tensor([1., 2., 3.])
t = torch.tensor([2., 4., 6.])
w = torch.tensor([0.5, -1.], requires_grad=True)
b = torch.tensor(0., requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.05)
for step in range(4):
    opt.zero_grad()
    pred = x * w[0] + b * w[1]
    loss = ((pred - t) ** 2).mean()
    loss.backward()
    opt.step()
"""


@pytest.fixture
def trained():
    session = Session(read_source(LINEAR))
    session.finish()
    return session


def ref(program, name):
    return Ref(next(line.id for line in program if line.name == name))


def test_heights_are_those_of_the_formula(trained):
    program, state = trained.program, trained.trace.state()
    w, b, loss = (ref(program, name) for name in ("w", "b", "loss"))
    path = np.array([[0.0, 0.0], [1.0, 2.0]])
    found = surface(program, state, loss, Series(w.statement, 1), Series(b.statement), path).finish()
    assert found.xs[0] < 0 < 1 < found.xs[-1]
    assert found.ys[0] < 0 < 2 < found.ys[-1]
    first = float(state.names["w"].value[0])
    x = np.array([1.0, 2.0, 3.0])
    product = found.xs[None, :, None] * found.ys[:, None, None]
    np.testing.assert_allclose(found.values, np.square(x * first + product - 2 * x).mean(axis=-1), rtol=1e-4)


def test_it_stops_between_two_points(trained):
    program, state = trained.program, trained.trace.state()
    w, loss = ref(program, "w"), ref(program, "loss")
    work = surface(program, state, loss, Series(w.statement, 0), Series(w.statement, 1), np.zeros((1, 2)))
    assert not work.advance(1)
    assert work.result is None
    assert not np.isnan(work.finish().values).any()


def test_a_path_that_stays_has_some_room(trained):
    program, state = trained.program, trained.trace.state()
    w, loss = ref(program, "w"), ref(program, "loss")
    found = surface(program, state, loss, Series(w.statement, 0), Series(w.statement, 1), np.full((3, 2), np.nan))
    assert np.all(np.diff(found.finish().xs) > 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x * w[0] + b * w[1]", "x * w[0] + b * step"),
        ("x * w[0] + b * w[1]", "(x * w[0]).mul_(b)"),
        ("x * w[0] + b * w[1]", "x * w.data[0] + b"),
    ],
)
def test_what_differs_from_round_to_round_is_not_drawn(old, new):
    program = read_source(LINEAR.replace(old, new))
    assert can_be_drawn(read_source(LINEAR), ref(read_source(LINEAR), "loss"))
    assert not can_be_drawn(program, ref(program, "loss"))
