"""The autograd drawing: what its cards and Function nodes say, compared with PyTorch, and where everything stands."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from support.drawn import AUTOGRAD, CHAIN, Drawn
from support.figures import DATA, PROGRAMS

from chalkgrad.program.board import Board
from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.session.masking import without_flags
from chalkgrad.source.read import read_source
from chalkgrad_app import settings
from chalkgrad_app.picture.autograd_face import Manner
from chalkgrad_app.picture.function_face import function_face
from chalkgrad_app.picture.picture import Picture

pytestmark = pytest.mark.usefixtures("qapp")

RECORDED = json.loads(DATA.read_text(encoding="utf-8"))["figures"]


@pytest.fixture
def more() -> None:
    settings.MORE_ROWS.set(True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_rows_and_functions_are_those_of_pytorch(name: str, more: None) -> None:
    drawn = Drawn(PROGRAMS[name])
    for tensor, wanted in RECORDED[name].items():
        rows = drawn.rows(tensor)
        for attribute in ("is_leaf", "requires_grad", "retains_grad", "_version", "grad_fn"):
            assert rows[attribute] == str(wanted[attribute]), (tensor, attribute)
        state = drawn.picture.state.names[tensor]
        assert (None if state.grad is None else state.grad.value.tolist()) == wanted["grad"]
        np.testing.assert_allclose(state.value, wanted["data"], rtol=1e-6)
        if wanted["grad_fn"] is None:
            continue
        function = drawn.function(tensor)
        assert function.name == wanted["grad_fn"]
        assert list(function.functions) == [f"({into}, {port})" for into, port in wanted["next_functions"]]
        if wanted["saved"] is None:
            assert function.freed
        else:
            assert not function.freed
            assert sorted(function.saved) == wanted["saved"]


def test_the_figure_of_the_notes_has_two_functions_and_one_accumulate_grad() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    assert [face.name for face in drawn.functions()] == ["AccumulateGrad", "MulBackward0", "MulBackward0"]
    assert drawn.functions()[0].variable == "c"
    assert drawn.face("c").operator == "mul"
    assert drawn.face("a").operator == ""
    assert drawn.face("e").saves == ("d",)


def test_what_says_true_or_false_says_so_without_colour() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    manners = {attribute.name: attribute.manner for attribute in drawn.face("e").attributes[0]}
    assert manners == {"grad_fn": Manner.FUNCTION, "is_leaf": Manner.FALSE, "requires_grad": Manner.TRUE}


def test_rows_on_demand_make_cards_higher() -> None:
    few = Drawn(PROGRAMS["figure"])
    settings.MORE_ROWS.set(True)
    many = Drawn(PROGRAMS["figure"])
    assert many.rows("e")["shape"] == "()"
    assert many.rows("e")["dtype"] == "torch.float32"
    assert (many.picture.h > few.picture.h).all()


TWICE = """
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
y.mul_(3)
z = y.exp() + y
z.sum().backward(retain_graph=True)
for i in range(2):
    s = (z * x).sum()
    s.backward(retain_graph=True)
"""


@pytest.mark.parametrize("source", [TWICE, CHAIN + "\nv39.backward()"])
def test_what_there_is_is_the_same_wherever_the_cursor_was_before(source: str) -> None:
    drawn = Drawn(source)
    trace = drawn.session.trace
    chosen = random.Random(3)
    for _ in range(60):
        at = chosen.randrange(len(trace) + 1)
        state = trace.state(at)
        drawn.picture.update(drawn.program, drawn.board, state, trace.touched(drawn.picture.state.position, at))
        fresh = Picture()
        fresh.update(drawn.program, drawn.board, trace.state())
        fresh.update(drawn.program, drawn.board, state)
        found, expected = drawn.picture.functions, fresh.functions
        assert (found.keys, found.cards, found.outlets) == (expected.keys, expected.cards, expected.outlets)
        assert found.to_come.tolist() == expected.to_come.tolist()


def test_a_card_looked_at_later_does_not_hold_the_nodes_of_what_has_not_begun() -> None:
    drawn = Drawn(CHAIN)
    trace, seen = drawn.session.trace, [drawn.id(f"v{number}") for number in range(10, 20)]
    state = trace.state(trace.end_of(drawn.id("v4")))
    drawn.picture.update(drawn.program, drawn.board, state, seen)
    functions = drawn.picture.functions
    coming = {card: bool(functions.to_come[row]) for row, card in enumerate(functions.cards)}
    assert all(coming[id_] for id_ in seen)
    assert not coming[drawn.id("v4")]


def test_buffers_are_freed_node_after_node() -> None:
    drawn = Drawn(PROGRAMS["figure, backward"])
    trace = drawn.session.trace
    freed = []
    for position in range(trace.end_of(drawn.id("g")), len(trace) + 1):
        drawn.look(trace.state(position))
        freed.append(sum(face.freed for face in drawn.functions()))
    assert freed[0] == 0
    assert freed[-1] == 2
    assert freed == sorted(freed)


def test_a_chain_goes_back_to_one_accumulate_grad() -> None:
    drawn = Drawn(CHAIN)
    names = [face.name for face in drawn.functions()]
    assert names.count("AccumulateGrad") == 1
    assert names.count("MulBackward0") == 40


def test_other_drawings_have_no_functions() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    drawn.board = Board()
    drawn.look(drawn.picture.state)
    assert len(drawn.picture.functions) == len(drawn.picture.lines) == 0
    assert len(drawn.picture.function_ways.ways) == 0


def test_cards_that_were_looked_at_in_another_run_lead_to_the_nodes_of_this_one() -> None:
    drawn = Drawn(CHAIN)
    shorter = read_source("import torch\n" + "\n".join(CHAIN.splitlines()[:8]))
    session = Session(shorter)
    session.finish()
    drawn.picture.update(shorter, AUTOGRAD, session.trace.state(), set())
    names = [function_face(drawn.picture, row).name for row in range(len(drawn.picture.functions))]
    assert names == ["AccumulateGrad", *["MulBackward0"] * 7]


def test_what_was_saved_is_called_as_the_program_calls_it_now() -> None:
    drawn = Drawn("w = torch.tensor(2.0, requires_grad=True)\nz = (w * 3).exp() ** 2")
    power = drawn.id("z")
    assert drawn.picture.face(power).saves == ("(w * 3).exp()",)
    product = next(statement for statement in drawn.program if statement.call == "mul")
    named = {**drawn.program.statements, product.id: replace(product, targets=("p",))}
    drawn.picture.update(Program(named, drawn.program.order), AUTOGRAD, drawn.picture.state, set())
    assert drawn.picture.face(power).saves == ("p.exp()",)


def test_flags_that_are_to_be_guessed_are_told_by_nothing() -> None:
    drawn = Drawn(PROGRAMS["figure"])
    drawn.look(without_flags(drawn.session.trace.state(), lambda _tensor: True))
    assert len(drawn.picture.functions) == 0
    assert set(drawn.rows("e").values()) == {"?"}
    e = drawn.session.trace.state().names["e"].number
    drawn.look(without_flags(drawn.session.trace.state(), lambda tensor: tensor.number == e))
    assert [face.name for face in drawn.functions()] == ["AccumulateGrad", "MulBackward0"]
    assert drawn.functions()[-1].functions == ("(?, 0)", "(None, 0)")
