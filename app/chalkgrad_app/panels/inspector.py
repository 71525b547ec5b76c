"""The inspector: every fact of what is selected, as PyTorch prints it, and the editors of its line."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.program.cards import has_card
from chalkgrad.program.statement import Kind, Statement
from chalkgrad_app.document import Document
from chalkgrad_app.editors.attributes import has_same_fields
from chalkgrad_app.editors.options import OptionsEditor
from chalkgrad_app.i18n import language
from chalkgrad_app.panels.advice import Advice, offered
from chalkgrad_app.panels.described import DIFFERENCES, Described, DescribedTensor, describe
from chalkgrad_app.panels.fact_labels import fact_label
from chalkgrad_app.panels.fact_rows import FactRows, answer_name
from chalkgrad_app.panels.node_facts import DescribedNode, NodePage, describe_node
from chalkgrad_app.panels.side_panel import SidePanel
from chalkgrad_app.style import theme
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.code_text import CodeText
from chalkgrad_app.widgets.elided_label import ElidedLabel, GrowingLabel
from chalkgrad_app.widgets.flat_button import FlatButton
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.turns import turn

EDGE = 8
"""What is free left and right of the facts, in pixels at 100% text size."""

SHOWN = 12
"""So many selected tensors are summed up; of more, only their number is said."""

AT_ONCE = 3
"""So many of them are added in one turn of the event loop."""

MOST_LINES = 3
"""So many lines an error has at most: below it stands what mends it."""

LAID_OUT_MS = 30
"""After so long what grew has its size."""


class InspectorPanel(SidePanel):
    """Facts and editors of the selection."""

    panel_asked = Signal(str)
    """Somebody wants to see the panel of this name."""
    why_asked = Signal()
    """Somebody wants to know how a gradient came about."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "inspector", parent)
        self._shown: tuple[object, ...] | None = None
        self._described: tuple[Described, ...] = ()
        self._statements: tuple[Statement, ...] = ()
        self._labels: list[QLabel | CodeText] = []
        self._editor: OptionsEditor | None = None
        self._node: DescribedNode | None = None
        self._asked: frozenset[str] = frozenset()
        self._asked_of: tuple[int, ...] = ()
        self._opened = ""
        self._failed: int | None = None
        self._waiting: tuple[Described, ...] = ()
        self._left_out = 0
        self._column = QVBoxLayout()
        self._more = Later(self, self._go_on)
        self._gave_way = False
        self._answering = Later(self, self._scroll_to_answer)
        self._growing = Later(self, self._scroll_to_differences, LAID_OUT_MS)
        self._mending = Later(self, self._scroll_to_remedy)
        self._area = QScrollArea(self)
        self._area.setObjectName("inspector.area")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._area)
        self.begin(document.selected, document.traced, document.moved, document.changed, document.covering)

    def follow(self) -> None:
        """Show the selection as it is at the cursor."""
        chosen = self.document.selected_statements
        asked = self._asked if chosen == self._asked_of else frozenset()  # what was asked of one card is not of another
        described = tuple(describe(self.document, id_, brief=len(chosen) > 1, asked=asked) for id_ in chosen[:SHOWN])
        options = tuple(self.document.program[id_] for id_ in chosen) if len(chosen) == 1 else ()
        self._node = describe_node(self.document)
        shown = (len(chosen), language(), theme.current().name, theme.text_size(), self._node)
        is_same_page = shown == self._shown and self._is_framed_as(described, options)
        is_same = is_same_page and described == self._described and options == self._statements
        self._shown, self._described, self._statements = shown, described, options
        if not is_same_page:
            self._show_page(len(chosen) - len(described))
        elif not is_same:
            self._show_texts()

    def retranslate(self) -> None:
        """The texts are set when the page is made."""
        self._area.setAccessibleName(self.tr("Inspector"))
        self._shown = None

    def restyle(self) -> None:
        """The page is made anew, in the new colours."""
        self._shown = None

    def text(self) -> str:
        """All facts shown, a line each: for copying, for screen readers, for tests."""
        self.catch_up()
        described = self._described if self._node is None else (self._node,)
        return "\n\n".join(each.text() for each in described)

    # ------------------------------------------------------------ build

    def _is_framed_as(self, described: tuple[Described, ...], statements: tuple[Statement, ...]) -> bool:
        """True when what is to be shown differs from what is shown in texts alone."""
        if [each.frame() for each in described] != [each.frame() for each in self._described]:
            return False
        pairs = zip(statements, self._statements, strict=False)
        return len(statements) == len(self._statements) and all(has_same_fields(*pair) for pair in pairs)

    def _show_texts(self) -> None:
        """Put new texts into the page, which stays."""
        while self._waiting:
            self._add_more()
        self._more.stop()
        texts = (text for described in self._described for text in described.told())
        for label, text in zip(self._labels, texts, strict=True):
            if label.text() != text:
                label.setText(text)
        if self._editor is not None:
            self._editor.show_values()

    def _show_page(self, left_out: int) -> None:
        """Put a new page in the place of the old one; scrolling and focus stay where they were."""
        position = self._area.verticalScrollBar().value()
        focused = self.focusWidget()
        name = focused.objectName() if focused is not None and focused.hasFocus() else ""
        old = self._area.takeWidget()
        self._left_out = left_out
        self._area.setWidget(self._page())
        self._area.verticalScrollBar().setValue(position)
        if old is not None:
            old.hide()
            old.deleteLater()  # it may hold the field whose signal brought us here
        again = self._area.findChild(QWidget, name) if name else None
        if again is not None:
            again.setFocus()
        if self._opened:
            self._answering.schedule()  # once the page has its size
        failed = self._described[0].id if self._described and self._described[0].offers else None
        if failed != self._failed:
            self._failed = failed
            self._mending.schedule()

    @Slot()
    def _scroll_to_remedy(self) -> None:
        """Bring the first way to mend an error into view, as far as what led to the error stays there."""
        page = self._area.widget()
        advice = None if page is None else page.findChild(Advice)
        if advice is None or page is None:
            return
        bar, height = self._area.verticalScrollBar(), self._area.viewport().height()
        top = advice.mapTo(page, QPoint()).y()
        bar.setValue(min(top, max(bar.value(), top + advice.first_end() + scaled(4) - height)))

    @Slot()
    def _scroll_to_answer(self) -> None:
        """Bring what has just been opened into view."""
        fact, self._opened = self._opened, ""
        self._bring_into_view(fact)

    @Slot()
    def _scroll_to_differences(self) -> None:
        """The same of the finite differences, which may grow before they were brought into view, or after."""
        self._bring_into_view(DIFFERENCES)

    def _bring_into_view(self, fact: str) -> None:
        """Scroll to the answer about a fact, as far as the row that it belongs to stays in view."""
        page = self._area.widget()
        answer = page.findChild(QWidget, answer_name(fact)) if fact and page is not None else None
        if answer is None or page is None:
            return
        bar, height = self._area.verticalScrollBar(), self._area.viewport().height()
        top = answer.mapTo(page, QPoint()).y()
        row = top - answer.fontMetrics().height() - scaled(12)
        bar.setValue(min(row, max(bar.value(), top + answer.height() - height)))

    def _page(self) -> QWidget:
        page = QWidget(self._area.viewport())  # where it stays: Qt styles all of it anew for another parent
        self._labels, self._editor = [], None
        self._column = column = QVBoxLayout(page)
        column.setContentsMargins(scaled(EDGE), scaled(8), scaled(EDGE), scaled(8))
        column.setSpacing(scaled(6))
        if self._node is not None:
            column.addWidget(NodePage(self._node, page))
        elif not self._described:
            column.addWidget(self._hint(page))
        self._waiting = self._described
        self._add_more()
        return page

    def _go_on(self) -> None:
        """Add what waits, unless others have used up this turn of the event loop; not twice in a row."""
        self._gave_way = turn().is_over() and not self._gave_way
        if self._gave_way:
            self._more.schedule()
        else:
            turn().begin()
            self._add_more()

    def _add_more(self) -> None:
        """Add the statements that wait, some now, the others in turns that follow; the end after the last."""
        page = self._column.parentWidget() or self
        some, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        for described in some:
            if described.id not in self.document.program:  # a page without it is on its way
                continue
            if described is not self._described[0]:
                self._column.addWidget(_rule(page))
            self._add_statement(page, self._column, described)
        if self._waiting:
            self._more.schedule()
            return
        if self._left_out:
            self._column.addWidget(QLabel(self.tr("... and {n} more").format(n=self._left_out), page))
        self._column.addStretch(1)

    def _hint(self, page: QWidget) -> QLabel:
        label = QLabel(self.tr("Select a card or a line to see everything about it."), page)
        label.setObjectName("inspector.hint")
        label.setWordWrap(True)
        tint(label, "muted")
        return label

    def _add_statement(self, page: QWidget, column: QVBoxLayout, described: Described) -> None:
        for tensor in described.tensors[:1]:
            column.addWidget(self._title(page, tensor))
        code = CodeText(described.code, "inspector.code", code_font(ratio=SMALL), page)
        self._labels.append(code)
        column.addWidget(code)
        if described.training:
            column.addWidget(self._told(page, described.training, "inspector.training"))
        if described.status:
            label = QLabel(described.status, page)
            label.setObjectName("inspector.status")
            label.setWordWrap(True)
            tint(label, "muted")
            column.addWidget(label)
        if described.problem:
            column.addWidget(self._problem(page, described))
        for index, tensor in enumerate(described.tensors):
            if index:
                column.addWidget(self._title(page, tensor))
            column.addWidget(self._facts(page, tensor))
        self._add_editor(page, column, described)

    def _add_editor(self, page: QWidget, column: QVBoxLayout, described: Described) -> None:
        program, statement = self.document.program, self.document.program[described.id]
        has_fields = has_card(program, statement) or statement.kind is Kind.OPTIMIZER
        if len(self.document.selected_statements) != 1 or not has_fields:
            return
        editor = OptionsEditor(self.document, described.id, page)
        if editor.is_empty():
            editor.deleteLater()
            return
        column.addWidget(_rule(page))
        column.addWidget(editor)
        self._editor = editor

    def _told(self, page: QWidget, text: str, name: str) -> QLabel:
        """One of the labels whose texts :meth:`Described.told` has, in its order."""
        label = fact_label(page, text, name)
        self._labels.append(label)
        return label

    def _title(self, page: QWidget, tensor: DescribedTensor) -> QWidget:
        bar = QWidget(page)
        row = QHBoxLayout(bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(scaled(8))
        name = ElidedLabel(bar)
        name.setText(tensor.name)
        name.setObjectName("inspector.name")
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setFont(code_font(bold=True))
        kind = QLabel(tensor.kind, bar)
        kind.setObjectName("inspector.kind")
        tint(kind, "muted")
        copy = FlatButton("inspector.copy", "copy", self.copy_shown, bar)
        copy.say(self.tr("Copy everything shown as text"))
        row.addWidget(name)
        row.addWidget(kind)
        row.addStretch(1)
        row.addWidget(copy)
        return bar

    def _problem(self, page: QWidget, described: Described) -> QWidget:
        box = QFrame(page)
        box.setObjectName("inspector.problemBox")
        column = QVBoxLayout(box)
        column.setContentsMargins(scaled(8), 0, 0, 0)
        column.setSpacing(scaled(4))
        message = GrowingLabel(box, MOST_LINES)  # Problems says it whole
        message.setText(described.problem)
        message.setObjectName("inspector.problem")
        message.setTextFormat(Qt.TextFormat.PlainText)
        message.setFont(code_font(ratio=SMALL))
        tint(message, "error_ink")
        column.addWidget(message)
        if described.plain and not described.story:
            plain = fact_label(box, described.plain, "inspector.plain")
            plain.setFont(self.font())
            column.addWidget(plain)
        column.addWidget(self._advice(box, described))
        problem = self.document.state.statement(described.id).problem
        if problem is not None and self.document.session.trace.versions.conflict(problem.position) is not None:
            column.addWidget(self._versions_link(box))
        return box

    def _versions_link(self, box: QWidget) -> QPushButton:
        button = QPushButton(self.tr("Show who wrote, saved and read it"), box)
        button.setObjectName("inspector.conflict")
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setToolTip(self.tr("Its versions, with the lines and cards at fault"))
        button.clicked.connect(self._on_conflict)
        return button

    @Slot()
    def _on_conflict(self) -> None:
        self.panel_asked.emit("versions")

    def _advice(self, box: QWidget, described: Described) -> Advice:
        ask = partial(offered, self.document, described.id)
        return Advice(self.document, described.story, ask, "story", box)

    def _facts(self, page: QWidget, tensor: DescribedTensor) -> FactRows:
        bar = self._area.verticalScrollBar().sizeHint().width()
        rows = FactRows(self.document, tensor, page, self._area.width() - 2 * scaled(EDGE) - bar)
        rows.asked.connect(self._ask)
        rows.grown.connect(self._on_grown)
        rows.why_asked.connect(self.why_asked)
        rows.panel_asked.connect(self.panel_asked)
        self._labels += rows.labels
        return rows

    # ------------------------------------------------------------ slots

    def show_differences(self) -> None:
        """Show finite differences beside the gradients of the selection."""
        self._begin_asking()
        self._asked |= {DIFFERENCES}
        self._opened = DIFFERENCES
        self.schedule()

    @Slot()
    def _on_grown(self) -> None:
        """The finite differences take more room now."""
        self._growing.schedule()

    def _begin_asking(self) -> None:
        """Questions are about what is selected: others are forgotten."""
        chosen = self.document.selected_statements
        if chosen != self._asked_of:
            self._asked, self._asked_of = frozenset(), chosen

    def _ask(self, fact: str) -> None:
        """Open the answer to a question, or close it."""
        self._begin_asking()
        self._asked ^= {fact}
        self._opened = fact if fact in self._asked else ""
        self.schedule()


def _rule(page: QWidget) -> QFrame:
    """A thin line between two parts."""
    line = QFrame(page)
    line.setFrameShape(QFrame.Shape.HLine)
    line.setFixedHeight(1)
    line.setStyleSheet(f"background: {theme.current().border}; border: none;")
    return line
