"""Errors that teach: what is said about them with the program's own names, and that each remedy mends what it says."""

from dataclasses import replace

import pytest

from chalkgrad.program.sheet import Sheet
from chalkgrad.session import mending
from chalkgrad.session.session import Session
from chalkgrad.source import emit, read
from chalkgrad.text import LANGUAGES, render

CASES = {
    "second_backward": (
        "w = torch.tensor(2., requires_grad=True)\ny = w * w\ny.backward()\ny.backward()",
        ["retain_graph=True in line 3", "Run forward again before line 4", "Take line 4 out"],
    ),
    "second_grad": (
        (
            "w = torch.tensor(2., requires_grad=True)\ny = w * w\ng, = torch.autograd.grad(y, w)\n"
            "h, = torch.autograd.grad(y, w)"
        ),
        ["retain_graph=True in line 3", "Run forward again before line 4"],
    ),
    "inplace_saved": (
        "w = torch.tensor([1.], requires_grad=True)\na = w * 3\ny = a * a\na.add_(1)\ny.sum().backward()",
        ["Out-of-place in line 4: add", "Use a.clone() in line 3", "Move line 4 after line 5", "Take line 5 out"],
    ),
    "inplace_leaf": (
        "w = torch.tensor([1.], requires_grad=True)\nw.add_(1)\ny = w * 2",
        ["Put line 2 under torch.no_grad()", "Out-of-place in line 2: add"],
    ),
    "no_leaf": (
        "w = torch.tensor([1.])\nx = torch.tensor([2.])\ny = w * x\ny.backward()",
        ["requires_grad=True in line 1", "requires_grad=True in line 2", "Take line 4 out"],
    ),
    "no_grad_block": (
        "w = torch.tensor([1.], requires_grad=True)\nwith torch.no_grad():\n    y = w * 2\ny.backward()",
        ["Take the no_grad block away", "Take line 3 out"],
    ),
    "detached": (
        "w = torch.tensor([1.], requires_grad=True)\na = w * 2\nb = a.detach()\ny = b * 2\ny.backward()",
        ["Take the detach() of line 3 out", "Take line 5 out"],
    ),
    "gradient_of_gradient": (
        (
            "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ng, = torch.autograd.grad(y, w)\n"
            "h, = torch.autograd.grad(g, w)"
        ),
        ["create_graph=True in line 3"],
    ),
    "penalty_on_grad": (
        "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ny.backward()\np = w.grad * w.grad\np.backward()",
        ["create_graph=True in line 3", "Take line 5 out"],
    ),
    "not_scalar": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ny = w * w\ny.backward()",
        ["Take y.sum() first", "Take y.mean() first", "gradient=torch.ones(2) in line 3", "Take line 3 out"],
    ),
    "gradient_shape": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ny = w * w\nv = torch.ones(3)\ny.backward(v)",
        ["gradient=torch.ones(2) in line 4", "Take line 4 out"],
    ),
    "grad_not_scalar": (
        "w = torch.tensor([1., 2.], requires_grad=True)\ny = w * w\ng, = torch.autograd.grad(y, w)",
        ["Take y.sum() first", "Take y.mean() first", "grad_outputs=torch.ones(2) in line 3"],
    ),
    "unused_input": (
        (
            "w = torch.tensor(1., requires_grad=True)\nu = torch.tensor(1., requires_grad=True)\ny = w * 2\n"
            "gw, gu = torch.autograd.grad(y, [w, u])"
        ),
        ["allow_unused=True in line 4"],
    ),
    "input_no_requires_grad": (
        "w = torch.tensor(1., requires_grad=True)\nu = torch.tensor(1.)\ny = w * u\ngu, = torch.autograd.grad(y, u)",
        ["requires_grad=True in line 2"],
    ),
    "retain_grad_no_grad": (
        "w = torch.tensor(1.)\ny = w * 2\ny.retain_grad()",
        ["requires_grad=True in line 1", "Take line 3 out"],
    ),
    "int_requires_grad": (
        "w = torch.tensor([1, 2], requires_grad=True)\ny = w * 2",
        ["dtype=torch.float32 in line 1", "Leave requires_grad out of line 1"],
    ),
    "mean_int": ("x = torch.tensor([1, 2])\nm = x.mean()", ["Use x.float()"]),
    "nonleaf_requires_grad_false": (
        "w = torch.tensor(1., requires_grad=True)\ny = w * 2\ny.requires_grad_(False)",
        ["y.detach() in line 3 instead", "Take line 3 out"],
    ),
    "detach_inplace_saved": (
        "w = torch.tensor(1., requires_grad=True)\na = w * 2\nb = a * a\na.detach_()\nb.backward()",
        ["a.detach() in line 4 instead", "Take line 5 out"],
    ),
    "nonleaf_grad": (
        "w = torch.tensor(1., requires_grad=True)\na = w * 2\ny = a * a\ny.backward()\nprint(a.grad)",
        ["a.retain_grad() before line 4"],
    ),
    "matmul_shape": (
        "a = torch.ones(2, 3)\nb = torch.ones(2, 3)\nc = a @ b",
        ["Transpose b", "Transpose a"],
    ),
    "matmul_order": ("a = torch.ones(2, 3)\nb = torch.ones(4, 2)\nc = a @ b", ["Swap the inputs of line 3"]),
    "view_stride": ("a = torch.ones(2, 3)\nb = a.t()\nc = b.view(6)", ["reshape() in line 3"]),
    "inplace_broadcast": (
        "a = torch.ones(2)\nb = torch.ones(3, 2)\na.add_(b)",
        ["Out-of-place in line 3: add"],
    ),
    "create_graph_cycle": (
        "w = torch.tensor(2., requires_grad=True)\ny = w ** 3\ny.backward(create_graph=True)",
        ["Set w.grad to None afterwards"],
    ),
}


def run(sheet):
    session = Session(sheet.program)
    session.finish()
    return session.trace.state()


def sheet_of(text):
    program = read.read_source(f"import torch\n{text}\n", "case.py")
    return Sheet(replace(program, stops=False))


@pytest.mark.parametrize("name", CASES)
class TestCase:
    def test_remedies_are_offered(self, name):
        text, wanted = CASES[name]
        sheet = sheet_of(text)
        state = run(sheet)
        remedies = mending.remedies(state.problems[0], sheet, state)
        assert [render(remedy.text, "en") for remedy in remedies] == wanted

    def test_each_remedy_mends_it(self, name):
        text, _wanted = CASES[name]
        sheet = sheet_of(text)
        state = run(sheet)
        problem = state.problems[0]
        for remedy in mending.remedies(problem, sheet, state):
            change = remedy.edit(sheet)
            mended = sheet.apply(change)
            told = render(remedy.text, "en")
            keys = [found.plain.key for found in run(mended).problems if found.plain is not None]
            if name != "create_graph_cycle":
                assert problem.plain.key not in keys, f"{told}:\n{emit.program_text(mended.program)}"
            assert mended.apply(change.inverse()).program == sheet.program
            again = read.read_source(emit.program_text(mended.program), "again.py")
            assert len(again.order) == len(mended.program.order), told

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_story_has_the_names_of_the_program(self, name, language):
        text, _wanted = CASES[name]
        sheet = sheet_of(text)
        state = run(sheet)
        story, remedies = (tell(state.problems[0], sheet, state) for tell in (mending.story, mending.remedies))
        for sentence in (*story, *(remedy.text for remedy in remedies)):
            shown = render(sentence, language)
            assert "{" not in shown
            assert sentence.key not in shown


STORIES = {
    "view_of_leaf": (
        "w = torch.tensor([1., 2.], requires_grad=True)\nv = w[0]\nv.add_(1)",
        (
            "v is a view of the leaf w: they share their memory, and gradients are to arrive at w, "
            "so its history must not begin with a write."
        ),
    ),
    "dry_leaf": (
        "a = torch.tensor([1.])\na.retain_grad()",
        "a is the leaf of line 1, and it does not require grad.",
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_story_tells_a_leaf_from_what_comes_of_it(name):
    text, told = STORIES[name]
    sheet = sheet_of(text)
    state = run(sheet)
    story = mending.story(state.problems[0], sheet, state)
    assert [render(sentence, "en") for sentence in story] == [told]
