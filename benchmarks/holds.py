"""How long each act holds up the event loop in a large program.

``python benchmarks/holds.py [cards|data|autograd] [STATEMENTS ...]``; the acts are done by real key and mouse events in
the real window with its panels, but for files, whose dialogs are left out. A hold is a stretch in which no other event
could have come in: the act itself, or one turn of the loop after it. CPU milliseconds of the window's own thread; the
longest hold of each act, and all that the act took.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, QSettings, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from slider import sheet

from chalkgrad.program import files
from chalkgrad.program.board import DRAWINGS
from chalkgrad.program.sheet import Sheet
from chalkgrad.source import emit
from chalkgrad_app.export.image import exporting_document

AIM_MS = 50.0
ENOUGH_MS = 2000.0
"""For so long an act is followed: in a large program idle work, ways for wires for example, goes on for much longer."""
LARGEST = 12_000
"""So many pixels have pictures at most, along their longer side."""
CTRL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)

Act = Callable[[], object]


class Watch:
    """Does acts in a window and measures the stretches for which they hold up its event loop."""

    def __init__(self, window) -> None:
        self.window = window
        self.canvas = window.canvas
        self.document = window.document
        self.longest: dict[str, list[float]] = {}

    def measure(self, name: str, act: Act) -> None:
        """Do ``act`` and everything that follows of it."""
        holds = [_took(act)]
        quiet = 0
        while quiet < 5 and (self.is_busy or sum(holds) < ENOUGH_MS):
            holds.append(_took(QCoreApplication.processEvents))
            quiet = 0 if self.is_busy or holds[-1] > 0.5 else quiet + 1
            if quiet:
                time.sleep(0.06)  # for what waits for a pause
        self.longest.setdefault(name, []).append(max(holds))
        where = "at once" if holds[0] == max(holds) else "later"
        over = "   over the aim" if max(holds) > AIM_MS else ""
        print(f"  {name:32} longest {max(holds):7.1f} ms, {where:8} in all {sum(holds):8.1f}{over}", flush=True)

    @property
    def is_busy(self) -> bool:
        """True while the act is not over."""
        return self.document.is_running or any(slices.is_active for slices in self.canvas.slices)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> Act:
        """A press of a key on the canvas."""
        return lambda: QTest.keyClick(self.canvas, key, modifier)

    def type_into_focus(self, text: str) -> None:
        """Type into whatever has the focus."""
        for letter in text:
            QTest.keyClick(QCoreApplication.instance().focusWidget(), letter)

    def enter(self) -> None:
        """Press Enter where the focus is."""
        QTest.keyClick(QCoreApplication.instance().focusWidget(), Qt.Key.Key_Return)

    def point(self, id_: int) -> QPoint:
        """The middle of the header of a card, which is brought into view."""
        self.canvas.ensure_visible([id_])
        QCoreApplication.processEvents()
        return self.canvas.node_rect(self.document.program[id_].name).center()

    def choose(self, ids: Iterable[int]) -> None:
        """Select cards, and let the actions and panels follow: those that can't be used yet take no key."""
        self.document.select(ids)
        for _ in range(10):
            QCoreApplication.processEvents()

    def click(self, id_: int, modifier: Qt.KeyboardModifier = NONE) -> None:
        """Click on a card."""
        QTest.mouseClick(self.canvas, Qt.MouseButton.LeftButton, modifier, self.point(id_) - QPoint(30, 30))


def _took(act: Act) -> float:
    begun = time.thread_time()
    act()
    return 1000 * (time.thread_time() - begun)


def run(watch: Watch, count: int, drawing: str, folder: Path) -> None:
    """All acts, one after the other."""
    document, canvas = watch.document, watch.canvas
    chalk, script = folder / "large.chalk", folder / "large.py"
    made = sheet(count).drawn_as(drawing)
    chalk.write_text(files.save(made), encoding="utf-8")
    script.write_text("import torch\n\n" + emit.program_text(made.program), encoding="utf-8")
    for name, path in (("open a document", chalk), ("open a .py", script), ("open a document", chalk)):
        document.begin(Sheet())
        document.set_path(None)
        watch.measure(name, partial(watch.window.filing.open_path, path))
    document, middle = watch.document, count // 2
    canvas.setFocus()
    canvas.zoom_100()
    watch.measure("select a card", lambda: watch.click(middle))
    watch.measure("select all", watch.key(Qt.Key.Key_A, CTRL))
    watch.measure("select a card", lambda: watch.click(middle))
    watch.measure("quick-add opens", watch.key(Qt.Key.Key_A))
    for letter in "relu":
        watch.measure("type in it", partial(watch.type_into_focus, letter))
    watch.measure("add the operator", watch.enter)
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.measure("redo", lambda: document.undo_stack.redo())
    canvas.setFocus()
    watch.choose([middle])
    watch.measure("delete a card", watch.key(Qt.Key.Key_Delete))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.choose(range(middle, middle + 100))
    watch.measure("delete 100 cards", watch.key(Qt.Key.Key_Delete))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.choose([middle])
    watch.measure("duplicate", watch.key(Qt.Key.Key_D, CTRL))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.choose(range(middle, middle + 100))
    watch.measure("copy 100 cards", watch.key(Qt.Key.Key_C, CTRL))
    watch.measure("paste them", watch.key(Qt.Key.Key_V, CTRL))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.choose([middle])
    watch.measure("begin a wire by keys", watch.key(Qt.Key.Key_W))
    watch.measure("leave it", watch.key(Qt.Key.Key_Escape))
    watch.choose([1])
    watch.measure("requires_grad off", watch.key(Qt.Key.Key_G))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.choose([count - 1])
    watch.measure("backward", watch.key(Qt.Key.Key_B, CTRL))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.measure("one event back", watch.key(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier))
    watch.measure("one line back", watch.key(Qt.Key.Key_PageUp))
    watch.measure("look at the middle", lambda: document.look_at(len(document.session.trace) // 2))
    watch.measure("back to now", watch.key(Qt.Key.Key_End))
    watch.measure("everything in view", watch.key(Qt.Key.Key_Home))
    watch.measure("100 %", watch.key(Qt.Key.Key_1))
    watch.measure("a context menu", lambda: _ask_for_menu(watch, middle))
    _close_menu()
    canvas.setFocus()
    watch.choose([middle])
    watch.measure("rename a card", watch.key(Qt.Key.Key_F2))
    for letter in "renamed":
        watch.measure("type a new name", partial(watch.type_into_focus, letter))
    watch.measure("and enter", watch.enter)
    watch.measure("undo", lambda: document.undo_stack.undo())
    canvas.setFocus()
    watch.measure("drag a card", lambda: _drag(watch, middle))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.measure("tidy", watch.key(Qt.Key.Key_L))
    watch.measure("undo", lambda: document.undo_stack.undo())
    watch.measure("draw as data and edges", watch.key(Qt.Key.Key_2, CTRL))
    watch.measure("draw as autograd", watch.key(Qt.Key.Key_3, CTRL))
    watch.measure("draw as cards", watch.key(Qt.Key.Key_1, CTRL))
    _scrub(watch)
    canvas.setFocus()
    _looks(watch)
    _finds(watch)
    _panels(watch)
    for name in ("dark", "light"):
        watch.measure("a theme, all panels made", partial(watch.window.presenting.set_theme, name))
    _files(watch, folder)


def _panels(watch: Watch) -> None:
    """Panels that are closed at first, and lists of everything that has a name."""
    docks = watch.window.docks
    for name, dock in docks.by_name.items():
        if dock.isHidden():
            watch.measure(f"open {name}", partial(docks.show_panel, name))
            dock.hide()
    root, inputs = docks.autograd.root, docks.autograd.inputs.menu()
    watch.measure("the list of roots", root.showPopup)
    root.hidePopup()
    watch.measure("the menu of inputs", lambda: inputs.popup(root.mapToGlobal(QPoint(0, 0))))
    inputs.close()
    watch.canvas.setFocus()


def _finds(watch: Watch) -> None:
    """Looking for a card by its name."""
    watch.measure("find opens", watch.key(Qt.Key.Key_F, CTRL))
    for letter in "a77":
        watch.measure("type a name", partial(watch.type_into_focus, letter))
    watch.measure("go to it", watch.enter)
    watch.key(Qt.Key.Key_Escape)()
    watch.canvas.setFocus()


def _looks(watch: Watch) -> None:
    """What every widget follows."""
    presenting = watch.window.presenting
    for name in ("dark", "light"):
        watch.measure("a theme", partial(presenting.set_theme, name))
    for size in (125, 100):
        watch.measure("a text size", partial(presenting.set_text_size, size))
    for language in ("zh_CN", "en"):
        watch.measure("a language", partial(presenting.set_language, language))


def _files(watch: Watch, folder: Path) -> None:
    """Saving, copying all, and pictures of all as large as an image can be."""
    window, document = watch.window, watch.document
    filing = window.filing
    document.set_path(folder / "saved.chalk")
    watch.measure("save", watch.key(Qt.Key.Key_S, CTRL))
    watch.choose(document.program.order)
    watch.measure("copy all", watch.key(Qt.Key.Key_C, CTRL))
    watch.choose([])
    other = next(name for name in DRAWINGS if name != document.drawing)
    size = watch.canvas.picture.on_board().size()
    scale = min(1.0, LARGEST / max(size.width(), size.height()))
    for suffix, drawing in ((".png", ""), (".png", other), (".svg", ""), (".pdf", ""), (".tex", "")):
        path = folder / f"picture{suffix}"
        options = {"theme": "light", "scale": scale, "selection": (), "transparent": False, "drawing": drawing}
        make = partial(exporting_document, document, path, **options)
        shown = f" of {drawing}" if drawing else ""
        watch.measure(f"export a {suffix[1:]}{shown}", partial(filing.exporting.start, path, make))


def _ask_for_menu(watch: Watch, id_: int) -> None:
    """Ask for the menu of a card."""
    at = watch.point(id_)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, watch.canvas.mapToGlobal(at))
    QCoreApplication.sendEvent(watch.canvas, event)


def _close_menu() -> None:
    menu = QApplication.activePopupWidget()
    if menu is not None:
        menu.close()


def _drag(watch: Watch, id_: int) -> None:
    start = watch.point(id_) - QPoint(30, 30)
    QTest.mousePress(watch.canvas, Qt.MouseButton.LeftButton, NONE, start)
    for step in range(1, 4):
        QTest.mouseMove(watch.canvas, start + QPoint(20 * step, 0))
    QTest.mouseRelease(watch.canvas, Qt.MouseButton.LeftButton, NONE, start + QPoint(60, 0))


def _scrub(watch: Watch) -> None:
    """Drag the value of the first leaf, each step as soon as the one before is painted."""
    from chalkgrad_app.canvas.gestures.scrub import handle_rect

    canvas = watch.canvas
    canvas.ensure_visible([1])
    QCoreApplication.processEvents()
    start = canvas.viewport.rect_to_view(handle_rect(canvas.picture, 1)).center().toPoint()
    QTest.mouseMove(canvas, start)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, NONE, start)
    for step in range(8):
        watch.measure("drag a value", partial(QTest.mouseMove, canvas, start + QPoint(8 + step, 0)))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, NONE, start + QPoint(16, 0))


def main() -> None:
    """Measure programs of the sizes given."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(kind, QSettings.Scope.UserScope, folder)
        from chalkgrad_app.application import application
        from chalkgrad_app.collecting import Collector
        from chalkgrad_app.main import create_window
        from chalkgrad_app.warming import PARTS, list_operators
        from chalkgrad_app.widgets.highlight import spans

        window = create_window()
        window.resize(1600, 1000)
        window.show()
        for _ in range(20):  # who does something sees a window
            QCoreApplication.processEvents()
        Collector(application()).begin()  # as the program does when it has started,
        for part in PARTS:  # and in its first pauses
            import_module(part)
        list_operators()
        spans("x = torch.tanh(w)")  # the first line of all takes longest
        drawing = sys.argv.pop(1) if sys.argv[1:] and sys.argv[1] in DRAWINGS else DRAWINGS[0]
        for count in [int(word) for word in sys.argv[1:]] or [1000, 5000]:
            watch = Watch(window)
            print(f"{count} statements, drawn as {drawing}")
            run(watch, count, drawing, Path(folder))
            over = {name: max(holds) for name, holds in watch.longest.items() if max(holds) > AIM_MS}
            print(f"  {len(over)} of {len(watch.longest)} acts hold the loop for longer than {AIM_MS:.0f} ms")
        window.document.undo_stack.setClean()
        window.close()
        application().clipboard().clear()  # Qt would keep what was copied until Python is gone, which made it, and fall


if __name__ == "__main__":
    main()
