"""The labels of a page of facts: what a fact is called, its text, and their colours."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QToolButton, QWidget

from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

WHOLE = 240
"""So wide the lines of a matrix may be to stay whole, in pixels at 100% text size: all that a narrow page has."""
BESIDE = 12
"""Between a name and its fact; a form forgets that when it looks whether the fact fits there."""

CLOSE = 6
"""Between a fact and the link beside it."""

WORD = re.compile(r"\(*<\w+>, \d+\)+,?\)?|\S+")
"""A word, or an edge of the graph, ``(<ViewBackward0>, 0)``: neither is broken where there is room for it."""

ASIDE = 2
"""Room left and right of the words of a link, for the frame of the focus."""


class FactLabel(QLabel):
    """A fact. It asks for the width of its words, or of its lines: a form then puts it under its name.

    One in a row of a form, ``is_alone``, asks for what is between it and its name as well, which a form forgets.
    """

    is_alone = True

    def minimumSizeHint(self) -> QSize:
        """As narrow as its longest word, which nothing should break, or as wide as several lines need."""
        hint, lines = super().minimumSizeHint(), self.text().split("\n")
        whole = lines if len(lines) > 1 else WORD.findall(self.text())
        widest = max((self.fontMetrics().horizontalAdvance(text) for text in whole), default=0)
        hint.setWidth(max(hint.width(), min(widest + (scaled(BESIDE) if self.is_alone else 1), scaled(WHOLE))))
        return hint


class FactWithLink(QWidget):
    """A fact with the way on beside it: as wide as both at the least, and what is between them and the name."""

    def __init__(self, fact: QWidget, link: QToolButton, page: QWidget) -> None:
        super().__init__(page)
        if isinstance(fact, FactLabel):
            fact.is_alone = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(scaled(CLOSE))
        row.addWidget(fact, 1)
        row.addWidget(link, 0, Qt.AlignmentFlag.AlignTop)  # all links end at one edge

    def minimumSizeHint(self) -> QSize:
        """With what a form forgets."""
        return super().minimumSizeHint() + QSize(scaled(BESIDE), 0)


class FactLines(QScrollArea):
    """A fact of several lines, a matrix, that are never broken: they are scrolled where they are too wide."""

    def __init__(self, label: QLabel, page: QWidget) -> None:
        super().__init__(page)
        self._label = label
        label.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setWidgetResizable(True)
        self.setWidget(label)
        for part in (label, self.viewport()):
            part.setAutoFillBackground(False)

    def hasHeightForWidth(self) -> bool:
        """A scroll bar takes height where the lines are wider than what there is."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As high as its lines, and the scroll bar where one is needed."""
        hint = self._label.sizeHint()
        return hint.height() + (self.horizontalScrollBar().sizeHint().height() if hint.width() > width else 0)

    def sizeHint(self) -> QSize:
        """All of its lines."""
        return self._label.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """All that a narrow page has, where the lines are as wide as that."""
        hint = self._label.sizeHint()
        return QSize(min(hint.width() + scaled(BESIDE), scaled(WHOLE)), hint.height())

    def event(self, event: QEvent) -> bool:
        """Other lines want other room."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


class FactLink(QToolButton):
    """A way on beside a fact, written on its line."""

    def __init__(self, name: str, page: QWidget) -> None:
        super().__init__(page)
        self.setObjectName(name)
        font = QFont(_link_font())
        font.setUnderline(True)
        self.setFont(font)
        self._line = QFontMetrics(code_font(ratio=SMALL))
        self.setFixedHeight(line_height())

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        room = 2 * scaled(ASIDE)
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + room, line_height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Its words, on the line of the fact; a frame for the focus."""
        painter = QPainter(self)
        try:
            painter.setFont(self.font())
            painter.setPen(theme.current().color("link"))
            painter.drawText(QPointF(scaled(ASIDE), self._line.ascent()), self.text())
            if self.hasFocus():
                painter.setPen(theme.current().color("focus"))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        finally:
            painter.end()


def _link_font() -> QFont:
    return ui_font(SMALL * theme.BASE_PIXELS * theme.text_size() / 100)


def line_height() -> int:
    """A fact and a link have room in a row of this height."""
    return max(QFontMetrics(_link_font()).height(), QFontMetrics(code_font(ratio=SMALL)).height())


def name_label(page: QWidget, name: str) -> QLabel:
    """What a fact is called."""
    label = QLabel(name, page)
    label.setObjectName("inspector.label")
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    label.setFont(code_font(ratio=SMALL))
    tint(label, "muted")
    return label


def fact_label(page: QWidget, text: str, name: str, kind: type[QLabel] = FactLabel) -> QLabel:
    """One fact, which can be selected with mouse and keys."""
    label = kind(text, page)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(code_font(ratio=SMALL))
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label
