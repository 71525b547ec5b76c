"""The palette: the two tensors and every operator, by section; drag one, or click it with cards selected."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from chalkgrad.engine.record import OPS, Record
from chalkgrad.program.arguments import caller
from chalkgrad.text import Text, render
from chalkgrad_app import catalogue
from chalkgrad_app.catalogue import TENSOR, TENSOR_GRAD
from chalkgrad_app.i18n import language
from chalkgrad_app.panels.tiles import ARROWS, Section, Tile
from chalkgrad_app.widgets.code_font import RESTYLED, scaled

FOLDED = ("compare", "shape", "index", "layer", "in-place", "grad mode")
"""Sections that are folded when the window opens, and stand below the others in this order."""

WIDTH = 176


class PalettePanel(QWidget):
    """Search on top, the tensors, then the sections."""

    operator_chosen = Signal(str)
    tensor_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.palette")
        self.search = QLineEdit(self)
        self.search.setObjectName("palette.search")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._choose_first)
        self.search.installEventFilter(self)
        self.tensors = [Tile(TENSOR, "tensor", self), Tile(TENSOR_GRAD, "tensor ∇", self)]
        self.sections = self._make_sections()
        for tile in self._tiles():
            tile.chosen.connect(self._on_chosen)
        self._arrange()
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
        self.search.setFocus()
        self.search.selectAll()

    def sizeHint(self) -> QSize:
        """As wide as the window's sketch has it, at any text size."""
        return QSize(scaled(WIDTH), scaled(400))

    def minimumSizeHint(self) -> QSize:
        """The tiles keep their columns."""
        return QSize(scaled(WIDTH - 32), scaled(120))

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.search.setPlaceholderText(self.tr("Search  /"))
        self.search.setAccessibleName(self.tr("Search operators"))
        tips = (self.tr("A leaf that does not require grad"), self.tr("A leaf that requires grad"))
        for tile, tip, name in zip(self.tensors, tips, ("tensor", "tensor, requires_grad=True"), strict=True):
            tile.setToolTip(tip)
            tile.setAccessibleName(name)
            tile.setAccessibleDescription(tip)
        for section in self.sections:
            section.title.setText(render(Text(catalogue.section_key(section.name)), language()))
            for tile in section.tiles:
                _describe(tile, OPS[tile.name])

    def restyle(self) -> None:
        """Fonts and room of the text size in use."""
        for tile in self.tensors:
            tile.restyle()
        for section in self.sections:
            section.restyle()
        self._column.setSpacing(scaled(3))
        self._column.setContentsMargins(scaled(8), scaled(2), scaled(8), scaled(8))
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
        """Arrow keys go from tile to tile; Escape leaves a search."""
        focused = self.focusWidget()
        way = ARROWS.get(Qt.Key(event.key()))
        if way is not None and isinstance(focused, Tile):
            self._go(focused, *way)
            event.accept()
        elif event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        else:
            super().keyPressEvent(event)

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

    def _make_sections(self) -> list[Section]:
        shown = [OPS[entry.name] for entry in catalogue.entries(language()) if entry.name in OPS]
        names = sorted(dict.fromkeys(record.section for record in shown), key=_place)
        made = []
        for name in names:
            tiles = [Tile(record.name, _face(record), self) for record in shown if record.section == name]
            made.append(Section(name, tiles, name not in FOLDED, self))
        return made

    def _arrange(self) -> None:
        inside = QWidget(self)
        self._column = QVBoxLayout(inside)
        for widget in (*self.tensors, *self.sections):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inside)
        self.area.installEventFilter(self)
        top = QVBoxLayout()
        top.setContentsMargins(8, 8, 8, 6)
        top.addWidget(self.search)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top)
        whole.addWidget(self.area, 1)

    # ------------------------------------------------------------ inside

    def _tiles(self) -> list[Tile]:
        return [*self.tensors, *(tile for section in self.sections for tile in section.tiles)]

    def _shown(self) -> list[Tile]:
        return [tile for tile in self._tiles() if tile.isVisible()]

    def _filter(self, text: str) -> None:
        names = {entry.name for entry in catalogue.search(text, language())} if text.strip() else None
        for tile in self.tensors:
            tile.setVisible(names is None or tile.name in names)
        for section in self.sections:
            section.filter(names)

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
    """Sort key of a section's name: the table's order for those that stand open, then the folded ones."""
    return FOLDED.index(section) + 1 if section in FOLDED else 0


def _face(record: Record) -> str:
    """What a tile says: the symbol where two tensors have one between them, else the name."""
    return record.symbol if record.symbol and not record.writes and len(record.inputs) > 1 else record.name


def _describe(tile: Tile, record: Record) -> None:
    """Tooltip and accessible texts of an operator's tile: its sentence, its spellings; the formula comes when shown."""
    sentence = render(Text(record.text_key), language())
    public = caller(record.name)
    method = f".{public.method}()" if public.method else None
    spellings = [text for text in (public.function, method, record.symbol) if text]
    code = "&nbsp;&nbsp; ".join(html.escape(text) for text in spellings)
    tile.setToolTip(f"<p style='white-space:pre-wrap'>{html.escape(sentence)}<br><code>{code}</code></p>")
    tile.formula = record.formula({name: rf"\mathrm{{{name}}}" for name in record.inputs})
    tile.setAccessibleName(record.name)
    tile.setAccessibleDescription(sentence)
