"""Arrows of the backward graph have lanes of their own: none of other ends runs on another."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import NamedTuple

import pytest
from support.drawn import Drawn
from support.ways import through

from chalkgrad_app.picture import function_ways
from chalkgrad_app.picture.picture import Picture

pytestmark = pytest.mark.usefixtures("qapp")

APART, CROWDED, SHARED = 4.0, 1.5, 20.0
"""How far arrows stand apart where there is room, and where there is little; those run together that do for longer."""


class Line(NamedTuple):
    """A straight line of an arrow: upright ones have axis 0; ``at`` is where on it, then from where to where."""

    end: tuple[int, bool, int]
    axis: int
    at: float
    first: float
    last: float


ATTENTION = """x = torch.randn(5, 8)
Wq = torch.randn(8, 8, requires_grad=True)
Wk = torch.randn(8, 8, requires_grad=True)
Wv = torch.randn(8, 8, requires_grad=True)
q = x @ Wq
k = x @ Wk
v = x @ Wv
scores = q @ k.T / 8 ** 0.5
p = torch.softmax(scores, dim=-1)
o = p @ v
loss = o.pow(2).sum()
loss.backward()
"""
NET = """X = torch.ones(4, 2)
Y = torch.ones(4, 1)
W1 = torch.ones(2, 4, requires_grad=True)
b1 = torch.zeros(4, requires_grad=True)
W2 = torch.ones(4, 1, requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
h = X @ W1 + b1
z = torch.tanh(h)
o = z @ W2 + b2
d = o - Y
s = d ** 2
loss = s.mean()
"""
COURSE = """w = torch.tensor([1.], requires_grad=True)
x = torch.tensor([2.], requires_grad=True)
a = torch.add(w, x)
b = torch.add(w, 1)
y = torch.mul(a, b)
"""


def some(seed: int) -> str:
    """A program whose lines read others at random."""
    draw = random.Random(seed)
    names = [f"w{number}" for number in range(draw.randint(2, 7))]
    lines = [f"{name} = torch.tensor(0.5, requires_grad=True)" for name in names]
    for number in range(draw.randint(4, 24)):
        one, other = draw.choice(names[-6:]), draw.choice(names)
        made = draw.choice((f"{one} * {other}", f"{one} + {other}", f"torch.sigmoid({one})", f"{one} - {other}"))
        lines.append(f"h{number} = {made}")
        names.append(f"h{number}")
    return "\n".join([*lines, f"{names[-1]}.backward()"])


def shared(picture: Picture, near: float) -> list[tuple[Line, Line]]:
    """Each two lines of arrows to other ends of which one runs on the other, nearer than that, for a while."""
    ways = picture.function_ways
    ways.find(picture, None, 1e9)
    lines: list[Line] = []
    for place, arrow in enumerate(ways.arrows):
        end = arrow.target, arrow.saves, arrow.card if arrow.target < 0 else 0
        for one, other in pairwise(point.toTuple() for point in ways.corners_of(place)):
            axis = 0 if one[0] == other[0] else 1
            along = sorted((one[1 - axis], other[1 - axis]))
            lines.append(Line(end, axis, one[axis], along[0], along[1]))
    return [(one, other) for one, other in combinations(lines, 2) if runs_on(one, other, near)]


def runs_on(one: Line, other: Line, near: float) -> bool:
    if one.axis != other.axis or one.end == other.end or abs(one.at - other.at) >= near:
        return False
    return min(one.last, other.last) - max(one.first, other.first) > SHARED


@pytest.mark.parametrize("source", [ATTENTION, NET, COURSE])
def test_arrows_run_well_beside_each_other(source: str) -> None:
    assert not shared(Drawn(source).picture, APART)


@pytest.mark.parametrize("source", [ATTENTION, NET, COURSE, *map(some, range(16))])
def test_no_arrow_runs_on_one_that_ends_elsewhere_or_through_anything(source: str) -> None:
    picture = Drawn(source).picture
    assert not shared(picture, CROWDED)
    assert not [line for line, _ in through(picture) if line.startswith("arrow")]


def test_of_very_many_arrows_those_that_lead_to_one_end_run_together_and_on_no_other() -> None:
    lines = [f"h{number + 1} = h{number} * w{number % 7}" for number in range(110)]
    leaves = [f"w{number} = torch.tensor(0.5, requires_grad=True)" for number in range(7)]
    picture = Drawn("\n".join([*leaves, "h0 = w0 + w1", *lines])).picture
    assert not shared(picture, 0.05)


def test_arrows_to_leaves_are_nested_like_brackets() -> None:
    drawn = Drawn(ATTENTION)
    layer, ways = drawn.picture.functions, drawn.picture.function_ways
    tops = {}
    for place, arrow in enumerate(ways.arrows):
        if arrow.target < 0:
            tops[layer.cards[arrow.source]] = min(point.y() for point in ways.corners_of(place))
    assert tops[drawn.id("Wq")] <= tops[drawn.id("Wk")] - APART, "the longer one runs above the other"


@pytest.mark.parametrize("number", range(6))
def test_lanes_do_not_hang_on_when_arrows_were_led_round_things(monkeypatch, number) -> None:
    found = []
    for seconds in (60.0, 0.0):
        monkeypatch.setattr(function_ways, "AT_ONCE", seconds)
        picture = Drawn(some(number)).picture
        ways = picture.function_ways
        while not ways.is_done(None):
            ways.find(picture, None, 60.0)
        found.append([[(at.x(), at.y()) for at in ways.corners_of(place)] for place in range(len(ways.arrows))])
    assert found[0] == found[1]
