from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QInputDevice, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chalkgrad.program import edits
from chalkgrad.program.board import DATA, Board
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source
from chalkgrad_app.canvas import following
from chalkgrad_app.canvas.view import Canvas
from chalkgrad_app.document import Document
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.style import theme
from chalkgrad_app.widgets import turns


def id_of(canvas: Canvas, name: str) -> int:
    ref = canvas.document.program.named(name)
    assert ref is not None
    return ref.statement


def image(canvas: Canvas) -> QImage:
    QApplication.processEvents()
    return canvas.grab().toImage()


def wheel(
    canvas: Canvas, at: QPointF, angle: QPoint, pixels: QPoint | None = None, *, pad: bool = False, keys=None
) -> None:
    device = QPointingDevice(
        "pad" if pad else "mouse",
        7 if pad else 8,
        QInputDevice.DeviceType.TouchPad if pad else QInputDevice.DeviceType.Mouse,
        QPointingDevice.PointerType.Finger if pad else QPointingDevice.PointerType.Generic,
        QInputDevice.Capability.Scroll,
        1,
        3,
    )
    phase = Qt.ScrollPhase.ScrollUpdate if pad else Qt.ScrollPhase.NoScrollPhase
    held = keys or Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(
        at,
        QPointF(canvas.mapToGlobal(at.toPoint())),
        pixels or QPoint(),
        angle,
        Qt.MouseButton.NoButton,
        held,
        phase,
        False,
        Qt.MouseEventSource.MouseEventNotSynthesized,
        device,
    )
    QApplication.sendEvent(canvas, event)


def test_cards_and_ports_are_where_the_canvas_says(canvas: Canvas) -> None:
    rect = canvas.node_rect("w")
    assert rect.size().width() == 176
    header = image(canvas).pixelColor(rect.center().x(), rect.top() + 8)
    assert header == QColor(theme.current().leaf_grad)
    port = canvas.port_pos("w", "value")
    assert abs(port.x() - rect.right()) <= 2
    assert canvas.port_pos("y", 1).y() > canvas.port_pos("y", 0).y()
    with pytest.raises(KeyError):
        canvas.port_pos("w", 0)
    with pytest.raises(KeyError):
        canvas.node_rect("nobody")


def test_the_wheel_zooms_to_the_pointer(canvas: Canvas) -> None:
    at = QPointF(canvas.node_rect("a").center())
    before = canvas.to_scene(at)
    wheel(canvas, at, QPoint(0, 120))
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(120)
    after = canvas.to_scene(at)
    assert (after - before).manhattanLength() < 2
    wheel(canvas, at, QPoint(0, -120))
    canvas.glide.finish()
    assert canvas.zoom_percent == pytest.approx(100)


def test_two_fingers_pan_and_with_ctrl_zoom(canvas: Canvas) -> None:
    before = canvas.node_rect("w").topLeft()
    wheel(canvas, QPointF(300, 300), QPoint(0, 0), QPoint(30, -20), pad=True)
    assert canvas.node_rect("w").topLeft() - before == QPoint(30, -20)
    assert canvas.zoom_percent == 100
    wheel(canvas, QPointF(300, 300), QPoint(0, 120), pad=True, keys=Qt.KeyboardModifier.ControlModifier)
    assert canvas.zoom_percent > 100


def test_the_middle_button_and_space_pan(canvas: Canvas) -> None:
    before = canvas.node_rect("w").topLeft()
    QTest.mousePress(canvas, Qt.MouseButton.MiddleButton, pos=QPoint(500, 500))
    QTest.mouseMove(canvas, QPoint(540, 480))
    QTest.mouseRelease(canvas, Qt.MouseButton.MiddleButton, pos=QPoint(540, 480))
    assert canvas.node_rect("w").topLeft() - before == QPoint(40, -20)
    QTest.keyPress(canvas, Qt.Key.Key_Space)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(500, 500))
    QTest.mouseMove(canvas, QPoint(490, 510))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(490, 510))
    QTest.keyRelease(canvas, Qt.Key.Key_Space)
    assert canvas.node_rect("w").topLeft() - before == QPoint(30, -10)
    assert not canvas.is_panning


def test_panning_scrolls_to_the_same_picture_as_painting_anew(canvas: Canvas) -> None:
    image(canvas)
    for way in ((37, 0), (0, -23), (-61, 45), (13, 13)):
        canvas.pan_by(*way)
        scrolled = image(canvas)
        canvas.repaint_still()
        assert scrolled == image(canvas)


@pytest.mark.parametrize("percent", [40, 15])
def test_panning_is_exact_at_other_levels_of_detail(canvas: Canvas, percent: int) -> None:
    canvas.set_zoom_percent(percent)
    image(canvas)
    canvas.pan_by(33, -17)
    scrolled = image(canvas)
    canvas.repaint_still()
    assert scrolled == image(canvas)


def test_fit_shows_everything_and_fit_of_one_shows_that(canvas: Canvas) -> None:
    canvas.set_zoom_percent(300)
    canvas.fit_all()
    assert all(canvas.rect().contains(canvas.node_rect(name)) for name in "wxaby")
    canvas.fit([id_of(canvas, "y")])
    assert canvas.rect().contains(canvas.node_rect("y"))
    assert (canvas.node_rect("y").center() - canvas.rect().center()).manhattanLength() < 4


def test_zoom_is_told(canvas: Canvas, qtbot) -> None:
    with qtbot.waitSignal(canvas.zoomed) as told:
        canvas.set_zoom_percent(150)
    assert told.args == [pytest.approx(150)]
    canvas.zoom_100()
    assert canvas.zoom_percent == 100
    canvas.set_zoom_percent(100000)
    assert canvas.zoom_percent == 800


def test_ensure_visible_pans_no_more_than_needed(canvas: Canvas) -> None:
    before = canvas.node_rect("y")
    canvas.ensure_visible([id_of(canvas, "y")])
    assert canvas.node_rect("y") == before
    canvas.pan_by(-2000, 0)
    canvas.ensure_visible([id_of(canvas, "w")])
    assert canvas.rect().contains(canvas.node_rect("w"))
    assert canvas.zoom_percent == 100


def test_the_canvas_follows_edits_selection_and_theme(canvas: Canvas, qapp) -> None:
    x = id_of(canvas, "x")
    canvas.document.do(lambda sheet: edits.place(sheet.board, {x: (40.0, 400.0)}), "move")
    assert canvas.picture.rect(x).top() == 400
    plain = image(canvas)
    canvas.document.select([id_of(canvas, "y")])
    assert image(canvas) != plain
    canvas.document.clear_selection()
    assert image(canvas) == plain
    try:
        theme.apply(qapp, theme.load("dark"), 150)
        assert image(canvas).pixelColor(5, 5) == QColor(theme.load("dark").canvas)
        assert canvas.node_rect("w").width() == pytest.approx(176 * 1.5, abs=1)
        assert canvas.zoom_percent == 100
    finally:
        theme.apply(qapp, theme.load("light"), 100)


def test_lifted_cards_are_left_out_and_painted_by_the_overlay(canvas: Canvas) -> None:
    whole = image(canvas)
    w = id_of(canvas, "w")
    spot = canvas.node_rect("w").center() - QPoint(0, 32)
    canvas.lift([w])
    assert image(canvas).pixelColor(spot) == QColor(theme.current().canvas)
    canvas.overlay_painters.append(lambda painter: canvas.paint_lifted(painter, [w], QPointF(0, 200)))
    shown = image(canvas)
    assert shown.pixelColor(spot + QPoint(0, 200)) == whole.pixelColor(spot)
    canvas.overlay_painters.clear()
    canvas.lift([])
    assert image(canvas) == whole


def test_a_lifted_wire_is_left_out(canvas: Canvas) -> None:
    whole = image(canvas)
    canvas.lift([], [(id_of(canvas, "a"), 0)])
    assert image(canvas) != whole
    canvas.lift([])
    assert image(canvas) == whole


def test_the_past_has_a_dotted_edge_and_outlines(canvas: Canvas) -> None:
    now = image(canvas)
    canvas.document.look_at_line(id_of(canvas, "x"))
    past = image(canvas)
    center = canvas.node_rect("y").center()
    assert past.pixelColor(center.x(), canvas.node_rect("y").top() + 6) != now.pixelColor(
        center.x(), canvas.node_rect("y").top() + 6
    )
    edge = {past.pixelColor(x, 2).name() for x in range(20, 200)}
    assert len(edge) > 1
    canvas.document.back_to_now()
    assert image(canvas) == now


def test_a_painter_that_raises_does_not_bring_the_process_down(canvas: Canvas) -> None:
    def broken(_painter: object) -> None:
        raise RuntimeError("overlay")

    canvas.overlay_painters.append(broken)
    with pytest.raises(RuntimeError, match="overlay"):
        canvas.repaint()
    canvas.overlay_painters.clear()
    assert not image(canvas).isNull()


def test_what_is_out_of_view_is_brought_up_to_date_without_painting(canvas: Canvas, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(following, "BESIDE", 1)
    far = {id_of(canvas, name): (9000, 100 * row) for row, name in enumerate("wxaby")}
    canvas.document.do(edits.place(canvas.document.board, far), "far away")
    image(canvas)
    leaf = canvas.document.program[id_of(canvas, "w")]
    canvas.document.do(edits.put(canvas.document.program, leaf.with_port(0, (7.0,))), "another value")
    canvas.document.finish()
    canvas.repaint()
    assert canvas.is_behind
    painted = canvas.backing_pixmap.cacheKey()
    qtbot.waitUntil(lambda: not canvas.is_behind)
    shown = canvas.backing_pixmap
    assert canvas.picture.face(id_of(canvas, "y")).rows[0].value.lines == ("[[72.]]",)
    assert shown.cacheKey() == painted


def test_in_one_turn_of_the_event_loop_it_looks_once(canvas: Canvas, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(following, "BESIDE", 2)
    monkeypatch.setattr(following, "PORTION", 8)
    monkeypatch.setattr(turns, "TURN_MS", 60_000)  # others would give it all the time that there is
    canvas.overlay_painters.append(lambda _: QTest.qSleep(3))
    chain = "".join(f"a{number} = a{number - 1} * 2\n" for number in range(1, 40))
    document = Document(Sheet(read_source(f"import torch\na0 = torch.tensor(1.0)\n{chain}")), parent=canvas)
    document.finish()
    canvas.set_document(document)
    image(canvas)
    qtbot.waitUntil(lambda: not canvas.is_behind)
    looked = []
    look = following.Following.next
    monkeypatch.setattr(following.Following, "next", lambda *given: looked.append(turns.turn().number) or look(*given))
    document.look_at_line(id_of(canvas, "a0"))
    qtbot.waitUntil(lambda: bool(looked) and not canvas.is_behind)
    assert len(looked) > 3
    assert len(looked) == len(set(looked))


def is_ghost(canvas: Canvas, name: str) -> bool:
    """Whether a card is painted as one that is to come."""
    painted = canvas.painted
    return bool(painted.facts[painted.index[id_of(canvas, name)]] & Fact.GHOST)


def test_while_the_cursor_moves_on_and_on_only_what_is_seen_follows(canvas: Canvas, qtbot) -> None:
    far = {id_of(canvas, name): (9000, 200 * row) for row, name in enumerate("xaby")}
    canvas.document.do(edits.place(canvas.document.board, far), "far away")
    image(canvas)
    into_a = [wire.source for wire in canvas.picture.wires].index(id_of(canvas, "w"))
    for name in "xw":
        canvas.document.look_at_line(id_of(canvas, name))
        canvas.repaint()
        assert canvas.painted.dotted[into_a]  # a card far away says how it looks
        assert not is_ghost(canvas, "y")
        assert canvas.is_behind
    qtbot.waitUntil(lambda: not canvas.is_behind)
    assert [name for name in "wxaby" if is_ghost(canvas, name)] == list("xaby")
    canvas.document.back_to_now()
    canvas.repaint()
    assert not canvas.painted.dotted[into_a]
    qtbot.waitUntil(lambda: not canvas.is_behind)
    assert not any(is_ghost(canvas, name) for name in "wxaby")


GROWING = "import torch\nw = torch.tensor(1.0, requires_grad=True)\na = w * w\nb = a.exp()\nc = b.sin()\n"


def test_nodes_beside_the_cards_follow_at_once_where_they_are_seen(canvas: Canvas, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(following, "BESIDE", 1)
    document = Document(Sheet(read_source(GROWING), Board(drawing="autograd")), parent=canvas)
    document.finish()
    canvas.set_document(document)
    image(canvas)
    qtbot.waitUntil(lambda: not canvas.is_behind)
    functions = canvas.picture.functions
    row = functions.cards.index(id_of(canvas, "c"))
    last = functions.rect(functions.keys[row])
    canvas.zoom_at(QPointF(400, 300), 4.0)
    canvas.viewport.center_on(last.center(), QSizeF(canvas.size()))
    canvas.repaint()
    canvas._moving.setInterval(60_000)  # the cursor moves on and on
    document.look_at_line(id_of(canvas, "w"))
    canvas.repaint()
    assert canvas.is_behind
    assert functions.to_come[row]
    qtbot.wait(50)
    assert canvas.is_behind
    canvas._moving.setInterval(0)  # it has come to rest
    qtbot.waitUntil(lambda: not canvas.is_behind)
    assert functions.to_come.all()


@pytest.mark.parametrize("way", ["pan", "zoom"])
def test_what_comes_into_view_meanwhile_is_looked_at(canvas: Canvas, way: str) -> None:
    off = {id_of(canvas, name): (3000, 150 * row) for row, name in enumerate("xaby")}
    canvas.document.do(edits.place(canvas.document.board, off), "further off")
    image(canvas)
    canvas.document.look_at_line(id_of(canvas, "w"))
    canvas.repaint()
    assert canvas.is_behind
    assert not is_ghost(canvas, "y")
    if way == "pan":
        canvas.pan_by(-2600, 0)
    else:
        canvas.zoom_at(QPointF(0, 300), 0.2)
        canvas.repaint()
    assert is_ghost(canvas, "y")


@pytest.fixture
def running(canvas: Canvas, monkeypatch) -> Canvas:
    """A canvas whose program runs for many turns of the event loop after each edit."""
    monkeypatch.setattr("chalkgrad_app.running_sheet.SLICE_MS", 0.0)
    return canvas


def set_value(canvas: Canvas, value: float) -> None:
    leaf = canvas.document.program[id_of(canvas, "w")]
    canvas.document.do(edits.put(canvas.document.program, leaf.with_port(0, (value,))), "another value")
    assert canvas.document.is_running


def test_while_it_runs_no_card_is_seen_that_is_gone(running: Canvas) -> None:
    y = id_of(running, "y")
    running.document.delete([y])
    set_value(running, 7.0)
    assert y not in running.picture.index
    running.document.undo_stack.setIndex(0)
    assert running.document.is_running
    assert y in running.picture.index


def test_while_it_runs_cards_are_seen_where_they_were_put(running: Canvas) -> None:
    set_value(running, 7.0)
    w = id_of(running, "w")
    running.document.do(edits.place(running.document.board, {w: (-200.0, 0.0)}), "Move")
    assert running.document.is_running
    assert running.picture.rect(w).topLeft() == QPointF(-200, 0)
    set_value(running, 8.0)
    leaf = running.document.program[w].with_port(0, (9.0,))
    change = edits.put(running.document.program, leaf).then(edits.place(running.document.board, {w: (-300.0, 0.0)}))
    running.document.do(change, "both")
    assert running.document.is_running
    assert running.picture.rect(w).topLeft() == QPointF(-300, 0)


def test_while_it_runs_the_drawing_is_seen_that_was_asked_for(running: Canvas) -> None:
    set_value(running, 7.0)
    running.document.draw_as(DATA)
    running.show_drawing()
    assert running.document.is_running
    assert running.picture.drawing.name == DATA


def test_zooming_with_many_cards_scales_and_then_paints_anew(canvas: Canvas, qtbot, monkeypatch) -> None:
    monkeypatch.setattr("chalkgrad_app.canvas.view.MANY", 0)
    image(canvas)
    canvas.zoom_at(QPointF(0, 0), 1.5)
    scaled = image(canvas)
    qtbot.waitUntil(lambda: image(canvas) != scaled)
    rested = image(canvas)
    canvas.repaint_still()
    assert image(canvas) == rested


def test_other_events_are_handed_on(canvas: Canvas) -> None:
    class Recorder:
        def __init__(self) -> None:
            self.got: list[str] = []

        def __getattr__(self, name: str):
            return lambda *_event: self.got.append(name) or True

    recorder = Recorder()
    canvas.gestures = recorder
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    QTest.keyClick(canvas, Qt.Key.Key_A)
    for name in ("mouse_press", "mouse_release", "double_click", "key_press"):
        assert name in recorder.got


def test_language_change_changes_the_words(canvas: Canvas) -> None:
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.LanguageChange))
    assert canvas.look().words.leaf in ("leaf", "叶子节点", "叶子")


def test_fit_never_enlarges_beyond_its_bound_and_survives_emptiness(canvas: Canvas) -> None:
    canvas.viewport.fit(QRectF(0, 0, 1, 1), QSizeF(canvas.size()))
    assert canvas.viewport.zoom == 1.5
    canvas.document.delete(canvas.document.program.order)
    canvas.fit_all()
    assert canvas.zoom_percent == 100
    assert not image(canvas).isNull()
