"""A long program in the autograd drawing: strips beside each other, each with its own nodes and lines."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from support.drawn import AUTOGRAD, CHAIN, Drawn
from support.ways import through

from chalkgrad.program.board import Place
from chalkgrad_app.picture.picture import Picture

pytestmark = pytest.mark.usefixtures("qapp")


def network(layers: int) -> str:
    lines = ["x = torch.tensor([[1., 2., 3.], [3., 4., 5.]])", "h0 = x * 1"]
    for k in range(1, layers + 1):
        lines += [f"W{k} = torch.eye(3, requires_grad=True)", f"b{k} = torch.zeros(3, requires_grad=True)"]
        lines += [f"a{k} = h{k - 1} @ W{k} + b{k}", f"h{k} = torch.tanh(a{k})"]
    return "\n".join([*lines, f"loss = (h{layers} ** 2).mean()", "loss.backward()"])


def scattered(count: int) -> str:
    pick = random.Random(count)
    lines = ["v0 = torch.tensor([1., 2.], requires_grad=True)"]
    for at in range(1, count):
        one, other = (max(0, at - pick.randint(1, 5)) for _ in range(2))
        kinds = (f"torch.tensor([{at}., 2.], requires_grad=True)", f"torch.tanh(v{one})", f"v{one} * v{other}")
        lines.append(f"v{at} = {pick.choice(kinds)}")
    return "\n".join([*lines, f"loss = v{count - 1}.sum()", "loss.backward()"])


LONG = [network(5), scattered(50), scattered(60), CHAIN]


@pytest.mark.parametrize("source", LONG)
def test_nothing_lies_on_anything_else(source: str) -> None:
    picture = Drawn(source).picture
    functions, lines = picture.functions, picture.lines
    assert len(picture.strips) > 1
    boxes = [picture.rect(id_) for id_ in picture.ids] + [functions.rect(key) for key in functions.keys]
    boxes += [functions.disc(row) for row in np.flatnonzero(functions.saves).tolist()]
    boxes += [lines.rect(key) for key in lines.keys]
    for number, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in boxes[:number])


@pytest.mark.parametrize("source", LONG)
def test_wires_and_arrows_run_through_nothing(source: str) -> None:
    picture = Drawn(source).picture
    for _ in range(20):
        if not picture.find_ways(np.arange(len(picture.wires)), 1.0):
            break
    assert through(picture) == []


@pytest.mark.parametrize("source", LONG)
def test_nodes_and_lines_stand_beside_the_cards_of_their_strip(source: str) -> None:
    picture = Drawn(source).picture
    strips, functions, lines = picture.strips, picture.functions, picture.lines
    for row, id_ in enumerate(functions.cards):
        mine = next(number for number, strip in enumerate(strips) if id_ in strip.members)
        assert functions.x[row] > strips[mine].right
        assert mine == len(strips) - 1 or functions.x[row] + functions.w[row] < strips[mine + 1].left
    for row, id_ in enumerate(lines._beside):
        mine = next(number for number, strip in enumerate(strips) if id_ in strip.members)
        assert lines.x[row] + lines.w[row] < strips[mine].left
        assert not mine or lines.x[row] > strips[mine - 1].end


def test_a_card_that_was_placed_between_strips_has_nodes_and_lines_beside_all_cards() -> None:
    drawn = Drawn(network(5))
    picture, first = drawn.picture, drawn.picture.strips[0]
    place = Place(first.right + 150, 300.0)
    drawn.board = replace(AUTOGRAD, places={("autograd", drawn.id("a1")): place})
    drawn.look(picture.state)
    assert not picture.strips
    assert picture.functions.x.min() > (picture.x + picture.w).max()
    assert (picture.lines.x + picture.lines.w).max() < picture.x.min()
    drawn.board = AUTOGRAD
    drawn.look(picture.state)
    assert picture.strips


def test_where_all_cards_are_placed_nothing_is_left_of_the_strips_before() -> None:
    picture, few = Drawn(network(5)).picture, Drawn("x = torch.ones(2, requires_grad=True)\ny = x * 2\nz = y + x")
    assert picture.strips
    places = {("autograd", id_): Place(40.0, 200.0 * row) for row, id_ in enumerate(few.program.order)}
    board, state = replace(AUTOGRAD, places=places), few.session.trace.state()
    fresh = Picture()
    for each in (picture, fresh):
        each.update(few.program, board, state)
    assert not picture.strips
    assert picture.functions.x.tolist() == fresh.functions.x.tolist()


def test_a_short_program_stands_in_one_strip() -> None:
    picture = Drawn(network(1)).picture
    assert not picture.strips
    assert picture.functions.x.min() > (picture.x + picture.w).max()


def test_nothing_moves_while_the_program_runs() -> None:
    drawn = Drawn(network(5).replace("loss.backward()", ""))
    picture = drawn.picture
    assert picture.strips
    places = picture.x.copy(), picture.y.copy(), picture.functions.x.copy(), picture.functions.y.copy()
    for name in ("a1", "h2", "a4"):
        drawn.look(drawn.end_of(name))
        now = picture.x, picture.y, picture.functions.x, picture.functions.y
        for before, after in zip(places, now, strict=True):
            np.testing.assert_array_equal(before, after)


def test_hundreds_of_cards_are_seen_many_times_larger_in_strips_beside_each_other() -> None:
    picture = Drawn(scattered(300)).picture
    bounds = picture.bounds()
    assert len(picture.strips) > 2
    assert bounds.height() < 3 * bounds.width()
    first, last = (picture.rect(picture.ids[row]) for row in (0, -1))
    assert last.left() > first.right()
