"""The autograd panel: the options of a backward, and a button for every line that autograd lessons append."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.errors import ChalkgradError
from chalkgrad.program import building
from chalkgrad.program.statement import Kind, Operand, Ref
from chalkgrad.source import read
from chalkgrad.text import render
from chalkgrad_app import steps
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.widgets.elided import ElidedButton

RETAIN = (("None", None), ("True", True), ("False", False))

LINES: tuple[tuple[str, Callable[[Document], steps.Lines], str], ...] = (
    ("retainGrad", steps.retain_grad, "retain_grad()"),
    ("zeroGrad", steps.zero_to_none, "grad = None"),
    ("zeroGradZeros", steps.zero_to_zeros, "grad.zero_()"),
    ("detach", steps.detach, "detach()"),
    ("detachInPlace", steps.detach_in_place, "detach_()"),
    ("requiresGrad", steps.requires_grad, "requires_grad_()"),
)
"""Buttons below the options: the action they are like, the lines they append, what they say where there is nothing."""


class AutogradPanel(QWidget):
    """Options first, then the line they make, then the other lines. Options go back to the defaults after each press."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.autograd")
        self._document = document
        self._inputs: tuple[Ref, ...] = ()
        self._make_options()
        self._make_buttons()
        self._arrange()
        for signal in (document.selected, document.changed, document.finished, document.moved):
            signal.connect(self.refresh)
        self.retranslate()

    # ------------------------------------------------------------ read

    def options(self) -> steps.BackwardOptions:
        """What is chosen; ChalkgradError when the gradient can't be read."""
        return steps.BackwardOptions(
            self.root.currentData(),
            self._gradient(),
            self.retain_graph.currentData(),
            self.create_graph.isChecked(),
            self._inputs,
        )

    def focus_options(self) -> None:
        """Put the focus into the first option."""
        self.gradient.setFocus()

    # ------------------------------------------------------------ follow

    def refresh(self, *_: object) -> None:
        """Follow the document: what can be a root or an input, and the lines that the buttons show."""
        self._fill_roots()
        self._inputs = tuple(ref for ref in self._inputs if ref.statement in self._document.program)
        self._show_inputs()
        self._show_lines()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.title.setText(self.tr("Autograd"))
        self.root_label.setText(self.tr("root"))
        self.root.setAccessibleName(self.tr("root of the backward"))
        self.gradient.setPlaceholderText(self.tr("empty = None"))
        self.gradient.setAccessibleName("gradient")
        self.gradient.setToolTip(self.tr("Weights for a root that is not a scalar: a value or the name of a tensor"))
        self.retain_graph.setAccessibleName("retain_graph")
        self.retain_graph.setToolTip(self.tr("Keep the buffers, so that backward can run again"))
        self.create_graph.setToolTip(self.tr("Record the gradient's own computation, for second derivatives"))
        self.inputs.setToolTip(self.tr("Accumulate into these tensors only"))
        self.inputs.setAccessibleName("inputs")
        self.backward.setToolTip(BY_ID["backward"].tip())
        self.grad.setToolTip(self.tr("Return the gradients instead of accumulating them into .grad"))
        for id_, button in self.lines.items():
            button.setToolTip(BY_ID[id_].tip())
        for button, id_ in ((self.run_forward, "runForward"), (self.start_over, "startOver")):
            button.setText(BY_ID[id_].title())
            button.setToolTip(BY_ID[id_].tip())
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ------------------------------------------------------------ build

    def _make_options(self) -> None:
        self.title = QLabel(self)
        self.title.setObjectName("panelTitle")
        self.root_label = QLabel(self)
        self.root = QComboBox(self)
        self.root.setObjectName("autograd.root")
        self.root.activated.connect(self._show_lines)
        self.gradient = QLineEdit(self)
        self.gradient.setObjectName("autograd.gradient")
        self.gradient.textChanged.connect(self._show_lines)
        self.gradient.returnPressed.connect(self._run_backward)
        self.message = QLabel(self)
        self.message.setObjectName("fieldMessage")
        self.message.setWordWrap(True)
        self.message.hide()
        self.retain_graph = QComboBox(self)
        self.retain_graph.setObjectName("autograd.retain_graph")
        for text, value in RETAIN:
            self.retain_graph.addItem(text, value)
        self.retain_graph.activated.connect(self._show_lines)
        self.create_graph = QCheckBox("create_graph", self)
        self.create_graph.setObjectName("autograd.create_graph")
        self.create_graph.toggled.connect(self._show_lines)
        self.inputs = QToolButton(self)
        self.inputs.setObjectName("autograd.inputs")
        self.inputs.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._inputs_menu = QMenu(self.inputs)
        self._inputs_menu.aboutToShow.connect(self._fill_inputs)
        self.inputs.setMenu(self._inputs_menu)

    def _make_buttons(self) -> None:
        self.backward = self._line_button("autograd.backward", self._run_backward)
        self.backward.setProperty("primary", True)
        self.grad = self._line_button("autograd.grad", self._run_grad)
        self.lines: dict[str, ElidedButton] = {}
        for id_, _, _ in LINES:
            self.lines[id_] = self._line_button(f"autograd.{id_}", self._run_line)
        self.run_forward = self._words_button("autograd.runForward", self._run_forward)
        self.start_over = self._words_button("autograd.startOver", self._start_over)

    def _line_button(self, name: str, slot: Callable[..., None]) -> ElidedButton:
        button = ElidedButton(self)
        button.setObjectName(name)
        button.clicked.connect(slot)
        policy = button.sizePolicy()
        policy.setHorizontalPolicy(policy.Policy.Expanding)
        button.setSizePolicy(policy)
        return button

    def _words_button(self, name: str, slot: Callable[..., None]) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.clicked.connect(slot)
        policy = button.sizePolicy()
        policy.setHorizontalPolicy(policy.Policy.Expanding)
        button.setSizePolicy(policy)
        return button

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        for row, (label, field) in enumerate(
            (
                (self.root_label, self.root),
                (_code("gradient", self), self.gradient),
                (None, self.message),
                (_code("retain_graph", self), self.retain_graph),
            )
        ):
            if label is not None:
                grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1, 1, 2)
        grid.addWidget(self.create_graph, 4, 0, 1, 2)
        grid.addWidget(self.inputs, 4, 2, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(1, 1)
        pairs = QGridLayout()
        pairs.setSpacing(4)
        for index, button in enumerate((*self.lines.values(), self.run_forward, self.start_over)):
            pairs.addWidget(button, index // 2, index % 2)
        pairs.setColumnStretch(0, 1)
        pairs.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 8)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addLayout(grid)
        column.addWidget(self.backward)
        column.addWidget(self.grad)
        column.addLayout(pairs)
        column.addStretch(1)

    # ------------------------------------------------------------ inside

    def _gradient(self) -> Operand:
        text = self.gradient.text().strip()
        if not text or text == "None":
            return None
        named = self._document.program.named(text)
        return named if named is not None else read.read_value(text)

    def _fill_roots(self) -> None:
        chosen = self.root.currentData()
        root = self._document.root()
        self.root.clear()
        name = self._document.program[root.statement].name if root else ""
        self.root.addItem(self.tr("{name} (selection)").format(name=name) if name else self.tr("selection"), None)
        for statement in self._document.program:
            if statement.kind in building.CARDS and not self._document.program.is_inline(statement.id):
                for output, target in enumerate(statement.targets):
                    if target:
                        self.root.addItem(target, Ref(statement.id, output))
        at = next((row for row in range(self.root.count()) if self.root.itemData(row) == chosen), 0)
        self.root.setCurrentIndex(at)

    def _fill_inputs(self) -> None:
        self._inputs_menu.clear()
        for statement in self._document.program:
            if statement.kind in (Kind.LEAF, Kind.OP) and statement.name:
                ref = Ref(statement.id)
                action = self._inputs_menu.addAction(statement.name)
                action.setCheckable(True)
                action.setChecked(ref in self._inputs)
                action.setData(statement.id)
                action.toggled.connect(self._toggle_input)

    def _toggle_input(self, on: bool) -> None:
        sender = self.sender()
        if isinstance(sender, QAction):
            ref = Ref(sender.data())
            others = tuple(other for other in self._inputs if other != ref)
            self._inputs = (*others, ref) if on else others
            self._show_inputs()
            self._show_lines()

    def _show_inputs(self) -> None:
        names = ", ".join(self._document.program[ref.statement].name for ref in self._inputs)
        self.inputs.setText(f"inputs [{names}]" if names else "inputs")

    def _show_lines(self, *_: object) -> None:
        document = self._document
        try:
            options = self.options()
        except ChalkgradError as error:
            self.message.setText(render(error.text, language()))
            self.message.show()
            return
        self.message.hide()
        backward, grad = steps.backward(document, options), steps.grad(document, options)
        self._show_line(self.backward, backward, "backward()")
        self._show_line(self.grad, grad, "torch.autograd.grad()")
        for id_, make, nothing in LINES:
            self._show_line(self.lines[id_], make(document), nothing)

    def _show_line(self, button: ElidedButton, lines: steps.Lines, nothing: str) -> None:
        button.setText(steps.text(self._document, lines) or nothing)
        button.setEnabled(bool(lines))

    def _reset(self) -> None:
        """Options go back to PyTorch's defaults after each press."""
        self.root.setCurrentIndex(0)
        self.gradient.clear()
        self.retain_graph.setCurrentIndex(0)
        self.create_graph.setChecked(False)
        self._inputs = ()
        self.refresh()

    # ------------------------------------------------------------ slots

    def _run_backward(self) -> None:
        self._run_with_options(steps.backward)

    def _run_grad(self) -> None:
        self._run_with_options(steps.grad)

    def _run_with_options(self, make: Callable[[Document, steps.BackwardOptions], steps.Lines]) -> None:
        try:
            lines = make(self._document, self.options())
        except ChalkgradError:
            self.gradient.setFocus()
            return
        if lines:
            self._document.append_all(lines, steps.text(self._document, lines))
            self._reset()

    def _run_line(self) -> None:
        sender = self.sender()
        for id_, make, _ in LINES:
            if sender is self.lines[id_]:
                steps.run(self._document, make)

    def _run_forward(self) -> None:
        self._document.run_forward_again()

    def _start_over(self) -> None:
        self._document.start_over()


def _code(text: str, parent: QWidget) -> QLabel:
    """A label that is code: the same in every language."""
    label = QLabel(text, parent)
    label.setObjectName("codeLabel")
    return label
