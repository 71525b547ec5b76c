"""A picture that followed edits, runs and the cursor piece by piece is the one that is made from nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import OPS, sheets

from chalkgrad.program import arranging, building, edits
from chalkgrad.program.board import AUTOGRAD, Board, Frame
from chalkgrad.program.program import ProgramError
from chalkgrad.program.removing import remove
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Kind, Ref, Statement
from chalkgrad.session.state import Status
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import following
from chalkgrad_app.canvas.following import Following
from chalkgrad_app.covering import Cover
from chalkgrad_app.document import Document
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.routing import Routing

COLUMNS = ("x", "y", "w", "h", "facts", "below", "hidden")
OF_WIRES = ("ends", "boxes", "cubics", "piece_wire", "wire_source", "wire_target", "thick", "dotted", "tagged")


class Follower:
    """A picture kept up to date as a canvas keeps its own."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.picture = Picture()
        self.following = Following()
        document.covering.connect(self.following.forget)

    def look(self, in_view: Collection[int] | None = None) -> None:
        document = self.document
        touched = self.following.next(document, self.picture.ids if in_view is None else in_view)
        self.picture.is_followed = self.following.is_of_new_run
        if self.following.is_all_anew:
            self.picture.forget_gone()
        self.picture.update(document.program, document.board, document.state, touched)
        for id_ in self.picture.ids[::2]:
            self.picture.face(id_)


def fresh(document: Document) -> Picture:
    picture = Picture()
    picture.update(document.program, document.board, document.state)
    return picture


def assert_same(one: Picture, other: Picture) -> None:
    assert one.ids == other.ids
    assert one.wires == other.wires
    for name in (*COLUMNS, *OF_WIRES, "wire_hidden"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert (one.notes, one.frames, one.folds) == (other.notes, other.frames, other.folds)
    for id_ in one.ids:
        assert one.face(id_) == other.face(id_)
        assert one.anatomy(id_) == other.anatomy(id_)


def assert_says_the_same(one: Picture, other: Picture) -> None:
    """In the past a card keeps its size, so only what it says is compared."""
    np.testing.assert_array_equal(one.facts, other.facts)
    for id_ in one.ids:
        mine, made = one.face(id_), other.face(id_)
        assert (mine.rows, mine.foot, mine.hue, mine.status, mine.error) == (
            made.rows,
            made.foot,
            made.hue,
            made.status,
            made.error,
        )


def some(draw, sheet: Sheet) -> int | None:
    return draw(st.sampled_from(sheet.program.order)) if sheet.program.order else None


def change(draw, sheet: Sheet):
    """One edit of a few kinds that bear on the picture."""
    id_ = some(draw, sheet)
    kind = draw(st.sampled_from(["operator", "leaf", "remove", "rename", "move", "port", "place", "put", "unname"]))
    if kind == "operator" or id_ is None:
        record = OPS[draw(st.sampled_from(["add", "exp", "cat", "add_", "detach"]))]
        made = [Ref(s.id) for s in sheet.program if s.kind in (Kind.LEAF, Kind.OP)]
        inputs = draw(st.lists(st.sampled_from(made), max_size=2)) if made else []
        return building.operator(sheet, record, inputs, len(sheet.program), (8.0, 16.0)).change
    statement = sheet.program[id_]
    if kind == "leaf":
        leaf = Statement(sheet.program.next_id, Kind.LEAF, "ones", ("q",), (2,))
        return edits.insert(sheet.program, [leaf], draw(st.integers(0, len(sheet.program))))
    if kind == "remove":
        return remove(sheet, [id_]).change
    if kind == "rename" and statement.targets:
        return edits.rename(sheet.program, id_, 0, draw(st.sampled_from(["k", "y", "x"])))
    if kind == "unname" and statement.targets:
        return edits.rename(sheet.program, id_, 0, "")
    if kind == "move":
        return edits.move(sheet.program, [id_], draw(st.integers(0, len(sheet.program))))
    if kind == "port" and statement.kind is Kind.OP and statement.ports():
        port = draw(st.integers(0, len(statement.ports()) - 1))
        return edits.set_port(sheet.program, id_, port, draw(st.sampled_from([EMPTY, 2, 0.5])))
    if kind == "put" and statement.kind is Kind.LEAF:
        return edits.put(sheet.program, statement.with_option("requires_grad", draw(st.booleans())))
    return edits.place(sheet.board, {id_: (draw(st.integers(-99, 99)), 8.0)})


@pytest.fixture(autouse=True)
def plain_wires(monkeypatch):
    """Which way round cards a wire finds hangs on time and on the ways before: here every wire is a plain curve."""
    monkeypatch.setattr(Routing, "ways", lambda self, picture: {})


@pytest.fixture
def step_by_step(qapp, monkeypatch):
    """Runs stop after every statement, so that edits come in the middle of them."""
    monkeypatch.setattr("chalkgrad_app.running_sheet.SLICE_MS", 0.0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(sheets(), st.data())
def test_a_followed_picture_is_the_one_made_from_nothing(step_by_step, sheet: Sheet, data: st.DataObject) -> None:
    document = Document(sheet)
    follower = Follower(document)
    follower.look()
    for _ in range(data.draw(st.integers(1, 8))):
        step = data.draw(
            st.sampled_from(["edit", "edit", "edit", "undo", "redo", "finish", "run", "time", "now", "cover"])
        )
        if step == "edit":
            with contextlib.suppress(ProgramError):
                document.do(change(data.draw, document.sheet), step)
        elif step == "undo":
            document.undo_stack.undo()
        elif step == "redo":
            document.undo_stack.redo()
        elif step == "finish":
            document.finish()
        elif step == "run":
            document._run_slice()
        elif step == "time":
            document.look_at(int(data.draw(st.floats(0, 1)) * len(document.session.trace)))
        elif step == "now":
            document.back_to_now()
        else:
            document.cover(not document.is_covering)
        if data.draw(st.booleans()):
            follower.look()
    document.finish()
    follower.look()
    if document.is_past:
        assert_says_the_same(follower.picture, fresh(document))
        document.back_to_now()
        follower.look()
    assert_same(follower.picture, fresh(document))


def test_a_folded_card_that_grows_as_it_runs_makes_its_node_wider(step_by_step):
    sheet = Sheet(read_source("import torch\nx = torch.ones(2)\nw = torch.tensor([[1.5, -2.0], [0.1, 3.0]])\n"))
    _, id_ = sheet.program.order
    draft = Draft(sheet)
    draft.apply(edits.put_frame(draft.board, Frame(15, "", 0.0, 0.0, 8.0, 9.0)))
    draft.apply(arranging.fold(draft.board, 15, [id_]))
    document = Document(draft.sheet.drawn_as("data"))
    follower = Follower(document)
    follower.look()
    document.finish()
    follower.look()
    assert_same(follower.picture, fresh(document))


@pytest.fixture
def chain(qapp) -> Follower:
    lines = ["import torch", "w = torch.tensor([1.], requires_grad=True)", "a = w * 2"]
    lines += [f"{chr(98 + n)} = {chr(97 + n)} + 1" for n in range(12)]
    document = Document(Sheet(read_source("\n".join(lines) + "\n"), Board()))
    document.finish()
    follower = Follower(document)
    follower.look()
    return follower


def test_a_value_edited_at_the_end_looks_at_that_card_alone(chain: Follower, monkeypatch) -> None:
    document = chain.document
    last = document.program.order[-1]
    looked: list[int] = []
    measure = Picture._measure
    monkeypatch.setattr(Picture, "_measure", lambda self, ids: looked.extend(ids) or measure(self, ids))
    document.append(building.backward(Ref(last)))
    document.finish()
    chain.look()
    assert set(looked) < set(document.program.order)
    looked.clear()
    chain.look()
    assert looked == []


def test_the_first_backward_covers_the_gradients_that_it_does_not_reach_too(chain: Follower) -> None:
    document = chain.document
    aside = document.append(Statement(0, Kind.LEAF, "ones", ("aside",), (2,), (("requires_grad", True),)))
    document.covers.toggle_asking(Cover.GRADIENTS)
    document.finish()
    chain.look()
    assert not chain.picture.face(aside).rows[0].grad.covered
    document.append(building.backward(Ref(document.program.order[-2])))
    document.finish()
    chain.look()
    assert chain.picture.face(aside).rows[0].grad.covered
    assert_same(chain.picture, fresh(document))


def test_while_it_runs_again_what_is_not_reached_yet_is_shown_as_it_was(chain: Follower) -> None:
    document = chain.document
    before = {id_: chain.picture.face(id_).status for id_ in chain.picture.ids}
    leaf = document.program[document.program.order[0]]
    changed = edits.put(document.program, leaf.with_port(0, (3.0,)))
    sheet = document.sheet.apply(changed)
    document.session.update(sheet.program)
    document._sheet = sheet
    document._state = None
    document.session._step()
    chain.look()
    assert document.is_running
    assert {id_: chain.picture.face(id_).status for id_ in chain.picture.ids} == before
    document.finish()
    chain.look()
    assert_same(chain.picture, fresh(document))


def test_a_line_that_an_undo_brings_back_is_as_it_was_until_the_run_reaches_it(step_by_step, chain: Follower) -> None:
    document, picture = chain.document, chain.picture
    gone = document.program.order[8]
    before, facts = picture.face(gone), picture.facts[picture.index[gone]]
    document.delete([gone])
    document.finish()
    chain.look()
    document.undo_stack.undo()
    chain.look()
    assert document.is_running
    assert document.state.statement(gone).status is Status.TO_COME
    assert picture.face(gone).rows == before.rows
    assert picture.facts[picture.index[gone]] == facts
    assert not picture.dotted[[wire.target == gone for wire in picture.wires]].any()
    document.finish()
    chain.look()
    assert_same(picture, fresh(document))


def test_after_an_undo_only_what_a_run_made_otherwise_is_measured(qapp, monkeypatch) -> None:
    lines = ["import torch", "w = torch.tensor([1.], requires_grad=True)", "a = w * 2", "gone = a * 3", "b = a + 1"]
    document = Document(Sheet(read_source("\n".join(lines) + "\n"), Board()))
    document.finish()
    follower = Follower(document)
    follower.look()
    leaf, _, gone, _ = document.program.order
    document.delete([gone])
    document.finish()
    follower.look()
    measured: list[int] = []
    measure = Picture._measure
    monkeypatch.setattr(Picture, "_measure", lambda self, ids: measured.extend(ids) or measure(self, ids))
    document.undo_stack.undo()
    document.finish()
    follower.look()
    assert measured == [leaf]  # of a leaf other lines decide much: it is looked at whenever it ran
    assert_same(follower.picture, fresh(document))


def test_a_value_that_an_undo_brings_back_flashes(chain: Follower) -> None:
    document, picture = chain.document, chain.picture
    leaf = document.program[document.program.order[0]]
    document.do(lambda sheet: edits.put(sheet.program, leaf.with_port(0, (3.0,))), "3")
    document.finish()
    chain.look()
    document.undo_stack.undo()
    document.finish()
    chain.look()
    assert set(picture.ids[::2]) == picture.changed  # those whose faces were looked at


def test_a_line_that_comes_back_at_another_moment_of_the_run_is_what_it_is_then(chain: Follower) -> None:
    document, picture = chain.document, chain.picture
    last = document.program.order[-1]
    picture.face(last)
    document.delete([last])
    document.finish()
    chain.look()
    document.undo_stack.undo()
    document.finish()
    document.look_at(1)
    chain.look()
    assert picture.face(last).status is Status.TO_COME
    assert_says_the_same(picture, fresh(document))


def test_what_was_gone_comes_back_as_nothing_once_all_was_to_be_looked_at_anew(step_by_step, chain: Follower) -> None:
    document, picture = chain.document, chain.picture
    gone = document.program.order[8]
    document.delete([gone])
    document.finish()
    chain.look()
    document.cover(True)
    chain.look()
    document.undo_stack.undo()
    chain.look()
    assert document.is_running
    assert not picture.face(gone).rows


def test_a_line_comes_back_in_a_drawing_that_was_shown_together_with_the_edit_that_took_it(
    chain: Follower, monkeypatch
) -> None:
    """As an undo does that takes back what was done in another drawing."""
    document = chain.document
    gone = document.program.order[8]
    document.draw_as(AUTOGRAD)
    document.delete([gone])
    document.finish()
    chain.look()
    monkeypatch.setattr(following, "BESIDE", 0)
    document.undo_stack.undo()
    document.finish()
    chain.look(in_view=())
    assert chain.following.is_behind
    assert chain.picture.anatomy(gone).rows
    chain.look()
    assert_same(chain.picture, fresh(document))


def test_a_new_line_keeps_the_other_wires(chain: Follower) -> None:
    document = chain.document
    kept = list(chain.picture.wires)
    document.append(Statement(0, Kind.OP, "exp", ("z",), (Ref(document.program.order[0]),)))
    document.finish()
    chain.look()
    assert chain.picture.wires[: len(kept)] == kept
    assert len(chain.picture.wires) == len(kept) + 1


def test_right_after_an_edit_what_is_in_view_is_looked_at_and_the_rest_follows(monkeypatch):
    document = Document(Sheet(read_source("import torch\n" + "x = torch.ones(2)\n" * 9), Board()))
    document.finish()
    followed, order = Following(), document.program.order
    followed.next(document, order)
    monkeypatch.setattr(following, "BESIDE", 2)
    document.delete([order[0]])
    document.finish()
    assert followed.next(document, order[-3:]) == set(order[-3:])
    assert followed.is_behind
    assert followed.next(document, order[-3:]) >= set(order[1:-3])
    assert not followed.is_behind


def test_right_after_an_edit_cards_that_only_say_how_wires_look_wait_for_the_next_turn(monkeypatch):
    document = Document(Sheet(read_source("import torch\n" + "x = torch.ones(2)\n" * 9), Board()))
    document.finish()
    followed, order = Following(), document.program.order
    followed.next(document, order)
    monkeypatch.setattr(following, "BESIDE", 1)
    document.delete([order[0]])
    document.finish()
    in_view = order[-4:]
    assert followed.next(document, in_view, seen=2) == set(in_view[:2])
    assert followed.is_urgent
    assert set(in_view[2:]) <= followed.next(document, in_view, seen=2)


def test_a_portion_is_as_large_as_there_is_time_for(qapp) -> None:
    document = Document(Sheet(read_source("import torch\n" + "x = torch.ones(2)\n" * 300), Board()))
    document.finish()
    followed = Following()
    followed.next(document, ())
    followed.took(100, 100 * following.LOOK_MS)
    document.cover(True)
    followed.forget()
    slow = followed.next(document, ())
    followed.took(100, following.LOOK_MS / 2)
    fast = followed.next(document, ())
    assert slow is not None
    assert fast is not None
    assert len(slow) == following.BESIDE < len(fast) <= 200
    assert slow.isdisjoint(fast)
