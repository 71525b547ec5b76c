"""One backward written in three ways, side by side: what each gradient is, what stays, whether it can go on from there.

The program is run for each of them in a session of its own; the document is left alone.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from chalkgrad.explain.comparing import Outcome, Way, compare
from chalkgrad.program.board import Board
from chalkgrad.program.statement import DIFFERENTIATING
from chalkgrad_app import i18n
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.panels import facts
from chalkgrad_app.panels.fact_labels import fact_label
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.panels.sliced import SlicedWork
from chalkgrad_app.picture.look import Look, card_words
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.sprites import paint_card
from chalkgrad_app.style import theme
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

WORDS = {
    Way.PLAIN: QT_TRANSLATE_NOOP("Compare", "The values that the graph had saved are freed on the way."),
    Way.RETAIN: QT_TRANSLATE_NOOP("Compare", "The saved values stay, so that backward can run again."),
    Way.CREATE: QT_TRANSLATE_NOOP("Compare", "The backward itself is recorded, and the saved values stay, too."),
}
NO_GRAPH = QT_TRANSLATE_NOOP("Compare", "The gradient is a number like any other: it has no grad_fn.")
OWN_GRAPH = QT_TRANSLATE_NOOP("Compare", "The gradient has a grad_fn: it can be differentiated.")
OLD_GRAPH = QT_TRANSLATE_NOOP(
    "Compare", "The grad_fn is that of the .grad from before, to which this was added in place."
)
TOP = Qt.AlignmentFlag.AlignTop
AROUND, BETWEEN = 8.0, 16.0
"""Room around the cards of a column and between two of them, in canvas units."""


def compared_line(document: Document) -> int | None:
    """The backward in question: the selected or looked-at one, that of the selected node, else the last one.

    Of those nobody points at one with ``create_graph=True`` comes first.
    """
    program = document.program
    graph = None if document.node is None else document.session.trace.graph_of(document.node)
    asked = [*document.selected_statements, document.cursor_line, None if graph is None else graph.statement]
    lines = [id_ for id_ in reversed(program.order) if program[id_].kind in DIFFERENTIATING]
    recorded = [id_ for id_ in lines if program[id_].option("create_graph") is True]
    return next((id_ for id_ in (*asked, *recorded, *lines) if id_ in lines), None)


class CompareWindow(Mirror):
    """A window of its own beside the main one, which follows the document while it is open."""

    STANDARD_KEYS = (QKeySequence.StandardKey.Copy,)

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(document, "compare", parent)
        self.setWindowFlags(Qt.WindowType.Dialog)
        self._line: int | None = None
        self._shown: object = None
        self._outcomes: tuple[Outcome, ...] = ()
        self._working = SlicedWork(self)
        self._working.found.connect(self._on_found)
        self._area = QScrollArea(self)
        self._area.setObjectName("compare.area")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._area)
        self.begin(document.traced, document.changed, document.covering)

    def open_at(self, line: int | None = None) -> None:
        """Compare the ways to write one line, or else the one in question, where there is one."""
        self._line = compared_line(self.document) if line is None else line
        if self._line is None:
            return
        self.resize(self.sizeHint().boundedTo(self.screen().availableSize()))
        self.show()
        self.raise_()
        self.activateWindow()
        self._area.setFocus(Qt.FocusReason.OtherFocusReason)
        self.schedule()

    def sizeHint(self) -> QSize:
        """Wide enough for three columns."""
        return QSize(scaled(860), scaled(440))

    def follow(self) -> None:
        """Run the line in each way, unless that is shown already."""
        document = self.document
        if document.is_running:
            return
        line = -1 if self._line is None else self._line
        there = line in document.program and document.program[line].kind in DIFFERENTIATING
        look = (i18n.language(), theme.current().name, theme.text_size(), document.is_covering)
        shown = (document.program if there else None, line, look)
        if shown == self._shown:
            return
        self._shown = shown
        if not there:
            self._show_words(self.tr("The line that was compared is gone."))
            return
        self._working.begin(compare(document.program, line))

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.setWindowTitle(self.tr("retain_graph and create_graph, side by side"))
        self._area.setAccessibleName(self.windowTitle())
        self._shown = None

    def restyle(self) -> None:
        """The columns are made anew."""
        self._shown = None

    def text(self) -> str:
        """All of it as text, way by way."""
        return "\n\n".join("\n".join([outcome.code, *self._lines(outcome)]) for outcome in self._outcomes)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is worked out that nobody sees."""
        self._working.stop()
        self._shown = None
        super().hideEvent(event)

    # ------------------------------------------------------------ inside

    @Slot(object)
    def _on_found(self, outcomes: tuple[Outcome, ...]) -> None:
        self._outcomes = outcomes
        self._area.setWidget(self._page())

    def _page(self) -> QWidget:
        """A column for each way; what is of one kind stands in one row."""
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(scaled(16), scaled(12), scaled(16), scaled(12))
        grid.setHorizontalSpacing(scaled(24))
        grid.setVerticalSpacing(scaled(8))
        for column, outcome in enumerate(self._outcomes):
            grid.setColumnStretch(column, 1)
            code = fact_label(page, outcome.code, f"compare.{outcome.way}.code")
            code.setFont(code_font(ratio=SMALL, bold=True))
            grid.addWidget(code, 0, column, TOP)
            grid.addWidget(GradientCards(outcome, self.document, page), 1, column, TOP)
            for row, line in enumerate(self._lines(outcome)):
                grid.addWidget(self._line_label(page, outcome, line), row + 2, column, TOP)
        grid.setRowStretch(grid.rowCount(), 1)
        return page

    def _show_words(self, words: str) -> None:
        self._outcomes = ()
        label = QLabel(words)
        label.setObjectName("compare.words")
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._area.setWidget(label)

    def _line_label(self, page: QWidget, outcome: Outcome, line: str) -> QLabel:
        """A sentence; a line of code and an error are written as such."""
        name = f"compare.{outcome.way}.line"
        is_error = any(problem and line == problem.printed for problem in (outcome.problem, outcome.refused))
        label = fact_label(page, line, name)
        if is_error:
            tint(label, "error_ink")
        elif line != outcome.again:
            label.setFont(self.font())
        return label

    def _lines(self, outcome: Outcome) -> list[str]:
        """What there is to say of a way, a sentence each."""
        if outcome.problem is not None:
            return [outcome.problem.printed]
        lines = [translate("Compare", WORDS[outcome.way]), self._on_gradient(outcome)]
        kept = self.tr("Saved by the graph it went through: {n} values, {kept} kept.")
        lines.append(kept.format(n=outcome.saved, kept=outcome.kept))
        lines.append(self.tr("The gradient's own graph: {n} nodes.").format(n=outcome.nodes))
        if outcome.again:
            lines.append(outcome.again)
        if outcome.refused is not None:
            lines.append(outcome.refused.printed)
        elif outcome.again:
            lines.append(self.tr("works: the gradient can be differentiated again."))
        return lines

    def _on_gradient(self, outcome: Outcome) -> str:
        """Whether the gradients have a graph, and whose that is."""
        tensors = [outcome.state.tensor(id_) for id_ in outcome.cards]
        if not any(tensor is not None and tensor.requires_grad for tensor in tensors):
            return translate("Compare", NO_GRAPH)
        return translate("Compare", OWN_GRAPH if outcome.way is Way.CREATE else OLD_GRAPH)


class GradientCards(QWidget):
    """The gradients of one way as the cards that they are on the canvas."""

    def __init__(self, outcome: Outcome, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("compare.cards")
        self._picture = Picture(i18n.language())
        self._picture.gradients.shown = False
        state = outcome.state
        self._is_covered = document.is_covering
        self._picture.update(outcome.program, Board(), state)
        self._cards = [id_ for id_ in outcome.cards if id_ in self._picture.index]
        self.setAccessibleName(self._words(outcome))
        self.setToolTip(self.accessibleName())

    def sizeHint(self) -> QSize:
        """All cards, one below the other, at the text size in use."""
        heights = [self._picture.rect(id_).height() for id_ in self._cards]
        widths = [self._picture.rect(id_).width() for id_ in self._cards]
        height = sum(heights) + BETWEEN * max(len(heights) - 1, 0) + 2 * AROUND
        return QSize(scaled(max(widths, default=0.0) + 2 * AROUND), scaled(height))

    def minimumSizeHint(self) -> QSize:
        """They are not made smaller."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The canvas' own cards."""
        zoom = theme.text_size() / 100
        look = Look(theme=theme.current(), zoom=zoom, words=card_words(), vector=True)
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), theme.current().color("canvas"))
            painter.scale(zoom, zoom)
            painter.translate(AROUND, AROUND)
            for id_ in self._cards:
                if self._is_covered:
                    self._paint_cover(painter, self._picture.rect(id_))
                else:
                    self._paint_card(painter, id_, look)
                painter.translate(0, self._picture.rect(id_).height() + BETWEEN)
        finally:
            painter.end()

    def _paint_card(self, painter: QPainter, id_: int, look: Look) -> None:
        picture = self._picture
        paint_card(painter, picture.drawing, picture.face(id_), picture.program.lines[id_], look)

    def _paint_cover(self, painter: QPainter, rect: QRectF) -> None:
        painter.setPen(theme.current().color("cover_text"))
        area = QRectF(0, 0, rect.width(), rect.height())
        painter.fillRect(area, theme.current().color("cover"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, facts.COVERED)

    def _words(self, outcome: Outcome) -> str:
        """``gx: tensor([96., 216.]), requires_grad False, grad_fn None``."""
        parts = []
        for id_ in self._cards:
            tensor, name = outcome.state.tensor(id_), outcome.program[id_].name
            if tensor is not None:
                value = facts.COVERED if self._is_covered else tensor.short
                grad_fn = facts.grad_fn(outcome.state, tensor)
                parts.append(f"{name}: {value}, requires_grad {tensor.requires_grad}, grad_fn {grad_fn}")
        return "; ".join(parts)
