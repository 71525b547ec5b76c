"""Menus with large text: what has no room on the screen is scrolled to, and never cut."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from support.desk import settle

pytestmark = pytest.mark.usefixtures("looks")


def test_a_menu_that_is_too_high_for_the_screen_scrolls_in_one_column(course_window):
    """A second column would be cut where lines are long."""
    canvas, document = course_window.canvas, course_window.document
    course_window.presenting.set_text_size(200)
    document.select(list(canvas.picture.ids))
    settle(course_window)
    at = canvas.node_rect("a").center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas, event)
    settle(course_window)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    rects = [menu.actionGeometry(action) for action in menu.actions() if not action.isSeparator()]
    assert rects[-1].bottom() > menu.screen().availableGeometry().height()
    assert len({rect.left() for rect in rects}) == 1
    last = menu.actions()[-1]
    while menu.activeAction() is not last:
        QTest.keyClick(menu, Qt.Key.Key_Down)
    seen = menu.actionGeometry(last)
    assert seen.top() >= 0
    assert seen.bottom() <= menu.height()
    menu.close()
