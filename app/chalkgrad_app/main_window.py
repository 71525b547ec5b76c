"""The main window: one document, its canvas, its panels, its menus. It arranges and binds; the work is done elsewhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QMessageBox, QTabWidget, QWidget

from chalkgrad_app import settings, steps
from chalkgrad_app.actions import ACTIONS, BY_ID, Action
from chalkgrad_app.bars import Bars
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas_area import CanvasArea
from chalkgrad_app.clipboard import Clipboard
from chalkgrad_app.document import Document
from chalkgrad_app.filing import Filing
from chalkgrad_app.panels.autograd import AutogradPanel
from chalkgrad_app.panels.inspector import InspectorPanel
from chalkgrad_app.panels.output import OutputPanel
from chalkgrad_app.panels.palette import PalettePanel
from chalkgrad_app.panels.problems import ProblemsPanel
from chalkgrad_app.panels.program import ProgramPanel
from chalkgrad_app.panels.tensors import TensorsPanel
from chalkgrad_app.presenting import Presenting
from chalkgrad_app.widgets.command_palette import CommandPalette

WIDE = 1600
"""From this width on, in pixels at 100% text size, the program stands right of the canvas."""

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


class MainWindow(QMainWindow):
    """A window with one document."""

    def __init__(self, document: Document | None = None) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("mainWindow")
        self.document = document or Document()
        self.document.setParent(self)
        self.canvas = GraphCanvas(self.document, self)
        self.area = CanvasArea(self.document, self.canvas, self)
        self.setCentralWidget(self.area)
        self.filing = Filing(self)
        self.presenting = Presenting(self)
        self._targets: dict[str, QObject] = {
            "window": self,
            "document": self.document,
            "canvas": self.canvas,
            "filing": self.filing,
            "clipboard": Clipboard(self.document, self),
            "presenting": self.presenting,
        }
        self.actions_by_id = {action.id: self._make_action(action) for action in ACTIONS}
        self._make_panels()
        self.bars = Bars(self)
        self._make_status()
        self._wide: bool | None = None
        self.resize(1280, 800)
        self._connect()
        self._restore()
        self.retranslate()
        self.refresh()

    @classmethod
    def open(cls, path: Path) -> MainWindow:
        """A window with the document or program in ``path``; FileError, SourceError or OSError when it can't be read."""
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
        self._show_panel("autograd")
        self.autograd.focus_options()

    def show_commands(self) -> None:
        """Offer every action in a searchable list."""
        CommandPalette(list(self.actions_by_id.values()), self).open_over(self)

    def show_keys(self) -> None:
        """List the keys."""
        rows = []
        for action in ACTIONS:
            keys = " / ".join(QKeySequence(k).toString(QKeySequence.SequenceFormat.NativeText) for k in action.keys)
            if keys:
                rows.append(f"<tr><td>{action.title()}</td><td>&nbsp;&nbsp;<b>{keys}</b></td></tr>")
        box = QMessageBox(QMessageBox.Icon.NoIcon, self.tr("Keys"), f"<table>{''.join(rows)}</table>", parent=self)
        box.setObjectName("keys")
        box.exec()

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
        modified = " *" if self.document.is_modified else ""
        self.setWindowTitle(f"{self.document.name}{modified} - Chalkgrad")
        for action in ACTIONS:
            if action.enabled is not None:
                self.actions_by_id[action.id].setEnabled(action.enabled(self.document))
        self._name_undo()
        self.bars.refresh()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        for action in ACTIONS:
            made = self.actions_by_id[action.id]
            made.setText(action.title())
            made.setToolTip(self._tip(action))
        for name, dock in self.docks.items():
            dock.setWindowTitle(self._panel_title(name))
        self.bars.retranslate()
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "bars"):
            self.retranslate()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the program right of the canvas where there is room."""
        super().resizeEvent(event)
        self._arrange_for_width()

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

    def _make_panels(self) -> None:
        self.palette_panel = PalettePanel(self)
        self.inspector = InspectorPanel(self.document, self)
        self.tensors = TensorsPanel(self.document, self)
        self.autograd = AutogradPanel(self.document, self)
        self.program = ProgramPanel(self.document, self)
        self.output = OutputPanel(self.document, self)
        self.problems = ProblemsPanel(self.document, self)
        places: dict[str, tuple[QWidget, Qt.DockWidgetArea]] = {
            "palette": (self.palette_panel, LEFT),
            "inspector": (self.inspector, RIGHT),
            "tensors": (self.tensors, RIGHT),
            "autograd": (self.autograd, RIGHT),
            "program": (self.program, BOTTOM),
            "output": (self.output, BOTTOM),
            "problems": (self.problems, BOTTOM),
        }
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.docks = {name: self._make_dock(name, *place) for name, place in places.items()}
        self._default_arrangement()

    def _make_dock(self, name: str, panel: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(self)
        dock.setObjectName(f"dock.{name}")
        dock.setWidget(panel)
        dock.setTitleBarWidget(QWidget(dock))
        dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.addDockWidget(area, dock)
        return dock

    def _default_arrangement(self) -> None:
        docks = self.docks
        self.tabifyDockWidget(docks["inspector"], docks["tensors"])
        self.splitDockWidget(docks["inspector"], docks["autograd"], Qt.Orientation.Vertical)
        self.tabifyDockWidget(docks["output"], docks["problems"])
        docks["inspector"].raise_()
        docks["output"].raise_()
        self._size_docks()

    def _size_docks(self) -> None:
        scale = settings.TEXT_SIZE.get() / 100
        docks = self.docks
        across = [int(scale * width) for width in (176, 304)]
        self.resizeDocks([docks["palette"], docks["inspector"]], across, Qt.Orientation.Horizontal)
        self.resizeDocks([docks["program"]], [int(scale * 170)], Qt.Orientation.Vertical)
        self.resizeDocks([docks["program"], docks["output"]], [700, 460], Qt.Orientation.Horizontal)

    def _arrange_for_width(self) -> None:
        wide = self.width() >= WIDE * settings.TEXT_SIZE.get() / 100
        if wide == self._wide or self.presenting.in_lecture:
            return
        self._wide = wide
        docks = self.docks
        if wide:
            self.addDockWidget(RIGHT, docks["program"])
            self.splitDockWidget(docks["program"], docks["inspector"], Qt.Orientation.Horizontal)
            self.tabifyDockWidget(docks["inspector"], docks["tensors"])
            self.splitDockWidget(docks["inspector"], docks["autograd"], Qt.Orientation.Vertical)
        else:
            self.addDockWidget(BOTTOM, docks["program"])
            self.splitDockWidget(docks["program"], docks["output"], Qt.Orientation.Horizontal)
            self.tabifyDockWidget(docks["output"], docks["problems"])
        docks["inspector"].raise_()
        docks["output"].raise_()
        self._size_docks()

    def _make_status(self) -> None:
        self.status_words = QLabel(self)
        self.status_words.setObjectName("status")
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self.status_words, 1)

    def _connect(self) -> None:
        document = self.document
        for signal in (document.selected, document.titled, document.changed, document.moved, document.finished):
            signal.connect(self._on_changed)
        document.told.connect(self.status_words.setText)
        self.palette_panel.operator_chosen.connect(self.canvas.place_operator)
        self.palette_panel.tensor_chosen.connect(self.canvas.place_tensor)
        self.problems.counted.connect(self._on_problems_counted)
        self.canvas.file_dropped.connect(self.filing.open_path)
        self.area.start.example_asked.connect(self.filing.open_course_example)
        self.area.start.open_asked.connect(self.filing.open_document)

    def _restore(self) -> None:
        geometry = settings.GEOMETRY.get()
        if isinstance(geometry, QByteArray) and not geometry.isEmpty():
            self.restoreGeometry(geometry)

    # ------------------------------------------------------------ inside

    def _on_changed(self, *_: object) -> None:
        self.refresh()

    def _on_problems_counted(self, count: int) -> None:
        title = self._panel_title("problems")
        self.docks["problems"].setWindowTitle(f"{title} {count}" if count else title)

    def _show_panel(self, name: str) -> None:
        self.docks[name].show()
        self.docks[name].raise_()

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

    def _panel_title(self, name: str) -> str:
        titles = {
            "palette": self.tr("Operators"),
            "inspector": self.tr("Inspector"),
            "tensors": self.tr("Tensors"),
            "autograd": self.tr("Autograd"),
            "program": self.tr("Program"),
            "output": self.tr("Output"),
            "problems": self.tr("Problems"),
        }
        return titles[name]
