"""The docks of a window: which panels there are, where they stand at which width, and how large they are."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDockWidget, QFrame, QMainWindow, QScrollArea, QTabBar, QTabWidget, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.panels.autograd import AutogradPanel
from chalkgrad_app.panels.engine import EnginePanel
from chalkgrad_app.panels.history import HistoryPanel
from chalkgrad_app.panels.inspector import InspectorPanel
from chalkgrad_app.panels.memory import MemoryPanel
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.panels.output import OutputPanel
from chalkgrad_app.panels.palette import PalettePanel
from chalkgrad_app.panels.problems import ProblemsPanel
from chalkgrad_app.panels.program import ProgramPanel
from chalkgrad_app.panels.tensors import TensorsPanel
from chalkgrad_app.panels.training import TrainingPanel
from chalkgrad_app.panels.versions import VersionsPanel
from chalkgrad_app.panels.why import WhyPanel
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.later import Later

WIDE = 1600
"""From this width on, in pixels at 100% text size, the program stands right of the canvas."""

PALETTE_WIDTH, RIGHT_WIDTH, PROGRAM_WIDTH, BOTTOM_HEIGHT = 176, 304, 400, 170
"""Sizes in pixels at 100% text size; the program has its width where it stands right of the canvas."""

FACTS_HEIGHT = 218
"""Room in the inspector for the first facts of a tensor, grad among them, in pixels at 100% text size."""

MOST_ACROSS = {PALETTE_WIDTH: 0.18, RIGHT_WIDTH: 0.4, PROGRAM_WIDTH: 0.3}
"""No dock takes a larger share of the window's width: with large text the canvas needs room, too."""

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical

TITLES = {
    "palette": QT_TRANSLATE_NOOP("Docks", "Operators"),
    "inspector": QT_TRANSLATE_NOOP("Docks", "Inspector"),
    "tensors": QT_TRANSLATE_NOOP("Docks", "Tensors"),
    "why": QT_TRANSLATE_NOOP("Docks", "Why"),
    "memory": QT_TRANSLATE_NOOP("Docks", "Memory"),
    "versions": QT_TRANSLATE_NOOP("Docks", "Versions"),
    "engine": QT_TRANSLATE_NOOP("Docks", "Engine"),
    "training": QT_TRANSLATE_NOOP("Docks", "Training"),
    "autograd": QT_TRANSLATE_NOOP("Docks", "Autograd"),
    "program": QT_TRANSLATE_NOOP("Docks", "Program"),
    "output": QT_TRANSLATE_NOOP("Docks", "Output"),
    "problems": QT_TRANSLATE_NOOP("Docks", "Problems"),
    "history": QT_TRANSLATE_NOOP("Docks", "History"),
}
ON_DEMAND = frozenset({"engine", "history", "memory", "training", "versions", "why"})
"""What is closed until somebody asks for it."""
SCROLLED = frozenset({"autograd", "memory", "training", "versions"})
"""What can be scrolled where there is no room for all of it."""
ROOM = {"engine": (2, 3), "memory": (2, 3), "versions": (2, 3), "training": (1, 2), "why": (3, 2)}
"""How the panels above and below at the right share their height once one of these is asked for."""
LECTURE = frozenset({"program", "output"})
"""What a lecture shows beside the canvas."""


class Docks(QObject):
    """Makes the panels of a window and puts them where they belong: four regions, no more."""

    def __init__(self, window: QMainWindow, document: Document) -> None:
        super().__init__(window)
        self._window = window
        self.document = document
        self._wide: bool | None = None
        self._problems = self._errors = self._errors_now = 0
        window.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.palette = PalettePanel(window)
        self.inspector = InspectorPanel(document, window)
        self.tensors = TensorsPanel(document, window)
        self.why = WhyPanel(document, window)
        self.memory = MemoryPanel(document, window)
        self.versions = VersionsPanel(document, window)
        self.engine = EnginePanel(document, window)
        self.training = TrainingPanel(document, window)
        self.autograd = AutogradPanel(document, window)
        self.program = ProgramPanel(document, window)
        self.output = OutputPanel(document, window)
        self.problems = ProblemsPanel(document, window)
        self.history = HistoryPanel(document, window)
        self._colouring = Later(self, self.colour_tab)
        self.by_name = {name: self._dock(name, getattr(self, name)) for name in TITLES}
        for name in ON_DEMAND:
            self.by_name[name].hide()
        self._hidden: list[str] = []
        self.problems.counted.connect(self._on_counted)

    def show_panel(self, name: str) -> None:
        """Bring a panel forward; one that says much gets the room that it needs."""
        self.by_name[name].show()
        self.by_name[name].raise_()
        if name in ROOM:
            pair = ("why", "autograd") if name == "why" else ("inspector", name)
            self._resize(pair, ROOM[name], DOWN)

    def arrange(self, again: bool = False) -> None:
        """Put the docks where they belong at the window's width; only when that has changed, or ``again``."""
        wide = self._window.width() >= scaled(WIDE)
        if again or wide != self._wide:
            self._wide = wide
            self._place(self._place_wide if wide else self._place_narrow)
            self.fit()

    def fit(self) -> None:
        """Give the docks their sizes at the text size in use."""
        self._colouring.schedule()
        if not self._wide:
            height = min(scaled(BOTTOM_HEIGHT), self._window.height() * 3 // 10)
            self._resize(("program",), (height,), DOWN)
            self._resize(("program", "output"), (3, 2), ACROSS)
        else:
            self._resize(("program", "output"), (5, 2), DOWN)
        names = ("palette", "program", "inspector") if self._wide else ("palette", "inspector")
        wanted = {"palette": PALETTE_WIDTH, "program": PROGRAM_WIDTH, "inspector": RIGHT_WIDTH}
        self._resize(names, tuple(self._across(wanted[name]) for name in names), ACROSS)
        both = self.by_name["inspector"].height() + self.by_name["autograd"].height()
        needed = min(self.autograd.sizeHint().height() + 2, max(both - scaled(FACTS_HEIGHT), both * 9 // 20))
        self._resize(("inspector", "autograd"), (max(1, both - needed), needed), DOWN)

    def enter_lecture(self) -> None:
        """Only what a lecture shows."""
        self._hidden = [name for name, dock in self.by_name.items() if not dock.isHidden() and name not in LECTURE]
        for name in self._hidden:
            self.by_name[name].hide()
        if not self._wide:
            self._resize(("program", "output"), (3, 2), ACROSS)

    def leave_lecture(self) -> None:
        """All that was there before the lecture."""
        for name in self._hidden:
            self.by_name[name].show()
        self._hidden = []
        self.arrange(again=True)

    def retranslate(self) -> None:
        """Set the titles, which the tabs show, in the language in use."""
        for name, dock in self.by_name.items():
            dock.setWindowTitle(translate("Docks", TITLES[name]))
        self._name_problems()

    # ------------------------------------------------------------ inside

    def _dock(self, name: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(self._window)
        dock.setObjectName(f"dock.{name}")
        dock.setWidget(_scrolling(panel) if name in SCROLLED else panel)
        if isinstance(panel, Mirror):
            dock.visibilityChanged.connect(panel.schedule)
        dock.setTitleBarWidget(QWidget(dock))
        dock.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        return dock

    def _place(self, put: Callable[[], None]) -> None:
        shown = self._window.isVisible()
        hidden = [dock for name, dock in self.by_name.items() if dock.isHidden() and (shown or name in ON_DEMAND)]
        for dock in self.by_name.values():
            self._window.removeDockWidget(dock)
        self._window.addDockWidget(LEFT, self.by_name["palette"])
        put()
        for dock in self.by_name.values():
            dock.setVisible(dock not in hidden)
        for name in ("inspector", "problems" if self._errors else "output"):
            self.by_name[name].raise_()
        self._colouring.schedule()

    def _place_narrow(self) -> None:
        window, docks = self._window, self.by_name
        window.addDockWidget(RIGHT, docks["inspector"])
        window.splitDockWidget(docks["inspector"], docks["autograd"], DOWN)
        window.tabifyDockWidget(docks["inspector"], docks["tensors"])
        window.tabifyDockWidget(docks["tensors"], docks["why"])
        window.tabifyDockWidget(docks["autograd"], docks["engine"])
        window.tabifyDockWidget(docks["engine"], docks["memory"])
        window.tabifyDockWidget(docks["memory"], docks["versions"])
        window.tabifyDockWidget(docks["versions"], docks["training"])
        window.addDockWidget(BOTTOM, docks["program"])
        window.splitDockWidget(docks["program"], docks["output"], ACROSS)
        window.tabifyDockWidget(docks["output"], docks["problems"])
        window.tabifyDockWidget(docks["problems"], docks["history"])

    def _place_wide(self) -> None:
        window, docks = self._window, self.by_name
        window.addDockWidget(RIGHT, docks["program"])
        window.splitDockWidget(docks["program"], docks["inspector"], ACROSS)
        window.splitDockWidget(docks["program"], docks["output"], DOWN)
        window.splitDockWidget(docks["inspector"], docks["autograd"], DOWN)
        window.tabifyDockWidget(docks["output"], docks["problems"])
        window.tabifyDockWidget(docks["problems"], docks["history"])
        window.tabifyDockWidget(docks["inspector"], docks["tensors"])
        window.tabifyDockWidget(docks["tensors"], docks["why"])
        window.tabifyDockWidget(docks["autograd"], docks["engine"])
        window.tabifyDockWidget(docks["engine"], docks["memory"])
        window.tabifyDockWidget(docks["memory"], docks["versions"])
        window.tabifyDockWidget(docks["versions"], docks["training"])

    def _across(self, width: int) -> int:
        return min(scaled(width), round(self._window.width() * MOST_ACROSS[width]))

    def _resize(self, names: tuple[str, ...], sizes: tuple[int, ...], way: Qt.Orientation) -> None:
        self._window.resizeDocks([self.by_name[name] for name in names], list(sizes), way)

    def _on_counted(self, count: int, errors: int) -> None:
        """Name the tab; a new error, but no warning, brings the panel forward where it isn't closed."""
        is_new = errors > self._errors_now and not self.document.is_past
        self._problems, self._errors = count, errors
        if not self.document.is_past:
            self._errors_now = errors
        self._name_problems()
        if is_new and not self.by_name["problems"].isHidden():
            self.by_name["problems"].raise_()

    def _name_problems(self) -> None:
        title = translate("Docks", TITLES["problems"])
        self.by_name["problems"].setWindowTitle(f"{title} {self._problems}")
        self._colouring.schedule()

    def colour_tab(self) -> None:
        """Show the count in the colour of errors while there are some; Qt makes the tabs anew with every change."""
        title = self.by_name["problems"].windowTitle()
        colour = theme.current().color("error_ink") if self._errors else QColor()
        for bar in self._window.findChildren(QTabBar):
            bar.setAccessibleName(translate("Docks", "Panels"))
            for index in range(bar.count()):
                bar.setTabTextColor(index, colour if bar.tabText(index) == title else QColor())


def _scrolling(panel: QWidget) -> QScrollArea:
    """A panel that can be scrolled where a small window has no room for all of it."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(panel)
    return area
