"""Why the gradient of the selected tensor is what it is: the chain rule with this program's names and numbers.

While the cursor stands behind the work of one node of a backward, that one step is explained instead.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from chalkgrad.explain import Account, NodeStep, is_step, step, why, why_results
from chalkgrad.program.cards import CARDS
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session.events import EventKind
from chalkgrad.session.state import TensorState
from chalkgrad.stepwise import Work
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.document import Document
from chalkgrad_app.editors.guess import GuessForm
from chalkgrad_app.i18n import language
from chalkgrad_app.panels import facts, questions
from chalkgrad_app.panels.side_panel import SidePanel
from chalkgrad_app.panels.why_page import WhyPage
from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.predicting import reveal
from chalkgrad_app.running_sheet import SLICE_MS
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import code_font, scaled
from chalkgrad_app.widgets.formula_row import set_some

WORDS = ("why.words", "inspector.why")
"""What is said where there is nothing to explain."""
PATIENCE_MS = 200
"""An explanation that takes longer says that it is being worked out."""


class WhyPanel(SidePanel):
    """The chain rule of what is selected, or of the step at the cursor."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "why", parent)
        self._shown: object = None
        self._work: Work[Account] | Work[NodeStep] | None = None
        self._found: Account | NodeStep | None = None
        self._page: WhyPage | None = None
        self._working = QTimer(self)
        self._working.setInterval(0)
        self._working.timeout.connect(self._work_on)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._on_patience)
        self._next_title = ""
        self._covered: Question | None = None
        self._title = QLabel(self)
        self._title.setObjectName("why.title")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._copy_text = self.copy_button("copyText")
        self._copy_latex = QToolButton(self)
        self._copy_latex.setObjectName("why.copyLatex")
        self._copy_latex.setAutoRaise(True)
        self._copy_latex.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._copy_latex.clicked.connect(self._on_copy_latex)
        self._area = QScrollArea(self)
        self._area.setObjectName("why.area")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        bar = QHBoxLayout()
        bar.setContentsMargins(scaled(12), scaled(6), scaled(8), 0)
        bar.addWidget(self._title, 1)
        bar.addWidget(self._copy_text)
        bar.addWidget(self._copy_latex)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self._area)
        self.restyle()
        self.begin(document.selected, document.traced, document.moved, document.changed, document.covering)

    def follow(self) -> None:
        """Explain what is selected, or the step at the cursor, unless it is explained already."""
        document = self.document
        if document.is_running:
            return
        position = document.cursor
        trace, tensor = document.session.trace, self._tensor()
        inside = position if position is not None and is_step(trace, position) else self._step_of_node()
        covered = document.is_covering if tensor is None else document.state.is_covered(tensor[1])
        subject = inside if inside is not None else tensor and (tensor[0], tensor[1].number, document.state.position)
        shown = (document.program, len(trace), subject, covered, language(), theme.current().name, theme.text_size())
        if shown == self._shown:
            return
        self._shown, self._found = shown, None
        if inside is not None and not document.is_covering:
            self._begin("", step(document.program, trace, inside))
        elif tensor is None:
            self._say("", self._offer())
        else:
            self._explain(*tensor, covered)

    def _offer(self) -> str:
        """What can be done where there is nothing to explain."""
        if self.document.node is None:
            return self.tr("Select a tensor to see why its gradient is what it is.")
        return self.tr(
            "This Function has passed on no gradient at this moment. "
            "Look at a moment after a backward went through it, or select the card of its tensor."
        )

    def _step_of_node(self) -> int | None:
        """Where the selected node ran last; of one that a backward recorded, where the node ran that it belongs to."""
        document, number = self.document, self.document.node
        if number is None:
            return None
        trace = document.session.trace
        graph = trace.graph_of(number)
        if graph is not None:
            number = graph.node(number).of
            within = trace.events_of(graph.statement)
        else:
            within = range(document.state.position)
        rows = trace.about_nodes(within.start, within.stop)
        return next((at for at, kind, node in reversed(rows) if node == number and kind is EventKind.NODE_RAN), None)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self._area.setAccessibleName(self.tr("Why"))
        self._copy_text.say(self.tr("Copy as text"))
        self._copy_latex.setToolTip(self.tr("Copy as LaTeX"))
        self._copy_latex.setAccessibleName(self._copy_latex.toolTip())
        self._copy_latex.setText("LaTeX")
        self._shown = None

    def restyle(self) -> None:
        """Colours and sizes in use; formulas are set anew."""
        self._title.setFont(code_font(bold=True))
        self._shown = None

    def text(self, latex: bool = False) -> str:
        """The explanation as text, or as LaTeX; what is said instead where there is none."""
        self.catch_up()
        if self._found is not None:
            return self._found.text(latex)
        labels = [] if self._page is None else self._page.findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.objectName() in WORDS)

    @property
    def is_working(self) -> bool:
        """True while an explanation is worked out, or its formulas are set."""
        return self._working.isActive()

    def focus_paths(self) -> None:
        """Put the focus where the keyboard can go through the paths."""
        self._area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------ what is said

    def _tensor(self) -> tuple[str, TensorState, int] | None:
        """Name and state of the last tensor selected, and the line that made it."""
        document = self.document
        for id_ in reversed(document.selected_statements):
            made = document.program.maker(Ref(id_))
            statement = document.program.statements.get(made.statement)
            tensor = None if statement is None else document.state.tensor(made.statement, made.output)
            if statement is not None and statement.kind in CARDS and tensor is not None:
                return statement.name or statement.call, tensor, statement.id
        return None

    def _explain(self, name: str, tensor: TensorState, made: int, covered: bool) -> None:
        """The gradient of one tensor, or why there is none to be seen; a tensor that is a gradient itself."""
        document = self.document
        is_result = document.program[made].kind is Kind.GRAD
        title = ", ".join(document.program[made].targets) if is_result else f"{name}.grad"
        if not tensor.has_flags:
            self._say(title, self.tr("It is covered: guess first."))
        elif covered and (is_result or facts.is_covered(document.state, tensor)):
            self._say_covered(title, made, tensor)
        elif is_result:
            results = document.state.statement(made).outputs
            self._begin(title, why_results(document.program, document.session.trace, made, results))
        elif tensor.grad is None:
            self._say_none(title, made, tensor)
        elif tensor.grad.value is None:
            self._say(title, self.tr("Its value was not kept: memory ran short."))
        else:
            self._begin(title, why(document.program, document.session.trace, tensor))

    def _say(self, title: str, words: str) -> None:
        page = WhyPage(self.document)
        page.add_words(words)
        self._show(title, page)

    def _say_none(self, title: str, made: int, tensor: TensorState) -> None:
        """Why there is no gradient, and what can be done about it."""
        page = WhyPage(self.document)
        page.add(questions.Answer(self.document, self._ref(made, tensor), "grad", "why", page))
        self._show(title, page)

    def _ref(self, made: int, tensor: TensorState) -> Ref:
        """What means one of the tensors that a line made."""
        outputs = self.document.state.statement(made).outputs
        return Ref(made, next((place for place, found in enumerate(outputs) if found is tensor), 0))

    def _say_covered(self, title: str, made: int, tensor: TensorState) -> None:
        page = WhyPage(self.document)
        page.add_words(self.tr("It is covered: guess first."))
        self._covered = Question(Cover.GRADIENTS, self._ref(made, tensor))
        if Cover.GRADIENTS in self.document.covers.asked:
            page.add(GuessForm(self.document, self._covered, page))
            self._show(title, page)
            return
        button = QToolButton(page)
        button.setObjectName("why.reveal")
        button.setText(facts.COVERED)
        button.setToolTip(self.tr("Click to reveal"))
        button.setAccessibleName(self.tr("Reveal {name}").format(name=title))
        button.clicked.connect(self._reveal)
        page.add(button)
        self._show(title, page)

    def _begin(self, title: str, work: Work[Account] | Work[NodeStep]) -> None:
        """Work it out between two turns of the event loop; what is shown stays for a moment: nothing flickers."""
        self._next_title, self._work = title, work
        self._copy_text.setEnabled(False)
        self._copy_latex.setEnabled(False)
        self._working.start()
        self._patience.start(PATIENCE_MS)

    def _on_patience(self) -> None:
        """It takes longer: say so."""
        work = self._work
        if work is not None:
            self._say(self._next_title, self.tr("Working it out..."))
            self._begin(self._next_title, work)
            self._patience.stop()

    def _show(self, title: str, page: WhyPage) -> None:
        self._working.stop()
        self._patience.stop()
        self._work = None
        self.point_out(PointedOut())
        self._title.setText(title)
        page.end()
        page.looked_at.connect(self.point_out)
        focus = self.window().focusWidget()
        had_focus = focus is not None and self._area.isAncestorOf(focus)
        old = self._area.takeWidget()
        self._page = page
        self._area.setWidget(page)
        self._order_focus(page)
        if had_focus:
            self._area.setFocus()
        self._copy_text.setEnabled(self._found is not None)
        self._copy_latex.setEnabled(self._found is not None)
        if old is not None:
            old.hide()
            old.deleteLater()  # it may hold the button whose signal brought us here
        if page.rows:
            self._working.start()

    def _order_focus(self, page: WhyPage) -> None:
        """Let Tab go through what can have the focus from above to below."""
        before: QWidget = self._area
        for widget in page.findChildren(QWidget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                QWidget.setTabOrder(before, widget)
                before = widget

    def _work_on(self) -> None:
        """Some of the work; then some of the formulas."""
        if self._work is not None:
            if self._work.advance(SLICE_MS):
                self._found, self._work = self._work.result, None
                self._show_found()
        elif self._page is not None and self._page.rows:
            set_some(self._page.rows, SLICE_MS)
        else:
            self._working.stop()

    def _show_found(self) -> None:
        page = WhyPage(self.document)
        if isinstance(self._found, Account):
            page.add_account(self._found)
        elif self._found is not None:
            page.add_step(self._found)
        self._show(self._next_title, page)

    # ------------------------------------------------------------ slots

    def _reveal(self) -> None:
        if self._covered is not None:
            reveal(self.document, self._covered)

    def _on_copy_latex(self) -> None:
        self.copy(self.text(latex=True))
