"""Folded nodes in the picture: whatever was folded, edited and opened before, it shows what a fresh picture shows."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QImage, QPainter, QRegion
from support.sheets import course_sheet

from chalkgrad.program import arranging, edits
from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.removing import remove
from chalkgrad.session import Session
from chalkgrad.source.read import read_source
from chalkgrad_app.picture import fold_paint
from chalkgrad_app.picture.anatomy import WIDTH
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.fold_paint import paint_fold
from chalkgrad_app.picture.look import MIDDLE, Look
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style.theme import load

FRAMES = {20: Frame(20, "one", -16.0, -16.0, 300.0, 160.0), 21: Frame(21, "two", 240.0, -40.0, 500.0, 400.0)}
MEMBERS = {20: [1, 30], 21: [3, 4, 5]}


def framed():
    sheet = course_sheet()
    for frame in FRAMES.values():
        sheet = sheet.apply(edits.put_frame(sheet.board, frame))
    return sheet.apply(edits.put_note(sheet.board, Note(30, (("", "in the first"),), 0.0, 100.0, 160.0, 40.0)))


def state_of(program):
    session = Session(program)
    while not session.done:
        session.advance(100)
    return session.trace.state(None)


def facts(picture):
    """All that is seen, in a form that can be compared."""
    lying = {id_: tuple(picture.rect(id_).getRect()) for id_ in picture.ids}
    return (
        lying,
        picture.hidden.tolist(),
        picture.wire_hidden.tolist(),
        np.round(picture.ends, 6).tolist(),
        [(fold.id, fold.title, fold.rect.getRect(), fold.cards, fold.inputs, fold.outputs) for fold in picture.folds],
        [fold.facts for fold in picture.folds],
        [(frame.id, frame.rect.getRect()) for frame in picture.frames],
        [note.id for note in picture.notes],
    )


def test_the_node_of_a_block_goes_along_when_a_card_before_it_grows():
    """No card has a place of its own here, as in the autograd drawing."""
    program = read_source("import torch\na = torch.ones(2)\nb = a * 2\nwith torch.no_grad():\n    c = b + 1\n")
    first, block = program[program.order[0]], next(iter(program.blocks))
    larger = program.apply(edits.put(program, first.with_port(0, (3, 5))))
    board = Board(folds={block: ()}, drawing="data")
    picture, fresh = Picture(), Picture()
    picture.update(program, board, state_of(program))
    before = picture.folds[0].rect.x()
    state = state_of(larger)
    for each in (picture, fresh):
        each.update(program, board, state)
    assert facts(picture) == facts(fresh)
    assert picture.folds[0].rect.x() > before


steps = st.lists(
    st.one_of(
        st.tuples(st.just("fold"), st.sampled_from([20, 21])),
        st.tuples(st.just("open"), st.sampled_from([20, 21])),
        st.tuples(st.just("shift"), st.sampled_from([1, 2, 3, 20, 30])),
        st.tuples(st.just("delete"), st.sampled_from([1, 3, 5])),
        st.tuples(st.just("look"), st.integers(0, 4)),
    ),
    max_size=8,
)


def after(sheet, kind, which):
    board = sheet.board
    if kind == "fold" and which in board.frames:
        return sheet.apply(arranging.fold(board, which, MEMBERS[which]))
    if kind == "open":
        return sheet.apply(arranging.unfold(board, [which]))
    if kind == "shift":
        return sheet.apply(arranging.shift(board, {which: (16.0, 8.0)}))
    if kind == "delete" and which in sheet.program:
        return sheet.apply(remove(sheet, [which]).change)
    return sheet


@given(steps)
@settings(max_examples=60)
def test_it_is_what_a_fresh_picture_is(qapp, taken):
    sheet, picture = framed(), Picture()
    state = state_of(sheet.program)
    picture.update(sheet.program, sheet.board, state)
    for kind, which in taken:
        before, sheet = sheet, after(sheet, kind, which)
        if kind == "look":
            picture.shift([3, 21], 40.0, float(which))
        if sheet.program is not before.program:
            state = state_of(sheet.program)
            picture.update(sheet.program, sheet.board, state)
        else:
            picture.set_board(sheet.board)
        fresh = Picture()
        fresh.update(sheet.program, sheet.board, state)
        assert facts(picture) == facts(fresh)


def test_a_hidden_card_has_the_place_of_its_node(qapp):
    sheet, picture = framed(), Picture()
    sheet = sheet.apply(arranging.fold(sheet.board, 21, MEMBERS[21]))
    picture.update(sheet.program, sheet.board, state_of(sheet.program))
    (fold,) = picture.folds
    assert all(picture.rect(id_) == fold.rect for id_ in MEMBERS[21])
    assert picture.bounds([3]).contains(fold.rect)
    assert not any(frame.id == 21 for frame in picture.frames)


def test_shifted_it_moves_with_its_wires(qapp):
    sheet, picture = framed(), Picture()
    sheet = sheet.apply(arranging.fold(sheet.board, 21, MEMBERS[21]))
    picture.update(sheet.program, sheet.board, state_of(sheet.program))
    before = picture.folds[0].rect
    ends = picture.ends.copy()
    picture.shift({21, *MEMBERS[21]}, 24.0, 16.0)
    assert picture.folds[0].rect == before.translated(24, 16)
    coming_in = ~picture.wire_hidden
    assert np.allclose(picture.ends[coming_in, 2:] - ends[coming_in, 2:], [24.0, 16.0])


def test_nothing_of_what_is_hidden_is_painted(qapp):
    """Beyond the node itself the canvas is empty, at every level; beside it is its own name alone."""
    sheet, picture = framed(), Picture()
    sheet = sheet.apply(remove(sheet, [2]).change)
    sheet = sheet.apply(arranging.fold(sheet.board, 21, [1, 3, 4, 5, 20, 30]))
    picture.update(sheet.program, sheet.board, state_of(sheet.program))
    node = picture.folds[0].rect.adjusted(-12, -12, 24, 24)
    for zoom in (0.15, 0.4, 1.0):
        image = QImage(int(1000 * zoom), int(700 * zoom), QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        look = Look(theme=load("light"), zoom=zoom, origin=(-100.0, -100.0))
        brushes = Brushes()
        paint(painter, picture, look, QRectF(image.rect()), brushes)
        painter.end()
        named = brushes.names.found if zoom < MIDDLE else []
        assert [name.of for name in named] == [21] * len(named)
        inside = QRegion(look.rect(node).toAlignedRect())
        for name in named:
            inside += name.rect.translated(100 * zoom, 100 * zoom).toAlignedRect()
        outside = [
            (x, y)
            for x in range(image.width())
            for y in range(image.height())
            if image.pixel(x, y) and not inside.contains(QPoint(x, y))
        ]
        assert not outside
        assert any(image.pixel(x, y) for x in range(image.width()) for y in range(image.height()))


FOLDED = """import torch
w = torch.tensor([1.], requires_grad=True)
a = w + 1
with torch.no_grad():
    b = a * 2
    c = b * 3
    d = c + a
y = a.exp()
"""


def test_in_the_autograd_drawing_a_folded_frame_takes_the_room_of_one_node(qapp):
    program = read_source(FOLDED)
    block, state = next(iter(program.blocks)), state_of(program)
    a, b, c, d, y = (program.named(name).statement for name in "abcdy")
    picture, fresh = Picture(), Picture()
    picture.update(program, Board(drawing="autograd"), state)
    open_ = facts(picture)
    picture.set_board(Board(folds={block: ()}, drawing="autograd"))
    fresh.update(program, Board(folds={block: ()}, drawing="autograd"), state)
    assert facts(picture) == facts(fresh)
    (node,) = picture.folds
    assert node.cards == (b, c, d)
    assert picture.rect(b) == picture.rect(c) == picture.rect(d) == node.rect
    levels = sorted([picture.rect(a), node.rect, picture.rect(y)], key=lambda rect: rect.top())
    assert [below.top() - above.bottom() < 80 for above, below in pairwise(levels)] == [True, True]
    assert not any(one.intersects(other) for one, other in pairwise(levels))
    picture.set_board(Board(drawing="autograd"))
    assert facts(picture) == open_


def test_what_is_read_within_and_beside_a_folded_frame_is_laid_out_once(qapp):
    """A card that lies between two of a frame's: the frame's node stands above it."""
    program = read_source("import torch\na = torch.ones(2)\nb = a * 2\nc = b * 3\nd = c + 1\n")
    a, b, c, d = program.order
    board = Board(
        {("autograd", a): Place(0.0, 0.0)}, frames={20: Frame(20, "two", 0.0, 0.0, 100.0, 100.0)}, drawing="autograd"
    )
    board = replace(board, folds={20: (b, d)})
    picture = Picture()
    picture.update(program, board, state_of(program))
    (node,) = picture.folds
    assert node.cards == (b, d)
    assert picture.rect(b) == picture.rect(d) == node.rect
    assert not picture.rect(c).intersects(node.rect)


def test_where_wires_run_down_the_names_of_a_folded_node_stand_at_its_ports(qapp):
    program = read_source(
        "import torch\na = torch.ones(2)\nb = torch.ones(2)\nwith torch.no_grad():\n    c = a + b\n    d = c * b\n"
        "e = c - d\n"
    )
    block = next(iter(program.blocks))
    picture = Picture()
    picture.update(program, Board(folds={block: ()}, drawing="autograd"), state_of(program))
    (fold,) = picture.folds
    assert [port.name for port in fold.inputs] == ["a", "b"]
    assert [port.name for port in fold.outputs] == ["c", "d"]
    for ports, edge in ((fold.inputs, 0.0), (fold.outputs, fold.rect.height())):
        for port in ports:
            assert port.at[1] == edge
            assert 6 < abs(port.down - edge) <= 16, "the name stands inside, right at its port"
    written = QImage(400, 300, QImage.Format.Format_RGB32)
    plain = written.copy()
    for image, shown in ((written, fold), (plain, replace(fold, **_unnamed(fold)))):
        image.fill(0xFFFFFFFF)
        painter = QPainter(image)
        paint_fold(painter, shown, Look(theme=load("light"), origin=(fold.rect.left() - 8, fold.rect.top() - 8)))
        painter.end()
    differing = [(x - 8, y - 8) for x in range(400) for y in range(300) if written.pixel(x, y) != plain.pixel(x, y)]
    names = [(port.at[0], port.down) for port in (*fold.inputs, *fold.outputs)]
    assert all(min(abs(x - at) + abs(y - down) for at, down in names) < 16 for x, y in differing)
    assert all(any(abs(x - at) + abs(y - down) < 16 for x, y in differing) for at, down in names)


def _unnamed(fold):
    return {side: tuple(port._replace(name="") for port in getattr(fold, side)) for side in ("inputs", "outputs")}


def test_the_node_of_a_frame_keeps_as_far_from_what_it_reads_as_its_cards_do():
    sheet = framed()
    picture, state = Picture(), state_of(sheet.program)
    picture.update(sheet.program, sheet.board, state)
    cards = [picture.rect(id_) for id_ in MEMBERS[21]]
    picture.set_board(sheet.board.apply(arranging.fold(sheet.board, 21, MEMBERS[21])))
    (fold,) = picture.folds
    assert fold.rect.left() == min(rect.left() for rect in cards)
    assert fold.rect.top() == min(rect.top() for rect in cards)


def test_the_node_of_an_empty_frame_is_where_the_frame_is():
    sheet = framed()
    sheet = sheet.apply(edits.put_frame(sheet.board, Frame(22, "none", 800.0, 500.0, 300.0, 160.0)))
    picture = Picture()
    picture.update(sheet.program, sheet.board.apply(arranging.fold(sheet.board, 22)), state_of(sheet.program))
    (fold,) = picture.folds
    assert fold.rect.topLeft().toTuple() == (800.0, 500.0)


def test_the_node_of_narrow_cards_is_no_wider_than_they_are():
    """Else it would come up to what reads them."""
    program = read_source("import torch\nw = torch.tensor([1.])\nb = torch.tensor([2.])\ny = w * b\n")
    w, b, y = program.order
    places = {("data", w): Place(0.0, 0.0), ("data", b): Place(0.0, 120.0), ("data", y): Place(192.0, 60.0)}
    board = Board(places, frames={9: Frame(9, "leaves", -24.0, -56.0, 176.0, 280.0)}, drawing="data")
    picture = Picture()
    picture.update(program, board, state_of(program))
    right = max(picture.rect(id_).right() for id_ in (w, b))
    picture.set_board(board.apply(arranging.fold(board, 9, [w, b])))
    (fold,) = picture.folds
    assert fold.rect.right() == right
    assert picture.rect(y).left() - fold.rect.right() == 64.0


def test_what_lies_wholly_in_a_rectangle_is_found_as_rect_by_rect(qapp):
    sheet = framed()
    sheet = sheet.apply(arranging.fold(sheet.board, 20, MEMBERS[20]))
    picture = Picture()
    picture.update(sheet.program, sheet.board, state_of(sheet.program))
    ids = {*sheet.program.order, *sheet.board.notes, *sheet.board.frames, 999}
    found = []
    for area in (QRectF(-20, -20, 400, 300), QRectF(240, -40, 500, 400), QRectF(0, 0, 1, 1), picture.bounds()):
        whole = {id_ for id_ in ids if (rect := picture.rect_of(id_)) is not None and area.contains(rect)}
        assert picture.whole_in(area, ids) == whole
        assert picture.whole_in(area, {3, 20}) == whole & {3, 20}
        found.append(len(whole))
    assert len(set(found)) > 2
    assert picture.folds


LOOP = """import torch
w = torch.tensor([1.], requires_grad=True)
for step in range(100):
    y = w * 2
    z = y + 1
"""


@pytest.fixture
def texts(qapp, monkeypatch):
    """The texts that a node is painted with."""
    found: list[str] = []
    monkeypatch.setattr(fold_paint, "write", lambda _painter, text, *_: found.append(text))

    def of(fold, zoom=1.0):
        found.clear()
        image = QImage(400, 300, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint_fold(painter, fold, Look(theme=load("light"), zoom=zoom))
        painter.end()
        return list(found)

    return of


@pytest.mark.parametrize("drawing", ["cards", "data", "autograd"])
@pytest.mark.parametrize("zoom, said", [(1.0, "▸ for step in range(100)"), (0.45, "for step"), (MIDDLE, "for step")])
def test_the_node_of_a_loop_says_what_it_counts(texts, drawing, zoom, said):
    program, picture = read_source(LOOP), Picture()
    places = {(drawing, id_): Place(300.0 * at, 0.0) for at, id_ in enumerate(program.order)}
    board = Board({} if drawing == "autograd" else places, folds={next(iter(program.blocks)): ()}, drawing=drawing)
    picture.update(program, board, state_of(program))
    (fold,) = picture.folds
    assert said in texts(fold, zoom)


def test_the_node_of_narrow_cards_in_a_loop_says_what_it_counts_in_full(texts):
    program, picture = read_source(LOOP.replace("    z = y + 1\n", "")), Picture()
    board = Board({("cards", id_): Place(300.0 * at, 0.0) for at, id_ in enumerate(program.order)})
    picture.update(program, board.apply(arranging.fold(board, next(iter(program.blocks)))), state_of(program))
    (fold,) = picture.folds
    assert fold.rect.width() <= WIDTH
    assert "▸ for step" in texts(fold)


def test_the_node_of_a_frame_has_room_for_its_title(texts):
    sheet, picture = framed(), Picture()
    for title in ("two", "第一层：线性变换加激活"):
        sheet = sheet.apply(edits.put_frame(sheet.board, replace(FRAMES[21], title=title)))
        board = sheet.board.apply(arranging.fold(sheet.board, 21, MEMBERS[21]))
        picture.update(sheet.program, board, state_of(sheet.program))
        (fold,) = picture.folds
        assert f"▸ {title}" in texts(fold)
        assert picture.rect(MEMBERS[21][0]) == fold.rect
