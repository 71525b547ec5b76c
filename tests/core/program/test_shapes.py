"""Shapes and dtypes known without running are those that running gives."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import OPS, programs

from chalkgrad.program import edits, shapes
from chalkgrad.program.known import Known, ShapeProblem
from chalkgrad.program.problems import held_up, problems
from chalkgrad.program.program import Program
from chalkgrad.program.removing import remove
from chalkgrad.program.shapes import infer, problem_of, wire_problem
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.state import Status
from chalkgrad.source.read import read_source


@given(programs(waiting=True))
@settings(max_examples=200)
def test_what_is_known_is_what_running_gives(program: Program) -> None:
    session = Session(program)
    session.finish()
    state = session.trace.state()
    known = infer(program)
    for (id_, output), fact in known.items():
        statement = state.statement(id_)
        if isinstance(fact, ShapeProblem):
            assert statement.status is not Status.OK
            problem = statement.problem
            if problem and not (problem.warning or other_things_come_first(program, known, id_, problem.message)):
                assert (problem.type, problem.message) == (fact.type, fact.message)
            continue
        tensor = statement.outputs[output] if output < len(statement.outputs) else None
        if tensor is not None and program[id_].kind in (Kind.LEAF, Kind.OP) and not program.writes(program[id_]):
            assert (tensor.shape, tensor.dtype.removeprefix("torch.")) == (fact.shape, fact.dtype)


def other_things_come_first(program: Program, known: Mapping, id_: int, message: str) -> bool:
    """True where PyTorch, for a line whose shapes are wrong too, first says something that only running can tell.

    A gradient may be None; bool tensors can't do some things; an in-place line is first asked whether it may write;
    the words for a product of stacks of matrices depend on how they lie in memory.
    """
    statement = program[id_]
    inputs = [known.get((ref.statement, ref.output)) for ref in statement.refs()]
    stacks = any(isinstance(fact, Known) and len(fact.shape) > 2 for fact in inputs)
    return (
        "None" in message
        or "bool" in message
        or program.writes(statement)
        or (OPS[statement.call].section == "matrix" and stacks)
    )


def facts(text: str) -> dict[str, object]:
    program = read_source("import torch\n" + text)
    return {program[id_].targets[output]: fact for (id_, output), fact in infer(program).items()}


@settings(deadline=None)
@given(program=programs(), data=st.data())
def test_what_is_known_after_an_edit_is_what_a_fresh_look_tells(program: Program, data: st.DataObject) -> None:
    for _ in range(3):
        if not program.order:
            return
        infer(program)
        id_ = data.draw(st.sampled_from(program.order))
        statement, place = program[id_], program.positions[id_]
        if data.draw(st.booleans()):
            program = program.apply(remove(Sheet(program), [id_]).change)
        elif statement.kind is Kind.LEAF and statement.call == "tensor":
            program = program.apply(edits.put(program, replace(statement, operands=((1.0, 2.0),))))
        else:
            first = Ref(program.order[0])
            new = Statement(program.next_id, Kind.OP, "relu", ("r",), (first,), block=statement.block)
            program = program.apply(edits.insert(program, [new], place))
        after = dict(infer(program))
        shapes._recent.clear()
        assert after == infer(program)


def test_shapes() -> None:
    found = facts(
        "x = torch.ones(2, 3)\nw = torch.zeros(3, 4, dtype=torch.float64)\ny = x.sum(dim=1)\nz = x @ x.T\n"
        "i = torch.arange(0, 10, 3)\nj = i / 2\nk = i * 2\nl = i + 0.5\nm = x == 1\nn = torch.cat([x, x], dim=1)\n"
        "g, = torch.autograd.grad(x, x)\nh = w.grad\no = x + w.data.sum()\np = i.sum()"
    )
    assert found["y"] == Known((2,), "float32")
    assert found["z"] == Known((2, 2), "float32")
    assert found["i"] == Known((4,), "int64")
    assert (found["j"], found["k"], found["l"]) == (
        Known((4,), "float32"),
        Known((4,), "int64"),
        Known((4,), "float32"),
    )
    assert found["m"] == Known((2, 3), "bool")
    assert found["n"] == Known((2, 6), "float32")
    assert (found["g"], found["h"]) == (Known((2, 3), "float32"), Known((3, 4), "float64"))
    assert found["o"] == Known((2, 3), "float32")
    assert found["p"] == Known((), "int64")


def test_what_will_fail_says_so() -> None:
    found = facts("x = torch.ones(2, 3)\ny = torch.ones(4)\nz = x + y\nu = z * 2\nm = x @ x")
    assert found["z"] == ShapeProblem(
        "RuntimeError", "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"
    )
    assert "u" not in found
    assert found["m"] == ShapeProblem("RuntimeError", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)")


@pytest.mark.parametrize("is_known", [True, False])
def test_a_wire_that_will_not_fit(is_known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_recent", deque(maxlen=4))
    program = read_source("import torch\nx = torch.ones(2, 3)\ny = torch.ones(4)\nv = torch.ones(3)\nz = x + x")
    waiting = Statement(9, Kind.OP, "add", ("a",), (Ref(1), EMPTY))
    program = Program({**program.statements, 9: waiting}, (*program.order, 9))
    if is_known:
        infer(program)
    assert "must match" in str(wire_problem(program, 9, 1, Ref(2)))
    assert wire_problem(program, 9, 1, Ref(3)) is None
    assert wire_problem(program, 9, 0, Ref(2)) is None
    assert "must match" in str(wire_problem(program, 4, 0, Ref(2)))


def test_from_port_to_port_only_what_is_new_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_recent", deque(maxlen=4))
    monkeypatch.setattr(shapes, "_partly", deque(maxlen=2))
    learned: list[int] = []
    learn = shapes._Inference.learn
    monkeypatch.setattr(
        shapes._Inference, "learn", lambda self, statement: learned.append(statement.id) or learn(self, statement)
    )
    lines = "".join(f"a{n} = a{n - 1} + b\n" for n in range(1, 50))
    program = read_source(f"import torch\na0 = torch.ones(2)\nb = torch.ones(2)\nc = torch.ones(3)\n{lines}")
    ids = {name: ref.statement for name, ref in program.bindings.items()}
    assert "must match" in str(wire_problem(program, ids["a20"], 1, Ref(ids["c"])))
    assert wire_problem(program, ids["a40"], 1, Ref(ids["b"])) is None
    assert "must match" in str(wire_problem(program, ids["a10"], 1, Ref(ids["c"])))
    assert sorted(learned) == sorted({*learned})  # each once
    assert ids["a39"] in learned
    assert ids["a40"] not in learned


def test_what_a_run_made_is_not_worked_out_from_the_lines_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_recent", deque(maxlen=4))
    monkeypatch.setattr(shapes, "_partly", deque(maxlen=2))
    learned: list[int] = []
    monkeypatch.setattr(shapes._Inference, "learn", lambda _self, statement: learned.append(statement.id))
    lines = "".join(f"a{n} = a{n - 1} + b\n" for n in range(1, 50))
    program = read_source(f"import torch\na0 = torch.ones(2)\nb = torch.ones(2)\nc = torch.ones(3)\n{lines}")
    ids = {name: ref.statement for name, ref in program.bindings.items()}
    ran = {(id_, 0): Known((2,), "float32") for id_ in program.order} | {(ids["c"], 0): Known((3,), "float32")}
    known = lambda *output: ran.get(output)  # noqa: E731
    assert "must match" in str(wire_problem(program, ids["a40"], 1, Ref(ids["c"]), known))
    assert wire_problem(program, ids["a40"], 1, Ref(ids["b"]), known) is None
    assert learned == []


def test_a_run_does_not_tell_what_a_tensor_was_before_it_got_other_data() -> None:
    program = read_source("import torch\nx = torch.ones(2)\ny = torch.ones(3)\nz = x + x\nx.data = y")
    ids = {name: ref.statement for name, ref in program.bindings.items()}
    assert wire_problem(program, ids["z"], 1, Ref(ids["x"]), lambda *_: Known((3,), "float32")) is None


def test_what_pytorch_would_say_of_a_line_written_otherwise() -> None:
    program = read_source("import torch\nx = torch.ones(2, 3)\ns = x.sum(dim=1)\nr = x.reshape(6)")
    summed, shaped = program[program.order[1]], program[program.order[2]]
    assert problem_of(program, summed) is None
    assert problem_of(program, summed.with_option("dim", -2)) is None
    said = "Dimension out of range (expected to be in range of [-2, 1], but got 2)"
    assert problem_of(program, summed.with_option("dim", 2)) == said
    assert problem_of(program, shaped.with_option("shape", (4,))) == "shape '[4]' is invalid for input of size 6"
    assert problem_of(program, summed.with_port(0, EMPTY)) is None, "it waits, which is no error"


def test_problems() -> None:
    lines = [
        Statement(1, Kind.LEAF, "ones", ("x",), (1,)),
        Statement(2, Kind.OP, "add", ("a",), (Ref(1), EMPTY)),
        Statement(3, Kind.OP, "exp", ("b",), (Ref(2),)),
        Statement(4, Kind.DELETE, "del", ("x",), (Ref(1),)),
        Statement(5, Kind.OP, "exp", ("c",), (Ref(1),)),
        Statement(6, Kind.OP, "exp", ("d",), (Ref(7),)),
        Statement(7, Kind.OP, "exp", ("e",), (Ref(77),)),
    ]
    program = Program({line.id: line for line in lines}, tuple(line.id for line in lines))
    assert [(problem.statement, problem.text.key, problem.port) for problem in problems(program)] == [
        (2, "problem.open_port", 1),
        (5, "problem.deleted", None),
        (6, "problem.used_before", None),
        (7, "problem.gone", None),
    ]
    assert held_up(program) == {2, 3}
    assert held_up(program, [1]) == {2, 3, 4, 5}


def test_what_an_in_place_line_writes_is_there_though_the_line_waits() -> None:
    lines = [
        Statement(1, Kind.LEAF, "ones", ("x",), (1,)),
        Statement(2, Kind.OP, "add_", (), (Ref(1), EMPTY)),
        Statement(3, Kind.OP, "exp", ("a",), (Ref(2),)),
        Statement(4, Kind.OP, "add_", (), (EMPTY, 1)),
        Statement(5, Kind.BACKWARD, "backward", (), (Ref(4),), (), "method"),
    ]
    program = Program({line.id: line for line in lines}, tuple(line.id for line in lines))
    assert held_up(program) == {2, 4, 5}


ODD = [
    "y = torch.ones(2).item() + torch.ones(3)",
    "y = torch.ones(2).mean(dim=5)",
    "y = torch.sum(3.5)",
]


@pytest.mark.parametrize("text", ODD)
def test_odd_lines_do_not_stop_it(text: str) -> None:
    assert isinstance(facts(text), dict)
