"""In front of a class: lecture, text size, theme and language, changed while running."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from chalkgrad_app import i18n, settings
from chalkgrad_app.picture.look import Level
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.later import Later

if TYPE_CHECKING:
    from chalkgrad_app.canvas.fitting import View
    from chalkgrad_app.main_window import MainWindow

LECTURE_SIZE = 150
"""Text size in the lecture, in per cent, where it isn't larger already."""

CARD_TEXT, LECTURE_TEXT = 11.0, 20.0
"""Height of the smallest text of a card at 100%, and the least that it has in a lecture, in pixels."""

SETTLING_MS = 800
"""How long a screen may take to give the window its full size, in milliseconds."""


class Presenting(QObject):
    """How large, in which colours and in which language one window, and with it the application, is shown."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.in_lecture = False
        self._was_maximized = False
        self._looked: View | None = None
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLING_MS)
        self._fitting = Later(self, self._settle)
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
            self._looked = window.canvas.view()
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
        if not on:
            window.docks.leave_lecture()
        self.show_graph()

    def show_graph(self) -> None:
        """Show all cards, or the beginning where all would be too small; after a lecture what was seen before it.

        In a lecture all where each says everything, else the beginning so large that the last row can read it; but what
        somebody had come nearer to stays in the middle.
        """
        self._show_fitted()
        canvas, looked = self._window.canvas, self._looked
        if self.in_lecture and looked is not None and not looked.is_fitted and looked.zoom > canvas.viewport.zoom:
            canvas.show_view(looked)

    def _show_fitted(self) -> None:
        canvas = self._window.canvas
        cards = [id_ for id_ in self._window.document.program.order if id_ in canvas.picture.index]
        if not self.in_lecture or not cards:
            if self.in_lecture or not canvas.views.show():
                canvas.fit_beginning()
            return
        canvas.fit_all()
        if canvas.viewport.level is Level.NEAR:
            return
        canvas.fit(cards)
        least = math.ceil(100 * LECTURE_TEXT / CARD_TEXT / (theme.text_size() / 100))
        if canvas.zoom_percent < least:
            canvas.set_zoom_percent(least)
            canvas.ensure_visible(cards[:1])
            if self._window.document.is_past:
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
        """Give every widget the theme and the text size in use."""
        app = QApplication.instance()
        size = settings.TEXT_SIZE.get()
        if self.in_lecture:
            size = max(size, LECTURE_SIZE)
        if isinstance(app, QApplication):
            theme.apply(app, theme.load(settings.THEME.get()), size)
