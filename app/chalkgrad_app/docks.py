"""The docks of a window: which panels there are, and where they stand at which width."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMainWindow, QTabBar, QTabWidget, QWidget

from chalkgrad_app.dock_sizes import ACROSS, DOWN, ROOM, DockSizes
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate
from chalkgrad_app.menus import PANEL_TITLES
from chalkgrad_app.panels.autograd import AutogradPanel
from chalkgrad_app.panels.inspector import InspectorPanel
from chalkgrad_app.panels.output import OutputPanel
from chalkgrad_app.panels.palette import PalettePanel
from chalkgrad_app.panels.problems import ProblemsPanel
from chalkgrad_app.panels.program import ProgramPanel
from chalkgrad_app.panels.tensors import TensorsPanel
from chalkgrad_app.style import theme
from chalkgrad_app.training import Training
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.column_area import column_area
from chalkgrad_app.widgets.late_dock import LateDock
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.tab_fonts import fit_tabs

if TYPE_CHECKING:
    from chalkgrad_app.panels.engine import EnginePanel
    from chalkgrad_app.panels.history import HistoryPanel
    from chalkgrad_app.panels.memory import MemoryPanel
    from chalkgrad_app.panels.training import TrainingPanel
    from chalkgrad_app.panels.versions import VersionsPanel
    from chalkgrad_app.panels.why import WhyPanel

Panel = TypeVar("Panel", bound=QWidget)

WIDE = 1800
"""From this width on, in pixels at 100% text size, the program stands right of the canvas.

Of a narrower window it would leave the canvas the lesser half: pictures of five lines would be half as large.
"""

LOW = 450
"""Under this height, in pixels at 100% text size, all panels at the right lie behind one another."""

SLIM = 620
"""Under this width, in pixels at 100% text size, the operators lie behind the panels at the right: between both hardly
half of the width would be left to the canvas."""

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)

ON_DEMAND = frozenset({"engine", "history", "memory", "training", "versions", "why"})
"""What is closed, and not even made, until somebody asks for it."""
SCROLLED = frozenset({"autograd", "memory", "training", "versions"})
"""What can be scrolled where there is no room for all of it."""
TABS = (
    ("inspector", "tensors", "why"),
    ("autograd", "engine", "memory", "versions", "training"),
    ("output", "problems", "history"),
)
"""Panels that lie behind one another."""
LECTURE = frozenset({"program", "output"})
"""What a lecture shows beside the canvas: the output once something was printed."""


class Docks(QObject):
    """Makes the panels of a window and puts them where they belong: four regions, no more."""

    looped = Signal(int)  # the gesture in which the training form made a loop
    chosen = Signal(object)  # ids of cards that should be in view

    def __init__(self, window: QMainWindow, document: Document, training: Training) -> None:
        super().__init__(window)
        self._window = window
        self.document = document
        self._training = training
        self._is_placed = False
        self._fitted_at = 0
        self._problems = self._errors = self._errors_now = 0
        window.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.by_name = {name: LateDock(name, partial(getattr, self, name), window) for name in PANEL_TITLES}
        for dock in self.by_name.values():
            dock.chosen.connect(self.show_panel)
        self.palette = self._put("palette", PalettePanel)
        self.palette.searching.connect(partial(self.show_panel, "palette"))
        self.inspector = self._put("inspector", partial(InspectorPanel, document))
        self.tensors = self._put("tensors", partial(TensorsPanel, document))
        self.autograd = self._put("autograd", partial(AutogradPanel, document))
        self.program = self._put("program", partial(ProgramPanel, document))
        self.output = self._put("output", partial(OutputPanel, document))
        self.problems = self._put("problems", partial(ProblemsPanel, document))
        self.sizes = DockSizes(window, self.by_name, self.autograd)
        self._colouring = Later(self, self.colour_tab)
        for name in ON_DEMAND:
            self.by_name[name].hide()
        self._hidden: list[str] = []
        self._in_front: dict[str, QSize] = {}
        self.problems.counted.connect(self._on_counted)
        document.traced.connect(self._show_printed)
        document.moved.connect(self._show_printed)

    # ------------------------------------------------------------ made when asked for

    @cached_property
    def why(self) -> WhyPanel:
        """Why a gradient is what it is."""
        from chalkgrad_app.panels.why import WhyPanel

        return self._put("why", partial(WhyPanel, self.document))

    @cached_property
    def memory(self) -> MemoryPanel:
        """What is saved for a backward, and until when."""
        from chalkgrad_app.panels.memory import MemoryPanel

        return self._put("memory", partial(MemoryPanel, self.document))

    @cached_property
    def versions(self) -> VersionsPanel:
        """Who wrote, saved and read which version of a tensor."""
        from chalkgrad_app.panels.versions import VersionsPanel

        panel = self._put("versions", partial(VersionsPanel, self.document))
        panel.chosen.connect(self.chosen)
        return panel

    @cached_property
    def engine(self) -> EnginePanel:
        """The engine inside a backward."""
        from chalkgrad_app.panels.engine import EnginePanel

        return self._put("engine", partial(EnginePanel, self.document))

    @cached_property
    def training(self) -> TrainingPanel:
        """The rounds of a loop, and the form that makes one."""
        from chalkgrad_app.panels.training import TrainingPanel

        panel = self._put("training", partial(TrainingPanel, self.document, self._training))
        panel.form.looped.connect(self.looped)
        return panel

    @cached_property
    def history(self) -> HistoryPanel:
        """The edits that can be undone."""
        from chalkgrad_app.panels.history import HistoryPanel

        return self._put("history", partial(HistoryPanel, self.document))

    # ------------------------------------------------------------ where they are

    def show_panel(self, name: str) -> None:
        """Bring a panel forward; one that says much gets the room that it needs."""
        self.by_name[name].show()
        self.by_name[name].raise_()
        if name == "why":
            self.give_room("why")
        elif name in ROOM and not self.sizes.is_low:
            self.sizes.resize(("inspector", name), ROOM[name], DOWN)

    def give_room(self, name: str) -> None:
        """Let a panel above at the right say more."""
        self.sizes.give_room(name)

    def arrange(self, again: bool = False) -> None:
        """Put the docks where they belong at the window's size; only when that has changed, or ``again``."""
        sizes = self.sizes
        width, low = self._window.width(), self._window.height() < scaled(LOW)
        wide, slim = width >= scaled(WIDE), width < scaled(SLIM)
        if again or not self._is_placed or (wide, low, slim) != (sizes.is_wide, sizes.is_low, sizes.is_slim):
            sizes.is_wide, sizes.is_low, sizes.is_slim, self._is_placed = wide, low, slim, True
            self._place(self._place_wide if wide else self._place_narrow)
            self.fit()
        else:
            sizes.follow()
        sizes.remember()

    def refit(self) -> None:
        """Follow another style: sizes that somebody gave stay, unless the text has another size."""
        if self._fitted_at != scaled(100):
            self.fit()
            return
        self._colouring.schedule()
        self.autograd.refresh()
        if not self.sizes.is_shared_by_hand:
            self.sizes.share_height()

    def fit(self) -> None:
        """Give the docks their sizes at the text size in use."""
        self._fitted_at = scaled(100)
        self._colouring.schedule()
        self.sizes.fit()
        self.autograd.refresh()  # it may still have the sizes of another text size, and so may the bars
        if (layout := self._window.layout()) is not None:
            layout.activate()
        self.sizes.share_height()

    def enter_lecture(self) -> None:
        """Only what a lecture shows."""
        kept = LECTURE if self.document.state.output else LECTURE - {"output"}
        inside = self._window.rect()  # Qt keeps what lies behind others outside
        shown = [(name, dock) for name, dock in self.by_name.items() if not dock.isHidden()]
        self._in_front = {name: dock.size() for name, dock in shown if inside.intersects(dock.geometry())}
        self._hidden = [name for name, _ in shown if name not in kept]
        for name in self._hidden:
            self.by_name[name].hide()
        if not self.sizes.is_wide:
            self.sizes.share_bottom()

    def leave_lecture(self) -> None:
        """All that was there before the lecture."""
        for name in self._hidden:
            self.by_name[name].show()
        self._hidden = []
        self.arrange(again=True)
        self.give_back()

    def give_back(self) -> None:
        """What was in front before the lecture is again, and the panels at the sides have the sizes that they had."""
        for name in self._in_front:
            self.by_name[name].raise_()
        at_right = {name: size for name, size in self._in_front.items() if name in (*TABS[0], *TABS[1])}
        sides = {
            name: size for name, size in self._in_front.items() if name in (*self.sizes.at_left, *list(at_right)[:1])
        }
        self.sizes.give_back(at_right, sides)

    def retranslate(self) -> None:
        """Set the titles, which the tabs show, in the language in use."""
        for name, dock in self.by_name.items():
            dock.setWindowTitle(translate("Docks", PANEL_TITLES[name]))
        self._name_problems()

    # ------------------------------------------------------------ inside

    def _put(self, name: str, make: Callable[[QWidget], Panel]) -> Panel:
        """Make a panel where it stays: Qt styles all of it anew whenever it gets another parent."""
        dock = self.by_name[name]
        if name in SCROLLED:
            area = column_area(dock)
            dock.setWidget(area)
            panel = make(area.viewport())
            area.setWidget(panel)
        else:
            panel = make(dock)
            dock.setWidget(panel)
        return panel

    def _place(self, put: Callable[[], None]) -> None:
        shown = self._window.isVisible()
        hidden = [dock for name, dock in self.by_name.items() if dock.isHidden() and (shown or name in ON_DEMAND)]
        for dock in self.by_name.values():
            self._window.removeDockWidget(dock)
        if not self.sizes.is_slim:
            self._window.addDockWidget(LEFT, self.by_name["palette"])
        put()
        for before, after in (pair for names in self._tabs() for pair in pairwise(names)):
            self._window.tabifyDockWidget(self.by_name[before], self.by_name[after])
        for dock in self.by_name.values():
            dock.setVisible(dock not in hidden)
        for name in ("inspector", "problems" if self._errors else "output"):
            self.by_name[name].raise_()
        self._colouring.schedule()

    def _place_narrow(self) -> None:
        window, docks = self._window, self.by_name
        window.addDockWidget(RIGHT, docks["inspector"])
        self._split_right()
        window.addDockWidget(BOTTOM, docks["program"])
        window.splitDockWidget(docks["program"], docks["output"], ACROSS)

    def _place_wide(self) -> None:
        window, docks = self._window, self.by_name
        window.addDockWidget(RIGHT, docks["program"])
        window.splitDockWidget(docks["program"], docks["inspector"], ACROSS)
        window.splitDockWidget(docks["program"], docks["output"], DOWN)
        self._split_right()

    def _split_right(self) -> None:
        if not self.sizes.is_low:
            self._window.splitDockWidget(self.by_name["inspector"], self.by_name["autograd"], DOWN)

    def _tabs(self) -> tuple[tuple[str, ...], ...]:
        """Which panels lie behind one another at the width and height that there are."""
        first, below, at_bottom = TABS
        above = (*first, "palette") if self.sizes.is_slim else first
        return (above + below, at_bottom) if self.sizes.is_low else (above, below, at_bottom)

    def _show_printed(self) -> None:
        """In a lecture the output comes when something is printed."""
        if "output" in self._hidden and self.document.state.output:
            self._hidden.remove("output")
            self.by_name["output"].show()
            self.sizes.share_bottom()

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
        title = translate("Docks", PANEL_TITLES["problems"])
        self.by_name["problems"].setWindowTitle(f"{title} {self._problems}")
        self._colouring.schedule()

    def colour_tab(self) -> None:
        """Show whole names, and the count in the colour of errors; Qt makes the tabs anew with every change."""
        title = self.by_name["problems"].windowTitle()
        colour = theme.current().color("error_ink") if self._errors else QColor()
        for bar in self._window.findChildren(QTabBar):
            bar.setAccessibleName(translate("Docks", "Panels"))
            fit_tabs(bar)
            for index in range(bar.count()):
                bar.setTabTextColor(index, colour if bar.tabText(index) == title else QColor())
