"""Bringing a panel forward for who asks for it, with the focus where one goes on."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from chalkgrad_app.docks import Docks

if TYPE_CHECKING:
    from chalkgrad_app.panels.compare import CompareWindow


class Showing(QObject):
    """What actions call that ask to see a panel, or the window that compares two graphs."""

    def __init__(self, docks: Docks, window: QWidget) -> None:
        super().__init__(window)
        self._docks = docks
        self._window = window

    @cached_property
    def compare(self) -> CompareWindow:
        """The window that shows what retain_graph and create_graph change, made when it is asked for."""
        from chalkgrad_app.panels.compare import CompareWindow

        return CompareWindow(self._docks.document, self._window)

    def backward_options(self) -> None:
        """The autograd panel, with the focus in its first option."""
        self._docks.show_panel("autograd")
        self._docks.autograd.focus_options()

    def why(self) -> None:
        """The panel that says why a gradient is what it is, with the focus in it."""
        self._docks.show_panel("why")
        self._docks.why.focus_paths()

    def memory(self) -> None:
        """The panel that shows what is saved for a backward, with the focus in it."""
        self._docks.show_panel("memory")
        self._docks.memory.focus_table()

    def versions(self) -> None:
        """The panel that tells a tensor's versions, with the focus in it."""
        self._docks.show_panel("versions")
        self._docks.versions.focus_list()

    def compare_graphs(self, line: int | None = None) -> None:
        """What retain_graph and create_graph change, in a window of its own."""
        self.compare.open_at(line)

    def engine(self) -> None:
        """The panel that shows the engine inside a backward, with the focus in it."""
        self._docks.show_panel("engine")
        self._docks.engine.focus_list()

    def training(self) -> None:
        """The training panel, with the focus in its first curve."""
        self._docks.show_panel("training")
        self._docks.training.losses.setFocus()

    def training_form(self) -> None:
        """The form that makes a training loop."""
        self._docks.show_panel("training")
        self._docks.training.show_form()
