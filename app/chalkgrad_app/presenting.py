"""In front of a class: lecture, text size, theme and language, changed while running."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from chalkgrad_app import i18n, settings
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.main_window import MainWindow

LECTURE_SIZE = 150
"""Text size in the lecture, in per cent, where it isn't larger already."""

LECTURE_PANELS = frozenset({"program", "output"})


class Presenting(QObject):
    """How large, in which colours and in which language one window, and with it the application, is shown."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.in_lecture = False
        self._arrangement = window.saveState()
        self._hidden: list[str] = []

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

    def set_language(self, code: str) -> None:
        """Use a language and remember it; every open window follows."""
        settings.LANGUAGE.set(code)
        i18n.set_language(code)

    def toggle_language(self) -> None:
        """The other language."""
        self.set_language("en" if i18n.language() == "zh_CN" else "zh_CN")

    def lecture(self, on: bool) -> None:
        """Only canvas, program and output, larger, full screen; or back to how it was."""
        if on == self.in_lecture:
            return
        window = self._window
        self.in_lecture = on
        if on:
            self._arrangement = window.saveState()
            self._hidden = [name for name, dock in window.docks.items() if name not in LECTURE_PANELS]
            for name in self._hidden:
                window.docks[name].hide()
            window.showFullScreen()
        else:
            window.showNormal()
            for name in self._hidden:
                window.docks[name].show()
            window.restoreState(self._arrangement)
        window.bars.show_toolbar(not on)
        window.canvas.set_lecture(on)
        window.actions_by_id["lecture"].setChecked(on)
        self.apply_style()

    def apply_style(self) -> None:
        """Give every widget the theme and the text size in use."""
        app = QApplication.instance()
        size = settings.TEXT_SIZE.get()
        if self.in_lecture:
            size = max(size, LECTURE_SIZE)
        if isinstance(app, QApplication):
            theme.apply(app, theme.load(settings.THEME.get()), size)
