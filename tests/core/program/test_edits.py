"""Edits: whatever is done can be undone, and leaves a program that can be written."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import OPS, sheets

from chalkgrad.program import building, edits, removing
from chalkgrad.program.board import Frame, Note
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.problems import problems
from chalkgrad.program.program import CycleError, GoneError, Program, ProgramError
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad.source import read
from chalkgrad.source.emit import program_text


def insert(draw, sheet: Sheet) -> Change:
    at = draw(st.integers(0, len(sheet.program)))
    made = Statement(sheet.program.next_id, Kind.LEAF, "ones", (draw(st.sampled_from("wxq")),), (2,))
    return edits.insert(sheet.program, [made], at)


def operator(draw, sheet: Sheet) -> Change:
    record = OPS[draw(st.sampled_from(["add", "exp", "matmul", "cat", "add_"]))]
    inputs = draw(st.lists(refs(sheet.program), max_size=2))
    return building.operator(
        sheet, record, inputs, len(sheet.program), draw(st.sampled_from([None, (8.0, 16.0)]))
    ).change


def put(draw, sheet: Sheet) -> Change:
    leaves = [statement for statement in sheet.program if statement.kind is Kind.LEAF]
    statement = draw(st.sampled_from(leaves or [None]))
    return (
        NOTHING
        if statement is None
        else edits.put(sheet.program, statement.with_option("requires_grad", draw(st.booleans())))
    )


def remove(draw, sheet: Sheet) -> Change:
    ids = draw(st.lists(st.sampled_from(sheet.program.order), min_size=1, max_size=3))
    removal = removing.remove(sheet, ids)
    after = sheet.apply(removal.change)
    assert not set(ids) & set(after.program.order)
    assert all(after.program[id_].is_waiting or id_ in after.program for id_ in removal.opened)
    return removal.change


def rename(draw, sheet: Sheet) -> Change:
    id_ = draw(st.sampled_from([s.id for s in sheet.program if s.targets] or [None]))
    return NOTHING if id_ is None else edits.rename(sheet.program, id_, 0, draw(st.sampled_from(["k", "y", "x"])))


def connect(draw, sheet: Sheet) -> Change:
    found = port(draw, sheet.program)
    return NOTHING if found is None else edits.connect(sheet.program, *found, draw(refs(sheet.program)))


def set_port(draw, sheet: Sheet) -> Change:
    found = port(draw, sheet.program)
    return NOTHING if found is None else edits.set_port(sheet.program, *found, draw(st.sampled_from([EMPTY, 2, 0.5])))


def move(draw, sheet: Sheet) -> Change:
    ids = draw(st.lists(st.sampled_from(sheet.program.order), min_size=1, max_size=3))
    return edits.move(sheet.program, ids, draw(st.integers(0, len(sheet.program))))


def move_after(draw, sheet: Sheet) -> Change:
    one, other = draw(st.lists(st.sampled_from(sheet.program.order), min_size=2, max_size=2))
    return edits.move_after(sheet.program, one, other)


def wrap(draw, sheet: Sheet) -> Change:
    start = draw(st.integers(0, len(sheet.program) - 1))
    ids = sheet.program.order[start : start + draw(st.integers(1, 3))]
    return edits.wrap(sheet.program, ids, draw(st.sampled_from(["no_grad", "enable_grad"])))


def unwrap(draw, sheet: Sheet) -> Change:
    return (
        edits.unwrap(sheet.program, draw(st.sampled_from(sorted(sheet.program.blocks))))
        if sheet.program.blocks
        else NOTHING
    )


def drop_empty_blocks(draw, sheet: Sheet) -> Change:
    return edits.drop_empty_blocks(sheet.program)


def place(draw, sheet: Sheet) -> Change:
    spots = {draw(st.sampled_from(sheet.program.order)): (draw(st.integers(-99, 99)), 8.0)}
    return edits.place(sheet.board, spots)


def keep_in_place(draw, sheet: Sheet) -> Change:
    return edits.keep_in_place(sheet.board, draw(st.lists(st.sampled_from(sheet.program.order))), draw(st.booleans()))


def forget_places(draw, sheet: Sheet) -> Change:
    return edits.forget_places(sheet.board, draw(st.lists(st.sampled_from(sheet.program.order))))


def put_note(draw, sheet: Sheet) -> Change:
    return edits.put_note(
        sheet.board,
        Note(
            draw(st.integers(900, 903)),
            (
                (
                    "",
                    draw(st.text("ab")),
                ),
            ),
            8.0,
            8.0,
        ),
    )


def remove_notes(draw, sheet: Sheet) -> Change:
    return edits.remove_notes(sheet.board, draw(st.lists(st.integers(900, 903))))


def put_frame(draw, sheet: Sheet) -> Change:
    return edits.put_frame(sheet.board, Frame(draw(st.integers(910, 912)), "F", draw(st.floats(0, 9)), 0, 64, 64))


def start_over(draw, sheet: Sheet) -> Change:
    return building.start_over(sheet).change


def append(draw, sheet: Sheet) -> Change:
    root = draw(refs(sheet.program))
    made = draw(
        st.sampled_from([building.backward(root, retain_graph=True), building.again(root), building.grad_to_none(root)])
    )
    return building.append(sheet, made, len(sheet.program)).change


def copies(draw, sheet: Sheet) -> Change:
    chosen = set(draw(st.lists(st.sampled_from(sheet.program.order), min_size=1, max_size=3)))
    originals = [statement for statement in sheet.program if statement.id in chosen]
    return building.copies(sheet, originals, len(sheet.program), {}, draw(st.booleans())).change


EDITS = [
    *(insert, operator, put, remove, rename, connect, connect, set_port, move, move_after, wrap, unwrap),
    *(drop_empty_blocks, place, keep_in_place, forget_places, put_note, remove_notes, put_frame),
    *(start_over, append, copies),
]


@st.composite
def refs(draw: st.DrawFn, program: Program) -> Ref:
    """What a wire can begin at: an output, or its gradient."""
    outputs = [(s.id, n) for s in program for n in range(len(s.targets)) if s.kind is not Kind.DELETE]
    outputs += [(s.id, 0) for s in program if program.writes(s) and not s.targets]
    statement, output = draw(st.sampled_from(outputs))
    return Ref(statement, output, draw(st.sampled_from([(), (), ("grad",)])))


def port(draw, program: Program) -> tuple[int, int] | None:
    """A port of an operator, if there is one."""
    operators = [s.id for s in program if s.ports() and s.kind is Kind.OP]
    if not operators:
        return None
    id_ = draw(st.sampled_from(operators))
    return id_, draw(st.integers(0, len(program[id_].ports()) - 1))


def well_formed(program: Program) -> None:
    """No line stands before one that it needs, and the whole can be written."""
    for statement in program:
        for ref in statement.refs():
            assert program.positions[ref.statement] < program.positions[statement.id]
    assert not [problem for problem in problems(program) if problem.text.key in ("problem.gone", "problem.used_before")]
    ast.parse(program_text(program))


@given(sheets(6), st.data())
@settings(max_examples=300)
def test_edit_histories_are_undone_to_equality(sheet: Sheet, data: st.DataObject) -> None:
    done: list[tuple[Sheet, Change]] = []
    for _ in range(data.draw(st.integers(20, 30))):
        edit = data.draw(st.sampled_from(EDITS))
        if not sheet.program.order or not any(s.targets for s in sheet.program if s.kind is not Kind.DELETE):
            edit = insert
        try:
            change = edit(data.draw, sheet)
            after = sheet.apply(change)
        except ProgramError:
            continue
        done.append((sheet, change))
        sheet = after
    well_formed(sheet.program)
    last = sheet
    for before, change in reversed(done):
        sheet = sheet.apply(change.inverse())
        assert sheet == before
    for _, change in done:
        sheet = sheet.apply(change)
    assert sheet == last
    total = NOTHING
    for _, change in done:
        total = total.then(change)
    assert last.apply(total.inverse()) == (done[0][0] if done else last)


@given(sheets(8), st.data())
@settings(max_examples=400)
def test_every_edit_leaves_a_well_formed_program(sheet: Sheet, data: st.DataObject) -> None:
    edit = data.draw(st.sampled_from(EDITS))
    try:
        change = edit(data.draw, sheet)
    except ProgramError:
        return
    if edit is insert and sheet.program.blocks:
        return
    well_formed(sheet.apply(change).program)


def test_a_circle_is_refused_and_told() -> None:
    lines = [
        Statement(1, Kind.LEAF, "tensor", ("w",), (1.0,)),
        Statement(2, Kind.OP, "exp", ("a",), (Ref(1),)),
        Statement(3, Kind.OP, "exp", ("b",), (Ref(2),)),
    ]
    program = Program().apply(edits.insert(Program(), lines))
    with pytest.raises(CycleError) as error:
        edits.connect(program, 2, 0, Ref(3))
    assert error.value.path == (2, 3)


@settings(deadline=None)
@given(sheets(), st.data())
def test_lines_wrapped_at_once_are_as_those_wrapped_one_after_the_other(sheet: Sheet, data: st.DataObject) -> None:
    lines = [id_ for id_ in sheet.program.order if not sheet.program.is_inline(id_)]
    chosen = data.draw(st.lists(st.sampled_from(lines), unique=True, max_size=4)) if lines else []
    try:
        one_by_one = wrapped_one_by_one(sheet.program, chosen)
    except ProgramError:
        return
    assert wrapped_at_once(sheet.program, chosen) == one_by_one


def test_what_is_written_inside_a_line_that_is_wrapped_may_lie_further_up() -> None:
    program = read.read_source("import torch\nw = torch.tensor(2.0)\ny = w * 3\nz = w - w.exp()\nz.sin_()")
    y, z, written = (program.bindings["y"].statement, program.bindings["z"].statement, program.order[-1])
    apart = program.apply(edits.move(program, [y], program.positions[z]))
    assert apart.order.index(y) == apart.order.index(z) - 1  # between the line and its ``w.exp()``
    at_once = wrapped_at_once(apart, [z, written])
    assert at_once == wrapped_one_by_one(apart, [z, written])
    assert at_once.count("with torch.no_grad():\n    z") == 2


def wrapped_at_once(program: Program, lines: list[int]) -> str:
    ids = [id_ for id_ in program.order if id_ in lines]
    return program_text(program.apply(edits.wrap_each(program, ids, program.next_id)))


def wrapped_one_by_one(program: Program, lines: list[int]) -> str:
    for id_ in [id_ for id_ in program.order if id_ in lines]:
        program = program.apply(edits.wrap(program, [id_]))
    return program_text(program)


def test_ids_are_never_used_again() -> None:
    sheet = Sheet()
    built = building.tensor(sheet, True, 0)
    after = sheet.apply(built.change)
    undone = after.apply(built.change.inverse())
    assert undone == sheet
    assert undone.program.next_id == after.program.next_id == 2


def test_a_line_for_a_tensor_that_is_gone_is_refused() -> None:
    built = building.tensor(Sheet(), True, 0)
    sheet = Sheet().apply(built.change)
    line = building.method(Ref(built.ids[0]), "retain_grad")
    sheet.apply(building.append(sheet, line, 1).change)
    without = sheet.apply(built.change.inverse())
    with pytest.raises(GoneError):
        building.append(without, line, 0)
