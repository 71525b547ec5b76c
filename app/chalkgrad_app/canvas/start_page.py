"""What an empty canvas offers: a field for an expression, the course example, a file."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chalkgrad_app.widgets.message_edit import FieldMessage, mark_wrong

FIELD = 340
"""Pixels across that an expression is typed in, where there is room."""
EXPRESSION = "y = (x + w) * (w + 1)"


class Start(QFrame):
    """What an empty canvas offers: type an expression, open the course example, open a file."""

    expression_entered = Signal(str)
    example_asked = Signal()
    open_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("start")
        self.field = QLineEdit(self)
        self.field.setObjectName("start.expression")
        self.field.setPlaceholderText(EXPRESSION)
        self.field.returnPressed.connect(self._enter)
        self.field.textEdited.connect(self._clear_message)
        self.title = QLabel(self)
        self.hint = QLabel(self)
        self.keys = QLabel(self)
        self.message = FieldMessage(self)
        self.message.setObjectName("start.message")
        self.example = QPushButton(self)
        self.example.setObjectName("start.example")
        self.example.clicked.connect(self._ask_example)
        self.open = QPushButton(self)
        self.open.setObjectName("start.open")
        self.open.clicked.connect(self._ask_open)
        self._arrange()
        self.retranslate()

    def takes(self, event: QKeyEvent) -> bool:
        """True for a key with which an expression begins; A opens quick-add here as everywhere, which reads it too."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.NoModifier
        begins = event.text().isalpha() or event.text() in ("_", "(")
        return plain and begins and event.key() != Qt.Key.Key_A

    def type(self, event: QKeyEvent) -> None:
        """Go on in the field with what was typed on the canvas."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.insert(event.text())
        self._clear_message(event.text())

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.title.setText(self.tr("Type an expression"))
        self.field.setAccessibleName(self.tr("Expression"))
        self.hint.setText(self.tr("or drag a tensor here from the left"))
        self.keys.setText(self.tr("A lists all operators"))
        self._shorten(False)

    def fit(self, room: QSize) -> None:
        """As large as it likes to be; on a narrow or low canvas the buttons lie below each other, with less air.

        Where that is still too high, it scrolls; then the field and the buttons are all there is, and they say less.
        """
        edges = self.size() - self.contentsRect().size()
        room = room - edges
        self._shorten(False)
        for is_tight in (False, True):
            wanted = self._laid_out(is_tight, room.width())
            if wanted.width() <= room.width() and wanted.height() <= room.height():
                break
        width = min(wanted.width(), room.width())
        height = max(self._column.heightForWidth(width), 0) or wanted.height()
        scrolls = height > room.height()
        if scrolls:
            self._shorten(True)
            self._laid_out(True, room.width() - self._scroll.verticalScrollBar().sizeHint().width())
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self._scroll.setVerticalScrollBarPolicy(policy)
        self.resize(QSize(room.width() if scrolls else width, min(height, room.height())) + edges)

    def _shorten(self, is_brief: bool) -> None:
        self.title.setHidden(is_brief)
        self.hint.setHidden(is_brief)
        self.keys.setHidden(is_brief)
        self.example.setText(self.tr("Course example") if is_brief else self.tr("Open the course example"))
        self.open.setText(self.tr("Open a file") if is_brief else self.tr("Open a .py or .chalk"))

    def _laid_out(self, is_tight: bool, width: int) -> QSize:
        """Lay out what is offered for so much room across; returns the size that it likes to have."""
        margin = 12 if is_tight else 28
        self._column.setContentsMargins(margin, margin - 4, margin, margin - 4)
        self._column.setSpacing(4 if is_tight else 12)
        self._buttons.setDirection(QBoxLayout.Direction.TopToBottom if is_tight else QBoxLayout.Direction.LeftToRight)
        for words in (self.title, self.hint, self.keys):
            words.setWordWrap(is_tight)
        self.field.setMinimumWidth(min(FIELD, width - 2 * margin))
        self._column.activate()
        return self._column.sizeHint()

    def show_message(self, text: str) -> None:
        """Say under the field what is wrong with the expression."""
        self.message.say(text)
        mark_wrong(self.field, text)
        if (canvas := self.parentWidget()) is not None:
            self.fit(canvas.size())

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _arrange(self) -> None:
        body = QWidget(self)
        self._scroll = scroll = QScrollArea(self)
        scroll.setObjectName("start.scroll")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        for ground in (body, scroll.viewport()):
            ground.setAutoFillBackground(False)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(scroll)
        self._column = column = QVBoxLayout(body)
        self.title.setObjectName("start.title")
        self.title.setProperty("heading", True)
        self.title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.hint.setObjectName("start.hint")
        self.hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.keys.setObjectName("start.keys")
        self.keys.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.addWidget(self.example)
        self._buttons.addWidget(self.open)
        column.addWidget(self.title)
        column.addWidget(self.field)
        column.addWidget(self.message)
        column.addWidget(self.hint)
        column.addWidget(self.keys)
        column.addLayout(self._buttons)

    def _enter(self) -> None:
        self.expression_entered.emit(self.field.text())

    def _clear_message(self, _text: str) -> None:
        self.show_message("")

    def _ask_example(self) -> None:
        self.example_asked.emit()

    def _ask_open(self) -> None:
        self.open_asked.emit()
