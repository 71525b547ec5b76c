"""The main window: one document, its canvas, its panels, its menus. It binds them; the work is done elsewhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QLabel, QMainWindow, QMessageBox

from chalkgrad.session.state import Problem
from chalkgrad_app import settings, steps
from chalkgrad_app.actions import ACTIONS, BY_ID, Action
from chalkgrad_app.bars import Bars
from chalkgrad_app.canvas.drop import dragged_files
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas_area import CanvasArea
from chalkgrad_app.clipboard import Clipboard
from chalkgrad_app.commanding import commands
from chalkgrad_app.docks import Docks
from chalkgrad_app.document import Document
from chalkgrad_app.filing import Filing
from chalkgrad_app.panels.mend_menu import MendMenu, problem_in_question
from chalkgrad_app.presenting import Presenting
from chalkgrad_app.regions import Regions
from chalkgrad_app.widgets.code_font import RESTYLED
from chalkgrad_app.widgets.command_palette import CommandPalette
from chalkgrad_app.widgets.key_list import KeyList
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.working import Working

_alive: set[MainWindow] = set()
"""The windows that exist: nothing else holds a second one, and Python would delete what nobody holds."""

SIZE = (1280, 800)
"""Of the first window, in pixels: what a projector shows."""


class MainWindow(QMainWindow):
    """A window with one document."""

    _is_made = False

    def __init__(self, document: Document | None = None) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("mainWindow")
        _alive.add(self)
        self.document = document or Document()
        self.document.setParent(self)
        self.canvas = GraphCanvas(self.document, self)
        self.area = CanvasArea(self.document, self.canvas, self)
        self.setCentralWidget(self.area)
        self.filing = Filing(self)
        self.presenting = Presenting(self)
        clipboard = Clipboard(self.document, self)
        clipboard.added.connect(self.canvas.ensure_visible)
        self._targets: dict[str, object] = {
            "window": self,
            "document": self.document,
            "canvas": self.canvas,
            "keyboard": self.canvas.keyboard,
            "tidying": self.canvas.tidying,
            "order": self.canvas.order,
            "adding": self.canvas.adding,
            "rewiring": self.canvas.rewiring,
            "editing": self.canvas.editing,
            "area": self.area,
            "filing": self.filing,
            "clipboard": clipboard,
            "presenting": self.presenting,
        }
        self.actions_by_id = {action.id: self._make_action(action) for action in ACTIONS}
        self.docks = Docks(self, self.document)
        self._targets["playing"] = self.docks.program.playing
        self._targets["regions"] = Regions(self.docks, self.canvas, self)
        self.bars = Bars(self)
        self._make_status()
        self._later = Later(self, self.refresh)
        self._restyling = Later(self, self._restyle)
        self._connect()
        self.setAcceptDrops(True)
        self._is_made = True
        self._restore()
        self.retranslate()

    @classmethod
    def open(cls, path: Path) -> MainWindow:
        """A window with what is in ``path``; FileError, SourceError or OSError when it can't be read."""
        window = cls()
        window.filing.load(path)
        return window

    # ------------------------------------------------------------ what actions call

    def undo(self) -> None:
        """Undo the last edit."""
        self.document.undo_stack.undo()

    def redo(self) -> None:
        """Redo the edit undone last."""
        self.document.undo_stack.redo()

    def show_backward_options(self) -> None:
        """Bring the autograd panel forward, with the focus in its first option."""
        self.docks.show_panel("autograd")
        self.docks.autograd.focus_options()

    def show_why(self) -> None:
        """Bring the panel forward that says why a gradient is what it is, with the focus in it."""
        self.docks.show_panel("why")
        self.docks.why.focus_paths()

    def show_remedies(self) -> None:
        """Say what went wrong where one looks, and offer the ways to mend it."""
        problem = problem_in_question(self.document)
        if problem is not None:
            MendMenu(self.document, problem, self).popup(self._beside(problem))

    def _beside(self, problem: Problem) -> QPoint:
        """Where its menu opens: under the first card at fault that is in view, else in the middle of the canvas."""
        canvas = self.canvas
        for id_ in (problem.statement, *problem.at_fault):
            rect = canvas.view_rect_of(id_) if canvas.picture.rect_of(id_) is not None else QRect()
            if not rect.isEmpty() and canvas.rect().contains(rect.center()):
                return canvas.mapToGlobal(rect.bottomLeft())
        return canvas.mapToGlobal(canvas.rect().center())

    def show_commands(self) -> None:
        """Offer every action in a searchable list."""
        CommandPalette(commands(self.actions_by_id), self).open_over(self)

    def show_keys(self) -> None:
        """List the keys."""
        keys = [(" / ".join(_native(key) for key in action.keys), action.title()) for action in ACTIONS if action.keys]
        keys += [
            ("Tab / Shift+Tab", self.tr("Next or previous card")),
            (self.tr("Arrows"), self.tr("Move the focus along wires")),
            (self.tr("Shift+arrows"), self.tr("Select along wires")),
            (self.tr("Ctrl+arrows"), self.tr("Move the selected cards")),
            (self.tr("Ctrl+Shift+arrows"), self.tr("Move them by one unit")),
            ("+ / -", self.tr("Zoom in or out")),
            ("Shift+F10", self.tr("Menu of the card")),
            ("Alt+↑ / ↓", self.tr("Move lines in the program")),
            ("→ / ←", self.tr("Unfold a backward in the program, or fold it")),
            (self.tr("Space+drag"), self.tr("Pan")),
            (self.tr("Alt+drag"), self.tr("Copy cards with their wires")),
            (self.tr("Drag, then Alt"), self.tr("Pull cards out of their wires")),
            (self.tr("Ctrl+Alt+drag"), self.tr("Cut wires with a stroke (the right button does so too)")),
            (self.tr("Drag with Ctrl"), self.tr("Nothing attracts: no snapping, no joining")),
            ("/", self.tr("Search the operators")),
        ]
        KeyList(self.tr("Keys"), keys, self).exec()

    def show_about(self) -> None:
        """Say what this is."""
        QMessageBox.about(
            self,
            self.tr("About Chalkgrad"),
            self.tr("Chalkgrad shows what PyTorch 2.13's autograd does, computed by a numpy core of its own."),
        )

    def offer_recovery(self) -> None:
        """Offer what a killed process left behind."""
        self.filing.offer_recovery()

    # ------------------------------------------------------------ follow

    def refresh(self) -> None:
        """Follow the document: titles, what is enabled, what buttons say."""
        self.setWindowTitle(f"{self.document.name}[*] - Chalkgrad")
        self.setWindowModified(self.document.is_modified)
        self.actions_by_id["cover"].setChecked(self.document.is_covering)
        for action in ACTIONS:
            if action.enabled is not None:
                self.actions_by_id[action.id].setEnabled(action.enabled(self.document))
            if action.checked is not None:
                self.actions_by_id[action.id].setChecked(action.checked())
        self._name_undo()
        self.bars.refresh()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        for action in ACTIONS:
            made = self.actions_by_id[action.id]
            made.setText(action.title())
            made.setToolTip(self._tip(action))
        self.docks.retranslate()
        self.bars.retranslate()
        self.refresh()

    def event(self, event: QEvent) -> bool:
        """A window that is deleted need not be held any longer."""
        if event.type() == QEvent.Type.DeferredDelete:
            _alive.discard(self)
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange and self._is_made:
            self.status_words.clear()  # a finished sentence can't be said in another language
            self.retranslate()
        elif event.type() in RESTYLED and self._is_made:
            self._restyling.schedule()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Sizes hold only once there is a window."""
        super().showEvent(event)
        self.docks.fit()
        self.canvas.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the program right of the canvas where there is room."""
        super().resizeEvent(event)
        self.bars.fit()
        if not self.presenting.in_lecture:
            self.docks.arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, where nobody else has a use for it, leaves the lecture."""
        if event.key() == Qt.Key.Key_Escape and self.presenting.in_lecture:
            self.presenting.lecture(False)
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere on the window."""
        if dragged_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what is dropped."""
        for path in dragged_files(event.mimeData()):
            self.filing.open_path(path)
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask to save first; remember how the window was arranged."""
        if not self.filing.may_close():
            event.ignore()
            return
        if not self.presenting.in_lecture:
            settings.GEOMETRY.set(self.saveGeometry())
        self.filing.close()
        super().closeEvent(event)

    # ------------------------------------------------------------ build

    def _make_action(self, record: Action) -> QAction:
        made = QAction(self)
        made.setObjectName(record.object_name)
        made.setCheckable(record.checkable)
        made.setShortcuts([QKeySequence(key) for key in record.keys])
        context = Qt.ShortcutContext.WidgetShortcut if record.on_canvas else Qt.ShortcutContext.WindowShortcut
        made.setShortcutContext(context)
        made.setData(record.id)
        made.triggered.connect(self._trigger)
        (self.canvas if record.on_canvas else self).addAction(made)
        return made

    def _trigger(self, checked: bool = False) -> None:
        sender = self.sender()
        if not isinstance(sender, QAction):
            return
        record = BY_ID[sender.data()]
        if record.target == "steps":
            steps.run(self.document, getattr(steps, record.method))
            return
        method = getattr(self._targets[record.target], record.method)
        if record.checkable:
            method(checked)
        elif record.argument is not None:
            method(record.argument)
        else:
            method()

    def _make_status(self) -> None:
        self.status_words = QLabel(self)
        self.status_words.setObjectName("status")
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self.status_words, 1)
        self.working = Working(self)
        self.statusBar().addPermanentWidget(self.working)

    def _connect(self) -> None:
        document = self.document
        for signal in (
            document.selected,
            document.titled,
            document.changed,
            document.moved,
            document.finished,
            document.covering,
        ):
            signal.connect(self._later.schedule)
        document.told.connect(self.status_words.setText)
        self.canvas.tidying.worked.connect(self.working.show_progress)
        self.canvas.tidying.ended.connect(self.working.hide)
        self.working.cancelled.connect(self.canvas.tidying.cancel)
        self.docks.palette.operator_chosen.connect(self.canvas.place_operator)
        self.docks.palette.tensor_chosen.connect(self.canvas.place_tensor)
        self.docks.inspector.why_asked.connect(self.show_why)
        self.canvas.file_dropped.connect(self.filing.open_path)
        self.area.start.example_asked.connect(self.filing.open_course_example)
        self.area.start.open_asked.connect(self.filing.open_document)
        self.area.stop_band.mend_asked.connect(self.show_remedies)

    def _restore(self) -> None:
        self.resize(*SIZE)
        geometry = settings.GEOMETRY.get()
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        self.docks.arrange()

    # ------------------------------------------------------------ inside

    def _restyle(self) -> None:
        """Follow another text size: heights, icons, widths."""
        self.bars.restyle()
        if not self.presenting.in_lecture:
            self.docks.arrange()
            self.docks.fit()

    def _name_undo(self) -> None:
        stack = self.document.undo_stack
        for id_, can, text in (
            ("undo", stack.canUndo(), stack.undoText()),
            ("redo", stack.canRedo(), stack.redoText()),
        ):
            title = BY_ID[id_].title()
            self.actions_by_id[id_].setText(f"{title} {text}".strip() if can else title)
            self.actions_by_id[id_].setEnabled(can)

    def _tip(self, action: Action) -> str:
        keys = self.actions_by_id[action.id].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        return f"{action.tip()} ({keys})" if keys else action.tip()


def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
