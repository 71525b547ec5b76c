"""The document: edits and their undoing, the cursor, where new lines go, what is told."""

import gc
import weakref
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sheets import course_sheet

from chalkgrad.program import building, edits
from chalkgrad.program.board import CARDS, DATA, Frame
from chalkgrad.program.cards import has_card
from chalkgrad.program.program import CycleError
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.source import emit, read
from chalkgrad_app import steps
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.document import Document, new_gesture
from chalkgrad_app.predicting import reveal


def run(document):
    document.finish()
    return document


def text(document):
    program = document.program
    return [emit.line(program, id_) for id_ in program.order if not program.is_inline(id_)]


def heard(signal):
    got = []
    signal.connect(lambda *values: got.append(values))
    return got


@pytest.fixture
def course(qapp):
    return run(Document(course_sheet()))


@pytest.fixture
def backward(course):
    steps.run(course, steps.backward)
    return run(course)


def id_of(document, name):
    return document.program.named(name).statement


class TestEdits:
    def test_an_edit_that_changes_nothing_is_no_step(self, course):
        course.do(edits.place(course.board, {1: (0.0, 0.0)}), "Move")
        assert course.undo_stack.count() == 0

    def test_a_refused_edit_changes_nothing(self, course):
        before = course.sheet
        with pytest.raises(CycleError):
            course.do(lambda sheet: edits.connect(sheet.program, 3, 0, Ref(5)), "Connect")
        assert course.sheet == before
        assert course.undo_stack.count() == 0

    def test_one_gesture_is_one_step(self, course):
        before = course.sheet
        gesture = new_gesture()
        for x in (8.0, 16.0, 24.0):
            course.do(edits.place(course.board, {1: (x, 0.0)}), "Move", gesture)
        assert course.undo_stack.count() == 1
        course.undo_stack.undo()
        assert course.sheet == before

    def test_a_gesture_that_ends_where_it_began_leaves_no_step(self, course):
        gesture = new_gesture()
        course.do(edits.place(course.board, {1: (8.0, 0.0)}), "Move", gesture)
        course.do(edits.place(course.board, {1: (0.0, 0.0)}), "Move", gesture)
        assert course.undo_stack.count() == 0

    def test_two_gestures_are_two_steps(self, course):
        course.do(edits.place(course.board, {1: (8.0, 0.0)}), "Move", new_gesture())
        course.do(edits.place(course.board, {1: (16.0, 0.0)}), "Move", new_gesture())
        assert course.undo_stack.count() == 2

    def test_the_selection_forgets_what_is_gone(self, course):
        course.select([3, 5])
        course.delete([5])
        assert course.selection == frozenset()
        course.select([3, 4])
        course.do(remove(course.sheet, [4]).change, "Delete")
        assert course.selection == {3}

    def test_what_is_gone_is_not_selected(self, course):
        course.delete([5])
        course.select([3, 5])
        assert course.selection == {3}

    def test_a_deletion_tells_what_it_took_along(self, backward):
        told = heard(backward.told)
        backward.delete([id_of(backward, "y")])
        assert "y.backward()" in told[-1][0]

    def test_a_deletion_tells_what_it_left_open(self, course):
        told = heard(course.told)
        course.delete([id_of(course, "a")])
        assert "y" in told[-1][0]
        assert course.program[5].is_waiting


class TestRunning:
    def test_a_line_at_the_end_runs_alone(self, course):
        told, traced = heard(course.told), heard(course.traced)
        steps.run(course, steps.backward)
        run(course)
        assert all(first > 0 for first, _ in traced)
        assert told == []

    def test_a_change_in_the_middle_tells_what_ran_again(self, backward):
        told = heard(backward.told)
        backward.do(lambda s: edits.put(s.program, read_leaf(s, 1, 3.0)), "Edit")
        run(backward)
        assert told == [("Ran again from line 1, 1 backward included",)]
        assert backward.state.tensor(id_of(backward, "y")).short == "[20.]"

    def test_moving_a_card_runs_nothing(self, course):
        traced = heard(course.traced)
        course.do(edits.place(course.board, {1: (80.0, 0.0)}), "Move")
        assert traced == []

    def test_start_over_keeps_the_graph(self, backward):
        backward.select([id_of(backward, "a")])
        steps.run(backward, steps.retain_grad)
        steps.run(backward, steps.zero_to_none)
        before = len(text(backward))
        backward.start_over()
        assert before > 5
        assert len(text(backward)) == 5
        assert run(backward).state.tensor(1).grad is None

    def test_run_forward_again_makes_backward_possible(self, backward):
        backward.select([id_of(backward, "y")])
        backward.run_forward_again()
        steps.run(backward, steps.backward)
        assert run(backward).state.tensor(1).grad.short == "[10.]"
        assert not backward.state.problems


def read_leaf(sheet, id_, value):
    from dataclasses import replace

    return replace(sheet.program[id_], operands=((value,),))


class TestTime:
    def test_looking_at_a_line(self, backward):
        moved = heard(backward.moved)
        backward.look_at_line(id_of(backward, "y"))
        assert backward.is_past
        assert backward.state.tensor(1).grad is None
        backward.back_to_now()
        assert not backward.is_past
        assert backward.state.tensor(1).grad.short == "[5.]"
        assert len(moved) == 2
        assert moved[1] == (None,)

    def test_walking_the_lines(self, backward):
        seen = []
        for _ in range(7):
            seen.append(backward.program.lines[backward.cursor_line] if backward.is_past else "now")
            backward.step_line(-1)
        assert seen == ["now", 5, 4, 3, 2, 1, 1]
        backward.step_line(1)
        assert backward.program.lines[backward.cursor_line] == 2

    def test_inside_a_backward_the_next_line_is_its_end_and_the_previous_one_its_beginning(self, backward):
        last = backward.program.order[-1]
        for way, line in ((1, None), (-1, id_of(backward, "y"))):
            backward.back_to_now()
            for _ in range(3):
                backward.step_event(-1)
            assert backward.cursor_line == last
            assert backward.state.inside
            backward.step_line(way)
            assert backward.cursor_line == line

    def test_events_go_back_to_the_first(self, course):
        for _ in range(len(course.session.trace) + 5):
            course.step_event(-1)
        assert course.cursor == 1
        for _ in range(len(course.session.trace)):
            course.step_event(1)
        assert not course.is_past

    def test_a_line_that_is_gone_means_now(self, backward):
        gone = id_of(backward, "y")
        backward.delete([gone])
        backward.look_at_line(gone)  # a list of an older program was clicked
        assert not backward.is_past
        backward.delete([id_of(backward, "a")])
        assert not backward.is_past

    def test_new_lines_go_after_the_line_looked_at(self, backward):
        backward.look_at_line(id_of(backward, "y"))
        backward.select([id_of(backward, "a")])
        steps.run(backward, steps.retain_grad)
        run(backward)
        assert text(backward)[-2:] == ["a.retain_grad()", "y.backward()"]
        assert backward.cursor_line == backward.program.order[-2]
        backward.back_to_now()
        assert backward.state.tensor(id_of(backward, "a")).grad.short == "[2.]"

    def test_a_second_one_follows_the_first(self, backward):
        backward.look_at_line(id_of(backward, "y"))
        for name in ("a", "b"):
            backward.select([id_of(backward, name)])
            steps.run(backward, steps.retain_grad)
            run(backward)
        assert text(backward)[-3:] == ["a.retain_grad()", "b.retain_grad()", "y.backward()"]

    def test_inside_a_backward_they_go_after_it(self, backward):
        steps.run(backward, steps.zero_to_none)
        run(backward)
        backward.look_at_line(backward.program.order[5])
        backward.step_event(-2)
        assert backward.state.inside
        steps.run(backward, steps.print_grad)
        assert text(backward)[5:7] == ["y.backward()", "print(y.grad)"]

    def test_undone_the_cursor_stands_where_it_stood(self, backward):
        line = id_of(backward, "y")
        backward.look_at_line(line)
        steps.run(backward, steps.zero_to_none)
        moved = heard(backward.moved)
        backward.undo_stack.undo()
        run(backward)
        assert backward.cursor_line == line
        assert moved == [(backward.cursor,)]

    def test_without_its_line_the_cursor_goes_to_the_one_before(self, backward):
        backward.look_at_line(id_of(backward, "b"))
        backward.delete([id_of(backward, "b")])
        run(backward)
        assert backward.cursor_line == id_of(backward, "a")

    def test_looking_at_the_last_line_is_looking_at_now(self, backward):
        backward.look_at_line(backward.program.order[-1])
        assert not backward.is_past
        assert backward.insert_index() == len(backward.program.order)


class TestCovering:
    def test_covered_until_revealed(self, backward):
        told = heard(backward.covering)
        backward.cover(True)
        w, x = (backward.state.tensor(id_of(backward, name)) for name in "wa")
        assert backward.state.is_covered(w)
        reveal(backward, Question(Cover.GRADIENTS, Ref(1)))
        assert not backward.state.is_covered(w)
        assert backward.state.is_covered(x)
        backward.cover(False)
        assert not backward.state.is_covered(x)
        assert len(told) == 3

    def test_covered_again_after_everything_ran_again(self, backward):
        backward.cover(True)
        reveal(backward, Question(Cover.GRADIENTS, Ref(1)))
        backward.do(lambda s: edits.put(s.program, read_leaf(s, 1, 3.0)), "Edit")
        run(backward)
        assert backward.state.is_covered(backward.state.tensor(1))


class TestFile:
    def test_what_was_opened_has_nothing_to_save_or_undo(self, qapp, tmp_path):
        document = Document()
        assert document.name == "Untitled"
        document.begin(course_sheet(), tmp_path / "course.chalk")
        assert (document.name, document.is_modified, document.undo_stack.count()) == ("course", False, 0)
        assert document.sheet == course_sheet()

    def test_an_edit_makes_it_unsaved_and_undoing_it_saved(self, course):
        titled = heard(course.titled)
        course.delete([5])
        assert course.is_modified
        course.undo_stack.undo()
        assert not course.is_modified
        assert len(titled) == 2

    def test_another_sheet_is_one_step(self, course):
        other = Sheet(read.read_source("import torch\nx = torch.tensor([1.])\nb = x * 2\n"))
        before = course.sheet
        course.replace_sheet(other, "Read again")
        assert course.sheet.program == other.program
        assert course.undo_stack.count() == 1
        course.undo_stack.undo()
        assert course.sheet == before


# ---------------------------------------------------------------- random histories


def random_edit(data, document):
    """One edit that somebody could make, as the window makes it."""
    program = document.program
    ids = list(program.order)
    some = st.sampled_from(ids) if ids else st.nothing()
    kind = data.draw(
        st.sampled_from(["tensor", "operator", "line", "delete", "move", "rename", "copy", "wrap", "time"])
    )
    if kind == "tensor" or not ids:
        document.build(lambda sheet, at: building.tensor(sheet, data.draw(st.booleans()), at, (0.0, 8.0)), kind)
    elif kind == "operator":
        from chalkgrad.engine.record import OPS

        made = [id_ for id_ in ids if has_card(program, program[id_])]
        inputs = (
            [program.maker(Ref(data.draw(st.sampled_from(made)))) for _ in range(data.draw(st.integers(0, 2)))]
            if made
            else []
        )
        record = OPS[data.draw(st.sampled_from(["add", "mul", "exp", "sum", "add_"]))]
        document.build(lambda sheet, at: building.operator(sheet, record, inputs, at, (8.0, 8.0)), kind)
    elif kind == "line":
        document.select([data.draw(some)])
        make = data.draw(st.sampled_from([steps.backward, steps.retain_grad, steps.zero_to_zeros, steps.detach]))
        steps.run(document, make)
    elif kind == "delete":
        document.delete([data.draw(some)])
    elif kind == "move":
        document.do(edits.place(document.board, {data.draw(some): (data.draw(st.integers(0, 9)) * 8.0, 0.0)}), kind)
    elif kind == "rename":
        named = [id_ for id_ in ids if program[id_].name and program[id_].kind is not Kind.DELETE]
        if named:
            document.do(
                edits.rename(program, data.draw(st.sampled_from(named)), 0, data.draw(st.sampled_from("pqr"))), kind
            )
    elif kind == "copy":
        chosen = [program[data.draw(some)]]
        document.build(lambda sheet, at: building.copies(sheet, chosen, at, {}, True), kind)
    elif kind == "wrap":
        start = data.draw(st.integers(0, len(ids) - 1))
        document.do(edits.wrap(program, ids[start : start + 2]), kind)
    else:
        document.look_at_line(data.draw(some))


@settings(max_examples=40)
@given(data=st.data())
def test_any_history_is_undone_to_the_beginning_and_redone_to_the_end(qapp, data):
    from chalkgrad.program.program import ProgramError

    document = Document(course_sheet())
    sheets = [document.sheet]
    for _ in range(data.draw(st.integers(1, 20))):
        before = document.undo_stack.count()
        try:
            random_edit(data, document)
        except ProgramError:
            assert document.undo_stack.count() == before
        for _ in range(document.undo_stack.count() - before):
            sheets += [document.sheet]
    stack = document.undo_stack
    for sheet in reversed(sheets[:-1]):
        stack.undo()
        assert document.sheet == sheet
    assert not stack.canUndo()
    for sheet in sheets[1:]:
        stack.redo()
        assert document.sheet == sheet


def test_a_document_that_nobody_holds_is_gone_at_once(qapp):
    """Left to the garbage collector it would be taken apart in an order that PySide does not survive."""
    gc.disable()
    try:
        document = Document()
        document.append(Statement(0, Kind.LEAF, "tensor", ("w",), ((1.0,),)))
        document.finish()
        gone = weakref.ref(document)
        del document
        assert gone() is None
    finally:
        gc.enable()


def test_where_a_new_frame_was_moved_to_by_itself_goes_with_the_step_that_made_it(course):
    frame = Frame(900, "", -24.0, -56.0, 176.0, 176.0)
    course.do(edits.put_frame(course.board, frame), "Add frame")
    course.amend(edits.put_frame(course.board, replace(frame, x=0.0, y=0.0)))
    assert course.undo_stack.count() == 1
    course.undo_stack.undo()
    assert not course.board.frames
    course.undo_stack.redo()
    assert (course.board.frames[900].x, course.board.frames[900].y) == (0.0, 0.0)


def test_where_a_frame_was_moved_to_by_itself_stays_when_a_later_step_moved_it_in_another_drawing(course):
    frame = Frame(900, "a", 0.0, 0.0, 176.0, 176.0)
    course.do(edits.put_frame(course.board, frame), "Add frame")
    course.draw_as(DATA)
    course.do(edits.put_frame(course.board, replace(frame, title="b", x=80.0)), "Move")
    course.draw_as(CARDS)
    course.amend(edits.put_frame(course.board, replace(frame, title="b", y=-96.0)))
    course.undo_stack.undo()
    course.undo_stack.undo()
    assert not course.board.frames
    course.undo_stack.redo()
    assert course.board.frames == {900: replace(frame, y=-96.0)}
    course.undo_stack.redo()
    assert course.board.frames == {900: replace(frame, title="b", x=80.0)}


def test_a_frame_that_was_moved_by_itself_comes_back_there_from_where_it_was_deleted_in_another_drawing(course):
    frame = Frame(900, "a", 0.0, 0.0, 176.0, 176.0)
    course.do(edits.put_frame(course.board, frame), "Add frame")
    course.do(edits.put_frame(course.board, replace(frame, title="b")), "Rename")
    course.draw_as(DATA)
    course.delete([900])
    course.undo_stack.undo()
    course.undo_stack.undo()
    course.draw_as(CARDS)
    course.amend(edits.put_frame(course.board, replace(frame, y=-96.0)))
    course.undo_stack.redo()
    assert course.board.frames[900].title == "b"
    course.amend(edits.put_frame(course.board, replace(frame, title="b", y=-48.0)))
    course.undo_stack.redo()
    course.undo_stack.undo()
    course.draw_as(CARDS)
    assert course.board.frames == {900: replace(frame, title="b", y=-48.0)}
    course.undo_stack.undo()
    assert course.board.frames[900].title == "a"


def test_a_long_program_that_is_opened_begins_to_run_in_the_turn_after(qapp):
    document = Document()
    lines = ["import torch", "a0 = torch.tensor(2.0, requires_grad=True)"]
    lines += [f"a{number} = torch.tanh(a{number - 1})" for number in range(1, 400)]
    document.begin(Sheet(read.read_source("\n".join(lines))))
    assert document.is_running
    assert document.state.tensor(document.program.order[5]) is None, "who shows it has the turn for itself"
    document.finish()
    assert not document.is_running
    assert document.state.tensor(document.program.order[-1]) is not None
