"""Who steps through time sees what is at work, and keeps the keys where they were."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from support.desk import CTRL, LEFT, PLAIN, calm, key, press, settle

from chalkgrad.session.events import EventKind
from chalkgrad_app import settings
from chalkgrad_app.canvas import at_work
from chalkgrad_app.picture.node_arrays import NODE
from chalkgrad_app.style import theme

ALT = Qt.KeyboardModifier.AltModifier
LENGTH = 60
CHAIN = "\n".join(
    (
        "import torch",
        "w = torch.tensor(1.0001, requires_grad=True)",
        "x0 = torch.tensor(1.)",
        *(f"x{i} = x{i - 1} * w" for i in range(1, LENGTH)),
        f"x{LENGTH - 1}.backward()",
    )
)
LAST, LAST_BUT_ONE = f"x{LENGTH - 1}", f"x{LENGTH - 2}"
INLINE = """import torch
x = torch.tensor([1., 2.], requires_grad=True)
h = x * 3
k, = torch.autograd.grad(h.sum(), x)
"""


@pytest.fixture
def chain(still, window, open_text):
    """A chain that is far longer than the view at 100%; its first cards are in view."""
    open_text(CHAIN)
    window.canvas.setFocus()
    key(window, Qt.Key.Key_1)
    window.canvas.ensure_visible([window.document.program.named("w").statement])
    settle(window)
    return window


def is_seen(window, name):
    return window.canvas.rect().contains(window.canvas.node_rect(name))


def look_after(window, kind, number=0):
    """Where the event lies, in the trace."""
    events = window.document.session.trace.events
    return [index for index, event in enumerate(events) if event.kind is kind][number] + 1


def rest(window):
    settle(window)
    QTest.qWait(150)  # longer than steps may be apart to count as a ride


@pytest.mark.parametrize("drawing", ["cards", "autograd"])
def test_the_node_at_work_comes_into_view_event_by_event(chain, drawing):
    chain.canvas.redrawing.show(drawing)
    rest(chain)
    chain.canvas.ensure_visible([chain.document.program.named("w").statement])
    assert not is_seen(chain, LAST)
    key(chain, Qt.Key.Key_PageUp)
    rest(chain)
    ran = 0
    for _ in range(6):
        key(chain, Qt.Key.Key_Right, ALT)
        rest(chain)
        lit = chain.canvas.gradient_pills.lit
        ran += lit is not None
        *cards, at_work = chain.canvas.gradient_pills.lit_rects() if lit is not None else [chain.canvas.scene_rect()]
        assert chain.canvas.scene_rect().contains(at_work)
        assert all(chain.canvas.scene_rect().intersects(card) for card in cards)
    assert ran == 4
    assert chain.document.program[lit].name == LAST_BUT_ONE
    assert chain.canvas.zoom_percent == pytest.approx(100)


@pytest.mark.parametrize("moves", [False, True], ids=["still", "gliding"])
def test_another_drawing_has_the_node_at_work_in_view(chain, moves):
    canvas = chain.canvas
    settings.MOTION.set(moves)
    calm(chain)
    chain.document.look_at(look_after(chain, EventKind.NODE_RAN, 5))
    rest(chain)
    for number in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_1):
        key(chain, Qt.Key.Key_Home)
        key(chain, number, CTRL)
        calm(chain)
        rest(chain)
        at_work = list(canvas.gradient_pills.lit_rects())
        assert at_work
        assert all(canvas.scene_rect().intersects(rect) for rect in at_work)
        assert canvas.scene_rect().contains(at_work[-1])


def test_once_cards_that_lay_roughly_are_laid_out_the_node_at_work_is_in_view(window):
    canvas, document = window.canvas, window.document
    canvas.setFocus()
    key(window, Qt.Key.Key_3, CTRL)
    QApplication.clipboard().setText(CHAIN)
    key(window, Qt.Key.Key_V, CTRL)
    calm(window)
    document.look_at(look_after(window, EventKind.NODE_RAN, 5))
    rest(window)
    key(window, Qt.Key.Key_2, CTRL)
    assert canvas.tidying.is_working
    calm(window)
    rest(window)
    assert [canvas.scene_rect().contains(rect) for rect in canvas.gradient_pills.lit_rects()] == [True]


def test_the_autograd_drawing_of_now_is_seen_where_the_backward_begins(chain):
    key(chain, Qt.Key.Key_Home)
    key(chain, Qt.Key.Key_3, CTRL)
    calm(chain)
    rest(chain)
    assert is_seen(chain, LAST)
    assert not is_seen(chain, "w")


def test_lines_come_into_view_and_what_is_in_view_stays_where_it_is(chain):
    key(chain, Qt.Key.Key_PageUp)
    rest(chain)
    assert is_seen(chain, LAST)
    before = chain.canvas.viewport.copied()
    key(chain, Qt.Key.Key_PageUp)
    rest(chain)
    assert is_seen(chain, LAST_BUT_ONE)
    assert chain.canvas.viewport.shows_as(before)
    press(chain, "program.first")
    rest(chain)
    assert is_seen(chain, "w")


def test_a_ride_through_time_is_followed_when_it_rests(chain, monkeypatch):
    monkeypatch.setattr(at_work, "REST_MS", 10_000)  # on a busy machine, too, steps lie closer together than that
    before = chain.canvas.viewport.copied()
    chain.document.look_at(1)
    rest(chain)
    assert chain.canvas.viewport.shows_as(before)
    first = look_after(chain, EventKind.NODE_RAN)
    for position in range(2, first + 1):
        chain.document.look_at(position)
        QTest.qWait(0)
        assert chain.canvas.viewport.shows_as(before)
    monkeypatch.undo()
    chain.document.look_at(first + 1)
    chain.document.look_at(first)
    rest(chain)
    assert is_seen(chain, LAST)


def test_while_somebody_drags_the_view_stays(chain):
    canvas, before = chain.canvas, chain.canvas.viewport.copied()
    inside = QPoint(canvas.width() - 20, 20)
    QTest.mousePress(canvas, LEFT, PLAIN, inside)
    QTest.mouseMove(canvas, inside - QPoint(40, -40))
    assert canvas.dispatcher.active is not None
    chain.document.look_at(look_after(chain, EventKind.NODE_RAN))
    rest(chain)
    assert canvas.viewport.shows_as(before)
    QTest.mouseRelease(canvas, LEFT, PLAIN, inside - QPoint(40, -40))
    rest(chain)
    assert is_seen(chain, LAST)


def test_an_edit_leaves_the_view_alone(chain):
    document = chain.document
    document.look_at_line(document.program.named(LAST).statement)
    rest(chain)
    chain.canvas.ensure_visible([document.program.named("w").statement])
    before = chain.canvas.viewport.copied()
    document.delete([document.program.named(LAST).statement])
    rest(chain)
    assert document.cursor_line != document.program.order[0]
    assert chain.canvas.viewport.shows_as(before)


def test_a_gradient_on_a_long_wire_stands_at_the_node_that_sent_it(chain):
    canvas, document = chain.canvas, chain.document
    document.look_at(look_after(chain, EventKind.NODE_RAN))
    rest(chain)
    canvas.grab()
    sent = {canvas.picture.wires[one.wire].source: one for one in canvas.gradient_pills.sent()}
    wire = sent[document.program.named("w").statement]
    pill = canvas.gradient_pills.placed
    assert len(pill) == 2
    assert wire.is_last
    assert all(canvas.node_rect(LAST).adjusted(-200, -60, 0, 60).contains(rect.toRect()) for rect in pill)


def test_at_the_farthest_zoom_the_node_at_work_is_a_ring_that_is_seen(chain):
    canvas = chain.canvas
    canvas.set_zoom_percent(2)
    chain.document.look_at(look_after(chain, EventKind.NODE_RAN))
    rest(chain)
    image, colour = canvas.grab().toImage(), theme.current().color("grad").rgb()
    around = canvas.node_rect(LAST).adjusted(-10, -10, 10, 10)
    xs, ys = range(around.left(), around.right()), range(around.top(), around.bottom())
    assert sum(image.pixel(x, y) == colour for x in xs for y in ys) > 40


@pytest.fixture
def inline(window, open_text):
    open_text(INLINE)
    window.canvas.setFocus()
    settle(window)
    return window


def where(window):
    settle(window)
    return window.docks.program.where.text()


def test_the_events_of_a_line_are_counted_with_those_of_what_is_written_in_it(inline):
    document, said = inline.document, []
    document.look_at_line(document.program.named("h").statement)
    while document.is_past:
        key(inline, Qt.Key.Key_Right, ALT)
        said.append(where(inline))
    total = len(said)
    assert said[:-1] == [f"line 3, event {n} of {total}" for n in range(1, total)]


def test_an_event_of_a_forward_line_is_named_and_its_line_is_at_work(inline):
    document, panel = inline.document, inline.docks.program
    document.look_at_line(document.program.named("x").statement)
    settle(inline)
    row = panel.list.rows.row_of(document.program.named("h").statement)

    def looks():
        rect = panel.list.visualRect(panel.list.rows.index(row))
        return panel.list.viewport().grab(rect).toImage()

    dim = looks()
    key(inline, Qt.Key.Key_Right, ALT)
    settle(inline)
    assert document.is_inside
    assert inline.status_words.text() == panel.list.rows.words.text(document.session.trace.events[document.cursor - 1])
    assert inline.status_words.text()
    assert panel.list.delegate.is_here(panel.list.rows.rows[row])
    lit, gutter = looks(), panel.list.delegate.gutter()
    darkest = [
        min(image.pixelColor(x, y).lightness() for x in range(gutter, image.width()) for y in range(image.height()))
        for image in (dim, lit)
    ]
    assert darkest[1] < darkest[0] - 20
    key(inline, Qt.Key.Key_PageDown)
    settle(inline)
    assert inline.status_words.text() == ""


def test_after_back_to_now_the_keys_are_the_canvas_s(chain):
    key(chain, Qt.Key.Key_PageUp)
    settle(chain)
    press(chain, "pastBand.back")
    settle(chain)
    assert not chain.document.is_past
    assert chain.focusWidget() is chain.canvas


def test_after_go_on_past_it_the_keys_are_the_canvas_s(window, open_text):
    open_text("import torch\nx = torch.tensor([1., 2.])\nx.backward()\ny = x * 2\n")
    settle(window)
    press(window, "stopBand.goOn")
    settle(window)
    assert not window.document.program.stops
    assert window.focusWidget() is window.canvas


@pytest.mark.parametrize("name", ["why", "engine"])
def test_escape_in_a_panel_goes_back_to_the_canvas(chain, name):
    chain.docks.show_panel(name)
    settle(chain)
    panel = getattr(chain.docks, name)
    every = (panel, *panel.findChildren(QWidget))
    can_have = (one for one in every if one.focusPolicy() & Qt.FocusPolicy.TabFocus)
    inner = next(one for one in can_have if one.isVisible() and one.isEnabled())
    inner.setFocus()
    assert chain.focusWidget() is inner
    QTest.keyClick(inner, Qt.Key.Key_Escape)
    assert chain.focusWidget() is chain.canvas


@pytest.mark.parametrize("drawing", ["cards", "autograd"])
def test_what_the_engine_panel_points_at_looks_unlike_the_node_at_work(chain, drawing):
    canvas, document = chain.canvas, chain.document
    canvas.redrawing.show(drawing)
    chain.docks.show_panel("engine")
    rest(chain)
    document.look_at(look_after(chain, EventKind.NODE_RAN, 1))
    rest(chain)
    at_work = list(canvas.gradient_pills.lit_rects())[-1]
    assert "grad" in colours_above(canvas, at_work)
    chain.docks.engine.focus_list()
    settle(chain)
    while (
        document.session.trace.nodes[document.pointed_out.nodes[0]].statement != document.program.named("w").statement
    ):
        QTest.keyClick(chain.docks.engine.list, Qt.Key.Key_Down)
    leaf, *_ = document.pointed_out.nodes
    layer = canvas.picture.functions
    shown = layer.rect((NODE, leaf)) if drawing == "autograd" else canvas.picture.rect_of(document.pointed_out.cards[0])
    canvas.ensure_rect_visible(shown)
    settle(chain)
    assert colours_above(canvas, shown) == {"ink"}


def colours_above(canvas, rect):
    """Which of the two colours of frames stand right above a rectangle of the canvas."""
    image, view = canvas.grab().toImage(), canvas.viewport.rect_to_view(rect).toRect()
    found = {image.pixel(x, y) for y in range(view.top() - 9, view.top() - 1) for x in range(view.left(), view.right())}
    return {name for name in ("grad", "ink") if theme.current().color(name).rgb() in found}


def test_why_says_what_can_be_done_with_a_function_that_has_not_run(chain):
    canvas, document = chain.canvas, chain.document
    canvas.redrawing.show("autograd")
    rest(chain)
    document.look_at_line(document.program.named(LAST).statement)
    rest(chain)
    _, number = canvas.picture.functions.keys[-1]
    canvas.setFocus()
    document.select_node(number)
    key(chain, Qt.Key.Key_Y)
    rest(chain)
    assert "Function" in chain.docks.why.text()
    assert "after a backward" in chain.docks.why.text()
