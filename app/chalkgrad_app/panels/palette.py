"""The palette: the two tensors and every operator, by section; drag one, or click it with cards selected."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QLineEdit, QToolTip, QVBoxLayout, QWidget

from chalkgrad.engine.record import OPS
from chalkgrad.text import Text, render
from chalkgrad_app import catalogue, settings
from chalkgrad_app.catalogue import COMMON, TENSOR, TENSOR_GRAD
from chalkgrad_app.i18n import language
from chalkgrad_app.panels.sections import Section
from chalkgrad_app.panels.tiles import ARROWS, Tile
from chalkgrad_app.widgets.code_font import RESTYLED, scaled
from chalkgrad_app.widgets.column_area import column_area

LAST = ("compare", "shape", "index", "layer", "in-place", "grad mode")
"""Sections that stand below the others, in this order."""

WIDTH, LEAST_WIDTH = 176, 232
"""As wide as the window's sketch has it, at 100% text size; and, at any text size, never kept wider than this."""


class PalettePanel(QWidget):
    """Search on top, the tensors, then the sections."""

    operator_chosen = Signal(str)
    tensor_chosen = Signal(bool)
    searching = Signal()
    """Somebody is about to type into the search field, which may lie behind another panel."""
    left = Signal()
    """By Escape, when there is no search to end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.palette")
        self.search = QLineEdit(self)
        self.search.setObjectName("palette.search")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._choose_first)
        self.search.installEventFilter(self)
        self.area = column_area(self)
        self.area.installEventFilter(self)
        inside = QWidget(self.area.viewport())
        self.tensors = [Tile(TENSOR, inside), Tile(TENSOR_GRAD, inside)]
        self.recent = Section("recent", _recent(), True, inside)
        self.common = Section("common", [name for name in COMMON if name in OPS], True, inside)
        self.sections = _make_sections(inside)
        self.nothing = QLabel(inside)
        self.nothing.setObjectName("palette.nothing")
        self.nothing.setWordWrap(True)
        self.nothing.hide()
        for tile in self.tensors:
            tile.chosen.connect(self._on_chosen)
        for section in (self.common, self.recent, *self.sections):
            section.chosen.connect(self._on_chosen)
            section.used.connect(self._on_used)
        self._arrange(inside)
        slash = QShortcut(QKeySequence("/"), self)
        slash.setObjectName("palette.focusSearch")
        slash.activated.connect(self.focus_search)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.restyle)
        self.restyle()
        self.retranslate()

    def focus_search(self) -> None:
        """Put the focus into the search field, ready to type over what stands there."""
        self.searching.emit()
        self.search.setFocus()
        self.search.selectAll()

    def sizeHint(self) -> QSize:
        """As wide as the window's sketch has it, at any text size."""
        return QSize(scaled(WIDTH), scaled(400))

    def minimumSizeHint(self) -> QSize:
        """The tiles keep their columns."""
        return QSize(min(scaled(WIDTH - 32), LEAST_WIDTH), scaled(80))

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.search.setPlaceholderText(self.tr("Search  /"))
        self.search.setAccessibleName(self.tr("Search operators"))
        self.nothing.setText(self.tr("No operator is called that, in English or in Chinese."))
        for tile in self.tensors:
            tile.retranslate()
        self.recent.retranslate(self.tr("Used last"))
        self.common.retranslate(self.tr("Common"))
        for section in self.sections:
            section.retranslate(render(Text(catalogue.section_key(section.name)), language()))

    def restyle(self) -> None:
        """Fonts and room of the text size in use."""
        for tile in self.tensors:
            tile.restyle()
        for section in (self.common, self.recent, *self.sections):
            section.restyle()
        self._top.setContentsMargins(scaled(8), scaled(8), scaled(8), scaled(8))
        self._column.setSpacing(scaled(4))
        self._column.setContentsMargins(scaled(8), 0, scaled(2), scaled(8))
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language, theme or text size."""
        if hasattr(self, "_later"):
            if event.type() == QEvent.Type.LanguageChange:
                self.retranslate()
            elif event.type() in RESTYLED:
                self._later.start(0)  # the children come after their parent and would undo what is set now
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys go from tile to tile; Escape ends a search, and then leaves."""
        focused = self.focusWidget()
        way = ARROWS.get(Qt.Key(event.key()))
        if way is not None and isinstance(focused, Tile):
            self._go(focused, *way)
            event.accept()
        elif event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """The tooltip of the tile under the pointer, which leaves it to the panel: most events come to every tile."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            under = self.childAt(event.pos())
            if isinstance(under, Tile):
                QToolTip.showText(event.globalPos(), under.tip(), under)
                return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow down goes from the search field to the first tile found; arrows at tiles don't scroll."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is not self.search:
            self.keyPressEvent(event)
            return event.isAccepted()
        is_down = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down
        if watched is self.search and event.type() == QEvent.Type.KeyPress and is_down:
            shown = self._shown()
            if shown:
                shown[0].setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------ build

    def _arrange(self, inside: QWidget) -> None:
        self._column = QVBoxLayout(inside)
        for widget in (*self.tensors, self.nothing, self.common, self.recent, *self.sections):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self.area.setWidget(inside)
        self._top = QVBoxLayout()
        self._top.addWidget(self.search)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(self._top)
        whole.addWidget(self.area, 1)

    # ------------------------------------------------------------ inside

    def _shown(self) -> list[Tile]:
        sections = (self.common, self.recent, *self.sections)
        tiles = [*self.tensors, *(tile for section in sections for tile in section.tiles)]
        return [tile for tile in tiles if tile.isVisible()]

    def _filter(self, text: str) -> None:
        """Show what is found, each once: what was used last and what is common stands in a section, too."""
        names = {entry.name for entry in catalogue.search(text, language())} if text.strip() else None
        for tile in self.tensors:
            tile.setVisible(names is None or tile.name in names)
        for section in (self.common, self.recent):
            section.filter(None if names is None else ())
        for section in self.sections:
            section.filter(names)
        self.nothing.setVisible(names is not None and not names)

    def _choose_first(self) -> None:
        if self.search.text().strip():
            for entry in catalogue.search(self.search.text(), language())[:1]:
                self._on_chosen(entry.name)

    def _go(self, tile: Tile, across: int, down: int) -> None:
        """Move the focus to the neighbour, on the screen, in a direction."""
        shown = self._shown()
        if across:
            there = shown[min(max(shown.index(tile) + across, 0), len(shown) - 1)]
        else:
            there = _nearest(tile, shown, down)
        there.setFocus(Qt.FocusReason.TabFocusReason)
        self.area.ensureWidgetVisible(there)

    def _on_chosen(self, name: str) -> None:
        if name in (TENSOR, TENSOR_GRAD):
            self.tensor_chosen.emit(name == TENSOR_GRAD)
        else:
            self.operator_chosen.emit(name)

    def _on_used(self, name: str) -> None:
        settings.remember_operator(name)
        self.recent.offer(_recent())


def _make_sections(inside: QWidget) -> list[Section]:
    """All sections, folded; their tiles are made when they are opened."""
    held: dict[str, list[str]] = {}
    for record in OPS.values():
        if not record.hidden:
            held.setdefault(record.section, []).append(record.name)
    return [Section(name, held[name], False, inside) for name in sorted(held, key=_place)]


def _nearest(tile: Tile, shown: list[Tile], down: int) -> Tile:
    """The tile in the next row up or down whose middle is nearest."""
    here = tile.mapToGlobal(tile.rect().center())
    places = [(other, other.mapToGlobal(other.rect().center())) for other in shown]
    beyond = [
        (abs(at.y() - here.y()), abs(at.x() - here.x()), other)
        for other, at in places
        if _is_beyond(at.y() - here.y(), down)
    ]
    return min(beyond, key=lambda found: found[:2])[2] if beyond else tile


def _is_beyond(way: int, down: int) -> bool:
    return way * down > 0


def _place(section: str) -> int:
    """Sort key of a section's name: the table's order, then those that stand last."""
    return LAST.index(section) + 1 if section in LAST else 0


def _recent() -> list[str]:
    """The operators placed last, without those that the section above them has."""
    return [name for name in settings.recent_operators() if name in OPS and name not in COMMON]
