"""Why a tensor has no gradient, is a leaf or none, requires grad or not: each reason, and that its remedies help."""

from dataclasses import replace

import pytest

from chalkgrad.program.sheet import Sheet
from chalkgrad.session import reasons
from chalkgrad.session.session import Session
from chalkgrad.source import read
from chalkgrad.text import LANGUAGES, render

W = "w = torch.tensor([2.], requires_grad=True)\n"
U = "u = torch.tensor([3.], requires_grad=True)\n"
X = "x = torch.tensor([1.])\n"

NONE = {
    "intermediate": (W + "a = w * 2\ny = a * a\ny.backward()", "a", ["only leaves keep theirs"], True),
    "intermediate, no backward": (W + "a = w * 2", "a", ["only leaves keep theirs"], None),
    "not required": (X + "y = x * 2", "x", ["doesn't require grad", "without requires_grad=True"], None),
    "integer": ("i = torch.tensor([1])", "i", ["holds int64 numbers"], None),
    "no backward": (W + "y = w * 2", "w", ["No backward has run yet"], True),
    "returned": (W + "y = w * w\ng, = torch.autograd.grad(y, w, retain_graph=True)", "w", ["line 3 returned"], True),
    "emptied": (W + "y = w * w\ny.backward()\nw.grad = None", "w", ["line 4 set it to None"], None),
    "no path": (W + U + "y = u * 2\ny.backward()", "w", ["y isn't computed from w"], None),
    "cut by detach": (W + U + "a = w.detach()\ny = a * u\ny.backward()", "w", ["is cut", "detach() in line 3"], True),
    "cut by a mode": (
        W + U + "with torch.no_grad():\n    a = w * 2\ny = a * u\ny.backward()",
        "w",
        ["is cut", "under torch.no_grad()"],
        True,
    ),
    "cut by .data": (W + U + "y = w.data * u\ny.backward()", "w", ["is cut", "reads .data"], None),
    "inputs": (W + U + "y = u * w\ny.backward(inputs=[u])", "w", ["inputs=[u]"], True),
    "kept too late": (W + "a = w * w\ny = a * 2\ny.backward()\na.retain_grad()", "a", ["came after"], True),
    "failed": ("w = torch.tensor([1., 2.], requires_grad=True)\ny = w * w\ny.backward()", "w", ["failed"], True),
    "cut by detach_": (
        W + U + "a = w * 2\na.detach_()\ny = a * u\ny.backward()",
        "w",
        ["is cut", "detach_ in line 4 took the history of a away"],
        True,
    ),
    "switched off": (
        W + "y = w * 2\nw.requires_grad_(False)\ny.backward()",
        "w",
        ["requires_grad_ in line 3 switched it off"],
        True,
    ),
    "rebound": (W + "y = w * w\ny.backward()\nw = w - w.grad", "w", ["meant the leaf of line 1 before"], None),
    "asked after the forward": (
        W + X + "y = w * x\nx.requires_grad_()\ny.backward()",
        "x",
        ["is cut", "Line 3 read x before requires_grad_ in line 4"],
        True,
    ),
    "another name of a leaf": (
        W + "y = w * w\ny.backward()\nw.grad = None\nr = w",
        "r",
        ["r is another name for w"],
        None,
    ),
    "under inference mode": (W + "with torch.inference_mode():\n    y = w * 2", "y", ["inference_mode()"], None),
}

GRADIENT = W + "y = w * w\ng, = torch.autograd.grad(y, w)\n"
FLAGS = {
    "made": (W, "w", "is_leaf", True, "makes w by hand"),
    "computed": (W + "a = w * 2", "a", "is_leaf", False, "MulBackward0"),
    "nothing to record": (X + "a = x * 2", "a", "is_leaf", True, "grad_fn is None"),
    "mode": (W + "with torch.no_grad():\n    a = w * 2", "a", "is_leaf", True, "under torch.no_grad()"),
    "detach": (W + "a = w.detach()", "a", "is_leaf", True, "detach() in line 2"),
    "detach_": (W + "a = w * 2\na.detach_()", "a", "is_leaf", True, "detach_ in line 3 took"),
    "integer": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ni = w.argmax()",
        "i",
        "is_leaf",
        True,
        "int64 numbers",
    ),
    "gradient": (W + "y = w * w\ng, = torch.autograd.grad(y, w)", "g", "is_leaf", True, "without create_graph"),
    "gradient of a constant": (
        W + X + "y = w * x\ng, = torch.autograd.grad(y, w, create_graph=True)",
        "g",
        "is_leaf",
        True,
        "it is constant",
    ),
    "gradient of a linear function": (
        W + "y = w * 3\ny.backward(torch.ones_like(y))\na = w.grad * 2",
        "a",
        "is_leaf",
        True,
        "create_graph=True would not give it one",
    ),
    "data": (W + "a = w.data", "a", "is_leaf", True, "reads .data"),
    "another name": (X + "r = x.requires_grad_()", "r", "is_leaf", True, "r is another name for x: line 3"),
    "asked too late": (X + "a = x * 2\nx.requires_grad_()", "a", "is_leaf", True, "Line 2 read x before"),
    "called as one writes it": (
        W + "i = w.long()",
        "i",
        "is_leaf",
        True,
        "long in line 2 gives int64",
    ),
    "asked since": (X + "a = x * 2\na.requires_grad_()", "a", "is_leaf", True, "Line 3 then asked"),
    "written": (W + X + "x.add_(w)", "x", "is_leaf", False, "add_ in line 3 wrote into it"),
    "rebound": (W + "w = w * 2", "w", "is_leaf", False, "made another tensor"),
    "asked": (W, "w", "requires_grad", True, "made with requires_grad=True"),
    "switched on": (X + "x.requires_grad_()", "x", "requires_grad", True, "requires_grad_ in line 2"),
    "one input, the other later": (
        W + X + "a = w * x\nx.requires_grad_()",
        "a",
        "requires_grad",
        True,
        "from w, which",
    ),
    "an input without a name": (
        W + "a = w[0] * (w * 2)[0]",
        "a",
        "requires_grad",
        True,
        "from w[0], (w * 2)[0], which",
    ),
    "one input": (W + X + "a = w * x", "a", "requires_grad", True, "from w, which requires grad"),
    "not asked": (X, "x", "requires_grad", False, "without requires_grad=True"),
    "no input": (X + "a = x * 2", "a", "requires_grad", False, "from x, and none of that"),
    "asked for too late": (X + "a = x * 2\nx.requires_grad_()", "a", "requires_grad", False, "Line 2 read x before"),
    "a gradient without history": (
        W + "y = w * w\ng, = torch.autograd.grad(y, w)",
        "g",
        "requires_grad",
        False,
        "without create_graph=True",
    ),
    "a gradient detached": (GRADIENT + "d = g.detach()\nz = d * 2", "z", "requires_grad", False, "line 4 detached"),
    "a gradient under no_grad": (
        GRADIENT + "with torch.no_grad():\n    z = g * 2",
        "z",
        "requires_grad",
        False,
        "computed inside no_grad",
    ),
    "a gradient read as data": (GRADIENT + "z = g.data * 2", "z", "requires_grad", False, "Line 4 reads .data"),
    "mode off": (W + "with torch.no_grad():\n    a = w * 2", "a", "requires_grad", False, "torch.no_grad()"),
    "above is a cut": (W + "a = w.detach()\nb = a * 2", "b", "requires_grad", False, "detach() in line 2"),
    "whole numbers": ("i = torch.tensor([1])", "i", "requires_grad", False, "only floating point"),
    "switched off": (W + "w.requires_grad_(False)", "w", "requires_grad", False, "line 2 switched it off"),
}


def sheet_of(text):
    return Sheet(replace(read.read_source(f"import torch\n{text}\n", "case.py"), stops=False))


def asked(sheet, name):
    session = Session(sheet.program)
    session.finish()
    found = sheet.program.named(name)
    return reasons.Subject.of(sheet, session.trace, session.trace.state(), found)


def words(reason, language="en"):
    return " ".join(render(sentence, language) for sentence in reason.sentences)


@pytest.mark.parametrize("name", NONE)
def test_why_there_is_no_gradient(name):
    text, tensor, said, helps = NONE[name]
    sheet = sheet_of(text)
    subject = asked(sheet, tensor)
    assert subject.asked.grad is None
    reason = reasons.why_no_grad(subject)
    for part in said:
        assert part in words(reason)
    assert all(line in sheet.program for line in reason.lines)
    for remedy in reason.remedies:
        assert render(remedy.text, "en")
        mended = asked(sheet.apply(remedy.edit(sheet)), tensor)
        if helps and remedy is reason.remedies[0]:
            assert mended.asked.grad is not None
    assert bool(reason.remedies) or not helps


@pytest.mark.parametrize("name", FLAGS)
def test_why_a_flag_is_so(name):
    text, tensor, flag, value, said = FLAGS[name]
    subject = asked(sheet_of(text), tensor)
    assert getattr(subject.asked, flag) is value
    ask = reasons.why_leaf if flag == "is_leaf" else reasons.why_requires_grad
    reason = ask(subject)
    assert said in words(reason)
    assert reason.lines
    assert words(reason, LANGUAGES[1]) != words(reason)


@pytest.mark.parametrize("name", [name for name, case in FLAGS.items() if case[2:4] == ("requires_grad", False)])
def test_a_tensor_can_be_made_to_require_grad(name):
    text, tensor, *_ = FLAGS[name]
    sheet = sheet_of(text)
    for remedy in reasons.why_requires_grad(asked(sheet, tensor)).remedies:
        mended = asked(sheet.apply(remedy.edit(sheet)), tensor)
        assert mended.asked.requires_grad or mended.asked.dtype != asked(sheet, tensor).asked.dtype


@pytest.mark.parametrize(
    ("lines", "name", "offered"),
    [
        ("z = g * 2", "z", ["create_graph=True in line 3"]),
        ("d = g.detach()\nz = d * 2", "z", ["Take the detach() of line 4 out, with create_graph=True in line 3"]),
        ("d = g.detach()", "d", ["Take the detach() of line 4 out, with create_graph=True in line 3"]),
        ("z = g.data * 2", "z", []),
    ],
)
def test_of_a_gradient_what_cuts_it_off_goes_with_what_records_it(lines, name, offered):
    remedies = reasons.why_requires_grad(asked(sheet_of(GRADIENT + lines), name)).remedies
    assert [render(remedy.text, "en") for remedy in remedies] == offered


def test_a_new_leaf_has_the_same_values():
    sheet = sheet_of(W + "a = w * 2")
    (remedy,) = reasons.why_leaf(asked(sheet, "a")).remedies
    program = sheet.apply(remedy.edit(sheet)).program
    session = Session(program)
    session.finish()
    made = session.trace.state().tensor(program.order[-2])
    assert made.is_leaf
    assert made.requires_grad
    assert made.short == "[4.]"


def test_inside_a_backward_it_is_under_way():
    sheet = sheet_of(W + "y = w * w\ny.backward()")
    session = Session(sheet.program)
    session.finish()
    line = sheet.program.order[-1]
    state = session.trace.state(session.trace.events_of(line).start + 2)
    subject = reasons.Subject.of(sheet, session.trace, state, sheet.program.named("w"))
    assert "under way" in words(reasons.why_no_grad(subject))


def test_a_gradient_that_is_there_needs_no_reason():
    assert not reasons.why_no_grad(asked(sheet_of(W + "y = w * w\ny.backward()"), "w"))
