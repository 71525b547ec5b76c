"""The autograd panel: the options of a backward, and a button for every line that autograd lessons append."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListView,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chalkgrad.errors import ChalkgradError
from chalkgrad.program.names import narrow
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Operand, Ref, Statement
from chalkgrad.source import read
from chalkgrad_app import steps
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import sentence
from chalkgrad_app.panels.inputs_button import InputsButton
from chalkgrad_app.panels.line_buttons import GAP, LineButtons
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.style import icons
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font, refont, scaled
from chalkgrad_app.widgets.elided import ElidedButton
from chalkgrad_app.widgets.message_edit import MessageEdit

LEAST_WIDTH = 136
"""The least width of the panel, in pixels at 100% text size."""

FULL_WIDTH = ("zeroGrad", "zeroGradZeros")
"""Buttons with a row of their own: their lines name every leaf."""

HEIGHT, ROWS = 24, 4
"""Height of a button, in pixels at 100% text size; so many rows a long line, and an option, may have."""

RETAIN: tuple[bool | None, ...] = (None, True, False)

LINES: tuple[tuple[str, Callable[[Document], steps.Lines], str], ...] = (
    ("retainGrad", steps.retain_grad, "retain_grad()"),
    ("zeroGrad", steps.zero_to_none, "grad = None"),
    ("zeroGradZeros", steps.zero_to_zeros, "grad.zero_()"),
    ("detach", steps.detach, "detach()"),
    ("detachInPlace", steps.detach_in_place, "detach_()"),
    ("requiresGrad", steps.requires_grad, "requires_grad_()"),
)
"""Buttons below the options: the action they are like, the lines they append, what they say where there is nothing."""


class AutogradPanel(Mirror):
    """Options, the lines they make, then the other lines. Options go back to PyTorch's defaults after each press."""

    compare_asked = Signal()
    """Somebody wants to see side by side what the options of a backward change."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "autograd", parent)
        self._roots: list[tuple[int, int]] = []
        self._program: Program | None = None
        self._is_narrow = self._is_slim = False
        self._shown: tuple[object, ...] = ()
        self._make_options()
        self._make_buttons()
        self._arrange()
        self.restyle()
        self.begin(document.selected, document.changed, document.traced, document.moved)

    # ------------------------------------------------------------ read

    def options(self) -> steps.BackwardOptions:
        """What is chosen; SourceError when the gradient can't be read."""
        gradient, inline = self._gradient()
        retain = RETAIN[self.retain_graph.currentIndex()]
        return steps.BackwardOptions(
            self._root(), gradient, retain, self.create_graph.isChecked(), self.inputs.refs, tuple(inline)
        )

    def focus_options(self) -> None:
        """Put the focus into the first option."""
        self.root.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------ follow

    def follow(self) -> None:
        """Follow the document: what can be a root or an input, and the lines that the buttons show.

        Nothing of that depends on the cursor but how a value typed as the gradient is read.
        """
        shown = (self.document.program, self.document.selection)
        if shown == self._shown and not self.gradient.text():
            return
        self._shown = shown if self.isVisible() else ()
        self._fill_roots()
        self.inputs.follow()
        self._show_lines()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.title.setText(self.tr("Autograd"))
        self.root.setAccessibleName(self.tr("root of the backward"))
        self.root.setToolTip(self.tr("What the backward starts from: the selection, or always the same result"))
        self.gradient.field.setPlaceholderText("None")
        self.gradient.field.setAccessibleName("gradient=")
        tip = self.tr("The weights v of a root that is not a scalar: a value, a name, or torch.ones_like(y)")
        self.gradient.field.setToolTip(tip)
        self.retain_graph.setAccessibleName("retain_graph")
        self.retain_graph.setToolTip(self.tr("Keep the buffers, so that backward can run again"))
        self.create_graph.setToolTip(self.tr("Build a graph of the gradient itself, for second derivatives"))
        self.inputs.setToolTip(self.tr("Accumulate into these tensors only"))
        self.inputs.setAccessibleName("inputs=")
        self.backward.setToolTip(BY_ID["backward"].tip())
        self.grad.setToolTip(self.tr("Return the gradients instead of accumulating them into .grad"))
        for id_, line in self.lines.items():
            line.setToolTip(BY_ID[id_].tip())
        for id_, button in self.words.items():
            button.setText(BY_ID[id_].title())
            button.setToolTip(BY_ID[id_].tip())
            button.setAccessibleName(BY_ID[id_].title())
        self._program = None  # the first root is said in words
        self._shown = ()

    def restyle(self) -> None:
        """Fonts, colours and room of the theme and the text size in use."""
        for widget in (self.create_graph, self.inputs, *self.labels):
            widget.setFont(code_font(ratio=SMALL))
        for combo in (self.root, self.retain_graph):
            refont(combo, code_font(ratio=SMALL))
        for label in self.labels:
            tint(label, "muted")
        for beside in (*self.labels, self.inputs, self.create_graph):
            beside.setMinimumHeight(self.gradient.field.sizeHint().height())
        for label in self.labels:
            label.setIndent(label.indent())  # measures it anew: it keeps what it asked for under a larger minimum
        for button in (self.backward, self.grad, *self.lines.values()):
            button.set_height(HEIGHT, ROWS)
        self._column.setContentsMargins(scaled(6), scaled(6), scaled(6), scaled(4))
        self._column.setSpacing(scaled(GAP))
        for words_button in self.words.values():
            words_button.setIconSize(QSize(scaled(16), scaled(16)))
        self._grid.setHorizontalSpacing(scaled(5))
        self._grid.setVerticalSpacing(scaled(GAP))
        self._buttons.restyle()
        self._fold_options()

    def sizeHint(self) -> QSize:
        """As high as all of it, with room for a line of :func:`torch.autograd.grad` in two rows."""
        found, spare = super().sizeHint(), self.grad.height_of(2) - self.grad.height()
        return QSize(found.width(), found.height() + max(spare, 0))

    def minimumSizeHint(self) -> QSize:
        """As narrow as the dock: what has no room goes into another row, or is elided."""
        return QSize(scaled(LEAST_WIDTH), QWidget.minimumSizeHint(self).height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One row for an option where there is room, else two."""
        super().resizeEvent(event)
        self._fold_options()

    # ------------------------------------------------------------ build

    def _make_options(self) -> None:
        self.title = QLabel(self)
        self.title.setObjectName("autograd.title")
        self.root = self._combo("root")
        self._root_names = QStringListModel(self.root)
        self.root.setModel(self._root_names)
        drops_down = self.root.view()
        if isinstance(drops_down, QListView):
            drops_down.setUniformItemSizes(True)  # else thousands are measured whenever the style changes
        self.gradient = MessageEdit("autograd.gradient", self)
        self.gradient.field.textChanged.connect(self._show_lines)
        self.gradient.field.returnPressed.connect(self._run_backward)
        self.inputs = InputsButton(self.document, self)
        self.inputs.chosen.connect(self._show_lines)
        self.retain_graph = self._combo("retain_graph")
        self.retain_graph.addItems([str(value) for value in RETAIN])
        self.create_graph = QCheckBox("create_graph", self)
        self.create_graph.setObjectName("autograd.create_graph")
        self.create_graph.clicked.connect(self._show_lines)

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox(self)
        combo.setObjectName(f"autograd.{name}")
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(4)
        combo.activated.connect(self._show_lines)
        return combo

    def _make_buttons(self) -> None:
        self.backward = self._line_button("backward", self._run_backward)
        self.backward.setProperty("primary", True)
        self.grad = self._line_button("grad", self._run_grad)
        self.lines = {id_: self._line_button(id_, self._run_line) for id_, _, _ in LINES}
        slots = {"runForward": self.document.run_forward_again, "startOver": self.document.start_over}
        slots["compareGraphs"] = self._compare
        self.words = {id_: self._words_button(id_, slot) for id_, slot in slots.items()}

    def _compare(self) -> None:
        self.compare_asked.emit()

    def _line_button(self, name: str, slot: Callable[[], None]) -> ElidedButton:
        button = ElidedButton(self)
        button.setObjectName(f"autograd.{name}")
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(slot)
        return button

    def _words_button(self, name: str, slot: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"autograd.{name}")
        button.setIcon(icons.icon(BY_ID[name].icon))
        button.setAutoRaise(True)
        button.clicked.connect(slot)
        return button

    def _arrange(self) -> None:
        self._column = QVBoxLayout(self)
        top = QHBoxLayout()
        top.addWidget(self.title, 1)
        for button in self.words.values():
            top.addWidget(button)
        self._column.addLayout(top)
        self._grid = QGridLayout()
        short = [button for id_, button in self.lines.items() if id_ not in FULL_WIDTH]
        self._buttons = LineButtons(short, [self.lines[id_] for id_ in FULL_WIDTH])
        self._column.addLayout(self._grid)
        self._column.addWidget(self.backward)
        self._column.addWidget(self.grad)
        self._column.addLayout(self._buttons.layout)
        self._column.addStretch(1)
        # Filled when they have their place: of what is in a layout that gets one PySide makes objects, which it takes
        # for others where that is placed anew.
        self._fill_options()
        self._buttons.fill()

    def _fill_options(self) -> None:
        fields = {"root": self.root, "gradient": self.gradient, "retain_graph": self.retain_graph}
        beside = (None, self.inputs, self.create_graph)
        self.labels = [QLabel(name, self) for name in fields]
        for label, field in zip(self.labels, fields.values(), strict=True):
            label.setBuddy(field)
        self._options = tuple(zip(self.labels, fields.values(), beside, strict=True))
        self._grid.setColumnStretch(1, 1)
        self._place_options()

    def _place_options(self) -> None:
        """A row for each option; what stands beside a field, and the root's words, go under where there is no room.

        Where even name and field have no room beside each other, all fields go under their names.
        """
        top = Qt.AlignmentFlag.AlignTop
        for row, (label, field, other) in enumerate(self._options):
            whole = other is None or self._is_narrow
            is_under = self._is_slim or (self._is_narrow and field is self.root)
            self._grid.addWidget(label, ROWS * row, 0, 1, 3 if is_under else 1, top)
            if is_under:
                self._grid.addWidget(field, ROWS * row + 1, 0, 1, 3)
            else:
                self._grid.addWidget(field, ROWS * row, 1, 1, 2 if whole else 1)
            if other is not None and whole:
                self._grid.addWidget(other, ROWS * row + 3, 0, 1, 3)
            elif other is not None:
                self._grid.addWidget(other, ROWS * row, 2, top)
            if field is self.gradient:  # what is wrong has all the width
                self._grid.addWidget(self.gradient.message, ROWS * row + 2, int(not is_under), 1, 2 + is_under)

    def _needed(self) -> int:
        """The width at which label, field and what stands beside it fit into one row."""
        label = max(label.sizeHint().width() for label in self.labels)
        fields = self.retain_graph.minimumSizeHint().width() + self.create_graph.sizeHint().width()
        return label + fields + scaled(2 * 5 + 2 * 6)

    def _least_needed(self) -> int:
        """The width at which label and field fit into one row."""
        label = max(label.sizeHint().width() for label in self.labels)
        return label + self.retain_graph.minimumSizeHint().width() + scaled(5 + 2 * 6)

    # ------------------------------------------------------------ inside

    def _fold_options(self) -> None:
        is_narrow, is_slim = self.width() < self._needed(), self.width() < self._least_needed()
        if (is_narrow, is_slim) != (self._is_narrow, self._is_slim):
            self._is_narrow, self._is_slim = is_narrow, is_slim
            self._place_options()
        self._buttons.fit(self.width() - 2 * scaled(6))

    def _root(self) -> Ref | None:
        """The root that is fixed; None: the selection."""
        row = self.root.currentIndex() - 1
        return Ref(*self._roots[row]) if 0 <= row < len(self._roots) else None

    def _gradient(self) -> tuple[Operand, list[Statement]]:
        """What stands in the gradient field: None, a value of the root's dtype, or a tensor and what it is made by."""
        text = narrow(self.gradient.text())
        if text in ("", "None"):
            return None, []
        root = self._root() or self.document.root()
        tensor = None if root is None else self.document.state.tensor(root.statement, root.output)
        is_floating = tensor is not None and tensor.dtype.startswith("float")
        dtype = tensor.dtype if tensor is not None and is_floating else None
        return read.read_tensor(text, self.document.program, dtype)

    def _fill_roots(self) -> None:
        program = self.document.program
        if program is not self._program:
            self._program = program
            chosen = self._root()
            found = steps.named_results(program)
            self._roots = [(statement, output) for statement, output, _ in found]
            self._root_names.setStringList(["", *[name for _, _, name in found]])
            key = None if chosen is None else (chosen.statement, chosen.output)
            self.root.setCurrentIndex(self._roots.index(key) + 1 if key in self._roots else 0)
        root = self.document.root()
        name = program[root.statement].targets[root.output] if root and program[root.statement].targets else ""
        is_chosen = root is not None and root.statement in self.document.selected_statements
        words = self.tr("{name} (selection)") if is_chosen else self.tr("{name} (last result)")
        first = words.format(name=name) if name else self.tr("selection")
        self._root_names.setData(self._root_names.index(0), first)

    def _show_lines(self, *_: object) -> None:
        """Let every button show its line."""
        if not self.isVisible():
            self.is_stale = True
            return
        try:
            options = self.options()
        except ChalkgradError as error:
            self.gradient.say(sentence(error))
        else:
            self.gradient.say("")
            self._show_line(self.backward, steps.backward(self.document, options), "backward()")
            self._show_line(self.grad, steps.grad(self.document, options), "torch.autograd.grad()")
            self._show_waiting(options.root or self.document.root())
        for id_, make, nothing in LINES:
            self._show_line(self.lines[id_], make(self.document), nothing)
        self._buttons.fit(self.width() - 2 * scaled(6))

    def _show_line(self, button: ElidedButton, lines: steps.Lines, nothing: str) -> None:
        button.setText(steps.text(self.document, lines) or nothing)
        button.setEnabled(bool(lines))

    def _show_waiting(self, root: Ref | None) -> None:
        """Where the root waits for an open port a backward would wait, too: it isn't what to press next."""
        waiting = steps.open_port(self.document, [root.statement]) if root else ""
        self.backward.setToolTip(waiting or BY_ID["backward"].tip())
        self.backward.setAccessibleDescription(waiting)
        if bool(self.backward.property("primary")) == bool(waiting):
            self.backward.setProperty("primary", not waiting)
            self.backward.style().polish(self.backward)

    def _reset(self) -> None:
        """Options go back to PyTorch's defaults after each press."""
        self.root.setCurrentIndex(0)
        self.gradient.field.clear()
        self.retain_graph.setCurrentIndex(0)
        self.create_graph.setChecked(False)
        self.inputs.clear()
        self._shown = ()
        self.is_stale = True
        self.refresh()

    # ------------------------------------------------------------ slots

    def _run_backward(self) -> None:
        self._run_with_options(steps.backward)

    def _run_grad(self) -> None:
        self._run_with_options(steps.grad)

    def _run_with_options(self, make: Callable[[Document, steps.BackwardOptions], steps.Lines]) -> None:
        """Append the line; where the gradient can't be read, say so at the field and append nothing."""
        self.catch_up()  # an edit may just have taken away what was chosen
        try:
            lines = make(self.document, self.options())
        except ChalkgradError as error:
            self.gradient.say(sentence(error))
            self.gradient.field.setFocus()
            return
        if lines:
            steps.append(self.document, lines)
            self._reset()

    def _run_line(self) -> None:
        sender = self.sender()
        for id_, make, _ in LINES:
            if sender is self.lines[id_]:
                steps.run(self.document, make)
                self._reset()
