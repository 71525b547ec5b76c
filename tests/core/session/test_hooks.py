"""Hooks in a program: read, written, kept in files, run as in PyTorch, and told in the trace."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chalkgrad.errors import ChalkgradError
from chalkgrad.explain import why
from chalkgrad.program import files, hooks
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Ref
from chalkgrad.session import Session
from chalkgrad.session.events import EventKind
from chalkgrad.session.hook_calls import hooks_on
from chalkgrad.source.emit import program_text
from chalkgrad.source.problem import SourceError
from chalkgrad.source.read import read_source

HEAD = "import torch\nw = torch.tensor([1.], requires_grad=True)\nx = torch.tensor([2.])\na = w + x\ny = a * w\n"
HOOKS = {
    "print": 4.0,
    "lambda g: g * 2": 5.0,
    "lambda g: None": 4.0,
    "lambda g: print(g)": 4.0,
    "lambda gradient: -gradient": 2.0,
    "lambda g: g.clamp(max=0.5)": 3.5,
    "lambda g: torch.clamp(g * 4, -1, 3) / 2 ** 2": 3.75,
    "lambda g: 1 - g.exp().log()": 3.0,
}
"""Hooks on ``a``, and what ``w.grad`` is then: 3 by way of y, the rest by way of a."""


def ran(hook):
    session = Session(read_source(f"{HEAD}a.register_hook({hook})\ny.backward()\n"))
    session.finish()
    return session.trace


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_makes_another_gradient(hook):
    state = ran(hook).state()
    assert not state.problems
    assert state.names["w"].grad.value.tolist() == pytest.approx([HOOKS[hook]])


@pytest.mark.parametrize("hook", HOOKS)
def test_as_in_pytorch(hook):
    theirs = pytest.importorskip("torch")
    names = {"torch": theirs}
    exec(f"{HEAD}a.register_hook({hook})\ny.backward()\n", names)
    assert names["w"].grad.tolist() == pytest.approx([HOOKS[hook]])


def test_what_it_got_and_made_is_told():
    trace = ran("lambda g: g * 2")
    told = [event for event in trace.events if event.kind is EventKind.HOOK_RAN]
    assert [(event.names, event.incoming[0].tolist(), event.outgoing[0].tolist()) for event in told] == [
        (("<lambda>",), [1.0], [2.0])
    ]
    assert trace.nodes[told[0].node].name == "AddBackward0"


def test_what_it_prints_is_output_of_the_backward():
    trace = ran("print")
    assert [line.text for line in trace.state().output] == ["tensor([1.])"]
    assert [line.statement for line in trace.state().output] == [6]


def test_a_hook_on_a_leaf_and_two_on_one_tensor():
    text = f"{HEAD}w.register_hook(lambda g: g + 1)\nw.register_hook(lambda g: g * 10)\ny.backward()\n"
    session = Session(read_source(text))
    session.finish()
    assert session.trace.state().names["w"].grad.value.tolist() == [50.0]


def test_a_hook_where_no_gradient_goes_is_refused_as_in_pytorch():
    session = Session(read_source("import torch\nx = torch.tensor([2.])\nx.register_hook(print)\n"))
    session.finish()
    problem = session.trace.state().problems[0]
    assert problem.message == "cannot register a hook on a tensor that doesn't require gradient"


@pytest.mark.parametrize("hook", HOOKS)
def test_read_and_written_and_kept(hook):
    program = read_source(f"{HEAD}a.register_hook({hook})\ny.backward()\n")
    assert f"\na.register_hook({hook})\n" in program_text(program)
    sheet = Sheet(program)
    assert files.load(files.save(sheet)).program == program


@pytest.mark.parametrize(
    "hook",
    [
        "lambda g: h * 2",
        "lambda g: open('x')",
        "lambda g: g.__class__",
        "lambda g: g.numpy()",
        "lambda g: g.backward()",
        "lambda g, h: g",
        "lambda *g: g",
        "lambda: 1",
        "lambda g: g[0]",
        "lambda g: print(g, g)",
        "lambda g: 'text'",
        "lambda g: g.sum(**g)",
        "lambda g: (lambda h: h)(g)",
        "double",
        "2",
    ],
)
def test_anything_else_is_refused_with_its_place(hook):
    with pytest.raises(SourceError) as refused:
        read_source(f"{HEAD}a.register_hook({hook})\n")
    assert refused.value.line == 6
    assert refused.value.text.key == "source.hook"
    assert hooks.parsed(hook) is None
    data = json.loads(files.save(Sheet(read_source(f"{HEAD}a.register_hook(print)\n"))))
    data["statements"][-1]["operands"][1] = hook
    with pytest.raises(ChalkgradError):
        files.load(json.dumps(data))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="lambda g:print()*+-./12torch,clamp=_ ", max_size=24))
def test_no_text_makes_a_hook_that_fails_to_be_read(text):
    found = hooks.parsed(f"lambda g: {text}")
    if found is not None:
        assert found[0] == "g"
        assert hooks.parsed(f"lambda g: {text}") is not None


def test_the_chain_rule_is_told_apart_from_what_a_hook_made_of_it():
    program = read_source(f"{HEAD}a.register_hook(lambda g: g * 2)\ny.backward()\n")
    session = Session(program)
    session.finish()
    work = why(program, session.trace, session.trace.state().names["w"])
    while not work.advance(50):
        pass
    lines = work.result.text().splitlines()
    assert lines[1:4] == ["= 1 * 1 + 3", "= 4", "hook(...) = 5"]


REMOVED = f"""{HEAD}h = a.register_hook(lambda g: g * 2)
y.backward(retain_graph=True)
h.remove()
h.remove()
y.backward()
"""


def written(program):
    """A program as text, without the empty line after the import."""
    return program_text(program).replace("torch\n\n", "torch\n")


def test_a_hook_that_was_removed_does_nothing_more():
    program = read_source(REMOVED)
    session = Session(program)
    session.finish()
    state = session.trace.state()
    assert not state.problems
    assert state.names["w"].grad.value == 5.0 + 4.0
    ran = [event.statement for event in session.trace.events if event.kind is EventKind.HOOK_RAN]
    assert ran == [program.order[5]]


def test_removing_is_written_as_it_was_read_and_kept_in_files():
    program = read_source(REMOVED)
    assert written(program) == REMOVED
    assert written(files.load(files.save(Sheet(program))).program) == REMOVED
    chained = written(read_source(f"{HEAD}a.register_hook(print).remove()\n"))
    assert chained == f"{HEAD}h = a.register_hook(print)\nh.remove()\n"


def test_hooks_are_told_by_their_lines():
    program = read_source(REMOVED)
    session = Session(program)
    session.finish()
    hook, gone = program.order[4], Ref(program.order[2])
    at = session.trace.end_of
    assert hooks_on(program, session.trace.state(at(program.order[5])), gone) == [hook]
    assert hooks_on(program, session.trace.state(at(program.order[6])), gone) == []
    assert remove(Sheet(program), [hook]).gone == tuple(program.order[6:8])


@pytest.mark.parametrize("line", ["h.step()", "h.remove(1)", "print(h)", "b = h + 1", "torch.sin(h)", "h[0]"])
def test_a_handle_is_good_for_nothing_else(line):
    with pytest.raises(SourceError):
        read_source(f"{HEAD}h = a.register_hook(print)\n{line}\n")


@pytest.mark.parametrize(("call", "targets"), [("retain_grad", ["h"]), ("remove", ["h"]), ("unhook", [])])
def test_files_with_other_handles_are_refused(call, targets):
    data = json.loads(files.save(Sheet(read_source(f"{HEAD}a.retain_grad()\n"))))
    data["statements"][-1] |= {"call": call, "targets": targets}
    with pytest.raises(ChalkgradError):
        files.load(json.dumps(data))
