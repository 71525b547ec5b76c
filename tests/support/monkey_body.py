"""What a monkey has before it does anything: a window, words and keys that it knows, a way to find and use things."""

from __future__ import annotations

import random

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QTextEdit,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid
from support.hands import ALT, CTRL, LEFT, PLAIN, SHIFT, Hands, process

from chalkgrad_app.actions import ACTIONS
from chalkgrad_app.main import create_window
from chalkgrad_app.main_window import MainWindow

NEVER = frozenset(
    {
        *("new", "open", "saveAs", "save", "duplicateDocument", "close", "quit", "about", "keys"),
        *("exportImage", "exportCode"),
    }
)
"""Actions that open windows, or dialogs that wait for somebody; closing and opening is an act of its own."""
ALLOWED = frozenset(action.object_name for action in ACTIONS if action.id not in NEVER)


OPERATORS = (
    "add",
    "mul",
    "exp",
    "sum",
    "relu",
    "matmul",
    "tensor",
    "tensor-grad",
    "sub_",
    "reshape",
    "split",
    "max_dim",
    "cat",
)
TYPED = (
    *("y = (x + w) * (w + 1)", "x * 2", "sum", "mul", "相乘", "+", "z = w.sum()", "nonsense(", "[1, 2, 3]", "3.5", ""),
    *(
        "torch.tensor([[1., 2.], [3., 4.]])",
        "-1",
        "w",
        "a b",
        "1e400",
        "nan",
        "（１，２）",
        "y",
        "class",
        "torch.ones(3, 4)",
    ),
    *(
        "# Title\n- one\n- **two** $x^2$",
        "[1 2; 3 4]",
        "dim",
        "0",
        "split",
        "True",
        "cat",
        "torch.rand(30, 40)",
        "note",
    ),
)
KEYS = (
    *((Qt.Key.Key_Delete, PLAIN), (Qt.Key.Key_Delete, ALT), (Qt.Key.Key_Z, CTRL), (Qt.Key.Key_Z, CTRL)),
    *((Qt.Key.Key_C, CTRL), (Qt.Key.Key_V, CTRL), (Qt.Key.Key_X, CTRL), (Qt.Key.Key_D, CTRL), (Qt.Key.Key_A, CTRL)),
    *((Qt.Key.Key_R, CTRL), (Qt.Key.Key_Tab, PLAIN), (Qt.Key.Key_Backtab, SHIFT), (Qt.Key.Key_Escape, PLAIN)),
    *((Qt.Key.Key_Left, PLAIN), (Qt.Key.Key_Right, PLAIN), (Qt.Key.Key_Up, SHIFT), (Qt.Key.Key_Down, CTRL)),
    *((Qt.Key.Key_G, PLAIN), (Qt.Key.Key_R, PLAIN), (Qt.Key.Key_H, PLAIN), (Qt.Key.Key_L, PLAIN)),
    *((Qt.Key.Key_F, PLAIN), (Qt.Key.Key_Home, PLAIN), (Qt.Key.Key_1, PLAIN), (Qt.Key.Key_B, CTRL)),
    *((Qt.Key.Key_Return, PLAIN), (Qt.Key.Key_F2, PLAIN), (Qt.Key.Key_A, PLAIN), (Qt.Key.Key_PageUp, PLAIN)),
    *((Qt.Key.Key_PageDown, PLAIN), (Qt.Key.Key_End, PLAIN), (Qt.Key.Key_Left, ALT), (Qt.Key.Key_Right, ALT)),
    *(
        (Qt.Key.Key_S, PLAIN),
        (Qt.Key.Key_C, PLAIN),
        (Qt.Key.Key_E, PLAIN),
        (Qt.Key.Key_M, PLAIN),
        (Qt.Key.Key_X, PLAIN),
    ),
    *((Qt.Key.Key_W, SHIFT), (Qt.Key.Key_C, SHIFT), (Qt.Key.Key_G, CTRL), (Qt.Key.Key_F, SHIFT), (Qt.Key.Key_L, SHIFT)),
    (Qt.Key.Key_X, PLAIN),
    *((Qt.Key.Key_H, SHIFT | ALT), (Qt.Key.Key_Left, SHIFT | ALT), (Qt.Key.Key_A, SHIFT), (Qt.Key.Key_X, ALT)),
    *((Qt.Key.Key_Y, CTRL), (Qt.Key.Key_Y, CTRL), (Qt.Key.Key_I, PLAIN), (Qt.Key.Key_O, PLAIN), (Qt.Key.Key_V, PLAIN)),
)
WIRING_KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab, Qt.Key.Key_A, Qt.Key.Key_B),
    *(Qt.Key.Key_C, Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Escape),
)
ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape)
MODIFIERS = (PLAIN, PLAIN, PLAIN, PLAIN, ALT, SHIFT, CTRL, CTRL | ALT)
FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QSpinBox)
MOST_CARDS = 40
MOST_EVENTS = 8000
"""With more cards or events than this the monkey clears the canvas, so that it stays quick."""


SIZE = (900, 560)
"""Of the window at first, in pixels: there is less to paint than in a large one."""


class Body:
    """A window and a source of chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.window: MainWindow = create_window()
        self.window.resize(*SIZE)

    @property
    def hands(self) -> Hands:
        return Hands(self.window.canvas)

    @property
    def is_full(self) -> bool:
        """There is more than a monkey can do much with."""
        document = self.window.document
        return len(document.program.order) > MOST_CARDS or len(document.session.trace) > MOST_EVENTS

    # ------------------------------------------------------------ where

    def point(self) -> QPoint:
        """A point of the canvas: of a card, a note, a frame or what lies beside them, more often than not."""
        canvas = self.window.canvas
        rect = canvas.rect()
        things = [*self._cards(), *canvas.document.board.notes, *canvas.document.board.frames]
        beside = [layer.rect(key) for layer in (*canvas.picture.beside, canvas.picture.lines) for key in layer.keys]
        where = self.chance.random()
        if beside and where < 0.2:
            rect = canvas.viewport.rect_to_view(self.chance.choice(beside)).toRect().intersected(rect)
        elif things and where < 0.75:
            rect = canvas.view_rect_of(self.chance.choice(things)).intersected(rect)
        return self._within(canvas.rect() if rect.isEmpty() else rect)

    def _within(self, rect: QRect) -> QPoint:
        return QPoint(self.chance.randint(rect.left(), rect.right()), self.chance.randint(rect.top(), rect.bottom()))

    def _cards(self) -> list[int]:
        return list(self.window.canvas.picture.ids)

    def _port(self, inputs: bool) -> QPoint | None:
        canvas = self.window.canvas
        ports = [
            port for id_ in self._cards() for port in canvas.picture.ports(id_) if (port.kind == "input") is inputs
        ]
        if not ports:
            return None
        port = self.chance.choice(ports)
        point = canvas.to_view(QPointF(port.x, port.y)).toPoint()
        return point if canvas.rect().contains(point) else None

    # ------------------------------------------------------------ inside

    def settle(self) -> None:
        """Close what is open, and call off what goes on."""
        self._leave()
        self.window.canvas.dispatcher.cancel()
        process()

    def _activate(self) -> None:
        """Have the window active, whatever opened beside it: keys do nothing in another one."""
        if QApplication.activeWindow() is not self.window:
            self.window.activateWindow()
            process()

    def _press(self, key: Qt.Key, keys: Qt.KeyboardModifier = PLAIN) -> None:
        """A key at the canvas."""
        self._activate()
        self.window.canvas.setFocus()
        QTest.keyClick(self.window.canvas, key, keys)
        process()

    def _focused(self) -> QWidget:
        popup = QApplication.activePopupWidget() or QApplication.focusWidget()
        return popup or self.window.focusWidget() or self.window.canvas

    def _is_typing(self) -> bool:
        return isinstance(QApplication.focusWidget() or self.window.focusWidget(), FIELDS)

    def _at_card(self, key: Qt.Key, keys: Qt.KeyboardModifier = PLAIN, type_too: bool = True) -> str:
        """A key at one card selected (at several, now and then), then something typed."""
        self._leave()
        self.window.canvas.setFocus()
        cards = self._cards()
        if cards:
            self.window.document.select(self.chance.sample(cards, min(len(cards), self.chance.choice((1, 1, 1, 2)))))
        QTest.keyClick(self.window.canvas, key, keys)
        process()
        text = self.chance.choice(TYPED)
        if type_too:
            self._type(text)
        return text

    def _inputs(self, around: QWidget) -> list[QWidget]:
        kinds = (QAbstractButton, *FIELDS, QComboBox, QAbstractItemView, QSlider, QDoubleSpinBox)
        found = [widget for widget in around.findChildren(QWidget) if isinstance(widget, kinds)]
        return [widget for widget in found if widget.isVisible() and widget.isEnabled()]

    def _use(self, widget: QWidget) -> str:
        """Do with an input what it is for."""
        name = f"{type(widget).__name__} {widget.objectName()}"
        if isinstance(widget, QAbstractItemView) and not widget.viewport().rect().isEmpty():
            at = self._within(widget.viewport().rect())
            QTest.mouseClick(widget.viewport(), LEFT, self.chance.choice((PLAIN, PLAIN, CTRL)), at)
            key, keys = self.chance.choice(
                (
                    *(
                        (Qt.Key.Key_Down, PLAIN),
                        (Qt.Key.Key_Up, ALT),
                        (Qt.Key.Key_Delete, PLAIN),
                        (Qt.Key.Key_F2, PLAIN),
                    ),
                    *(
                        (Qt.Key.Key_5, PLAIN),
                        (Qt.Key.Key_Return, PLAIN),
                        (Qt.Key.Key_Down, SHIFT),
                        (Qt.Key.Key_Z, CTRL),
                    ),
                )
            )
            QTest.keyClick(widget, key, keys)
            return f"{name} {at.toTuple()} {key.name} {keys.value}"
        menu = widget.menu() if isinstance(widget, QToolButton | QPushButton) else None
        if menu is not None:  # a click would wait for an answer
            menu.popup(widget.mapToGlobal(widget.rect().bottomLeft()))
            return f"{name} {self._choose(menu)}"
        if isinstance(widget, QAbstractButton):
            QTest.mouseClick(widget, LEFT, PLAIN, widget.rect().center())
            return name
        if isinstance(widget, QSlider):
            start, end = self._within(widget.rect()), self._within(widget.rect())
            QTest.mousePress(widget, LEFT, PLAIN, start)
            QTest.mouseMove(widget, end)
            process()
            QTest.mouseRelease(widget, LEFT, PLAIN, end)
            return f"{name} {start.x()} to {end.x()}"
        if isinstance(widget, QComboBox | QSpinBox | QDoubleSpinBox):
            key = self.chance.choice((Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_9))
            QTest.keyClick(widget, key)
            return f"{name} {key.name}"
        if isinstance(widget, FIELDS):
            widget.setFocus()
            text = self.chance.choice(TYPED)
            self._type(text, widget)
            return f"{name} {text!r}"
        return name

    def _type(self, text: str, focus: QWidget | None = None) -> None:
        """Type where the focus is, then Enter, Tab or Escape."""
        focus = focus or self._focused()
        if focus is self.window.canvas:
            return
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if number:
                QTest.keyClick(focus, Qt.Key.Key_Return, SHIFT)
            if line.isascii():
                QTest.keyClicks(focus, line)
            elif self.hands.focused().testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled):
                self.hands.type(line)
        focus = self._focused()
        QTest.keyClick(focus, self.chance.choice(ENDS), self.chance.choice((PLAIN, PLAIN, CTRL)))
        process()
        self._leave()

    def _choose(self, menu: QMenu) -> str:
        """Take an entry of an open menu, or go away."""
        found = [entry for entry in menu.actions() if entry.isEnabled() and not entry.isSeparator()]
        names = (action.objectName().removeprefix("action.") for action in found)
        entries = [entry for entry, name in zip(found, names, strict=True) if name not in NEVER]
        if not entries:
            menu.close()
            return "nothing"
        entry = self.chance.choice(entries)
        text = entry.text()
        menu.setActiveAction(entry)
        QTest.keyClick(menu, Qt.Key.Key_Return)
        process()
        inner = entry.menu() if isValid(entry) else None
        if isinstance(inner, QMenu) and inner.isVisible():
            return f"{text} > {self._choose(inner)}"
        self._answer()
        return text

    def _answer(self) -> None:
        """What a drag or a command opened: type something or take an entry, or go away."""
        process()
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu) and self.chance.random() < 0.5:
            self._choose(popup)
        elif self._is_typing() and self.chance.random() < 0.5:
            self._type(self.chance.choice(TYPED))
        else:
            self._leave()

    def _leave(self) -> None:
        """Close what is open over the canvas."""
        for _ in range(6):
            popup = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            others = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget.isWindow()]
            other = next((w for w in others if w is not self.window and w.objectName() == "valueEditor"), None)
            if popup is not None:
                popup.close()
            elif other is not None:
                other.close()
                self.window.activateWindow()
            elif self._is_typing() or self.window.area.find_bar.isVisible() or self.window.canvas.quick.isVisible():
                QTest.keyClick(self._focused(), Qt.Key.Key_Escape)
                self.window.canvas.setFocus()
                self.window.area.find_bar.hide()
            else:
                break
            process()
