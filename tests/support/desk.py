"""What a person does at a window: menus by mouse, toolbar buttons, keys, and the dialogs that ask something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QToolButton,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def settle(window=None) -> None:
    """Let everything happen that is due; with a window, also run its program to the end."""
    for _ in range(3):
        QCoreApplication.processEvents()
    if window is not None:
        window.document.finish()
        QTest.qWait(80 if window.isVisible() else 0)


def calm(window) -> None:
    """Wait until cards have their places, another drawing is there, and the view stands still."""
    settle(window)
    canvas = window.canvas
    for _ in range(500):
        if not (canvas.tidying.is_working or canvas.redrawing.is_active or canvas.glide.is_active or canvas.is_behind):
            return
        QTest.qWait(10)
    raise AssertionError("something goes on and on")


def choose(window, *path: str) -> None:
    """Open a menu of the menu bar by mouse and go through ``path``, the names of menus, and click its last."""
    bar = window.menuBar()
    first = window.findChild(QMenu, f"menu.{path[0]}")
    QTest.mouseClick(bar, LEFT, PLAIN, bar.actionGeometry(first.menuAction()).center())
    menu = first
    for name in path[1:-1]:
        inner = window.findChild(QMenu, f"menu.{name}")
        while menu.activeAction() is not inner.menuAction():  # a high menu scrolls to it
            QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Right)
        settle()
        assert inner.isVisible(), name
        menu = inner
    action = next(action for action in menu.actions() if action.objectName() == f"action.{path[-1]}")
    assert action.isEnabled(), action.text()
    QTest.mouseClick(menu, LEFT, PLAIN, menu.actionGeometry(action).center())
    settle()
    if not window.isActiveWindow() and window.isVisible():  # no window manager gives it back
        window.activateWindow()
        settle()


def press(window, name: str) -> None:
    """Click the button with an object name."""
    button = window.findChild(QAbstractButton, name)
    assert button is not None, name
    assert button.isVisible(), name
    assert button.isEnabled(), name
    QTest.mouseClick(button, LEFT, PLAIN, QPoint(8, button.height() // 2))
    settle()


def press_tool(window, id_: str) -> None:
    """Click the toolbar's button of an action."""
    button = window.bars.toolbar.widgetForAction(window.findChild(QAction, f"action.{id_}"))
    assert isinstance(button, QToolButton)
    QTest.mouseClick(button, LEFT, PLAIN, button.rect().center())
    settle()


def key(window, code: Qt.Key, keys: Qt.KeyboardModifier = PLAIN) -> None:
    """Press a key where the focus is."""
    QTest.keyClick(window.focusWidget() or window, code, keys)
    settle()


def type_into(field: QWidget, text: str) -> None:
    """Click into a field, replace what is there."""
    QTest.mouseClick(field, LEFT)
    QTest.keyClick(field, Qt.Key.Key_A, CTRL)
    QTest.keyClicks(field, text)


class Dialogs(QObject):
    """Answers the next dialogs that open, one after the other, as soon as they are there."""

    def __init__(self, answers: tuple[Callable[[QWidget], None], ...]) -> None:
        super().__init__()
        self.answers = list(answers)
        self.seen: QWidget | None = None
        self.words = ""
        self.error: Exception | None = None
        self.timer = QTimer(self)
        self.timer.setInterval(5)
        self.timer.timeout.connect(self._look)
        self.timer.start()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is not None and dialog is not self.seen and dialog.isVisible() and dialog.isActiveWindow():
            self.seen = dialog
            self.words = dialog.text() if isinstance(dialog, QMessageBox) else dialog.windowTitle()
            answer = self.answers.pop(0)
            if not self.answers:
                self.timer.stop()
            try:
                answer(dialog)
            except Exception as error:  # shown by answering(); the dialog would wait for ever
                self.error = error
                dialog.close()


@contextmanager
def answering(*answers: Callable[[QWidget], None]) -> Iterator[Dialogs]:
    """While it lasts, the dialogs that open are answered; as many must have opened as there are answers."""
    dialogs = Dialogs(answers)
    yield dialogs
    settle()
    dialogs.timer.stop()
    if dialogs.error is not None:
        raise dialogs.error
    assert not dialogs.answers, "no dialog opened"


def with_button(button: QMessageBox.StandardButton) -> Callable[[QWidget], None]:
    """Click a button of a message box."""

    def answer(dialog: QWidget) -> None:
        assert isinstance(dialog, QMessageBox), dialog
        QTest.mouseClick(dialog.button(button), LEFT)

    return answer


def with_path(path: Path) -> Callable[[QWidget], None]:
    """Type a path into a file dialog and accept it."""

    def answer(dialog: QWidget) -> None:
        assert isinstance(dialog, QFileDialog), dialog
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        field.setCompleter(None)
        type_into(field, str(path))
        assert field.text() == str(path)
        box = dialog.findChild(QDialogButtonBox)
        accept = next(button for button in box.buttons() if box.buttonRole(button) == box.ButtonRole.AcceptRole)
        assert accept.isEnabled()
        QTest.mouseClick(accept, LEFT)

    return answer


def tensor(window, name: str):
    """The tensor called ``name`` as every panel shows it now."""
    ref = window.document.program.named(name)
    return window.document.state.tensor(ref.statement, ref.output)


def lines(window) -> list[str]:
    """The program's lines."""
    from chalkgrad.source import emit

    program = window.document.program
    return [emit.line(program, id_) for id_ in program.order if not program.is_inline(id_)]
