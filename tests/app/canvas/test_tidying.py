"""Tidying as a person meets it: L, the selection, what is kept in place, undo, Esc, large graphs in the background."""

from __future__ import annotations

import stat
import sys
from itertools import combinations, pairwise

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from support.desk import calm
from support.hands import SHIFT, Hands, discard, open_host

from chalkgrad.program import edits
from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app import settings
from chalkgrad_app.canvas import background, tidying

KEY = Qt.Key
SOURCE = """import torch
x = torch.tensor([2.])
w = torch.tensor([1.], requires_grad=True)
a = w + x
b = w + 1
with torch.no_grad():
    c = a * b
    d = torch.exp(c)
y = d * w
z = y + c
"""


def scattered(notes=(), frames=(), source=SOURCE) -> Sheet:
    """Cards in a heap: every second one in the row above, from right to left."""
    program = read_source(source)
    places = {("cards", id_): Place(900.0 - 130 * n, 60.0 * (n % 2)) for n, id_ in enumerate(program.order)}
    board = Board(places, {note.id: note for note in notes}, {frame.id: frame for frame in frames})
    return Sheet(program, board)


@pytest.fixture
def heap(qapp, still):
    """Hands at a heap of cards, without motion."""
    host = open_host(scattered())
    host.canvas.fit_all()
    yield Hands(host.canvas)
    discard(host)


def overlapping(hands):
    picture = hands.canvas.picture
    return [pair for pair in combinations(picture.ids, 2) if picture.rect(pair[0]).intersects(picture.rect(pair[1]))]


def places(hands):
    return {id_: hands.canvas.picture.rect(id_).topLeft() for id_ in hands.canvas.picture.ids}


def wait_for_end(qtbot, hands):
    qtbot.waitUntil(lambda: not hands.canvas.tidying.is_working, timeout=30_000)


def test_l_lays_everything_out_and_one_undo_takes_it_back(heap):
    before = places(heap)
    heap.key(KEY.Key_L)
    assert overlapping(heap) == []
    for reader, read in (("a", "w"), ("a", "x"), ("d", "c"), ("y", "d"), ("z", "y")):
        assert heap.rect(read).right() < heap.rect(reader).left()
    assert heap.document.undo_stack.undoText() == "Tidy"
    heap.document.undo_stack.undo()
    assert places(heap) == before


def test_a_second_time_moves_nothing(heap):
    heap.key(KEY.Key_L)
    steps = heap.document.undo_stack.count()
    heap.key(KEY.Key_L)
    assert heap.document.undo_stack.count() == steps


def test_only_the_selection_moves_and_lies_on_nothing_else(heap):
    chosen = [heap.id(name) for name in ("y", "d", "z")]
    before = places(heap)
    heap.document.select(chosen)
    heap.key(KEY.Key_L)
    after = places(heap)
    assert {id_ for id_ in before if before[id_] != after[id_]} <= set(chosen)
    assert [pair for pair in overlapping(heap) if set(pair) & set(chosen)] == []
    assert heap.rect("d").right() < heap.rect("y").left() < heap.rect("z").left()


def test_what_stands_between_two_selected_goes_with_them(course):
    """``a`` reads ``w`` and is read by ``y``: laid out without it, ``y`` would come to stand before it."""
    course.document.do(edits.place(course.board, {course.id("y"): (0.0, -160.0)}), "move")
    course.document.select([course.id("w"), course.id("y")])
    course.canvas.setFocus()
    course.key(KEY.Key_L)
    course.canvas.tidying.cancel()
    for name in "ab":
        assert course.rect("w").right() < course.rect(name).left()
        assert course.rect(name).right() < course.rect("y").left()
    course.document.undo_stack.undo()
    assert course.place("y") == (0.0, -160.0)


def test_a_card_kept_in_place_stays_until_it_is_let_go(heap):
    heap.document.select([heap.id("a")])
    heap.key(KEY.Key_L, SHIFT)
    assert heap.document.undo_stack.undoText() == "Keep in place"
    at = heap.rect("a")
    heap.document.clear_selection()
    heap.key(KEY.Key_L)
    assert heap.rect("a") == at
    assert overlapping(heap) == []
    heap.document.select([heap.id("a")])
    heap.key(KEY.Key_L, SHIFT)
    assert not heap.document.board.place(heap.id("a")).pinned


def test_a_dragged_card_that_is_kept_in_place_is_so_where_it_is_dropped(heap):
    id_ = heap.id("a")
    heap.document.do(edits.keep_in_place(heap.document.board, [id_], True), "keep")
    heap.document.do(edits.place(heap.document.board, {id_: (4000.0, 80.0)}), "move")
    assert heap.document.board.place(id_) == Place(4000.0, 80.0, pinned=True)


def test_no_stranger_stands_in_a_block(heap):
    heap.key(KEY.Key_L)
    block = next(frame for frame in heap.canvas.picture.frames if frame.block)
    inside = {name for name in "xwabcdyz" if heap.rect(name).intersects(block.rect)}
    assert inside == {"c", "d"}


def test_a_frame_goes_with_its_cards_and_a_note_is_not_covered(qapp):
    settings.MOTION.set(False)
    program = read_source(SOURCE)
    b = program.order[3]
    frame = Frame(900, "inside", 480.0, 30.0, 240.0, 200.0)
    note = Note(901, (("", "here"),), 300.0, 0.0, 200.0, 80.0)
    host = open_host(scattered([note], [frame]))
    hands = Hands(host.canvas)
    assert frame.x < hands.rect("b").left()
    hands.key(KEY.Key_L)
    board, picture = hands.document.board, hands.canvas.picture
    around = picture.rect_of(900)
    assert around.contains(picture.rect(b))
    assert [id_ for id_ in picture.ids if picture.rect(id_).intersects(around)] == [b]
    assert not any(picture.rect(id_).intersects(picture.rect_of(901)) for id_ in picture.ids)
    hands.document.undo_stack.undo()
    assert board != hands.document.board
    assert (hands.document.board.frames[900], hands.document.board.notes[901]) == (frame, note)
    discard(host)


def test_esc_on_the_way_has_the_cards_there_at_once(heap):
    settings.MOTION.set(True)
    heap.canvas.window().show()
    heap.key(KEY.Key_L)
    board = heap.document.board
    QTest.qWait(30)
    heap.key(KEY.Key_Escape)
    for id_, at in places(heap).items():
        assert at == QPointF(board.place(id_).x, board.place(id_).y)
    assert heap.document.undo_stack.undoText() == "Tidy"


class TestInTheBackground:
    @pytest.fixture(autouse=True)
    def always(self, monkeypatch):
        monkeypatch.setattr(tidying, "AT_ONCE", 0)
        monkeypatch.setenv("PATH", "")

    def test_the_drawing_comes_when_it_is_done(self, heap, qtbot):
        told = []
        heap.canvas.tidying.worked.connect(told.append)
        before = places(heap)
        heap.key(KEY.Key_L)
        assert heap.canvas.tidying.is_working
        assert places(heap) == before
        wait_for_end(qtbot, heap)
        assert told[0] == 0
        assert told[-1] == 100
        assert overlapping(heap) == []
        assert heap.document.undo_stack.undoText() == "Tidy"

    def test_what_lies_in_the_folder_where_one_is_does_not_run(self, heap, qtbot, monkeypatch, tmp_path):
        for name in ("json", "heapq", "chalkgrad"):
            (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\n")
        monkeypatch.chdir(tmp_path)
        heap.key(KEY.Key_L)
        wait_for_end(qtbot, heap)
        assert not (tmp_path / "ran").exists()
        assert overlapping(heap) == []

    def test_esc_gives_it_up(self, heap, qtbot):
        said = []
        heap.document.told.connect(said.append)
        heap.key(KEY.Key_L)
        heap.key(KEY.Key_Escape)
        assert not heap.canvas.tidying.is_working
        assert said == ["Tidying was cancelled."]
        QTest.qWait(50)
        assert heap.document.undo_stack.count() == 0

    def test_an_edit_gives_it_up(self, heap, qtbot):
        heap.key(KEY.Key_L)
        heap.document.delete([heap.id("z")])
        assert not heap.canvas.tidying.is_working
        QTest.qWait(50)
        assert heap.document.undo_stack.undoText() == "Delete z"

    def test_a_second_l_begins_anew(self, heap, qtbot):
        heap.key(KEY.Key_L)
        heap.key(KEY.Key_L)
        wait_for_end(qtbot, heap)
        assert heap.document.undo_stack.count() == 1

    def test_graphviz_draws_what_is_large_enough(self, heap, qtbot, monkeypatch, tmp_path):
        """A ``dot`` that puts every card into a column of its own."""
        made = """import re, sys
ids = re.findall(r"^(\\d+) \\[", sys.stdin.read(), re.M)
print("graph 1 9 9")
for n, id in enumerate(ids):
    print(f'node {id} {4 * n} 1 2 1 "label" solid record black lightgrey')
print("stop")
"""
        fake_dot(tmp_path, monkeypatch, made)
        settings.GRAPHVIZ_FROM.set(2)
        plain(heap)
        heap.key(KEY.Key_L)
        wait_for_end(qtbot, heap)
        lefts = sorted(at.x() for at in places(heap).values())
        assert {right - left for left, right in pairwise(lefts)} == {288.0}

    @pytest.mark.parametrize("made", ["print('no graph')", "import sys; sys.exit(3)", "import time; time.sleep(60)"])
    def test_what_graphviz_cannot_do_we_do(self, heap, qtbot, monkeypatch, tmp_path, made):
        fake_dot(tmp_path, monkeypatch, made)
        monkeypatch.setattr(background, "GRAPHVIZ_LIMIT_MS", 500)
        settings.GRAPHVIZ_FROM.set(2)
        plain(heap)
        heap.key(KEY.Key_L)
        wait_for_end(qtbot, heap)
        assert overlapping(heap) == []
        assert heap.document.undo_stack.undoText() == "Tidy"


def plain(hands) -> None:
    """Without blocks, which Graphviz is not asked for."""
    for block in list(hands.document.program.blocks):
        hands.document.do(edits.unwrap(hands.document.program, block), "unwrap")
    hands.document.undo_stack.clear()


def fake_dot(folder, monkeypatch, source: str) -> None:
    program = folder / "dot"
    program.write_text(f"#!{sys.executable}\n{source}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder))


def test_a_very_long_chain_is_folded_so_that_all_of_it_is_seen_with_names(qapp, still):
    lines = [f"h{at} = torch.tanh(h{at - 1})" for at in range(1, 120)]
    host = open_host(scattered(source="import torch\nh0 = torch.ones(3)\n" + "\n".join(lines)))
    hands = Hands(host.canvas)
    hands.key(KEY.Key_L)
    hands.key(KEY.Key_Home)
    bounds = host.canvas.picture.bounds()
    assert 1.0 < bounds.width() / bounds.height() < 2.5
    assert host.canvas.viewport.zoom > 0.1
    assert not overlapping(hands)
    discard(host)


ROWS = """import torch
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])
W1 = torch.randn(2, 4, generator=torch.Generator().manual_seed(1), requires_grad=True)
b1 = torch.zeros(4, requires_grad=True)
W2 = torch.randn(4, 1, generator=torch.Generator().manual_seed(2), requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
h = X @ W1 + b1
z = torch.tanh(h)
o = z @ W2 + b2
d = o - Y
s = d ** 2
loss = s.mean()
"""


def test_what_lies_in_rows_stays_so_where_a_card_is_kept_in_place(open_text, window, still):
    open_text(ROWS)
    calm(window)
    hands = Hands(window.canvas)
    before = places(hands)
    assert len({place.y() // 400 for place in before.values()}) > 1
    hands.choose("h")
    hands.key(KEY.Key_L, SHIFT)
    window.document.select([])
    hands.key(KEY.Key_L)
    calm(window)
    assert places(hands) == before
