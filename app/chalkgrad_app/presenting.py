"""In front of a class: lecture, text size, theme and language, changed while running."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from chalkgrad.stepwise import Stepwise, finished, is_waiting
from chalkgrad_app import i18n, settings
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.later import Later
from chalkgrad_app.widgets.slices import SLICE_MS
from chalkgrad_app.widgets.turns import turn

if TYPE_CHECKING:
    from chalkgrad_app.main_window import MainWindow

LECTURE_SIZE = 150
"""Text size in the lecture, in per cent, where it isn't larger already."""

SETTLING_MS = 800
"""How long a screen may take to give the window its full size, in milliseconds."""


class Presenting(QObject):
    """How large, in which colours and in which language one window, and with it the application, is shown."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.in_lecture = False
        self._was_maximized = False
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLING_MS)
        self._fitting = Later(self, self._settle)
        self._styling: Stepwise[None] | None = None
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._go_on)
        window.canvas.resized.connect(self._on_resized)

    def text_larger(self) -> None:
        """The next larger text size."""
        self._change_text_size(1)

    def text_smaller(self) -> None:
        """The next smaller text size."""
        self._change_text_size(-1)

    def _change_text_size(self, by: int) -> None:
        sizes = settings.TEXT_SIZES
        here = sizes.index(settings.TEXT_SIZE.get()) if settings.TEXT_SIZE.get() in sizes else 0
        self.set_text_size(sizes[min(max(here + by, 0), len(sizes) - 1)])

    def set_text_size(self, percent: int) -> None:
        """Use a text size, in per cent, and remember it."""
        settings.TEXT_SIZE.set(percent)
        self.apply_style()

    def set_theme(self, name: str) -> None:
        """Use a theme and remember it."""
        settings.THEME.set(name)
        self.apply_style()

    def let_move(self, on: bool) -> None:
        """Let views glide and cards move, or have them jump; remember it."""
        settings.MOTION.set(on)

    def set_language(self, code: str) -> None:
        """Use a language and remember it; every open window follows."""
        settings.LANGUAGE.set(code)
        i18n.set_language(code)

    def toggle_language(self) -> None:
        """The other language."""
        self.set_language("en" if i18n.language() == "zh_CN" else "zh_CN")

    def next_line(self) -> None:
        """The next line; in a lecture a clicker first shows what is covered, one thing after another."""
        document = self._window.document
        if not (self.in_lecture and self._window.canvas.asking.show_next()):
            document.step_line(1)

    def lecture(self, on: bool) -> None:
        """Only canvas, program and output, larger, full screen; or back to how it was."""
        if on == self.in_lecture:
            return
        window = self._window
        if on:
            window.canvas.views.enter_lecture()
        else:
            window.canvas.views.leave_lecture()
        self.in_lecture = on
        window.bars.show_bars(not on)
        window.statusBar().setVisible(not on)
        window.canvas.set_lecture(on)
        window.actions_by_id["lecture"].setChecked(on)
        window.bars.lecture.setChecked(on)
        self._settling.start()
        if on:
            self._was_maximized = window.isMaximized()
            window.docks.enter_lecture()
            window.showFullScreen()
        elif self._was_maximized:
            window.showMaximized()
        else:
            window.showNormal()
        self.apply_style()
        self._finish_style()
        if not on:
            window.docks.leave_lecture()
        self.show_graph()

    def show_graph(self) -> None:
        """Show the graph as it was seen last, in a lecture or before it; what is new to it from its beginning."""
        views, is_past = self._window.canvas.views, self._window.document.is_past
        if views.show():
            return
        if not self.in_lecture:
            self._window.canvas.fit_beginning()
            return
        views.show_for_last_row()
        if is_past:
            self._window.area.at_work.show()

    def _on_resized(self) -> None:
        """A window becomes full screen in its own time: show the graph again when the canvas has its size."""
        if self._settling.isActive():
            self._fitting.schedule()

    def _settle(self) -> None:
        """In the size that the window has now."""
        if not self.in_lecture:
            self._window.docks.give_back()
        self.show_graph()

    def apply_style(self) -> None:
        """Give every widget the theme and the text size in use: in slices, which go on until all have followed."""
        app = QApplication.instance()
        size = settings.TEXT_SIZE.get()
        if self.in_lecture:
            size = max(size, LECTURE_SIZE)
        if isinstance(app, QApplication):
            if self._styling is not None:
                self._styling.close()
            self._styling = theme.applying(app, theme.load(settings.THEME.get()), size)
            self._window.canvas.wait_a_frame()  # all else is painted in the next one
            self._slices.start()
            self._go_on()

    def _go_on(self) -> None:
        """Style some more widgets, unless others have had this turn of the event loop."""
        deadline = perf_counter() + SLICE_MS / 1000
        while self._styling is not None and not turn().is_over():
            part = next(self._styling, None)
            if part is None:
                self._end_style()
            elif is_waiting(part) or perf_counter() > deadline:
                return

    def _finish_style(self) -> None:
        """Style all that is left: sizes are asked for now."""
        if self._styling is not None:
            finished(self._styling)
            self._end_style()

    def _end_style(self) -> None:
        self._styling = None
        self._slices.stop()
