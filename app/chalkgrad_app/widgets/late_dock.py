"""A dock whose panel is made when it is shown for the first time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDockWidget, QWidget

from chalkgrad_app.widgets.tab_focus import go_on


class LateDock(QDockWidget):
    """Asks for its panel before it is shown, so that what nobody looks at takes no time at the start."""

    chosen = Signal(str)  # its name, when somebody opens it from a menu

    def __init__(self, name: str, ask: Callable[[], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"dock.{name}")
        self.setTitleBarWidget(QWidget(self))
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.toggleViewAction().triggered.connect(self._on_triggered)
        self._name = name
        self._ask = ask

    def setVisible(self, visible: bool) -> None:
        """Whoever shows it, it has its panel."""
        if visible and self.widget() is None:
            self._ask()
        super().setVisible(visible)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """One that is a window of its own is gone through as it stands, as the main window is."""
        return (self.isWindow() and go_on(self, forward)) or super().focusNextPrevChild(forward)

    @Slot(bool)
    def _on_triggered(self, opened: bool) -> None:
        if opened:
            self.chosen.emit(self._name)
