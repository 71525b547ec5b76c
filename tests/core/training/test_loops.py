"""Loops: reading, editing, running round by round, and what the trace keeps of each round."""

from __future__ import annotations

from itertools import pairwise

import pytest
from core.training.scripts import SCRIPTS

from chalkgrad.check.finite import finite_differences
from chalkgrad.explain import why
from chalkgrad.program import edits
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.rounds import run_count, written_out
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Counter, Kind, Ref
from chalkgrad.program.training import BY_HAND, TrainingPlan, insert_zeroing, losses, training_loop
from chalkgrad.session import Session
from chalkgrad.session.state import Status
from chalkgrad.source import emit
from chalkgrad.source.emit import program_text
from chalkgrad.source.problem import SourceError
from chalkgrad.source.read import read_source

HEAD = "import torch\nw = torch.tensor([1.], requires_grad=True)\n"
SUMMING = HEAD + "for step in range(4):\n    loss = (w * 3.).sum()\n    loss.backward()\n"


def run(program: Program) -> Session:
    session = Session(program)
    session.finish()
    return session


def line(program: Program, text: str) -> int:
    """The id of the statement whose line is ``text``."""
    return next(s.id for s in program if not program.is_inline(s.id) and emit.line(program, s.id) == text)


def texts(program: Program) -> list[str]:
    return program_text(program).splitlines()[2:]


# ---------------------------------------------------------------- reading


def test_a_loop_is_a_block_with_its_lines_once() -> None:
    program = read_source(SUMMING)
    (loop,) = program.bodies
    assert program.blocks[loop].heading == "for step in range(4):"
    assert program_text(program).splitlines()[3:] == [
        "for step in range(4):",
        "    loss = (w * 3.0).sum()",
        "    loss.backward()",
    ]


def test_the_variable_is_a_number_in_prints_and_operators() -> None:
    program = read_source(HEAD + "for i in range(3):\n    print(i, (w * i).item())\n")
    counters = [operand for s in program for operand in s.operands if isinstance(operand, Counter)]
    assert len(counters) == 2
    assert [output.text for output in run(program).trace.state().output] == ["0 0.0", "1 1.0", "2 2.0"]


@pytest.mark.parametrize(
    "body",
    ["h = h * 2.", "g = h * 2.\n    h = g + 1.", "w = w - 0.1", "k = h\n    h = k * w"],
)
def test_a_loop_that_carries_a_result_over_is_written_out(body: str) -> None:
    program = read_source(HEAD + f"h = w * 1.\nfor i in range(3):\n    {body}\nprint(h, w)\n")
    assert not program.blocks
    assert program_text(program).count(body.split("\n")[0].strip()) >= 1
    again = read_source(program_text(program))
    assert [o.text for o in run(again).trace.state().output] == [o.text for o in run(program).trace.state().output]


def test_a_number_that_depends_on_the_round_is_written_out() -> None:
    program = read_source(HEAD + "lr = 0.1\nfor i in range(3):\n    y = w * lr\n    lr = lr * 0.5\n")
    assert [t for t in texts(program) if "y" in t] == ["y = w * 0.1", "y = w * 0.05", "y = w * 0.025"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("for a, b in [(1, 2)]:\n    w.sum()", "for"),
        ("for i in range(3):\n    break", "construct"),
        ("for i in range(2000000):\n    y = w * 2", "loop_too_long"),
        ("h = w\nfor i in range(3000):\n    h = h * 2", "loop_lines"),
        ("while True:\n    pass", "while"),
        ("optimizer = torch.optim.SGD(w, lr=0.1)", "parameters"),
        ("optimizer = torch.optim.LBFGS([w])", "unknown_function"),
        ("optimizer = torch.optim.SGD([w], rate=0.1)", "unknown_argument"),
        ("optimizer = torch.optim.SGD([w])\noptimizer.stop()", "unknown_method"),
        ("optimizer = torch.optim.SGD([w])\nprint(optimizer)", "not_a_tensor"),
    ],
)
def test_what_is_refused_says_so(text: str, key: str) -> None:
    with pytest.raises(SourceError) as error:
        read_source(HEAD + text)
    assert error.value.text.key == f"source.{key}"


def test_a_name_bound_again_in_a_loop_does_not_change_what_its_lines_read() -> None:
    program = read_source(HEAD + "a = w * 2\nfor step in range(3):\n    b = a + 1\n    print(b)\n")
    renamed = program.apply(edits.rename(program, line(program, "b = a + 1"), 0, "a"))
    before = [output.text for output in run(renamed).trace.state().output]
    after = run(read_source(program_text(renamed))).trace.state().output
    assert [output.text for output in after] == before
    assert len(set(before)) == 1


# ---------------------------------------------------------------- edits


def test_lines_are_put_into_a_loop_and_taken_out() -> None:
    program = read_source(HEAD + "y = w * 2\nwith torch.no_grad():\n    z = y + 1\nprint(y, z)\n")
    chosen = [line(program, "y = w * 2"), line(program, "z = y + 1")]
    looped = program.apply(edits.wrap(program, chosen, "for", None, 5))
    assert texts(looped)[1:] == [
        "for step in range(5):",
        "    y = w * 2",
        "    with torch.no_grad():",
        "        z = y + 1",
        "print(y, z)",
    ]
    (loop,) = looped.bodies
    assert texts(looped.apply(edits.set_rounds(looped, loop, 7)))[1] == "for step in range(7):"
    assert texts(looped.apply(edits.unwrap(looped, loop))) == texts(program)


def test_a_loop_within_a_loop_has_a_variable_of_its_own() -> None:
    program = read_source(SUMMING)
    inner = [s.id for s in program if s.block is not None and not program.is_inline(s.id)][:1]
    nested = program.apply(edits.wrap(program, inner, "for", None, 2))
    assert sum("in range" in text for text in texts(nested)) == 2
    assert len({block.name for block in nested.blocks.values()}) == 2


def test_without_its_loop_the_variable_is_a_number() -> None:
    program = read_source(HEAD + "for i in range(3):\n    print(i, w)\n")
    flat = program.apply(edits.unwrap(program, next(iter(program.bodies))))
    assert texts(flat)[1:] == ["print(0, w)"]


@pytest.mark.parametrize("update", [BY_HAND, "SGD", "Adam", "RMSprop"])
def test_a_training_loop_is_made_from_a_loss_and_trains(update: str) -> None:
    program = read_source(
        HEAD + "x = torch.tensor([2.])\nloss = ((w * x - 6.) ** 2).sum()\nloss.backward()\nprint(w)\n"
    )
    sheet = Sheet(program)
    change = training_loop(sheet, TrainingPlan(Ref(losses(program)[0]), update, 0.05, 30))
    after = sheet.apply(change).program
    assert sum(s.kind is Kind.BACKWARD for s in after) == 1
    session = run(after)
    assert not session.trace.state().problems
    (history,) = session.trace.curves.values()
    (column,) = (values for series, values in history.results.items() if after[series.statement].name == "loss")
    assert column[-1] < column[0] / 4
    assert all(count <= 1 for counts in history.sums.values() for count in counts)
    assert sheet.apply(change).apply(change.inverse()) == sheet


def test_a_loss_that_depends_on_nothing_trained_is_refused() -> None:
    program = read_source("import torch\nx = torch.ones(2)\ny = x.sum()\n")
    assert losses(program) == []
    with pytest.raises(ProgramError):
        training_loop(Sheet(program), TrainingPlan(Ref(line(program, "y = x.sum()"))))


def test_forgotten_zeroing_is_counted_and_can_be_inserted() -> None:
    program = read_source(SUMMING)
    (loop,) = program.bodies
    (counts,) = run(program).trace.curves[loop].sums.values()
    assert list(counts) == [1, 2, 3, 4]
    leaf = line(program, "w = torch.tensor([1.], requires_grad=True)")
    mended = Sheet(program).apply(insert_zeroing(Sheet(program), loop, [leaf])).program
    (counts,) = run(mended).trace.curves[loop].sums.values()
    assert list(counts) == [1, 1, 1, 1]


# ---------------------------------------------------------------- running


def test_each_round_is_a_pass_of_its_lines() -> None:
    program = read_source(SUMMING)
    (loop,) = program.bodies
    session = run(program)
    trace, backward = session.trace, line(program, "loss.backward()")
    assert [round_.number for round_ in trace.rounds[loop]] == [0, 1, 2, 3]
    ends = trace.curves[loop].ends
    leaf = line(program, "w = torch.tensor([1.], requires_grad=True)")
    for number, end in enumerate(ends):
        tensor = trace.state(end).tensor(leaf)
        assert tensor is not None
        assert tensor.grad is not None
        assert tensor.grad.value is not None
        assert tensor.grad.value.tolist() == [3.0 * (number + 1)]
        assert len(tensor.sum_of) == number + 1
        assert trace.state(end).statement(backward).passes == number + 1
        assert trace.end_of(backward, end) == end
        passes = {event.pass_ for event in trace.events[trace.events_of(backward, end).start : end]}
        assert passes == {number}
    assert trace.end_of(backward) == len(trace)


def test_a_run_waits_between_rounds_and_goes_on() -> None:
    program = read_source(SUMMING + "print(w.grad)\n")
    (loop,) = program.bodies
    session = Session(program)
    session.let_go(2)
    while not session.done and not session.is_held:
        session.advance(1000)
    assert session.is_held
    assert len(session.trace.rounds[loop]) == 2
    assert session.trace.state().statement(program.order[-1]).status is Status.TO_COME
    session.let_go(1)
    session.advance(1000)
    assert session.is_held
    assert len(session.trace.rounds[loop]) == 3
    session.let_go()
    session.advance(1000)
    assert session.done
    assert session.trace.state().output[-1].text == "tensor([12.])"
    alone = run(program).trace
    assert [event[:3] for event in session.trace.events] == [event[:3] for event in alone.events]


NESTED = "import torch\nw = torch.ones(1)\nfor i in range(6):\n    for j in range(20):\n        a = w + j\n"


def test_a_run_that_would_fill_the_memory_rests_between_rounds_until_it_is_let_go() -> None:
    session, rests = Session(read_source(NESTED), rest_after=100), []
    while not session.advance(1000):
        assert session.is_held
        rests.append(len(session.trace))
        session.let_go()
    assert len(rests) > 2
    assert all(100 <= after - before < 110 for before, after in pairwise([0, *rests]))
    alone = run(read_source(NESTED)).trace
    assert [event[:3] for event in session.trace.events] == [event[:3] for event in alone.events]


def test_what_runs_to_its_end_does_not_rest() -> None:
    session = Session(read_source(NESTED), rest_after=100)
    session.finish()
    assert session.done
    assert not session.is_held


def test_a_line_added_to_a_loop_runs_it_again_and_one_after_it_does_not() -> None:
    program = read_source(SUMMING)
    (loop,) = program.bodies
    session = run(program)
    before = len(session.trace)
    longer = read_source(SUMMING + "print(w.grad)\n")
    after = program.apply(edits.insert(program, [longer[longer.order[-1]]]))
    session.update(after)
    session.finish()
    assert session.ran_again is None
    assert len(session.trace) > before
    session.update(after.apply(edits.set_rounds(after, loop, 2)))
    session.finish()
    assert session.ran_again is not None
    assert session.trace.state().output[-1].text == "tensor([6.])"


def test_a_line_that_fails_in_some_rounds_is_well_in_the_others() -> None:
    program = read_source(HEAD + "y = w + 2\nfor step in range(3):\n    y.backward()\n    print(w.grad)\n")
    (loop,) = program.bodies
    trace = run(program).trace
    backward, ends = line(program, "y.backward()"), trace.curves[loop].ends
    assert [trace.state(end).statement(backward).status for end in ends] == [Status.OK] * 3
    program = read_source(HEAD + "y = (w * w).sum()\nfor step in range(3):\n    y.backward()\n    print(w.grad)\n")
    (loop,) = program.bodies
    trace = run(program).trace
    backward, ends = line(program, "y.backward()"), trace.curves[loop].ends
    assert [trace.state(end).statement(backward).status for end in ends] == [Status.OK, Status.FAILED, Status.FAILED]
    assert [problem.pass_ for problem in trace.state().problems] == [1, 2]


def test_a_script_stops_at_its_first_error_in_a_loop() -> None:
    text = HEAD + "y = (w * w).sum()\nfor step in range(3):\n    y.backward()\n    print(step)\nprint(w)\n"
    program = read_source(text)
    program = program.apply(edits.set_stops(program, True))
    state = run(program).trace.state()
    assert [output.text for output in state.output] == ["0"]
    assert len(state.problems) == 1
    assert state.statement(program.order[-1]).status is Status.NOT_REACHED


# ---------------------------------------------------------------- what stands on it


@pytest.mark.parametrize("script", [script for script in SCRIPTS if "range" in script])
def test_written_out_a_program_prints_the_same(script: str) -> None:
    program = read_source(script)
    flat = written_out(program)
    assert not flat.bodies
    assert len(flat) == run_count(program)
    found = [[output.text for output in run(each).trace.state().output] for each in (program, flat)]
    assert found[0] == found[1]


def test_a_gradient_is_explained_in_each_round() -> None:
    text = "for step in range(4):\n    loss = (w * w * 3.).sum()\n    loss.backward()\n"
    program = read_source(HEAD + text + "    with torch.no_grad():\n        w += 1.\n")
    (loop,) = program.bodies
    trace = run(program).trace
    leaf = line(program, "w = torch.tensor([1.], requires_grad=True)")
    for number, end in enumerate(trace.curves[loop].ends):
        tensor = trace.state(end).tensor(leaf)
        assert tensor is not None
        account = why(program, trace, tensor).finish()
        assert [share.pass_ for share in account.shares] == list(range(number + 1))
        assert [share.gradient.tolist() for share in account.shares] == [[6.0 * (1 + n)] for n in range(number + 1)]
        assert all(share.paths for share in account.shares)


def test_gradients_of_a_loop_agree_with_finite_differences() -> None:
    report = finite_differences(read_source(next(script for script in SCRIPTS if "momentum" in script)))
    assert [(each.name, each.agrees) for each in report.comparisons] == [("w", True), ("b", True)]
