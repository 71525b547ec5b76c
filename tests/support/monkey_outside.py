"""What a monkey does round the canvas: docks moved, files dropped and changed, pictures written, work recovered.

And what comes between a press and its release: another key, the wheel, another window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QEnterEvent, QHelpEvent, QNativeGestureEvent, QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QTabBar
from support.desk import Dialogs, answering, with_button
from support.hands import LEFT, PLAIN, process
from support.monkey_body import KEYS, MODIFIERS
from support.monkey_checks import unlike
from support.monkey_lessons import PROGRAMS, Lessons, turn_wheel

from chalkgrad.lessons import examples
from chalkgrad.program import files
from chalkgrad.source import emit
from chalkgrad.stepwise import finished
from chalkgrad_app import keeping
from chalkgrad_app.export.dialog import FORMATS, ExportDialog
from chalkgrad_app.filing import open_windows

AREAS = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
AREAS += (Qt.DockWidgetArea.BottomDockWidgetArea, Qt.DockWidgetArea.TopDockWidgetArea)
FILES = ("found.py", "found.chalk", "broken.chalk", "broken.py", "found.txt")
BUTTONS = (Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton)
SETTLED_MS = keeping.SETTLED_MS + 150


class Outside(Lessons):
    """The acts beside those on the canvas; each says what it did."""

    folder: Path

    def outside_acts(self) -> dict[Callable[[], str], float]:
        """The acts and how often each is done, compared with others."""
        return {
            self.interrupt: 4,
            self.hover: 2,
            self.pinch: 1,
            self.move_dock: 1,
            self.drag_line: 2,
            self.drop_file: 0.5,
            self.change_file: 0.3,
            self.export: 0.5,
            self.recover: 0.3,
        }

    # ------------------------------------------------------------ at the canvas

    def interrupt(self) -> str:
        """A drag with something else before it ends: keys, the wheel, another button, another window."""
        start, end, keys = self.point(), self.point(), self.chance.choice(MODIFIERS)
        port = self._port(inputs=self.chance.random() < 0.3)
        start = port if port is not None and self.chance.random() < 0.4 else start
        self.hands.press(start, keys)
        self.hands.move((start + end) / 2, keys)
        between = (self._by_key, self._by_wheel, self._by_button, self._by_window, self._by_undo)
        what = self.chance.choice(between)()
        self.hands.move(end, keys)
        self.window.canvas.grab()
        self.hands.release(end, keys)
        self._answer()
        return f"drag {start.toTuple()} to {end.toTuple()} {keys.value}, meanwhile {what}"

    def _by_key(self) -> str:
        key, keys = self.chance.choice(KEYS)
        QTest.keyClick(self._focused(), key, keys)
        process()
        return f"{key.name} {keys.value}"

    def _by_wheel(self) -> str:
        notch = self.chance.choice((120, -120))
        turn_wheel(self.window.canvas, self.point(), notch)
        return f"wheel {notch}"

    def _by_button(self) -> str:
        QTest.mouseClick(self.window.canvas, self.chance.choice(BUTTONS), PLAIN, self.point())
        process()
        return "another button"

    def _by_window(self) -> str:
        for kind in (QEvent.Type.WindowDeactivate, QEvent.Type.WindowActivate):
            QApplication.sendEvent(self.window, QEvent(kind))
        self.window.docks.program.setFocus()
        process()
        return "the focus went"

    def _by_undo(self) -> str:
        stack = self.window.document.undo_stack
        back = self.chance.random() < 0.6
        self.window.actions_by_id["undo" if back else "redo"].trigger()
        process()
        return f"{'undo' if back else 'redo'} to {stack.index()}"

    def hover(self) -> str:
        """The pointer comes by, waits for what is said of the place, and may leave."""
        canvas, at = self.window.canvas, self.point()
        everywhere = canvas.mapToGlobal(at)
        QApplication.sendEvent(canvas, QEnterEvent(QPointF(at), QPointF(at), QPointF(everywhere)))
        self.hands.move(at, self.chance.choice(MODIFIERS), Qt.MouseButton.NoButton)
        QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, at, everywhere))
        process()
        if self.chance.random() < 0.3:
            QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
        return f"hover {at.toTuple()}"

    def pinch(self) -> str:
        """Two fingers: to zoom, or tapped twice."""
        canvas, at = self.window.canvas, QPointF(self.point())
        kinds = (Qt.NativeGestureType.ZoomNativeGesture, Qt.NativeGestureType.SmartZoomNativeGesture)
        kind, by = self.chance.choice(kinds), self.chance.choice((-0.4, -0.05, 0.1, 0.5))
        device = QPointingDevice.primaryPointingDevice()
        everywhere = canvas.mapToGlobal(at)
        event = QNativeGestureEvent(kind, device, 2, at, at, everywhere, by, QPointF())
        QApplication.sendEvent(canvas, event)
        process()
        return f"pinch {kind.name} {by}"

    # ------------------------------------------------------------ panels

    def move_dock(self) -> str:
        """A panel floats, comes to another side or onto another panel, is closed; a tab is chosen."""
        docks = self.window.docks.by_name
        name, other = (self.chance.choice(sorted(docks)) for _ in range(2))
        dock, what = docks[name], self.chance.choice(("float", "side", "tab", "close", "choose", "arrange"))
        if what == "float":
            dock.setFloating(not dock.isFloating())
        elif what == "side":
            self.window.addDockWidget(self.chance.choice(AREAS), dock)
        elif what == "tab" and name != other:
            self.window.tabifyDockWidget(docks[other], dock)
        elif what == "close":
            dock.close()
        elif what == "arrange":
            self.window.docks.arrange(again=True)
        else:
            for bar in [bar for bar in self.window.findChildren(QTabBar) if bar.isVisible() and bar.count()][:1]:
                QTest.mouseClick(bar, LEFT, PLAIN, bar.tabRect(self.chance.randrange(bar.count())).center())
        process()
        self.window.activateWindow()
        return f"dock {name}: {what}"

    def drag_line(self) -> str:
        """Lines of the program dragged to another place in it."""
        lines = self.window.docks.program.list
        count = lines.rows.rowCount()
        if not count or not lines.isVisible():
            return "no line"
        row, to = self.chance.randrange(count), self._within(lines.viewport().rect())
        data = lines.rows.mimeData([lines.rows.index(row)])
        if data is None or not data.formats():
            return f"row {row} can't be dragged"
        actions = Qt.DropAction.MoveAction
        enter = QDragEnterEvent(to, actions, data, LEFT, PLAIN)
        QApplication.sendEvent(lines.viewport(), enter)
        QApplication.sendEvent(lines.viewport(), QDropEvent(QPointF(to), actions, data, LEFT, PLAIN))
        process()
        return f"row {row} dragged to {to.toTuple()}"

    # ------------------------------------------------------------ files

    def drop_file(self) -> str:
        """A file dropped onto the window: a document, a program, or what is neither."""
        name = self.chance.choice(FILES)
        path = self.folder / name
        path.write_text(self._content(name), encoding="utf-8")
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        actions, at = Qt.DropAction.CopyAction, QPoint(5, 5)
        QApplication.sendEvent(self.window, QDragEnterEvent(at, actions, data, LEFT, PLAIN))
        QApplication.sendEvent(self.window, QDropEvent(QPointF(at), actions, data, LEFT, PLAIN))
        process()
        return f"drop file {name}"

    def change_file(self) -> str:
        """The document's file is written by another program, or deleted; it may be read again."""
        path = self.window.document.path
        if path is None or path.parent != self.folder:
            path = self.folder / "kept.chalk"
            self.window.filing.keeper.save(path)
        if self.chance.random() < 0.2:
            path.unlink(missing_ok=True)
            what = "deleted"
        else:
            name = "broken.chalk" if self.chance.random() < 0.2 else path.name
            path.write_text(self._content(name), encoding="utf-8")
            what = "changed"
        answer = self.chance.choice((QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No))
        asked = Dialogs((with_button(answer),))
        QTest.qWait(SETTLED_MS)
        asked.timer.stop()
        return f"file {what}, asked {asked.words!r}, {answer.name}"

    def export(self) -> str:
        """A picture written, as the dialog was filled in; and the code."""
        dialog = ExportDialog(self.window.document, self.window)
        dialog.show()
        used = [self._use(self.chance.choice(self._inputs(dialog))) for _ in range(3) if dialog.isVisible()]
        dialog.scale.setValue(0.5)
        dialog.format.setCurrentIndex(self.chance.randrange(len(FORMATS)))
        path = self.folder / f"picture{dialog.suffix()}"
        finished(dialog.writing(path)())
        dialog.close()
        dialog.deleteLater()
        self.window.activateWindow()
        assert path.stat().st_size, f"{path.name} is empty"
        files.write_text(self.folder / "code.py", emit.program_text(self.window.document.program))
        return f"export {path.suffix} {used}"

    def recover(self) -> str:
        """What was done since it was saved is there after the process was killed."""
        self._leave()
        keeper, document = self.window.filing.keeper, self.window.document
        document.mark_unsaved()
        keeper.autosave()
        copy = max(keeping.autosave_folder().glob(f"*{keeping.SUFFIX}"), key=lambda path: path.stat().st_mtime_ns)
        assert not keeping.leftovers(), "what a living process keeps is no leftover"
        left = keeping.autosave_folder() / f"killed{keeping.SUFFIX}"
        left.write_bytes(copy.read_bytes())
        due = document.sheet
        with answering(with_button(QMessageBox.StandardButton.Open)):
            self.window.filing.offer_recovery()
        back = next((window for window in open_windows() if window is not self.window), self.window)
        found = back.document.sheet
        found = replace(found, program=replace(found.program, next_id=due.program.next_id))
        assert files.save(found) == files.save(due), f"what was recovered is not what there was: {unlike(found, due)}"
        assert not left.exists()
        return "recover"

    def _content(self, name: str) -> str:
        """What a file of such a name holds; a broken one, something else."""
        kind = Path(name).suffix
        if name.startswith("broken"):
            return self.chance.choice(("{", "y = (", '{"format": "chalkgrad", "version": 9999}', "import os\n"))
        if kind == keeping.SUFFIX:
            return files.save(self.chance.choice(examples()).sheet)
        return f"import torch\n{self.chance.choice(PROGRAMS)}"
