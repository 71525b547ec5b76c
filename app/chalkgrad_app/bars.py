"""Menu bar and toolbar of a window, made from the lists in :mod:`chalkgrad_app.menus`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolBar, QToolButton, QWidget

from chalkgrad import lessons
from chalkgrad_app import i18n, settings, steps
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.canvas.viewport import LEAST as LEAST_ZOOM
from chalkgrad_app.canvas.viewport import MOST as MOST_ZOOM
from chalkgrad_app.menus import INNER_TITLES, MENUS, SUBMENUS, THEMES, TOOLBAR
from chalkgrad_app.naming import as_title
from chalkgrad_app.style import icons, theme
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.elided import ElidedButton
from chalkgrad_app.widgets.zoom_box import ZoomBox

if TYPE_CHECKING:
    from chalkgrad_app.main_window import MainWindow

LINE_WIDTH, SHORT_LINE_WIDTH = 264, 140
"""Room for the line that a toolbar button shows, in pixels at 100% text size; the second one in a narrow window."""

ROOMY, LEAST = 1240, 900
"""Widths of the window, in pixels at 100% text size: from the first on every button of the toolbar has its words, below
the second one none has."""

MENU_HEIGHT, ICON, ZOOM_WIDTH = 28, 18, 84
"""In pixels at 100% text size."""

CORNER_SIZES = {"smaller": 40, "larger": 40, "language": 72, "lecture": 128}
"""Widths of the buttons in the corner, in pixels at any text size and in any language: they never move."""

CORNER_LARGEST = 150
"""Their text grows with the text size, up to so many per cent: then it fills them."""

WORDED = ("tidy", "cover", "runForward")
"""Buttons of the toolbar that have words beside their icon where there is room."""

ALWAYS_WORDED = "runForward"
"""Keeps its words longest: no icon says them."""

NOTHING_TO_SHOW = {"backward": "backward()", "zeroGrad": "grad = None"}
"""What a button says that has no line to append."""


class Bars(QObject):
    """The menu bar, its corner, and the toolbar."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._filled: dict[str, QMenu] = {}
        self._titles: dict[str, QMenu] = {}
        self._shown: tuple[object, ...] = ()
        self._make_menus()
        self._make_corner()
        self.toolbar = QToolBar(window)
        self.toolbar.setObjectName("toolbar")
        self.toolbar.setMovable(False)
        window.addToolBar(self.toolbar)
        self._make_toolbar()
        for id_, action in window.actions_by_id.items():
            if BY_ID[id_].icon:
                action.setIcon(icons.icon(BY_ID[id_].icon))
        self.restyle()
        window.canvas.zoomed.connect(self.zoom.show_percent)

    def show_bars(self, on: bool) -> None:
        """Show or hide the toolbar and the menu bar (the lecture has neither)."""
        self.toolbar.setVisible(on)
        self._window.menuBar().setVisible(on)

    def refresh(self) -> None:
        """Let the buttons show the lines that they would append now, which the cursor has no part in."""
        document = self._window.document
        shown = (document.program, document.selection)
        if shown == self._shown:
            return
        self._shown = shown
        for id_, button, make in (
            ("backward", self.backward, steps.backward),
            ("zeroGrad", self.zero, steps.zero_to_none),
        ):
            lines = make(document)
            button.setText(steps.text(document, lines) or NOTHING_TO_SHOW[id_])
            button.setEnabled(bool(lines))

    def restyle(self) -> None:
        """Follow the text size: heights, icons, and words only where there is room for them."""
        menu_bar = self._window.menuBar()
        menu_bar.setFixedHeight(scaled(MENU_HEIGHT))
        corner = menu_bar.cornerWidget()
        if corner is not None:
            corner.setFixedHeight(scaled(MENU_HEIGHT))
        for name, width in CORNER_SIZES.items():
            button: QToolButton = getattr(self, name)
            button.setFont(ui_font(theme.BASE_PIXELS * min(theme.text_size(), CORNER_LARGEST) / 100))
            button.setFixedSize(width, scaled(MENU_HEIGHT))
        self.toolbar.setIconSize(QSize(scaled(ICON), scaled(ICON)))
        self.zoom.setFixedWidth(scaled(ZOOM_WIDTH))
        self.fit()

    def fit(self) -> None:
        """Words and whole lines in the toolbar only where the window has room for them."""
        width = self._window.width()
        roomy = width >= scaled(ROOMY)
        for button in (self.backward, self.zero):
            button.set_room(LINE_WIDTH if roomy else SHORT_LINE_WIDTH)
        style = Qt.ToolButtonStyle
        for id_ in WORDED:
            widget = self.toolbar.widgetForAction(self._window.actions_by_id[id_])
            if isinstance(widget, QToolButton):
                worded = roomy or (id_ == ALWAYS_WORDED and width >= scaled(LEAST))
                widget.setToolButtonStyle(style.ToolButtonTextBesideIcon if worded else style.ToolButtonIconOnly)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        for name, title, _ in MENUS:
            self._titles[name].setTitle(i18n.translate("Menus", title))
        for name, menu in self._filled.items():
            menu.setTitle(i18n.translate("Bars", INNER_TITLES[name]))
        for id_, button in (("textLarger", self.larger), ("textSmaller", self.smaller)):
            button.setToolTip(BY_ID[id_].tip())
            button.setAccessibleName(BY_ID[id_].title())
        self.lecture.setText(f"{BY_ID['lecture'].title()} F11")
        self.language.setToolTip(self.tr("Chinese or English"))
        self.language.setAccessibleName(self.tr("Chinese or English"))
        self.zoom.retranslate()
        self.backward.setToolTip(BY_ID["backward"].tip())
        self.zero.setToolTip(BY_ID["zeroGrad"].tip())
        self.refresh()

    def choices(self) -> dict[str, list[QAction]]:
        """What the menus that are filled when shown offer now, by their names."""
        found, known = {}, set(self._window.actions_by_id.values())
        for name, menu in self._filled.items():
            menu.aboutToShow.emit()
            offered = [action for action in menu.actions() if action.isEnabled() and not action.isSeparator()]
            found[name] = [action for action in offered if action not in known]
        return found

    # ------------------------------------------------------------ build

    def _make_menus(self) -> None:
        bar = self._window.menuBar()
        bar.setNativeMenuBar(False)
        for name, _, ids in MENUS:
            menu = bar.addMenu(name)
            menu.setObjectName(f"menu.{name}")
            self._titles[name] = menu
            for id_ in ids:
                self._add_to_menu(menu, id_)

    def _add_to_menu(self, menu: QMenu, id_: str) -> None:
        if id_ == "-":
            menu.addSeparator()
        elif id_.startswith("@"):
            inner = menu.addMenu(id_[1:])
            inner.setObjectName(f"menu.{id_[1:]}")
            if id_[1:] in SUBMENUS:
                for inside in SUBMENUS[id_[1:]]:
                    self._add_to_menu(inner, inside)
            else:
                inner.aboutToShow.connect(getattr(self, f"_fill_{id_[1:]}"))
            self._filled[id_[1:]] = inner
        else:
            menu.addAction(self._window.actions_by_id[id_])

    def _make_corner(self) -> None:
        corner = QWidget(self._window)
        corner.setObjectName("corner")
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(4)
        self.smaller = self._corner_button("corner.textSmaller", "A−", self._window.presenting.text_smaller)
        self.larger = self._corner_button("corner.textLarger", "A+", self._window.presenting.text_larger)
        self.language = self._corner_button("corner.language", "中/EN", self._window.presenting.toggle_language)
        self.lecture = self._corner_button("corner.lecture", "", self._window.actions_by_id["lecture"].trigger)
        for button in (self.smaller, self.larger, self.language, self.lecture):
            button.setAutoRaise(True)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._window.menuBar().setCornerWidget(corner)

    def _corner_button(self, name: str, text: str, slot: object) -> QToolButton:
        button = QToolButton(self._window)
        button.setObjectName(name)
        button.setText(text)
        button.clicked.connect(slot)
        return button

    def _make_toolbar(self) -> None:
        self.zoom = ZoomBox(100 * LEAST_ZOOM, 100 * MOST_ZOOM, self.toolbar)
        self.zoom.setObjectName("toolbar.zoom")
        self.zoom.chosen.connect(self._zoom_to)
        self.zoom.stepped.connect(self._step_zoom)
        self.zoom.fit_chosen.connect(self._fit_all)
        self.backward = self._line_button("toolbar.backward", "backward", ("backward", "backwardOptions", "grad"))
        self.zero = self._line_button("toolbar.zeroGrad", "zeroGrad", ("zeroGrad", "zeroGradZeros"))
        widgets = {"@zoom": self.zoom, "@backward": self.backward, "@zeroGrad": self.zero}
        for id_ in TOOLBAR:
            if id_ == "-":
                self.toolbar.addSeparator()
            elif id_ in widgets:
                self.toolbar.addWidget(widgets[id_])
            else:
                self.toolbar.addAction(self._window.actions_by_id[id_])
                self.toolbar.widgetForAction(self._window.actions_by_id[id_]).setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _line_button(self, name: str, main: str, ids: tuple[str, ...]) -> ElidedButton:
        """A button that shows the line it appends, with a menu of its kin."""
        button = ElidedButton(self.toolbar)
        button.setObjectName(name)
        button.clicked.connect(self._window.actions_by_id[main].trigger)
        menu = QMenu(button)
        menu.addActions([self._window.actions_by_id[id_] for id_ in ids])
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        return button

    # ------------------------------------------------------------ menus that are filled when shown

    def _fill_recent(self) -> None:
        menu = self._filled["recent"]
        menu.clear()
        for path in settings.recent_files():
            action = menu.addAction(as_title(path))
            action.setObjectName(f"action.recent.{path}")
            action.setData(path)
            action.triggered.connect(self._open_recent)
        if menu.isEmpty():
            menu.addAction(self.tr("Nothing yet")).setEnabled(False)

    def _fill_examples(self) -> None:
        menu = self._filled["examples"]
        menu.clear()
        for example in lessons.examples():
            action = menu.addAction(as_title(example.title_in(i18n.language())))
            action.setObjectName(f"action.example.{example.id}")
            action.setData(example.id)
            action.triggered.connect(self._open_example)

    def _fill_textSize(self) -> None:
        sizes = {str(percent): f"{percent}%" for percent in settings.TEXT_SIZES}
        self._fill_choice("textSize", sizes, str(settings.TEXT_SIZE.get()), self._choose_size)

    def _fill_theme(self) -> None:
        names = {name: i18n.translate("Bars", title) for name, title in THEMES.items()}
        self._fill_choice("theme", names, settings.THEME.get(), self._choose_theme)

    def _fill_language(self) -> None:
        self._fill_choice("language", i18n.LANGUAGES, i18n.language(), self._choose_language)

    def _fill_panels(self) -> None:
        menu = self._filled["panels"]
        menu.clear()
        for name, dock in self._window.docks.by_name.items():
            dock.toggleViewAction().setObjectName(f"action.panel.{name}")
            menu.addAction(dock.toggleViewAction())

    def _fill_choice(self, name: str, choices: dict[str, str], current: str, slot: object) -> None:
        menu = self._filled[name]
        menu.clear()
        for before in menu.findChildren(QActionGroup):
            before.deleteLater()
        group = QActionGroup(menu)
        for key, title in choices.items():
            action = menu.addAction(title)
            action.setObjectName(f"action.{name}.{key}")
            action.setData(key)
            action.setCheckable(True)
            action.setChecked(key == current)
            group.addAction(action)
            action.triggered.connect(slot)

    # ------------------------------------------------------------ slots

    def _data(self) -> str:
        sender = self.sender()
        return str(sender.data()) if isinstance(sender, QAction) else ""

    def _open_recent(self) -> None:
        self._window.filing.open_path(Path(self._data()))

    def _open_example(self) -> None:
        self._window.filing.open_example(self._data())

    def _choose_size(self) -> None:
        self._window.presenting.set_text_size(int(self._data()))

    def _choose_theme(self) -> None:
        self._window.presenting.set_theme(self._data())

    def _choose_language(self) -> None:
        self._window.presenting.set_language(self._data())

    def _zoom_to(self, percent: float) -> None:
        self._window.canvas.set_zoom_percent(percent, glide=True)
        self._window.canvas.setFocus()

    def _step_zoom(self, percent: float) -> None:
        self._window.canvas.set_zoom_percent(percent, glide=True)

    def _fit_all(self) -> None:
        self._window.canvas.show_all(glide=True)
        self._window.canvas.setFocus()
