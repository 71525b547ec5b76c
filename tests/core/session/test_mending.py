"""Errors that teach: what is said about them with the program's own names, and that each remedy mends what it says."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.core.session.mending_cases import CASES, MENDED, OVERWRITTEN

from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.session import mending
from chalkgrad.session.mending import switching
from chalkgrad.session.session import Session
from chalkgrad.session.state import State
from chalkgrad.source import emit, read
from chalkgrad.source.problem import SourceError
from chalkgrad.text import LANGUAGES, render

DATA = Path(__file__).parents[2] / "data" / "torch" / "errors.json"


def run(sheet):
    session = Session(sheet.program)
    session.finish()
    return session.trace.state()


def fails_at(line, sheet):
    """True where a line of a sheet is refused, for whatever reason."""
    return any(found.statement == line and not found.warning for found in run(sheet).problems)


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
            assert problem.warning or not fails_at(problem.statement, mended), told
            if "Take line" not in told:
                assert problem.statement in mended.program, f"{told}: the line that failed went with it"
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
    "constant_gradient": (
        "w = torch.tensor(2., requires_grad=True)\ng, = torch.autograd.grad(w * 3, w)\ng.backward()",
        (
            "g comes from a gradient into which nothing goes that requires grad: it is constant, the same whatever "
            "the tensors are. There is nothing to differentiate, and create_graph=True would not change that."
        ),
    ),
    "gradient_of_something_else": (
        (
            "w = torch.tensor(2., requires_grad=True)\nx = torch.tensor(3., requires_grad=True)\n"
            "g, = torch.autograd.grad(w * x, w)\nh, = torch.autograd.grad(g, w)"
        ),
        (
            "g comes from a gradient that does not depend on w: its derivative by w is 0. PyTorch would refuse to work "
            "that out with create_graph=True, too, unless allow_unused=True or materialize_grads=True is given as well."
        ),
    ),
    "view_of_leaf": (
        "w = torch.tensor([1., 2.], requires_grad=True)\nv = w[0]\nv.add_(1)",
        (
            "v is a view of the leaf w: they share their memory, and gradients are to arrive at w, "
            "so its history must not begin with a write."
        ),
    ),
    "leaf_switched_off": (
        "w = torch.tensor([2.], requires_grad=True)\nw.requires_grad_(False)\ny = w * 2\ny.backward()",
        "requires_grad_ in line 2 took requires_grad away from w, and y was computed from that.",
    ),
    "unrecorded_below": (
        "w = torch.ones(2, requires_grad=True)\nwith torch.no_grad():\n    z = w * 2\nz.sum().backward()",
        "z was computed inside no_grad, where nothing is recorded.",
    ),
    "leaf_lost": (
        (
            "w = torch.tensor(2., requires_grad=True)\ny = w * w\ny.backward()\nwith torch.no_grad():\n"
            "    w = w - w.grad\nz = w * w\nz.backward()"
        ),
        (
            "The leaf of line 1, which backward fills the gradient of, is no longer called w: "
            "line 4 gave that name to what it computed."
        ),
    ),
    "leaf_switched_on_again": (
        "w = torch.tensor([2.])\nw.requires_grad_(True)\nw.detach_()\nw.retain_grad()",
        "detach_ in line 3 took requires_grad away from w.",
    ),
    "gradient_detached": (
        (
            "w = torch.tensor(2., requires_grad=True)\ng, = torch.autograd.grad(w ** 3, w, create_graph=True)\n"
            "d = g.detach()\nd.backward()"
        ),
        "On the way to d, line 3 detached the tensor from its graph.",
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
    "batch_needed",
    "conv_channels",
    "einsum_size",
    "float_needed",
    "index_dtype",
    "kernel_too_large",
    "kl_div_mean",
    "layer_norm_shape",
    "mask_dtype",
    "mask_shape",
    "not_square",
    "output_too_small",
    "probability_needed",
    "singular",
    "target_class",
    "target_count",
    "target_dtype",
    "target_size",
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


def test_a_view_is_at_fault_itself_beside_the_tensor_that_it_shows():
    sheet, _state, problem = problem_of(
        "import torch\nw = torch.ones(2, requires_grad=True)\nwith torch.no_grad():\n    v = w[0]\nv.mul_(3)\n"
    )
    assert [sheet.program[id_].name for id_ in problem.at_fault] == ["v", "w"]


def test_story_says_what_a_view_has_to_do_with_what_was_saved():
    sheet = sheet_of("w = torch.ones(2, requires_grad=True)\ny = w.exp()\nv = y[0]\nv.zero_()\ny.sum().backward()")
    state = run(sheet)
    story = [sentence.key for sentence in mending.story(state.problems[0], sheet, state)]
    assert story == ["story.saved", "story.same_memory", "story.overwritten", "story.reads"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_root_without_elements_is_not_said_to_have_gradients(language):
    sheet = sheet_of("w = torch.zeros(0, requires_grad=True)\ny = w * 2\ny.backward()")
    state = run(sheet)
    story = mending.story(state.problems[0], sheet, state)
    assert [sentence.key for sentence in story] == ["story.no_elements"]
    assert render(story[0], language).startswith("y ")
    assert "(0,)" in render(story[0], language)


def named_values(program, line):
    """The values that names have after all has run, and had when ``line`` began; None where it did not."""
    session = Session(program)
    session.finish()
    began = session.trace.events_of_pass(line, 0) if line in program else ()
    states = [session.trace.state(began.start) if began else None, session.trace.state()]
    return [None if state is None else {name: tensor.value for name, tensor in state.names.items()} for state in states]


def differing(before, after):
    """The names that mean other values now."""
    return {
        name
        for name in (before.keys() & after.keys() if before is not None and after is not None else ())
        if before[name].shape != after[name].shape or not np.array_equal(before[name], after[name], equal_nan=True)
    }


@pytest.mark.parametrize("id_", [*RECORDED, *OVERWRITTEN])
def test_a_remedy_keeps_what_names_mean_or_says_what_it_changes(id_):
    head = "import torch\nw = torch.tensor([1., 2., 3.], requires_grad=True)\n"
    found = problem_of(RECORDED.get(id_) or f"{head}{OVERWRITTEN[id_]}\n")
    if found is None:
        pytest.skip("nothing that the canvas can reach")
    sheet, state, problem = found
    failed = sheet.program[problem.statement]
    before, end = named_values(sheet.program, problem.statement)
    for remedy in mending.remedies(problem, sheet, state):
        mended = sheet.apply(remedy.edit(sheet)).program
        then, now = named_values(mended, problem.statement)
        told = f"{render(remedy.text, 'en')}:\n{emit.program_text(mended)}"
        said = set(re.findall(r"\w+", str(remedy.text.values.get("others", ""))))
        # what is computed from what stays as it is differs, too; a line that could not write now does
        assert said or remedy.text.key == "remedy.move_after" or not differing(before, then), told
        assert said or sheet.program.writes(failed) or not differing(end, now), told
        assert problem.warning or not fails_at(problem.statement, Sheet(mended)), told


def test_of_very_many_ways_only_the_first_are_offered():
    lines = ["a0 = torch.tensor(2.0, requires_grad=True)"]
    lines += [f"a{number} = a{number - 1}.detach()" for number in range(1, 40)]
    sheet = sheet_of("\n".join([*lines, "a39.backward()"]))
    state = run(sheet)
    found = [render(remedy.text, "en") for remedy in mending.remedies(state.problems[0], sheet, state)]
    assert len(found) == mending.MOST + 1
    assert found[-1] == "Take line 41 out"


def test_what_switched_requires_grad_off_is_looked_for_once_for_all_lines(monkeypatch):
    lines = ["a0 = torch.tensor(2.0, requires_grad=True)", "a0.requires_grad_(False)"]
    lines += [f"a{number} = a{number - 1} * 2" for number in range(1, 200)]
    sheet = sheet_of("\n".join([*lines, "a199.backward()"]))
    state = run(sheet)
    looked, original = [], switching._meant

    def counted(case, operand):
        looked.append(operand)
        return original(case, operand)

    monkeypatch.setattr(switching, "_meant", counted)
    passed = []
    monkeypatch.setattr(
        Program, "__iter__", lambda program: passed.append(1) or map(program.__getitem__, program.order)
    )
    assert "requires_grad_" in render(mending.story(state.problems[0], sheet, state)[0], "en")
    assert len(looked) == 1
    assert len(passed) < 10


WHOLE = (
    *("w.long()", "w.to(torch.int64)", "w > 0", "w.argmax()", "w.view(torch.int32)", "w.isnan()"),
    *("torch.sign(w).bool()", "torch.searchsorted(w, w)", "torch.logical_and(w, w)"),
)


@pytest.mark.parametrize("made", WHOLE)
def test_what_makes_whole_numbers_is_found_without_a_look_at_every_line(made, monkeypatch):
    lines = "".join(f"a{n} = a{n - 1} * 2\n" for n in range(1, 50))
    sheet = sheet_of(f"w = torch.tensor([1., 2.], requires_grad=True)\na0 = {made}\n{lines}a49.sum().backward()")
    state = run(sheet)
    asked, tensor = [], State.tensor
    monkeypatch.setattr(State, "tensor", lambda self, id_, output=0: asked.append(id_) or tensor(self, id_, output))
    (story,) = mending.story(state.problems[0], sheet, state)
    assert (story.key, story.values["line"]) == ("story.whole_numbers", 2)
    assert len(set(asked)) < 10


@pytest.mark.parametrize(
    ("first", "again", "then", "said"),
    [
        ("w = torch.tensor(2.0, requires_grad=True)\nw.backward()", "w = w - 0.1 * w.grad", "w.sum()", "Write into"),
        ("w = torch.tensor(2.0, requires_grad=True)\ny = w.exp()", "y *= 2", "y.backward()", "Out-of-place"),
    ],
)
def test_a_mistake_made_a_hundred_times_is_mended_in_few_steps(first, again, then, said, monkeypatch):
    checked, original = [], Program.check

    def counted(program):
        checked.append(program)
        original(program)

    def steps_for(times):
        sheet = sheet_of("\n".join([first, *[again] * times, then]))
        state = run(sheet)
        checked.clear()
        texts = [render(remedy.text, "en") for remedy in mending.remedies(state.problems[0], sheet, state)]
        assert any(text.startswith(said) for text in texts)
        return len(checked)

    monkeypatch.setattr(Program, "check", counted)
    assert steps_for(100) == steps_for(2)
