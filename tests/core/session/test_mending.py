"""Errors that teach: what is said about them with the program's own names, and that each remedy mends what it says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chalkgrad.program.sheet import Sheet
from chalkgrad.session import mending
from chalkgrad.session.session import Session
from chalkgrad.source import emit, read
from chalkgrad.source.problem import SourceError
from chalkgrad.text import LANGUAGES, render

DATA = Path(__file__).parents[2] / "data" / "torch" / "errors.json"
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


RECORDED = {script["id"]: script["code"] for script in json.loads(DATA.read_text(encoding="utf-8"))["scripts"]}
"""Everything that PyTorch was recorded to refuse."""
WITHOUT_STORY = {
    "batch_shape",
    "bool_arithmetic",
    "bool_many",
    "broadcast",
    "cat_dims",
    "cat_shape",
    "dim_range",
    "dot_shape",
    "dtype_mismatch",
    "empty_reduction",
    "expand_shape",
    "gradient_count",
    "grad_dtype",
    "grad_self",
    "grad_size",
    "index_range",
    "inplace_broadcast",
    "inplace_cast",
    "int_requires_grad",
    "matmul_scalar",
    "matmul_shape",
    "matrix_needed",
    "mean_int",
    "no_derivative",
    "no_inputs",
    "pow_int_negative",
    "reshape_infer",
    "reshape_size",
    "scalar_index",
    "stack_shape",
    "t_dims",
    "vector_needed",
    "view_stride",
}
"""Errors whose plain sentence says all that there is to say."""


def problem_of(code):
    """The sheet of a script with its first problem; None where it can't be read or nothing goes wrong on the canvas."""
    try:
        sheet = Sheet(replace(read.read_source(code, "case.py"), stops=False))
    except SourceError:
        return None
    state = run(sheet)
    return (sheet, state, state.problems[0]) if state.problems else None


@pytest.mark.parametrize("id_", RECORDED)
def test_every_recorded_error_is_told_and_mended(id_):
    found = problem_of(RECORDED[id_])
    if found is None:
        pytest.skip("nothing that the canvas can reach")
    sheet, state, problem = found
    assert problem.plain is not None
    key = problem.plain.key.removeprefix("error.")
    assert bool(mending.story(problem, sheet, state)) == (key not in WITHOUT_STORY)
    for remedy in mending.remedies(problem, sheet, state):
        mended = sheet.apply(remedy.edit(sheet))
        told = render(remedy.text, "en")
        left = [other.printed for other in run(mended).problems if not other.warning]
        assert not left, f"{told}:\n{emit.program_text(mended.program)}"


MENDED = {
    "the result itself is overwritten": (
        "w = torch.ones(2, requires_grad=True)\ny = w.exp()\ny.add_(1)\ny.sum().backward()",
        "y = y.clone() before line 3",
        ["y = w.exp()", "y = y.clone()", "y.add_(1)", "y.sum().backward()"],
    ),
    "a part of it is overwritten": (
        "w = torch.ones(2, requires_grad=True)\ny = w.exp()\ny.detach().zero_()\ny.sum().backward()",
        "Use y.detach().clone() in line 3",
        ["y = w.exp()", "y.detach().clone().zero_()", "y.sum().backward()"],
    ),
    "it is read in several places of the line": (
        "w = torch.ones(2, 2, requires_grad=True)\na = w * 1\no = a @ a.t()\na[0] = 0\no.sum().backward()",
        "Use a.clone() in line 3",
        ["a = w * 1", "o = a.clone() @ a.clone().t()", "a[0] = 0", "o.sum().backward()"],
    ),
    "two lines have written": (
        "w = torch.ones(2, requires_grad=True)\na = w * 1\ny = a * a\na.add_(1)\na.mul_(2)\ny.sum().backward()",
        "Out-of-place in line 4, 5: add, mul",
        ["a = w * 1", "y = a * a", "a = a.add(1)", "a = a.mul(2)", "y.sum().backward()"],
    ),
    "the second of two roots": (
        "w = torch.ones(1, requires_grad=True)\nu = torch.ones(1)\ntorch.autograd.backward([w * 2, u])",
        "requires_grad=True in line 2",
        ["u = torch.ones(1, requires_grad=True)", "torch.autograd.backward([w * 2, u])"],
    ),
    "whole numbers on the way": (
        "w = torch.ones(2, requires_grad=True)\ny = w.sum().long()\ny.backward()",
        "Take the long() of line 2 out",
        None,
    ),
    "an intermediate is to be optimised": (
        "w = torch.ones(1, requires_grad=True)\no = torch.optim.SGD([w * 2], lr=0.1)",
        "Give line 2 the leaf w instead",
        ["o = torch.optim.SGD([w], lr=0.1)"],
    ),
    "a gradient is zeroed too early": (
        "w = torch.ones(1, requires_grad=True)\nw.grad.zero_()\ny = w * 2\ny.backward()",
        "Move line 2 after line 4",
        ["y = w * 2", "y.backward()", "w.grad.zero_()"],
    ),
    "nothing is asked for": (
        "w = torch.ones(1, requires_grad=True)\nu = torch.ones(1, requires_grad=True)\ntorch.autograd.grad(w * u, [])",
        "Ask for w, u in line 3",
        None,
    ),
    "weights for a scalar": (
        "w = torch.tensor(1., requires_grad=True)\ny = w * 2\ny.backward(torch.ones(1))",
        "gradient=torch.ones(()) in line 3",
        None,
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_what_a_remedy_makes_of_the_program(name):
    text, wanted, last_lines = MENDED[name]
    sheet, state, problem = problem_of(f"import torch\n{text}\n")
    remedies = {render(remedy.text, "en"): remedy for remedy in mending.remedies(problem, sheet, state)}
    mended = sheet.apply(remedies[wanted].edit(sheet))
    assert not [other for other in run(mended).problems if not other.warning]
    lines = [line for line in emit.program_text(mended.program).splitlines() if line and "import" not in line]
    if last_lines is not None:
        assert lines[-len(last_lines) :] == last_lines
    assert mended.apply(remedies[wanted].edit(sheet).inverse()).program == sheet.program


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_root_without_elements_is_not_said_to_have_gradients(language):
    sheet = sheet_of("w = torch.zeros(0, requires_grad=True)\ny = w * 2\ny.backward()")
    state = run(sheet)
    story = mending.story(state.problems[0], sheet, state)
    assert [sentence.key for sentence in story] == ["story.no_elements"]
    assert render(story[0], language).startswith("y ")
    assert "(0,)" in render(story[0], language)
