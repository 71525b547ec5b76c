"""The button whose menu has the tensors that a backward is to accumulate into."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from chalkgrad.program.statement import Kind, Ref
from chalkgrad_app import steps
from chalkgrad_app.document import Document

MOST = 200
"""So many tensors are offered at most: a menu of thousands would be a list to search, and take seconds to open."""


class InputsButton(QToolButton):
    """Says which tensors are chosen, ``refs``, in the order in which they were; none: all leaves."""

    chosen = Signal()

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self.refs: tuple[Ref, ...] = ()
        self.setObjectName("autograd.inputs")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._menu = QMenu(self)
        self._menu.setObjectName("autograd.inputs.menu")
        self._menu.aboutToShow.connect(self._fill)
        self._menu.triggered.connect(self._toggle)
        self.setMenu(self._menu)

    def clear(self) -> None:
        """Nothing is chosen."""
        self.refs = ()

    def follow(self) -> None:
        """Let go of what is no longer in the program, and say what is left."""
        program = self._document.program
        self.refs = tuple(ref for ref in self.refs if ref.statement in program)
        names = ", ".join(program[ref.statement].targets[ref.output] for ref in self.refs)
        self.setText(f"inputs [{names}]" if names else "inputs")

    def _fill(self) -> None:
        self._menu.clear()
        named = steps.named_results(self._document.program)
        shown = named if len(named) <= MOST else self._first_of(named)
        for statement, output, name in shown:
            action = self._menu.addAction(name)
            action.setObjectName(f"autograd.inputs.{name}")
            action.setCheckable(True)
            action.setChecked(Ref(statement, output) in self.refs)
            action.setData((statement, output))

        if len(shown) < len(named):
            self._menu.addAction("\u2026").setEnabled(False)

    def _first_of(self, named: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Of very many tensors those that are chosen or selected, and the leaves: the usual inputs."""
        program, selected = self._document.program, set(self._document.selected_statements)
        likely = selected.union(ref.statement for ref in self.refs)
        own = [entry for entry in named if entry[0] in likely][:MOST]
        leaves = [entry for entry in named if entry[0] not in likely and program[entry[0]].kind is Kind.LEAF]
        return own + leaves[: MOST - len(own)]

    def _toggle(self, action: QAction) -> None:
        statement, output = action.data()
        if statement not in self._document.program:  # it went while the menu was open
            return
        ref = Ref(statement, output)
        others = tuple(other for other in self.refs if other != ref)
        self.refs = others if ref in self.refs else (*others, ref)
        self.follow()
        self.chosen.emit()
