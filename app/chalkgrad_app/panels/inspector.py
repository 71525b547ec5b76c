"""The inspector: every fact of what is selected, as PyTorch prints it, and the editors of its line."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.program.building import has_card
from chalkgrad.program.statement import Statement
from chalkgrad_app.document import Document
from chalkgrad_app.editors.options import OptionsEditor, has_same_fields
from chalkgrad_app.i18n import language
from chalkgrad_app.panels import facts
from chalkgrad_app.panels.described import Described, DescribedTensor, describe
from chalkgrad_app.panels.mending import Mending
from chalkgrad_app.panels.mirror import LEAST, Mirror
from chalkgrad_app.style import icons, theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

SHOWN = 12
"""So many selected tensors are summed up; of more, only their number is said."""


class InspectorPanel(Mirror):
    """Facts and editors of the selection."""

    STANDARD_KEYS = (QKeySequence.StandardKey.Copy,)

    why_asked = Signal()
    """Somebody wants to know how a gradient came about."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "inspector", parent)
        self._shown: tuple[object, ...] | None = None
        self._described: tuple[Described, ...] = ()
        self._statements: tuple[Statement, ...] = ()
        self._labels: list[QLabel] = []
        self._editor: OptionsEditor | None = None
        self._asks_why = False
        self._area = QScrollArea(self)
        self._area.setObjectName("inspector.area")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._area)
        self.begin(document.selected, document.traced, document.moved, document.changed, document.covering)

    def sizeHint(self) -> QSize:
        """High enough for the facts of one tensor."""
        return QSize(scaled(304), scaled(250))

    def minimumSizeHint(self) -> QSize:
        """Some of the facts stay in sight; the rest scrolls."""
        return QSize(scaled(240), scaled(80)).boundedTo(LEAST)

    def follow(self) -> None:
        """Show the selection as it is at the cursor."""
        chosen = self.document.selected_statements
        described = tuple(describe(self.document, id_, brief=len(chosen) > 1) for id_ in chosen[:SHOWN])
        options = tuple(self.document.program[id_] for id_ in chosen) if len(chosen) == 1 else ()
        shown = (len(chosen), language(), theme.current().name, theme.text_size(), self._asks_why)
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
        return "\n\n".join(described.text() for described in self._described)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy everything as text."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy(self.text())
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ build

    def _is_framed_as(self, described: tuple[Described, ...], statements: tuple[Statement, ...]) -> bool:
        """True when what is to be shown differs from what is shown in texts alone."""
        if [each.frame() for each in described] != [each.frame() for each in self._described]:
            return False
        pairs = zip(statements, self._statements, strict=False)
        return len(statements) == len(self._statements) and all(has_same_fields(*pair) for pair in pairs)

    def _show_texts(self) -> None:
        """Put new texts into the page, which stays."""
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
        self._area.setWidget(self._page(left_out))
        self._area.verticalScrollBar().setValue(position)
        if old is not None:
            old.hide()
            old.deleteLater()  # it may hold the field whose signal brought us here
        again = self._area.findChild(QWidget, name) if name else None
        if again is not None:
            again.setFocus()

    def _page(self, left_out: int) -> QWidget:
        page = QWidget()
        self._labels, self._editor = [], None
        column = QVBoxLayout(page)
        column.setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(8))
        column.setSpacing(scaled(6))
        if not self._described:
            column.addWidget(self._hint(page))
        for index, described in enumerate(self._described):
            if index:
                column.addWidget(_rule(page))
            self._add_statement(page, column, described)
        if left_out:
            column.addWidget(QLabel(self.tr("... and {n} more").format(n=left_out), page))
        column.addStretch(1)
        return page

    def _hint(self, page: QWidget) -> QLabel:
        label = QLabel(self.tr("Select a card or a line to see everything about it."), page)
        label.setObjectName("inspector.hint")
        label.setWordWrap(True)
        _tint(label, "muted")
        return label

    def _add_statement(self, page: QWidget, column: QVBoxLayout, described: Described) -> None:
        for tensor in described.tensors[:1]:
            column.addWidget(self._title(page, tensor))
        column.addWidget(self._told(page, described.code, "inspector.code"))
        if described.status:
            label = QLabel(described.status, page)
            label.setObjectName("inspector.status")
            label.setWordWrap(True)
            _tint(label, "muted")
            column.addWidget(label)
        if described.problem:
            column.addWidget(self._problem(page, described))
        for index, tensor in enumerate(described.tensors):
            if index:
                column.addWidget(self._title(page, tensor))
            column.addLayout(self._facts(page, tensor))
        self._add_editor(page, column, described)

    def _add_editor(self, page: QWidget, column: QVBoxLayout, described: Described) -> None:
        if len(self.document.selected_statements) != 1 or not has_card(
            self.document.program, self.document.program[described.id]
        ):
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
        label = _fact(page, text, name)
        self._labels.append(label)
        return label

    def _title(self, page: QWidget, tensor: DescribedTensor) -> QWidget:
        bar = QWidget(page)
        row = QHBoxLayout(bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(scaled(8))
        name = QLabel(tensor.name, bar)
        name.setObjectName("inspector.name")
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setFont(code_font(bold=True))
        kind = QLabel(tensor.kind, bar)
        kind.setObjectName("inspector.kind")
        _tint(kind, "muted")
        copy = QToolButton(bar)
        copy.setObjectName("inspector.copy")
        copy.setIcon(icons.icon("copy"))
        copy.setIconSize(QSize(scaled(14), scaled(14)))
        copy.setAutoRaise(True)
        copy.setToolTip(self.tr("Copy everything shown as text"))
        copy.setAccessibleName(copy.toolTip())
        copy.clicked.connect(self._copy)
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
        message = _fact(box, described.problem, "inspector.problem")
        _tint(message, "error_ink")
        column.addWidget(message)
        if described.plain:
            plain = _fact(box, described.plain, "inspector.plain")
            plain.setFont(self.font())
            column.addWidget(plain)
        column.addWidget(Mending(self.document, described.id, described.story, box))
        return box

    def _facts(self, page: QWidget, tensor: DescribedTensor) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(scaled(12))
        form.setVerticalSpacing(scaled(4))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, text in tensor.facts:
            form.addRow(
                _label(page, self.tr("saved") if name == "saved" else name), self._field(page, name, text, tensor)
            )
            if name == "grad":
                self._add_notes(page, form, tensor)
        return form

    def _field(self, page: QWidget, name: str, text: str, tensor: DescribedTensor) -> QWidget:
        if name != "grad":
            return self._told(page, text, f"inspector.{name}")
        if tensor.is_covered:
            button = QToolButton(page)
            button.setObjectName("inspector.reveal")
            button.setText(facts.COVERED)
            button.setToolTip(self.tr("Click to reveal"))
            button.setAccessibleName(self.tr("covered gradient of {name}").format(name=tensor.name))
            button.setProperty("number", tensor.number)
            button.clicked.connect(self._reveal)
            return button
        label = self._told(page, text, "inspector.grad")
        return self._with_why(page, label, tensor) if tensor.why else label

    def _with_why(self, page: QWidget, label: QLabel, tensor: DescribedTensor) -> QWidget:
        """None, and beside it the question that the sentence under it answers."""
        holder = QWidget(page)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(scaled(8))
        label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        button = self._why_link(holder, "inspector.askWhy", tensor.why)
        button.setCheckable(True)
        button.setChecked(self._asks_why)
        button.clicked.connect(self._ask_why)
        row.addWidget(label)
        row.addWidget(button)
        row.addStretch(1)
        return holder

    def _why_link(self, parent: QWidget, name: str, tip: str) -> QToolButton:
        button = QToolButton(parent)
        button.setObjectName(name)
        button.setText(self.tr("why?"))
        button.setProperty("link", True)
        button.setToolTip(tip)
        button.setAutoRaise(True)
        button.setFont(ui_font(SMALL * theme.BASE_PIXELS * theme.text_size() / 100))
        _tint(button, "link", QPalette.ColorRole.ButtonText)
        return button

    def _add_notes(self, page: QWidget, form: QFormLayout, tensor: DescribedTensor) -> None:
        if tensor.sum:
            form.addRow(self._told(page, tensor.sum, "inspector.sum"))
        if tensor.has_grad:
            link = self._why_link(
                page, "inspector.explain", self.tr("The chain rule, with the numbers of this program")
            )
            link.setAccessibleName(self.tr("why is the gradient of {name} what it is?").format(name=tensor.name))
            link.clicked.connect(self.why_asked)
            form.addRow("", link)
        if tensor.why and self._asks_why:
            label = _fact(page, tensor.why, "inspector.why")
            label.setFont(self.font())
            form.addRow(label)

    # ------------------------------------------------------------ slots

    def _reveal(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.document.reveal(sender.property("number"))

    def _ask_why(self, on: bool) -> None:
        self._asks_why = on
        self.schedule()

    def _copy(self) -> None:
        self.copy(self.text())


def _label(page: QWidget, name: str) -> QLabel:
    label = QLabel(name, page)
    label.setObjectName("inspector.label")
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    label.setFont(code_font(ratio=SMALL))
    _tint(label, "muted")
    return label


def _fact(page: QWidget, text: str, name: str) -> QLabel:
    """One fact, which can be selected with mouse and keys."""
    label = QLabel(text, page)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(code_font(ratio=SMALL))
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def _tint(widget: QWidget, role: str, of: QPalette.ColorRole = QPalette.ColorRole.WindowText) -> None:
    """Write a widget's text in one of the theme's colours."""
    colors = widget.palette()
    colors.setColor(of, QColor(theme.current().color(role)))
    widget.setPalette(colors)


def _rule(page: QWidget) -> QFrame:
    """A thin line between two parts."""
    line = QFrame(page)
    line.setFrameShape(QFrame.Shape.HLine)
    line.setFixedHeight(1)
    line.setStyleSheet(f"background: {theme.current().border}; border: none;")
    return line
