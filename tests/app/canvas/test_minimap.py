"""The minimap: it shows the whole graph, goes where it is clicked, and never lies on the card one works at."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from support.desk import CTRL, calm, choose, key, settle
from support.sheets import course_sheet

from chalkgrad_app import settings
from chalkgrad_app.canvas.fitting import Fitting
from chalkgrad_app.style import theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def mapped(window):
    window.document.begin(course_sheet())
    settle(window)
    window.canvas.fit_all()
    window.canvas.setFocus()
    key(window, Qt.Key.Key_M)
    settle(window)
    return window


def image(window):
    return window.area.minimap.grab().toImage()


def test_m_switches_it_on_and_off_and_it_is_remembered(mapped):
    minimap = mapped.area.minimap
    assert minimap.isVisible()
    assert settings.MINIMAP.get()
    assert mapped.actions_by_id["minimap"].isChecked()
    choose(mapped, "show", "minimap")
    assert not minimap.isVisible()
    assert not settings.MINIMAP.get()


def test_every_card_is_on_it(mapped):
    minimap, picture = mapped.area.minimap, mapped.canvas.picture
    shown, ground = image(mapped), theme.current().color("card")
    for id_ in picture.ids:
        at = (picture.rect(id_).center() - minimap.origin()) * minimap.zoom()
        assert minimap.rect().contains(at.toPoint())
        near = [shown.pixelColor(at.toPoint() + QPoint(dx, dy)) for dx in (-3, 0, 3) for dy in (-2, 0, 2)]
        assert any(colour != ground for colour in near), id_


def test_a_click_goes_there_and_a_drag_goes_on(mapped):
    canvas, minimap = mapped.canvas, mapped.area.minimap
    canvas.set_zoom_percent(200)
    target = canvas.picture.rect(5).center()
    at = ((target - minimap.origin()) * minimap.zoom()).toPoint()
    QTest.mousePress(minimap, LEFT, pos=at)
    canvas.glide.finish()
    middle = canvas.to_scene(QPointF(canvas.rect().center()))
    assert (middle - target).manhattanLength() < 2 / minimap.zoom()
    QTest.mouseMove(minimap, at - QPoint(20, 0))
    QTest.mouseRelease(minimap, LEFT, pos=at - QPoint(20, 0))
    further = canvas.to_scene(QPointF(canvas.rect().center()))
    assert further.x() < middle.x() - 10 / minimap.zoom()
    assert canvas.zoom_percent == pytest.approx(200)


def test_the_frame_is_what_is_in_view(mapped):
    canvas, minimap = mapped.canvas, mapped.area.minimap
    canvas.set_zoom_percent(300)
    canvas.fit([1])
    rect = minimap.view_rect()
    corners = QRectF(minimap.to_scene(rect.topLeft()), minimap.to_scene(rect.bottomRight()))
    assert corners.contains(canvas.picture.rect(1).center())
    assert not corners.contains(canvas.picture.rect(5).center())
    canvas.pan_by(100000, 0)
    assert QRectF(minimap.rect()).contains(minimap.view_rect())


def test_it_steps_aside_for_the_card_with_the_focus(mapped):
    canvas, minimap = mapped.canvas, mapped.area.minimap
    canvas.zoom_100()
    before = minimap.geometry()
    way = before.center() - canvas.node_rect("y").center()
    canvas.pan_by(way.x(), way.y())
    mapped.document.select([5])
    settle(mapped)
    assert not minimap.geometry().intersects(canvas.node_rect("y"))
    assert canvas.rect().contains(minimap.geometry())


def test_it_follows_edits_selection_and_theme(mapped, qtbot):
    before = image(mapped)
    mapped.document.select([1])
    assert image(mapped) != before
    mapped.document.clear_selection()
    mapped.document.delete([5])
    settle(mapped)  # while the program runs, what it has not reached is shown as it was
    qtbot.waitUntil(lambda: not mapped.area.minimap._wait.isActive())
    deleted = image(mapped)
    assert deleted != before
    mapped.presenting.set_theme("dark")
    qtbot.waitUntil(lambda: not mapped.area.minimap._wait.isActive())
    assert image(mapped) != deleted
    mapped.presenting.set_theme("light")


def test_it_shows_the_other_drawing_as_soon_as_the_canvas_does(mapped, qtbot):
    minimap = mapped.area.minimap
    mapped.document.select([1])
    for number, drawing in ((Qt.Key.Key_3, "autograd"), (Qt.Key.Key_1, "cards"), (Qt.Key.Key_2, "data")):
        key(mapped, number, CTRL)
        qtbot.waitUntil(lambda drawing=drawing: mapped.canvas.picture.drawing.name == drawing)
        settle(mapped)
        qtbot.waitUntil(lambda: not minimap._wait.isActive())
        shown = image(mapped)
        minimap.show_map(True)  # painted from nothing
        assert shown == image(mapped), drawing


def test_what_is_on_it_follows_the_cursor_at_once_though_it_is_out_of_view(mapped):
    canvas = mapped.canvas
    canvas.set_zoom_percent(300)
    for is_mapped in (True, False):
        if not is_mapped:
            key(mapped, Qt.Key.Key_M)
        calm(mapped)
        canvas.fit([1])  # again: the view follows the cursor
        canvas.glide.finish()
        assert mapped.area.minimap.isVisible() == is_mapped
        assert not canvas.scene_rect().contains(canvas.picture.bounds()), "some of it is out of view"
        canvas.document.look_at_line(1)
        canvas.repaint()
        assert canvas.is_behind is not is_mapped
        canvas.document.back_to_now()
        settle(mapped)


@pytest.mark.parametrize("drawing", [Qt.Key.Key_1, Qt.Key.Key_3])
def test_where_all_is_fitted_beside_it_that_is_worked_out_for_no_other_place(mapped, monkeypatch, drawing):
    canvas, rooms = mapped.canvas, []
    key(mapped, drawing, CTRL)
    calm(mapped)
    work_out = Fitting._all
    monkeypatch.setattr(Fitting, "_all", lambda self, size: (rooms.append(size), work_out(self, size))[1])
    key(mapped, Qt.Key.Key_Home)
    assert len(rooms) <= 2, "for the canvas, then for the room that is left of it"
    canvas.glide.finish()
    longest = canvas.picture.lines.longest
    work_out(canvas, rooms[-1])
    assert canvas.picture.lines.longest == longest


def test_where_all_is_fitted_nothing_lies_below_it(mapped):
    canvas, minimap, picture = mapped.canvas, mapped.area.minimap, mapped.canvas.picture
    for width, height in ((1280, 800), (900, 1000), (1500, 700)):
        mapped.resize(width, height)
        settle(mapped)
        key(mapped, Qt.Key.Key_Home)
        canvas.glide.finish()
        seen = [canvas.view_rect_of(id_) for id_ in picture.ids]
        assert not any(rect.intersects(minimap.geometry()) for rect in seen), (width, height)
        assert all(canvas.rect().contains(rect) for rect in seen), (width, height)


def test_what_was_fitted_makes_room_for_it_and_takes_it_back(mapped):
    canvas, minimap = mapped.canvas, mapped.area.minimap
    mapped.resize(900, 1000)
    settle(mapped)
    key(mapped, Qt.Key.Key_M)
    key(mapped, Qt.Key.Key_Home)
    canvas.glide.finish()
    way = canvas.rect().bottomRight() - canvas.node_rect("y").center()
    key(mapped, Qt.Key.Key_M)
    assert canvas.shows_all
    assert not any(canvas.view_rect_of(id_).intersects(minimap.geometry()) for id_ in canvas.picture.ids)
    key(mapped, Qt.Key.Key_M)
    assert canvas.shows_all
    assert canvas.rect().bottomRight() - canvas.node_rect("y").center() == way
