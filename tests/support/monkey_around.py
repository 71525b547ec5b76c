"""What a monkey does in the whole window: pointer and keys everywhere, two fingers, menus, dialogs, its size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QEnterEvent, QHelpEvent, QInputMethodEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QMenu,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid
from support.desk import Dialogs, with_path
from support.hands import ALT, CTRL, LEFT, PLAIN, SHIFT, process
from support.monkey_body import FIELDS, NEVER
from support.monkey_lessons import turn_wheel
from support.monkey_outside import Outside

from chalkgrad_app.canvas.minimap import Minimap
from chalkgrad_app.panels.scrubber import Scrubber
from chalkgrad_app.widgets.contour import ContourPlot
from chalkgrad_app.widgets.plot import Plot
from chalkgrad_app.widgets.zoom_box import ZoomBox

Key = Qt.Key
Answer = Callable[[QWidget], None]

DRAGGED = (Plot, ContourPlot, Scrubber, Minimap)
"""What is dragged in; dragging from elsewhere waits for a drop."""
SHOWING = (QAbstractItemView, *FIELDS)
PERCENTS = ("50", "125 %", "1", "99999", "fit", "0", "-3", "")
WALKED = (
    *((Key.Key_Space, PLAIN), (Key.Key_Return, PLAIN), (Key.Key_Down, PLAIN), (Key.Key_Up, SHIFT)),
    *((Key.Key_Home, PLAIN), (Key.Key_Escape, PLAIN), (Key.Key_Right, PLAIN), (Key.Key_Left, ALT)),
    *((Key.Key_C, CTRL), (Key.Key_Delete, PLAIN), (Key.Key_Menu, PLAIN), (Key.Key_F2, PLAIN), (Key.Key_5, PLAIN)),
    *((Key.Key_A, CTRL), (Key.Key_End, PLAIN)),
)
MENUS = ("edit", "show", "graph", "steps", "train", "arrange", "drawAs")
STATES = (Qt.WindowState.WindowMaximized, Qt.WindowState.WindowFullScreen, Qt.WindowState.WindowMinimized)
PREEDIT = ("x", "ni", "你", "pi ")
PHASE = Qt.ScrollPhase


class Around(Outside):
    """The acts beside those on the canvas and in single panels; each says what it did."""

    def around_acts(self) -> dict[Callable[[], str], float]:
        """The acts and how often each is done, compared with others."""
        return {
            self.point_at: 4,
            self.swipe: 2,
            self.walk: 3,
            self.press_button: 3,
            self.choose_in_menu: 2,
            self.zoom_to: 0.5,
            self.compose: 1,
            self.copy_shown: 1,
            self.change_state: 0.3,
            self.ask_for_file: 0.5,
        }

    # ------------------------------------------------------------ pointer

    def point_at(self) -> str:
        """The pointer over anything in a panel or a bar: it rests, clicks, drags, turns the wheel, asks for a menu."""
        self._leave()
        pointed = [child for child in self.window.findChildren(QWidget) if self._is_pointed_at(child)]
        if not pointed:  # in a lecture all but the canvas may be closed
            return "nothing to point at"
        widget = self.chance.choice(pointed)
        at, to = self._within(widget.rect()), self._within(widget.rect())
        name = _name(widget)
        what = self.chance.choice(("rest", "click", "double", "wheel", "menu", "drag"))
        everywhere = widget.mapToGlobal(at)
        QApplication.sendEvent(widget, QEnterEvent(QPointF(at), QPointF(at), QPointF(everywhere)))
        _move(widget, at, Qt.MouseButton.NoButton)
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, everywhere))
        if what == "drag" and isinstance(widget, DRAGGED):
            QTest.mousePress(widget, LEFT, PLAIN, at)
            for part in (0.4, 1.0):
                _move(widget, at + (to - at) * part, LEFT)
            QTest.mouseRelease(widget, LEFT, PLAIN, to)
        elif what == "click":
            QTest.mouseClick(widget, LEFT, self.chance.choice((PLAIN, SHIFT, CTRL)), at)
        elif what == "double":
            QTest.mouseDClick(widget, LEFT, PLAIN, at)
        elif what == "wheel":
            turn_wheel(widget, at, self.chance.choice((-120, 240)))
        elif what == "menu":
            QApplication.sendEvent(widget, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, everywhere))
        self._answer()
        if self.chance.random() < 0.5:
            self._send_leave(name)
        return f"{what} at {at.toTuple()} of {name}"

    def swipe(self) -> str:
        """Two fingers on a trackpad, from the first touch to where it comes to rest; something may come between."""
        canvas, at = self.window.canvas, QPointF(self.point())
        keys = self.chance.choice((PLAIN, PLAIN, CTRL, SHIFT))
        way = QPoint(self.chance.randint(-60, 60), self.chance.randint(-60, 60))
        phases = (PHASE.ScrollBegin, *(PHASE.ScrollUpdate,) * 4, *(PHASE.ScrollMomentum,) * 2, PHASE.ScrollEnd)
        between = self.chance.choice(("nothing", "nothing", "key", "other fingers"))
        for number, phase in enumerate(phases):
            pixels = QPoint() if phase in (PHASE.ScrollBegin, PHASE.ScrollEnd) else way
            everywhere = QPointF(canvas.mapToGlobal(at.toPoint()))
            none = Qt.MouseButton.NoButton
            QApplication.sendEvent(canvas, QWheelEvent(at, everywhere, pixels, pixels * 2, none, keys, phase, False))
            process()
            if number == 3 and between == "key":
                between = self._by_key()
            elif number == 3 and between == "other fingers":
                between = self.pinch()
        return f"swipe {way.toTuple()} {keys.value}, meanwhile {between}"

    def press_button(self) -> str:
        """A button of the toolbar, the status bar, a band over the canvas."""
        docks = self.window.docks.by_name.values()
        buttons = [button for button in self.window.findChildren(QAbstractButton) if button.isVisible()]
        free = [button for button in buttons if button.isEnabled() and not any(d.isAncestorOf(button) for d in docks)]
        button = self.chance.choice([button for button in free if not _asks(button)])
        what = self._use(button)
        self._answer()
        return f"button {what}"

    def choose_in_menu(self) -> str:
        """A menu of the menu bar, opened by mouse or by keys, and an entry."""
        self._leave()
        bar, name = self.window.menuBar(), self.chance.choice(MENUS)
        menu = self.window.findChild(QMenu, f"menu.{name}")
        assert menu is not None
        at = bar.actionGeometry(menu.menuAction())
        if at.isEmpty() or not bar.rect().contains(at.center()):
            menu.popup(self.window.mapToGlobal(QPoint(40, 40)))  # a menu in another one
        else:
            QTest.mouseClick(bar, LEFT, PLAIN, at.center())
        process()
        return f"menu {name}: {self._choose(menu)}"

    # ------------------------------------------------------------ keys

    def walk(self) -> str:
        """Tab from field to field, then keys for what has the focus."""
        self._leave()
        start = self.chance.choice([widget for widget in self.window.findChildren(QWidget) if _is_walked_to(widget)])
        start.setFocus()
        done = [f"from {_name(start)}"]
        for _ in range(self.chance.randint(0, 4)):
            QTest.keyClick(self._focused(), Key.Key_Tab)
        for _ in range(self.chance.randint(1, 4)):
            focus = self._focused()
            if isinstance(focus, QAbstractButton) and _asks(focus):
                break
            key, keys = self.chance.choice(WALKED)
            QTest.keyClick(focus, key, keys)
            done.append(f"{key.name} {keys.value}")
            process()
        self._answer()
        return f"walk {done}"

    def zoom_to(self) -> str:
        """A zoom typed, or taken from the list."""
        box = self.window.findChild(ZoomBox)
        assert box is not None
        self._leave()
        typed = self.chance.choice(PERCENTS)
        if not box.isVisible():
            return "no zoom"
        box.setFocus()
        box.lineEdit().selectAll()
        QTest.keyClicks(box.lineEdit(), typed)
        QTest.keyClick(box.lineEdit(), self.chance.choice((Key.Key_Return, Key.Key_Down, Key.Key_Escape)))
        self.window.canvas.setFocus()
        return f"zoom to {typed!r}"

    def compose(self) -> str:
        """An input method writes into a field, or where there is none, and puts down what it wrote or takes it away."""
        if self.chance.random() < 0.6:
            self._at_card(self.chance.choice((Key.Key_A, Key.Key_F2, Key.Key_C)), type_too=False)
        words = self.chance.sample(PREEDIT, 2)
        focus = self._focused()
        name = _name(focus)
        for word in words:
            QApplication.sendEvent(focus if isValid(focus) else self._focused(), QInputMethodEvent(word, []))
            process()
        end = QInputMethodEvent()
        if self.chance.random() < 0.6:
            end.setCommitString(words[-1])
        QApplication.sendEvent(focus if isValid(focus) else self._focused(), end)
        self._answer()
        return f"compose {words} in {name}"

    def copy_shown(self) -> str:
        """What a panel shows is copied, and pasted on the canvas."""
        docks = [dock for dock in self.window.docks.by_name.values() if dock.isVisible()]
        views = [view for dock in docks for view in dock.findChildren(QWidget) if isinstance(view, SHOWING)]
        shown = [view for view in views if view.isVisible() and not view.visibleRegion().isEmpty()]
        if not shown:
            return "nothing to copy"
        view = self.chance.choice(shown)
        name = _name(view)
        view.setFocus()
        for key in (Key.Key_A, Key.Key_C):
            QTest.keyClick(view if isValid(view) else self._focused(), key, CTRL)
            process()
        self._press(Key.Key_V, CTRL)
        return f"copy {name}"

    # ------------------------------------------------------------ window and dialogs

    def change_state(self) -> str:
        """The window fills the screen, or goes away, and comes back."""
        state = self.chance.choice(STATES)
        self.window.setWindowState(state)
        process()
        done = self.chance.choice((self._by_key, self._by_wheel))()
        self.window.setWindowState(Qt.WindowState.WindowNoState)
        self.window.activateWindow()
        process()
        return f"{state.name}, meanwhile {done}"

    def ask_for_file(self) -> str:
        """Save, open, begin anew, by their keys; the dialog is answered, or closed."""
        self._leave()
        name = self.chance.choice(("saveAs", "save", "open", "new", "exportCode", "keys"))
        number = self.chance.randint(1, 3)
        path = self.folder / f"asked-{number}{'.py' if name == 'exportCode' else '.chalk'}"
        if name == "open":
            path = self.folder / "asked.py"
            path.write_text(self._content("asked.py"), encoding="utf-8")
        gives = self.chance.random() < 0.6
        with _answered(with_path(path) if gives else QWidget.close) as seen:
            self.window.actions_by_id[name].trigger()
            process()
        return f"{name}, {'given' if gives else 'closed'} {len(seen)} dialogs"

    # ------------------------------------------------------------ inside

    def _is_pointed_at(self, widget: QWidget) -> bool:
        """True for what is seen of bars and panels; the canvas has acts of its own."""
        area = self.window.area
        is_own = widget is not area and not area.isAncestorOf(widget) and not _asks(widget)
        return is_own and widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty()

    def _send_leave(self, name: str) -> None:
        """The pointer goes away from what has such a name, if that is still there."""
        for widget in self.window.findChildren(QWidget):
            if _name(widget) == name:
                QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
                return


def _name(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()}"


def _move(widget: QWidget, at: QPoint, buttons: Qt.MouseButton) -> None:
    where, everywhere = QPointF(at), QPointF(widget.mapToGlobal(at))
    none = Qt.MouseButton.NoButton
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, where, everywhere, none, buttons, PLAIN))


def _asks(widget: QWidget) -> bool:
    """True for what opens windows or dialogs that wait for somebody."""
    action = widget.defaultAction() if isinstance(widget, QToolButton) else None
    name = widget.objectName() if action is None else action.objectName()
    return name.rpartition(".")[2] in NEVER


def _is_walked_to(widget: QWidget) -> bool:
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return bool(takes) and widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty()


@contextmanager
def _answered(answer: Answer) -> Iterator[list[QWidget]]:
    """While it lasts each file dialog gets this answer, and any other is closed; those that were seen."""
    seen: list[QWidget] = []

    def each(dialog: QWidget) -> None:
        seen.append(dialog)
        if isinstance(dialog, QFileDialog):
            answer(dialog)
        else:
            dialog.close()

    dialogs = Dialogs((each,) * 8)
    yield seen
    dialogs.timer.stop()
    if dialogs.error is not None:
        raise dialogs.error
