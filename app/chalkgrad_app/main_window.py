"""The main window: one document, its canvas, its panels, its menus. It binds them; the work is done elsewhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QLabel, QMainWindow

from chalkgrad_app import settings, steps
from chalkgrad_app.actions import ACTIONS, BY_ID, Action
from chalkgrad_app.answering import Answering
from chalkgrad_app.bars import Bars
from chalkgrad_app.canvas.drop import dragged_files
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas_area import CanvasArea
from chalkgrad_app.clipboard import Clipboard
from chalkgrad_app.commanding import commands
from chalkgrad_app.docks import Docks
from chalkgrad_app.document import Document
from chalkgrad_app.filing import Filing
from chalkgrad_app.keys import listed_keys
from chalkgrad_app.lodging import Lodging
from chalkgrad_app.naming import as_title, cut_short
from chalkgrad_app.panels.mirror import WHILE_RUNNING_MS
from chalkgrad_app.presenting import Presenting
from chalkgrad_app.regions import Regions
from chalkgrad_app.showing import Showing
from chalkgrad_app.training import Training
from chalkgrad_app.widgets.code_font import RESTYLED
from chalkgrad_app.widgets.command_palette import CommandPalette
from chalkgrad_app.widgets.key_list import KeyList
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.status_words import StatusWords
from chalkgrad_app.widgets.tab_focus import go_on
from chalkgrad_app.widgets.working import Running, Slicing, Working

_alive: set[MainWindow] = set()
"""The windows that exist: nothing else holds a second one, and Python would delete what nobody holds."""

LONGEST_UNDO = 60
"""So many characters of what would be undone are said in the menu."""

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
        self.lodging = Lodging(self.document, self.canvas, self)
        self.filing = Filing(self)
        self.presenting = Presenting(self)
        self.answering = Answering(self)
        self.training = Training(self.document, self)
        clipboard = self._clipboard = Clipboard(self.document, self)
        clipboard.added.connect(self.canvas.growing.show)
        clipboard.drawn.connect(self.canvas.following.expect)
        clipboard.typed.connect(self.canvas.add_text)
        self.canvas.slices += (clipboard.copying, clipboard.pasting)
        clipboard.homeless.connect(self.lodging.place_pasted)
        self._targets = self._parts()
        self._groups: dict[str, QActionGroup] = {}
        self.actions_by_id = {action.id: self._make_action(action) for action in ACTIONS}
        self.docks = Docks(self, self.document, self.training)
        self.showing = Showing(self.docks, self)
        self._targets["showing"] = self.showing
        self._targets["playing"] = self.docks.program.playing
        self._targets["regions"] = self._regions = Regions(self.docks, self.canvas, self)
        self.bars = Bars(self)
        self._make_status()
        self._later = Later(self, self.refresh)
        self._restyling = Later(self, self._restyle)
        self._connect()
        self.setAcceptDrops(True)
        self._is_made = True
        self._restore()
        self.retranslate()
        self._offer_actions()

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

    def show_commands(self) -> None:
        """Offer every action in a searchable list."""
        CommandPalette(commands(self.actions_by_id, self.bars.choices()), self).open_over(self)

    def show_menus(self) -> None:
        """Open the first menu, for the arrow keys; a lecture has none."""
        bar = self.menuBar()
        if bar.isVisible():
            bar.setActiveAction(bar.actions()[0])

    def show_keys(self) -> None:
        """List the keys."""
        KeyList(self.tr("Keys"), listed_keys(), self).exec()

    def show_about(self) -> None:
        """Say what this is."""
        from chalkgrad_app.widgets.about import about_box  # imported when used: the first window needn't wait for it

        about_box(self).exec()

    def offer_recovery(self) -> None:
        """Offer what a killed process left behind."""
        self.filing.offer_recovery()

    # ------------------------------------------------------------ follow

    def _schedule(self, *_: object) -> None:
        """Follow the document when what happens now is over; now and then while a number is dragged."""
        self._later.setInterval(WHILE_RUNNING_MS if self.document.is_scrubbed else 0)
        self._later.schedule()

    def refresh(self) -> None:
        """Follow the document: titles, what is enabled, what buttons say."""
        self.setWindowTitle(f"{self.document.name}[*] - Chalkgrad")
        self.setWindowModified(self.document.is_modified)
        for action in ACTIONS:
            if action.enabled is not None:
                self.actions_by_id[action.id].setEnabled(action.enabled(self.document))
            if action.checked is not None:
                self.actions_by_id[action.id].setChecked(action.checked())
            if action.is_on is not None:
                self.actions_by_id[action.id].setChecked(action.is_on(self.document))
        self._name_undo()
        self._show_score()
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

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through all that is seen as it stands on the screen; what shows no focus itself gets a ring."""
        if not go_on(self, forward):
            return super().focusNextPrevChild(forward)
        self._regions.show_ring(self.focusWidget())
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, where nobody else has a use for it, leaves the lecture, else what has the focus for the canvas."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.presenting.in_lecture:
            self.presenting.lecture(False)
        else:
            self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

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
        self.canvas.tidying.drop()
        self._clipboard.finish_copying()
        for slices in self.canvas.slices:
            slices.drop()
        self.filing.close()
        super().closeEvent(event)

    # ------------------------------------------------------------ build

    def _parts(self) -> dict[str, object]:
        """What has methods that actions call, by the names in their table; panels come later."""
        return {
            "window": self,
            "document": self.document,
            "canvas": self.canvas,
            "keyboard": self.canvas.keyboard,
            "tidying": self.canvas.tidying,
            "order": self.canvas.order,
            "nodes": self.canvas.nodes,
            "redrawing": self.canvas.redrawing,
            "adding": self.canvas.adding,
            "rewiring": self.canvas.rewiring,
            "editing": self.canvas.editing,
            "answering": self.answering,
            "asking": self.canvas.asking,
            "covers": self.document.covers,
            "area": self.area,
            "filing": self.filing,
            "clipboard": self._clipboard,
            "presenting": self.presenting,
            "training": self.training,
        }

    def _make_action(self, record: Action) -> QAction:
        made = QAction(self)
        made.setObjectName(record.object_name)
        made.setCheckable(record.checkable)
        if record.group:
            self._groups.setdefault(record.group, QActionGroup(self)).addAction(made)
        made.setShortcuts([QKeySequence(key) for key in record.keys])
        context = Qt.ShortcutContext.WidgetShortcut if record.on_canvas else Qt.ShortcutContext.WindowShortcut
        made.setShortcutContext(context)
        made.setData(record.id)
        made.triggered.connect(self._trigger)
        return made

    def _offer_actions(self) -> None:
        """Their keys count from now on: who has an action hears of each change of it, so all is set before."""
        for at, on_canvas in ((self.canvas, True), (self, False)):
            at.addActions([self.actions_by_id[record.id] for record in ACTIONS if record.on_canvas is on_canvas])

    def _trigger(self, checked: bool = False) -> None:
        sender = self.sender()
        if not isinstance(sender, QAction):
            return
        record = BY_ID[sender.data()]
        if record.enabled is not None and not record.enabled(self.document):
            return  # what was done just now took away what it is for: that it is no longer enabled follows in a moment
        if record.target == "steps":
            steps.run(self.document, getattr(steps, record.method))
            return
        method = getattr(self._targets[record.target], record.method)
        if record.argument is not None:
            method(record.argument)
        elif record.checkable:
            method(checked)
        else:
            method()

    def _make_status(self) -> None:
        self.status_words = StatusWords(self)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self.status_words, 1)
        self.score = QLabel(self)
        self.score.setObjectName("status.score")
        self.working, self.running = Working(self), Running(self)
        slicing = [Slicing(slices, self) for slices in self.canvas.slices]
        for shown in (self.score, self.working, self.running, *slicing):
            self.statusBar().addPermanentWidget(shown)

    def _connect(self) -> None:
        document = self.document
        for signal in (
            document.selected,
            document.titled,
            document.changed,
            document.moved,
            document.finished,
            document.covering,
            document.drawn,
        ):
            signal.connect(self._schedule)
        document.told.connect(self.status_words.setText)
        document.withdrawn.connect(self.status_words.withdraw)
        document.changed.connect(self.status_words.follow)
        document.moved.connect(self.status_words.clear)  # what was said was about another moment
        self.canvas.loop_counters.stepped.connect(self.training.step_in)
        self.docks.looped.connect(self.canvas.tidying.make_room)
        self.canvas.redrawing.slices.left.connect(self._schedule)
        self.canvas.tidying.worked.connect(self.working.show_progress)
        self.canvas.tidying.ended.connect(self.working.hide)
        self.working.cancelled.connect(self.canvas.tidying.cancel)
        self.training.ran_on.connect(self.running.show_progress)
        self.training.rested.connect(self.running.hide)
        self.running.cancelled.connect(self.training.wait)
        self.docks.palette.operator_chosen.connect(self.canvas.place_operator)
        self.docks.palette.tensor_chosen.connect(self.canvas.place_tensor)
        self.docks.palette.left.connect(self.canvas.setFocus)
        self.docks.inspector.why_asked.connect(self.showing.why)
        self.docks.inspector.panel_asked.connect(self.docks.show_panel)
        self.docks.autograd.compare_asked.connect(self.showing.compare_graphs)
        self.docks.program.compare_asked.connect(self.showing.compare_graphs)
        self.docks.chosen.connect(self.canvas.ensure_visible)
        self.canvas.file_dropped.connect(self.filing.open_path)
        self.area.start.example_asked.connect(self.filing.open_course_example)
        self.area.start.open_asked.connect(self.filing.open_document)
        self.area.stop_band.mend_asked.connect(self.answering.show_remedies)

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
            self.docks.refit()

    def _show_score(self) -> None:
        """Say quietly how the predictions go."""
        covers = self.document.covers
        words = self.tr("Right at once: {right} of {answered}")
        self.score.setText(words.format(right=covers.score.right, answered=covers.score.answered))
        self.score.setVisible(bool(covers.asked))

    def _name_undo(self) -> None:
        stack = self.document.undo_stack
        both = ("undo", stack.canUndo(), stack.undoText()), ("redo", stack.canRedo(), stack.redoText())
        for id_, can, text in sorted(both, key=lambda one: not one[1]):  # the focus goes from one button to the other
            title = BY_ID[id_].title()
            what = as_title(cut_short(text, LONGEST_UNDO))
            self.actions_by_id[id_].setText(f"{title} {what}".strip() if can else title)
            self.actions_by_id[id_].setEnabled(can)

    def _tip(self, action: Action) -> str:
        keys = self.actions_by_id[action.id].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        return f"{action.tip()} ({keys})" if keys else action.tip()
