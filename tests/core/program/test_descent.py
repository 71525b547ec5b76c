"""What a program and a board know of those that they were made of by edits."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from chalkgrad.program import edits
from chalkgrad.program.board import Board, Place
from chalkgrad.program.cards import cards_of
from chalkgrad.program.change import Change
from chalkgrad.program.descent import GENERATIONS, Descent, differing
from chalkgrad.program.name_counts import repeated_among
from chalkgrad.program.program import STRUCTURE, Program
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad.source.read import read_source

SOURCE = """import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.ones(2)
y = (w * x).sum()
x = w.detach() * 3.0
y.backward(gradient=torch.tensor(1.0))
w.grad.zero_()
z = torch.sin(x)
"""


Z_ALONE = {"a name", "a name that goes", "an operand", "a line of another kind"}
"""What :func:`changes` does to the last line."""


class Value:
    """Something that weak references may refer to."""


@pytest.fixture
def program():
    made = read_source(SOURCE)
    assert made.cards
    assert made.repeated_names == {"x"}
    return made


def afresh(program):
    return Program(dict(program.statements), program.order, dict(program.blocks), program.next_id, program.stops)


def bent(program, id_, **fields):
    return edits.put(program, replace(program[id_], **fields))


def changes(program):
    """An edit of each kind that has to do with cards or names."""
    w, z = program.named("w").statement, program.named("z").statement
    product = next(s.id for s in program if s.kind is Kind.OP and s.targets == ("",) and s.call == "mul")
    yield "a name", bent(program, z, targets=("w",))
    yield "a name that goes", bent(program, z, targets=("",))
    yield "what was inline gets a name", bent(program, product, targets=("p",))
    yield "an operand", bent(program, z, operands=(Ref(w),))
    yield "an open port", bent(program, z, operands=(EMPTY,))
    yield "what it writes into is a number", bent(program, z, call="exp_", operands=(1.0,))
    yield "a line of another kind", bent(program, z, kind=Kind.PRINT, call="print", targets=())
    yield "some go", remove(Sheet(program), [w]).change
    order = (*program.order[1:2], program.order[0], *program.order[2:])
    yield "another order", Change({}, (program.order, order))
    line = Statement(program.next_id, Kind.OP, "tanh", ("x",), (Ref(w),))
    yield "a new line", edits.insert(program, [line], 2)


@pytest.mark.parametrize("kind", [name for name, _ in changes(read_source(SOURCE))])
def test_what_is_carried_over_is_what_is_found_afresh(program, kind):
    assert all(getattr(program, name) == getattr(afresh(program), name) for name in STRUCTURE), "now they are known"
    after = program.apply(dict(changes(program))[kind])
    again = after.apply(dict(changes(program))[kind].inverse())
    for one in (after, again):
        for name in STRUCTURE:
            assert getattr(one, name) == getattr(afresh(one), name), name
        assert one.cards == cards_of(afresh(one))
        assert one.repeated_names == repeated_among(afresh(one).name_counts, afresh(one).name_counts)
        assert differing(program.statements, one.statements) <= set(one.differing(program))
    assert set(after.differing(program)) == differing(program.statements, after.statements)


@pytest.mark.parametrize("kind", [name for name, _ in changes(read_source(SOURCE))])
def test_what_was_known_is_known_again_when_an_edit_is_taken_back_or_done_again(program, kind):
    change = dict(changes(program))[kind]
    after = program.apply(change)
    lines = {id(one): one.lines for one in (program, after)}
    undone = after.apply(change.inverse())
    redone = undone.apply(change)
    assert (undone, redone) == (program, after)
    assert undone.lines is lines[id(program)]
    assert redone.lines is lines[id(after)]


@pytest.mark.parametrize("kind", [name for name, _ in changes(read_source(SOURCE))])
def test_an_edit_taken_back_after_another_leads_to_what_never_was(program, kind):
    change, z = dict(changes(program))[kind], program.named("z").statement
    two = program.apply(change)
    for name in STRUCTURE:
        assert getattr(program, name) == getattr(afresh(program), name)
    other = bent(two, two.order[0], targets=("q",)) if z not in two or kind in Z_ALONE else bent(two, z, targets=("q",))
    three = two.apply(other).apply(change.inverse())
    for name in STRUCTURE:
        assert getattr(three, name) == getattr(afresh(three), name), name


def test_several_edits_back_it_is_known_what_differs(program):
    z = program.named("z").statement
    one = program.apply(bent(program, z, targets=("a",)))
    two = one.apply(bent(one, program.order[0], targets=("b",)))
    assert set(two.differing(program)) == {z, program.order[0]}
    assert set(two.differing(one)) == {program.order[0]}
    assert set(program.differing(two)) == {z, program.order[0]}, "looked for one by one"


def test_it_keeps_no_program_of_the_past(program):
    z = program.named("z").statement
    changed, kept = program, [program]
    for number in range(GENERATIONS + 2):
        changed = changed.apply(bent(changed, z, targets=(f"z{number}",)))
        kept.append(changed)
    assert len(list(changed._descent.ancestors())) == GENERATIONS
    del kept[1:]
    gc.collect()
    assert list(changed._descent.ancestors()) == [], "the first is too long ago, the others are gone"


def test_a_board_knows_what_lies_elsewhere():
    board = Board({("cards", 1): Place(0, 0), ("cards", 2): Place(1, 1), ("data", 2): Place(2, 2)})
    moved = board.apply(Change({("places", ("cards", 2)): (Place(1, 1), Place(5, 5))}))
    gone = moved.apply(Change({("places", ("cards", 1)): (Place(0, 0), None)}))
    assert set(moved.replaced(board)) == {("cards", 2)}
    assert set(gone.replaced(board)) == {("cards", 1), ("cards", 2)}
    assert set(gone.drawn_as("data").replaced(gone)) == set(), "they have the same places"
    assert set(board.replaced(gone)) == {("cards", 1), ("cards", 2)}


def test_who_is_no_ancestor_is_not_known():
    parent = Value()
    descent = Descent[int]().of(parent, [1, 2])
    assert descent.since(parent) == {1, 2}
    assert descent.since(Value()) is None
