"""A picture that follows edits is the one made of the outcome: rows and wires that stay are left where they are."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from chalkgrad.program import edits
from chalkgrad.program.board import Board, Place
from chalkgrad.program.change import Change
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session import Session
from chalkgrad.session.snapshot import Statements
from chalkgrad.source import emit
from chalkgrad.source.read import read_source
from chalkgrad_app.picture.card_rows import in_common
from chalkgrad_app.picture.picture import Picture

pytestmark = pytest.mark.usefixtures("qapp")

LINES = 40
ROWS = ("x", "y", "w", "h", "heads", "facts", "below", "hidden")
WIRES = (  # how they run hangs on how much time there was for finding ways
    "wire_source",
    "wire_target",
    "wire_tensor",
    "ends",
    "thick",
    "dotted",
    "tagged",
    "wire_hidden",
)


def sheet(inline: bool) -> Sheet:
    rng = random.Random(3)
    lines = ["import torch", "a0 = torch.tensor([1.0], requires_grad=True)"]
    for number in range(1, LINES):
        one, other = (f"a{rng.randrange(max(0, number - 6), number)}" for _ in range(2))
        lines.append(f"a{number} = {f'({one} * {other})' if inline else one} + {other}.detach()")
    program = read_source("\n".join(lines) + "\n")
    places = {("cards", id_): Place(200.0 * (row // 6), 120.0 * (row % 6)) for row, id_ in enumerate(program.order)}
    return Sheet(program, Board(places))


def looked_at(picture: Picture, sheet: Sheet) -> Picture:
    session = Session(sheet.program)
    session.finish()
    picture.update(sheet.program, sheet.board, session.trace.state())
    return picture


def edit(sheet: Sheet, rng: random.Random) -> Change:
    """Some lines go, or move, or come, or read something else, or get another name; some cards are moved."""
    program, order = sheet.program, sheet.program.order
    begin = rng.randrange(len(order) - 4)
    chosen = rng.choice(["go", "scattered", "new", "reads", "moved", "named"])
    if chosen == "go":
        return remove(sheet, order[begin + 1 : begin + rng.randrange(2, 5)]).change
    if chosen == "scattered":
        return remove(sheet, rng.sample(order[1:], 3)).change
    if chosen == "new":
        line = Statement(program.next_id, Kind.OP, "tanh", (f"n{program.next_id}",), (Ref(order[0]),))
        here = edits.insert(program, [line], begin + 1)
        return here if rng.random() < 0.5 else here.then(edits.place(sheet.board, {line.id: (7.0, 7.0)}))
    if chosen == "reads":
        line = next(s for s in reversed(list(program)) if s.kind is Kind.OP and s.call in ("add", "mul", "tanh"))
        return edits.set_port(program, line.id, 0, Ref(order[0]))
    if chosen == "named":
        named = program[rng.choice([id_ for id_ in order if any(program[id_].targets)])]
        return edits.put(program, replace(named, targets=(rng.choice(["b", "a0", "a3", f"n{named.id}"]),)))
    return edits.place(sheet.board, {id_: (rng.random() * 900, 5.0) for id_ in rng.sample(order, 3)})


def assert_same(picture: Picture, afresh: Picture) -> None:
    assert picture.ids == afresh.ids
    assert picture.index == afresh.index
    assert picture.anatomies() == afresh.anatomies()
    assert picture.wires == afresh.wires
    assert list(map(picture.face, picture.ids)) == list(map(afresh.face, afresh.ids))
    for name in (*ROWS, *WIRES):
        assert np.array_equal(getattr(picture, name), getattr(afresh, name)), name


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
def test_what_is_written_on_a_card_is_worked_out_anew_where_a_name_in_it_is_another(drawing, monkeypatch):
    program = read_source("import torch\nspare = torch.ones(1)\nw = torch.ones(1)\ny = w * 2\nz = y + 1\nu = -z\n")
    named = {statement.name: statement.id for statement in program}
    board, written = Board(drawing=drawing), []
    picture = looked_at(Picture(), Sheet(program, board))
    list(map(picture.face, picture.ids))
    monkeypatch.setattr(
        emit,
        "expression",
        lambda program, id_, short, write=emit.expression: written.append(id_) or write(program, id_),
    )
    program = program.apply(edits.put(program, replace(program[named["y"]], targets=("q",))))
    program = program.apply(remove(Sheet(program), [named["spare"]]).change)
    picture.update(program, board, looked_at(Picture(), Sheet(program, board)).state, ())
    assert picture.face(named["z"]).expression == "q + 1"
    assert picture.face(named["u"]).expression == "-z"
    assert (named["u"] in written) == (drawing == "autograd"), "what it saved has a name, too"
    assert named["z"] in written


def test_where_functions_are_shown_it_is_not_told_what_a_card_was_measured_of(monkeypatch):
    monkeypatch.setattr(Statements, "fingerprint", lambda *_: pytest.fail("nobody asks whether it is as it was"))
    now = sheet(True)
    picture = looked_at(Picture(), Sheet(now.program, Board(drawing="autograd")))
    looked_at(picture, Sheet(now.program.apply(remove(now, now.program.order[5:7]).change), picture.board))


@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_edits_one_after_another_and_all_of_them_taken_back(inline, seed):
    rng = random.Random(seed)
    now = sheet(inline)
    picture, done = looked_at(Picture(), now), []
    for _ in range(8):
        change = edit(now, rng)
        now = now.apply(change)
        done.append(change)
        assert_same(looked_at(picture, now), looked_at(Picture(), now))
    for change in reversed(done):
        now = now.apply(change.inverse())
        assert_same(looked_at(picture, now), looked_at(Picture(), now))


def test_edits_that_come_between_two_looks_at_the_picture():
    rng, now = random.Random(8), sheet(False)
    picture = looked_at(Picture(), now)
    for _ in range(3):
        now = now.apply(edit(now, rng)).apply(edit(sheet(False), random.Random(9)).split(["places"])[0])
        now = now.apply(edit(now, rng))
        assert_same(looked_at(picture, now), looked_at(Picture(), now))


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [((), (1,), 0), ((1, 2), (1, 2), 2), ((1, 2, 3), (1, 2, 4, 5), 2), ((9,), (8,), 0), ((1, 2), (1, 2, 3), 2)],
)
def test_with_how_many_entries_both_begin(one, other, count):
    assert in_common(one, other) == in_common(other, one) == count
