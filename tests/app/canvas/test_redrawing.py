"""Cards on their way from one drawing to another."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from support.data_drawing import label, sheet
from support.desk import calm, key
from support.hands import CTRL, Hands, discard, open_host

from chalkgrad.program.board import CARDS
from chalkgrad_app import settings
from chalkgrad_app.picture.look import Level

KEY = Qt.Key


class TestTheWay:
    @pytest.fixture
    def moving(self, qapp):
        settings.MOTION.set(True)
        host = open_host(sheet())
        host.canvas.fit_all()
        host.canvas.repaint()
        yield Hands(host.canvas)
        discard(host)

    def test_cards_glide_and_arrive(self, moving, qtbot):
        redrawing = moving.canvas.redrawing
        moving.key(KEY.Key_2, CTRL)
        assert redrawing.is_active
        first = moving.canvas.grab().toImage()
        qtbot.waitUntil(lambda: moving.canvas.grab().toImage() != first)
        qtbot.waitUntil(lambda: not redrawing.is_active, timeout=5000)
        still = moving.canvas.grab().toImage()
        moving.canvas.repaint_still()
        assert moving.canvas.grab().toImage() == still

    @pytest.mark.parametrize("how", ["key", "click", "again", "edit"])
    def test_whoever_does_something_sees_what_there_is(self, moving, how):
        moving.key(KEY.Key_2, CTRL)
        assert moving.canvas.redrawing.is_active
        if how == "key":
            moving.key(KEY.Key_Tab)
        elif how == "click":
            moving.click(label(moving, "y"))
            assert moving.document.selection == {moving.id("y")}
        elif how == "again":
            moving.key(KEY.Key_1, CTRL)
            moving.canvas.redrawing.finish()
            assert moving.canvas.picture.drawing.name == CARDS
        else:
            moving.canvas.add_text("q = w * 4", QPointF(300, 400))
        assert not moving.canvas.redrawing.is_active

    def test_without_motion_it_is_there_at_once(self, moving):
        settings.MOTION.set(False)
        moving.key(KEY.Key_2, CTRL)
        assert not moving.canvas.redrawing.is_active
        settings.MOTION.set(True)

    def test_all_is_in_view_where_all_was(self, moving):
        moving.key(KEY.Key_2, CTRL)
        moving.canvas.redrawing.finish()
        assert moving.canvas.scene_rect().contains(moving.canvas.picture.bounds())

    @pytest.mark.parametrize("digit", [KEY.Key_2, KEY.Key_3])
    def test_so_it_is_at_a_zoom_that_somebody_chose(self, moving, digit):
        canvas = moving.canvas
        canvas.set_zoom_percent(canvas.zoom_percent * 0.9)
        assert canvas.scene_rect().contains(canvas.picture.bounds())
        moving.click(moving.centre("y"))
        moving.key(digit, CTRL)
        canvas.redrawing.finish()
        assert canvas.scene_rect().contains(canvas.picture.bounds())

    @pytest.mark.parametrize("motion", [True, False])
    def test_what_is_selected_stays_under_the_eye(self, moving, motion):
        settings.MOTION.set(motion)
        canvas = moving.canvas
        canvas.zoom_100()
        canvas.pan_by(-400.0, -100.0)
        moving.click(moving.centre("y"))
        was = canvas.to_view(canvas.picture.rect(5).center())
        moving.key(KEY.Key_2, CTRL)
        now = canvas.to_view(canvas.picture.rect(5).center())
        assert (now - was).manhattanLength() < 4
        settings.MOTION.set(True)


def test_what_is_selected_comes_into_view_where_not_all_has_room(window, open_text):
    lines = ["import torch", "x = torch.tensor([1., 2.], requires_grad=True)", "y0 = x * 2"]
    lines += [f"y{number} = y{number - 1} * 2" for number in range(1, 9)]
    open_text("\n".join(lines))
    calm(window)
    canvas, document = window.canvas, window.document
    document.select([document.program.named("y8").statement])
    canvas.setFocus()
    key(canvas, KEY.Key_3, CTRL)
    calm(window)
    assert not canvas.scene_rect().contains(canvas.picture.bounds())
    assert canvas.rect().contains(canvas.node_rect("y8"))


ATTENTION = """import torch
x = torch.randn(5, 8)
Wq = torch.randn(8, 8, requires_grad=True)
Wk = torch.randn(8, 8, requires_grad=True)
Wv = torch.randn(8, 8, requires_grad=True)
q = x @ Wq
k = x @ Wk
v = x @ Wv
scores = q @ k.T / 8 ** 0.5
p = torch.softmax(scores, dim=-1)
o = p @ v
loss = o.pow(2).sum()
loss.backward()
"""


@pytest.mark.parametrize("name", ["p", "Wk", "loss", "q", None])
def test_what_is_selected_or_the_root_is_seen_first_with_the_functions_next_to_it(window, open_text, name):
    open_text(ATTENTION)
    calm(window)
    canvas, document = window.canvas, window.document
    if name is not None:
        canvas.zoom_100()
        document.select([document.program.named(name).statement])
    canvas.setFocus()
    key(canvas, KEY.Key_3, CTRL)
    calm(window)
    nodes, card = canvas.picture.functions, document.program.named(name or "loss").statement
    own = [nodes.index[each] for each in nodes.of_cards({card})]
    assert own
    next_to_it = [row for at in own for way in (-1, 1) for row in nodes.joined(at, way)]
    for row in [*own, *next_to_it]:
        assert canvas.rect().contains(canvas.nodes.view_rect(nodes.keys[row]))
    assert canvas.rect().contains(canvas.node_rect(name or "loss"))
    assert canvas.viewport.level is not Level.FAR


@pytest.mark.parametrize("empties", [(), (KEY.Key_A, KEY.Key_X)])
def test_nothing_is_drawn_as_autograd_too(window, open_text, empties):
    open_text(ATTENTION if empties else "import torch\n")
    calm(window)
    for each in empties:
        key(window.canvas, each, CTRL)
    key(window.canvas, KEY.Key_3, CTRL)
    calm(window)
    assert window.canvas.picture.drawing.name == "autograd"
    assert not window.canvas.picture.ids
