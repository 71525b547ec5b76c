"""The examples: each opens, lies well, and does what its note says."""

from dataclasses import replace

import pytest

from chalkgrad.layout.cards import card_nodes
from chalkgrad.lessons import example, examples
from chalkgrad.program import edits
from chalkgrad.program.cards import has_card
from chalkgrad.program.removing import remove
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.program.training import insert_zeroing
from chalkgrad.session import Session

FREED = "Trying to backward through the graph a second time"
IDS = ["course", "retain_grad", "freed_buffers", "figure", "gradient", "second_derivative", "in_place", "training"]


def run(program):
    session = Session(program)
    session.finish()
    return session.trace.state()


def line(program, number):
    return next(id_ for id_ in program.order if program.lines[id_] == number)


def value(program, state, name):
    return state.names[name].short


def grad(state, name):
    found = state.names[name].grad
    return None if found is None else found.short


def added(program, *statements):
    """The program with lines at its end."""
    for statement in statements:
        program = program.apply(edits.insert(program, [statement]))
    return program


def without(sheet, id_):
    return sheet.apply(remove(sheet, [id_]).change).program


def replaced(program, statement):
    return program.apply(edits.put(program, statement))


def backward(program, name, **options):
    root = program.named(name)
    return Statement(program.next_id, Kind.BACKWARD, "backward", (), (root,), tuple(options.items()), "method")


def test_all_in_the_order_of_the_menu():
    assert [found.id for found in examples()] == IDS
    with pytest.raises(KeyError):
        example("no such")


@pytest.mark.parametrize("id_", IDS)
def test_titles_and_notes_in_both_languages(id_):
    found = example(id_)
    assert set(found.title) == {"en", "zh_CN"}
    assert found.title_in("fr") == found.title["en"]
    (note,) = found.sheet.board.notes.values()
    assert [language for language, _ in note.texts] == ["en", "zh_CN"]
    assert 60 <= len(note.text("en").split()) <= 120
    assert 100 <= len(note.text("zh_CN")) <= 360
    assert note.text("en") != note.text("zh_CN")


@pytest.mark.parametrize("id_", IDS)
def test_laid_out_with_the_note_beside(id_):
    sheet = example(id_).sheet
    sheet = replace(sheet, board=sheet.board.drawn_as("cards"))
    nodes, edges = card_nodes(sheet.program)
    boxes = []
    for node in nodes:
        place = sheet.board.place(node.id)
        assert place is not None
        boxes.append((place.x, place.y, node.width, node.height))
    boxes += [(note.x, note.y, note.width, note.height) for note in sheet.board.notes.values()]
    for at, (x, y, w, h) in enumerate(boxes):
        assert not any(x < a + c and a < x + w and y < b + d and b < y + h for a, b, c, d in boxes[:at])
    left = {node.id: sheet.board.place(node.id).x for node in nodes}
    assert all(left[edge.source] < left[edge.target] for edge in edges)
    assert set(left) == {id_ for id_ in sheet.program.order if has_card(sheet.program, sheet.program[id_])}


def test_course_example():
    program = example("course").sheet.program
    state = run(program)
    assert value(program, state, "y") == "[6.]"
    assert all(tensor.grad is None for tensor in state.names.values())
    once = added(program, backward(program, "y"))
    state = run(once)
    assert [grad(state, name) for name in "wxaby"] == ["[5.]", "[2.]", None, None, None]
    twice = run(added(once, backward(once, "y")))
    assert [problem.message.startswith(FREED) for problem in twice.problems] == [True]


def test_retain_grad():
    program = example("retain_grad").sheet.program
    state = run(program)
    assert [grad(state, name) for name in "wxab"] == ["[5.]", "[2.]", "[2.]", None]
    late = Statement(program.next_id, Kind.ATTRIBUTE, "retain_grad", (), (program.named("b"),), style="method")
    assert grad(run(added(program, late)), "b") is None
    early = program.apply(edits.insert(program, [late], program.positions[line(program, 6)] + 1))
    assert grad(run(early), "b") == "[3.]"


def test_freed_buffers():
    program = example("freed_buffers").sheet.program
    state = run(program)
    (problem,) = state.problems
    assert problem.statement == line(program, 6)
    assert problem.message.startswith(FREED)
    assert value(program, state, "input") == "2.3979"
    assert grad(state, "input") == "2."
    kept = replaced(program, program[line(program, 5)].with_option("retain_graph", True))
    state = run(kept)
    assert state.problems == ()
    assert float(state.names["input"].grad.value) == pytest.approx(2 + 2 * float(state.names["z"].value), rel=1e-6)


def test_gradient():
    program = example("gradient").sheet.program
    assert grad(run(program), "x") == "[31., 42.]"
    weights = program[program.named("v").statement]
    for values, row in (((1.0, 0.0), "[1., 2.]"), ((0.0, 1.0), "[3., 4.]")):
        changed = Statement(weights.id, Kind.LEAF, "tensor", ("v",), (values,))
        assert grad(run(replaced(program, changed)), "x") == row
    refused = run(added(program, backward(program, "y")))
    assert refused.problems[-1].message == "grad can be implicitly created only for scalar outputs"


def test_second_derivative():
    program = example("second_derivative").sheet.program
    state = run(program)
    assert (value(program, state, "g"), value(program, state, "h")) == ("27.", "18.")
    assert state.names["g"].grad_fn is not None
    assert grad(state, "x") is None
    plain = replaced(program, program[line(program, 3)].without_option("create_graph"))
    state = run(plain)
    assert value(plain, state, "g") == "27."
    assert state.names["g"].grad_fn is None
    assert [problem.statement for problem in state.problems] == [line(plain, 4)]


def test_in_place():
    sheet = example("in_place").sheet
    state = run(sheet.program)
    (problem,) = state.problems
    assert problem.statement == line(sheet.program, 5)
    assert "modified by an inplace operation" in problem.message
    assert grad(state, "w") is None
    assert state.names["a"].version == 1
    assert value(sheet.program, state, "a") == "[4.]"
    writer = line(sheet.program, 4)
    assert grad(run(without(sheet, writer)), "w") == "[6.]"
    out_of_place = Statement(writer, Kind.OP, "add", ("c",), (Ref(line(sheet.program, 2)), 1))
    assert grad(run(replaced(sheet.program, out_of_place)), "w") == "[6.]"


def test_training_swings_until_its_gradients_are_zeroed():
    sheet = example("training").sheet
    program = sheet.program
    (loop,) = program.bodies
    state = run(program)
    assert len(state.names["w"].sum_of) == 20
    mended = sheet.apply(insert_zeroing(sheet, loop, [program.named("w").statement])).program
    after = run(mended)
    assert len(after.names["w"].sum_of) == 1
    assert value(mended, after, "w") == "[1.9622]"
