"""What went wrong: PyTorch's message as it is, and under it what led to it, in the reader's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QKeySequence, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.session.state import Problem
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.panels.advice import story
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.panels.row_list import ROW, WRAP, Index, RowDelegate, is_selected, wrapped_height
from chalkgrad_app.style import icons, theme
from chalkgrad_app.widgets.code_font import scaled

MOST = 500
"""So many problems are listed."""
MOST_STORIES = 10
"""For so many is told what led to them; of the others what such an error means."""


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """One problem as it is shown."""

    statement: int
    where: str
    message: str
    plain: str
    warning: bool

    @property
    def headline(self) -> str:
        """Where it happened, and PyTorch's message."""
        return f"{self.where}  {self.message}"

    def text(self) -> str:
        """All of it."""
        return "\n".join(part for part in (self.headline, self.plain) if part)


class ProblemDelegate(RowDelegate):
    """Paints a problem: sign, line number, message, and the plain words under it; all of it whole, and wrapped."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its wrapped text."""
        shown: ShownProblem = index.data(ROW)
        width = self._width()
        metrics = QFontMetrics(option.font)
        heights = [wrapped_height(metrics, width, text) for text in (shown.headline, shown.plain) if text]
        return QSize(width, sum(heights) + scaled(12))

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One problem."""
        shown: ShownProblem = index.data(ROW)
        look, chosen = theme.current(), is_selected(option)
        light = option.palette.color(QPalette.ColorRole.HighlightedText)
        ink = light if chosen else option.palette.color(QPalette.ColorRole.Text)
        red = light if chosen else look.color("ink" if shown.warning else "error_ink")
        metrics = QFontMetrics(option.font)
        left, top = option.rect.left() + scaled(10), option.rect.top() + scaled(5)
        side = metrics.height()
        mode = QIcon.Mode.Selected if chosen else QIcon.Mode.Normal
        icons.icon("warning" if shown.warning else "problem").paint(painter, QRect(left, top, side, side), mode=mode)
        left += side + scaled(8)
        painter.setFont(option.font)
        top = _write(painter, left, top, self._width(), shown.headline, red)
        if shown.plain:
            _write(painter, left, top + scaled(2), self._width(), shown.plain, ink)

    def _width(self) -> int:
        """Pixels that a row of text has."""
        width = self._view.viewport().width() - self._view.fontMetrics().height()
        return max(width - scaled(28), scaled(80))


class ProblemList(QListWidget):
    """The list; rows are as high as their text at the width there is."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class ProblemsPanel(Mirror):
    """Errors, then warnings, up to the cursor; clicking one goes to its line and card."""

    STANDARD_KEYS = (QKeySequence.StandardKey.Copy,)

    counted = Signal(int, int)  # how many problems there are, and how many of them are errors
    chosen = Signal(int)  # id of the statement to show

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "problems", parent)
        self._shown: list[ShownProblem] | None = None
        self._count = (-1, -1)
        self.list = ProblemList(self)
        self.list.setObjectName("problems.list")
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setItemDelegate(ProblemDelegate(self.list))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.itemClicked.connect(self._on_clicked)
        self.list.itemActivated.connect(self._on_clicked)
        self.take_keys_of(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        self.begin(document.traced, document.moved, document.changed)
        self._count_now()

    def schedule(self, *signal: object) -> None:
        """The count is told also while the list is hidden: the tab's title has it."""
        super().schedule(*signal)
        self._count_now()

    def follow(self) -> None:
        """Show what went wrong up to the cursor."""
        errors_first = sorted(_told_once(self.document.state.problems), key=lambda pair: pair[0].warning)[:MOST]
        shown = [self._words(*told, has_story=at < MOST_STORIES) for at, told in enumerate(errors_first)]
        if shown == self._shown:
            return
        self._shown = shown
        self.list.clear()
        for problem in shown:
            item = QListWidgetItem(problem.text())
            item.setData(ROW, problem)
            item.setToolTip(problem.message)
            self.list.addItem(item)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.list.setAccessibleName(self.tr("Problems"))

    def restyle(self) -> None:
        """Rows have another height."""
        self.list.scheduleDelayedItemsLayout()

    def text(self) -> str:
        """All that is shown."""
        self.catch_up()
        return "\n".join(problem.text() for problem in self._shown or ())

    def copied(self) -> str:
        """The chosen problems, all of them when none is chosen."""
        return "\n".join(item.text() for item in self.list.selectedItems()) or self.text()

    # ------------------------------------------------------------ inside

    def _count_now(self) -> None:
        problems = [problem for problem, _ in _told_once(self.document.state.problems)]
        count = (len(problems), sum(not problem.warning for problem in problems))
        if count != self._count:
            self._count = count
            self.counted.emit(*count)

    def _words(self, problem: Problem, times: int, has_story: bool) -> ShownProblem:
        line = self.document.program.lines.get(problem.statement, 0)
        plain = story(self.document, problem) if has_story else ""
        if not plain and problem.plain is not None:
            plain = render(problem.plain, language())
        where = self.tr("line {line}").format(line=line)
        if times > 1:
            where = self.tr("line {line}, {n} times").format(line=line, n=times)
        return ShownProblem(problem.statement, where, problem.printed, plain, problem.warning)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        id_ = item.data(ROW).statement
        self.document.select([id_])
        self.chosen.emit(id_)


def _told_once(problems: Iterable[Problem]) -> list[tuple[Problem, int]]:
    """Problems that differ, each with how often it came up: a line in a loop may fail in every round."""
    found: dict[tuple[object, ...], list[Problem]] = {}
    for problem in problems:
        found.setdefault((problem.statement, problem.type, problem.message), []).append(problem)
    return [(same[0], len(same)) for same in found.values()]


def _write(painter: QPainter, left: int, top: int, width: int, text: str, ink: QColor) -> int:
    """Write wrapped text; returns where the next may begin."""
    height = wrapped_height(painter.fontMetrics(), width, text)
    painter.setPen(ink)
    painter.drawText(QRect(left, top, width, height), WRAP, text)
    return top + height
