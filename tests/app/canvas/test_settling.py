"""A large autograd drawing is laid out anew in slices, once for all cards: after a run, an edit, a drag."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QSizeF, Qt
from support.hands import PLAIN, SHIFT, discard, open_host

from chalkgrad.engine.record import OPS
from chalkgrad.program import building, edits
from chalkgrad.program.board import DRAWINGS
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import Ref
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import mirroring
from chalkgrad_app.picture import function_ways
from chalkgrad_app.picture.drawings import autograd
from chalkgrad_app.picture.function_layer import FunctionLayer
from chalkgrad_app.picture.function_ways import FunctionWays
from chalkgrad_app.picture.picture import Picture

LINES = 90


def settle(qtbot, canvas):
    """Wait until the program has run and all is laid out."""

    def is_there():
        under_way = canvas.document.is_running or canvas.is_behind or canvas.settling.slices.is_active
        return not under_way and canvas.picture.is_settled and not canvas.is_behind

    qtbot.waitUntil(is_there, timeout=20_000)


def compare(canvas):
    """All lies as in a picture made of the document at once."""
    document, picture, anew = canvas.document, canvas.picture, Picture()
    anew.update(document.program, document.board, document.state)
    assert picture.ids == anew.ids
    assert np.array_equal(np.stack([anew.x, anew.y]), np.stack([picture.x, picture.y]))
    for mine, fresh in ((picture.functions, anew.functions), (picture.lines, anew.lines)):
        assert mine.keys == fresh.keys
        assert np.array_equal(np.stack([mine.x, mine.y]), np.stack([fresh.x, fresh.y]))
    assert picture.functions.to_come.tolist() == anew.functions.to_come.tolist()
    assert [picture.lines.text(row) for row in range(len(anew.lines))] == [
        anew.lines.text(row) for row in range(len(anew.lines))
    ]
    assert picture.function_ways.arrows == anew.function_ways.arrows
    assert np.array_equal(picture.function_ways.ways, anew.function_ways.ways)


@pytest.fixture
def large(qtbot, monkeypatch):
    """A canvas with a program that counts as large, drawn as autograd, all of it laid out."""
    monkeypatch.setattr(mirroring, "SETTLED_AT_ONCE", 20)
    lines = ["a0 = torch.tensor(2.0, requires_grad=True)"]
    lines += [f"a{number} = a{number - 1} * a0" for number in range(1, LINES)]
    lines.append(f"a{LINES - 1}.backward()")
    host = open_host(Sheet(read_source("import torch\n" + "\n".join(lines))).drawn_as("autograd"))
    settle(qtbot, host.canvas)
    yield host.canvas
    discard(host)


def test_cards_are_laid_out_once_before_a_run_and_once_after_it(qtbot, monkeypatch):
    monkeypatch.setattr(mirroring, "SETTLED_AT_ONCE", 20)
    laid_out = []
    original = autograd._in_rows

    def counted(*args):
        laid_out.append(args)
        return (yield from original(*args))

    monkeypatch.setattr(autograd, "_in_rows", counted)
    lines = ["a0 = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)"]
    lines += [f"a{number} = a{number - 1} * a0" for number in range(1, LINES)]
    host = open_host(Sheet(read_source("import torch\n" + "\n".join(lines))).drawn_as("autograd"))
    try:
        settle(qtbot, host.canvas)
        assert 1 <= len(laid_out) <= 2
        assert len(host.canvas.picture.functions) == LINES
        compare(host.canvas)
    finally:
        discard(host)


def places(picture):
    """Where the cards lie, by id."""
    return {id_: picture.rect(id_).topLeft() for id_ in picture.ids}


def test_after_an_edit_all_stays_until_it_is_laid_out_and_what_an_undo_brings_back_lies_where_it_was(qtbot, large):
    canvas, document = large, large.document
    middle = document.program.order[LINES // 2]
    last = document.program.order[LINES - 1]
    before = places(canvas.picture)
    document.select([last])
    qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    gone = set(before) - set(canvas.picture.ids)
    assert last in gone
    assert middle not in gone
    assert places(canvas.picture) == {id_: place for id_, place in before.items() if id_ not in gone}
    assert not canvas.picture.is_settled
    settle(qtbot, canvas)
    compare(canvas)
    document.undo_stack.undo()
    assert places(canvas.picture)[last] == before[last]
    settle(qtbot, canvas)
    compare(canvas)
    assert places(canvas.picture) == before


def test_a_new_card_lies_below_the_one_before_it_until_all_is_laid_out(qtbot, large):
    canvas, document = large, large.document
    before = places(canvas.picture)
    last = canvas.picture.ids[-1]
    tanh = OPS["tanh"]
    (new,) = document.build(lambda sheet, at: building.operator(sheet, tanh, [Ref(last)], at), "tanh")
    assert canvas.picture.rect(new).top() > canvas.picture.rect(last).bottom()
    assert {id_: place for id_, place in places(canvas.picture).items() if id_ != new} == before
    settle(qtbot, canvas)
    compare(canvas)


def test_a_move_of_the_cursor_shows_which_nodes_are_to_come_without_laying_anything_out(qtbot, large, monkeypatch):
    canvas, document = large, large.document

    def refuse(*_):
        raise AssertionError("laid out anew")

    monkeypatch.setattr(FunctionLayer, "following", refuse)
    monkeypatch.setattr(FunctionWays, "following", refuse)
    document.look_at(len(document.session.trace) // 3)
    qtbot.waitUntil(lambda: canvas.picture.is_settled and not canvas.is_behind)  # it begins when somebody looks
    monkeypatch.undo()
    anew = Picture()
    anew.update(document.program, document.board, document.state)
    to_come = canvas.picture.functions.to_come
    assert 0 < to_come.sum() < len(to_come)
    assert to_come.tolist() == anew.functions.to_come.tolist()
    assert canvas.picture.is_settled


def test_nodes_stay_while_a_number_changes_and_go_at_once_with_their_cards(qtbot, large):
    canvas, document = large, large.document
    before = list(canvas.picture.functions.keys)
    leaf = document.program[document.program.order[0]]
    document.do(edits.put(document.program, replace(leaf, operands=(3.0,))), "number")
    assert canvas.picture.functions.keys == before
    assert "3." in canvas.picture.lines.text(0)
    canvas.grab()  # painting asks nodes of which the new run knows nothing yet
    settle(qtbot, canvas)
    compare(canvas)
    last = document.program.order[LINES - 1]
    document.select([last])
    qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    assert not canvas.picture.functions.keys
    settle(qtbot, canvas)
    compare(canvas)


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_in_each_drawing_a_large_one_is_settled_after_an_edit_and_then_nothing_is_made_again(qtbot, large, drawing):
    canvas, document = large, large.document
    document.draw_as(drawing)
    leaf = document.program[document.program.order[0]]
    document.do(edits.put(document.program, replace(leaf, operands=(3.0,))), "number")
    settle(qtbot, canvas)
    shown = canvas.picture
    qtbot.wait(50)
    assert canvas.picture is shown
    assert not canvas.settling.slices.is_active


def test_in_a_small_one_what_lies_beside_the_cards_waits_for_what_is_seen(qapp, monkeypatch):
    session = Session(read_source("import torch\nw = torch.tensor(2.0, requires_grad=True)\ny = w * w\nz = y * w\n"))
    session.finish()
    sheet, trace = Sheet(session.program).drawn_as("autograd"), session.trace
    followed = []
    following = FunctionLayer.following

    def counted(layer, picture):
        followed.append(picture.state.position)
        return (yield from following(layer, picture))

    monkeypatch.setattr(FunctionLayer, "following", counted)
    picture, last = Picture(), trace.state(None)

    def look(state):
        followed.clear()
        picture.update(sheet.program, sheet.board, state, {session.program.order[-1]})
        return len(followed)

    assert look(last) == 1
    assert look(last) == 1
    picture.is_seen = False
    assert look(last) == 0
    assert look(trace.state(4)) == 1  # another moment is another graph


class Cards:
    """No more of a picture than where its cards lie."""

    def __init__(self, rects, hidden):
        self.x, self.y, _, self.h = np.array(rects, float).reshape(-1, 4).T
        self.hidden = np.array(hidden, bool)


@given(
    st.lists(st.tuples(*[st.integers(0, 6)] * 4, st.booleans(), st.integers(0, 1)), max_size=12),
    st.lists(st.tuples(st.integers(0, 7), st.integers(-1, 14), st.integers(0, 1)), min_size=1, max_size=12),
)
def test_an_arrow_runs_above_its_row_where_a_card_of_its_strip_is_in_its_way(cards, starts):
    picture = Cards([card[:4] for card in cards], [card[4] for card in cards])
    at = np.array(starts, float)[:, :2]
    above = at[:, 1] - 100
    expected = []
    for (x, y, mine), higher in zip(starts, above.tolist(), strict=True):
        near = [card[:5] for card in cards if card[5] == mine]
        is_blocked = any(left > x and top < y < top + height and not out for left, top, _, height, out in near)
        expected.append(higher if is_blocked else y)
    of, strips = np.array(starts)[:, 2], np.array([card[5] for card in cards], np.intp)
    assert function_ways._lanes(picture, at, above, of, strips).tolist() == expected


@pytest.mark.parametrize("key", [Qt.Key.Key_A, "insert"])
@pytest.mark.parametrize("number", [3, LINES // 2])
def test_what_was_just_placed_is_in_view_when_all_is_laid_out(qtbot, large, key, number):
    canvas, document = large, large.document
    id_ = document.program.named(f"a{number}").statement
    canvas.set_zoom_percent(80)
    canvas.viewport.center_on(canvas.picture.rect(id_).bottomLeft(), QSizeF(canvas.size()))
    canvas.view_changed()
    document.select([id_])
    before = set(document.program.order)
    qtbot.keyClick(canvas, Qt.Key.Key_A, SHIFT if key == "insert" else PLAIN)
    qtbot.keyClicks(canvas.quick.field, "exp")
    qtbot.keyClick(canvas.quick.field, Qt.Key.Key_Return)
    (new,) = set(document.program.order) - before
    settle(qtbot, canvas)
    canvas.glide.finish()
    assert canvas.rect().contains(canvas.view_rect_of(new))
