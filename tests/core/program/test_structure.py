"""What is known of a program stays known where an edit changes a number alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chalkgrad.program import edits
from chalkgrad.program.program import STRUCTURE, Program
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Empty, Ref
from chalkgrad.source.read import read_source

SOURCE = """import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.rand(2)
with torch.no_grad():
    d = w * 3.0
for i in range(2):
    y = torch.add(w, d)
    z = torch.sin(y * 2.0)
o = torch.optim.SGD([w], lr=0.1)
"""

CARRIED_OVER = ("cards", "repeated_names")
"""What stays the same set where an edit brings nothing into it, and takes nothing out."""


@pytest.fixture
def program():
    made = read_source(SOURCE)
    for name in STRUCTURE:
        getattr(made, name)
    return made


def afresh(program):
    return Program(dict(program.statements), program.order, dict(program.blocks), program.next_id, program.stops)


def changed(program, name, **fields):
    statement = program[program.named(name).statement]
    return program.apply(edits.put(program, replace(statement, **fields)))


@pytest.mark.parametrize(("name", "operands"), [("w", ((5.0, 6.0),)), ("d", None)])
def test_another_number_keeps_it(program, name, operands):
    before = program[program.named(name).statement].operands
    after = changed(program, name, operands=operands or (before[0], 7.0))
    assert after.statements != program.statements
    for which in STRUCTURE:
        assert getattr(after, which) is getattr(program, which)
        assert getattr(after, which) == getattr(afresh(after), which)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("y", {"operands": (Ref(1), Ref(1))}),
        ("y", {"operands": (Ref(1), Empty())}),
        ("y", {"targets": ("q",)}),
        ("x", {"options": (("seed", 7),)}),
        ("d", {"block": None}),
    ],
)
def test_anything_else_is_looked_at_again(program, name, fields):
    after = changed(program, name, **fields)
    for which in STRUCTURE:
        assert getattr(after, which) == getattr(afresh(after), which)
        if which not in CARRIED_OVER:
            assert getattr(after, which) is not getattr(program, which)


@pytest.mark.parametrize("deleted", [["w"], ["y"], ["z"], ["d", "z"]])
def test_who_refers_to_what_is_carried_over_and_back(program, deleted):
    change = remove(Sheet(program), [program.named(name).statement for name in deleted]).change
    after = program.apply(change)
    back = after.apply(change.inverse())
    for which in ("users", "name_counts"):
        assert which in vars(after)
        assert getattr(after, which) == getattr(afresh(after), which)
        assert which in vars(back)
        assert getattr(back, which) == getattr(program, which)


def test_optimizers_are_not_looked_for_where_none_can_have_come(program, monkeypatch):
    before = read_source(SOURCE.rpartition("o =")[0])
    assert not before.optimizers
    fewer = before.apply(remove(Sheet(before), [before.named("z").statement]).change)
    monkeypatch.setattr(Program, "__iter__", None)
    assert not fewer.optimizers


def test_an_optimizer_that_comes_and_goes_is_found(program):
    made = program.named("o").statement
    change = remove(Sheet(program), [made]).change
    fewer = program.apply(change)
    assert not fewer.optimizers
    back = fewer.apply(change.inverse())
    assert back.optimizers == program.optimizers == {program.named("w").statement: (made,)}
    renamed = changed(back, "x", targets=("q",))
    assert renamed.optimizers == program.optimizers


def test_names_are_counted_with_those_that_are_none_and_those_bound_twice(program):
    assert program.name_counts == {"": 1, "w": 1, "x": 1, "d": 1, "y": 1, "z": 1, "o": 1}
    after = changed(program, "z", targets=("y",))
    assert (after.name_counts["y"], "z" in after.name_counts) == (2, False)
    assert after.names() == {"w", "x", "d", "y", "o", "i"}


def test_in_another_order_it_is_looked_for_again(program):
    after = program.apply(edits.move(program, [program.named("x").statement], 0))
    assert "users" not in vars(after)
    assert after.users == afresh(after).users
