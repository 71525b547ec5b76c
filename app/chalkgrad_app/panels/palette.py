"""The palette: the two tensors and every operator, by section; drag one, or click it with cards selected."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from chalkgrad import ops as _filled  # noqa: F401 - fills the table
from chalkgrad.engine.record import OPS, Record
from chalkgrad.program.names import narrow
from chalkgrad.text import Text, render
from chalkgrad_app.i18n import language

MIME = "application/x-chalkgrad-operator"
TENSOR, TENSOR_GRAD = "tensor", "tensor-grad"
FOLDED = frozenset({"in-place", "shape", "grad mode", "compare"})
"""Sections that are folded when the window opens."""

COLUMNS = 4


class Tile(QToolButton):
    """One thing to drag or click: an operator's symbol or name, or a tensor."""

    chosen = Signal(str)

    def __init__(self, name: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._pressed_at: QPoint | None = None
        self.setObjectName(f"palette.{name}")
        self.setText(text)
        self.setAutoRaise(True)
        self.setProperty("tile", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self._choose)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag may begin."""
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin a drag when the mouse went far enough."""
        if self._pressed_at is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        way = event.position().toPoint() - self._pressed_at
        if way.manhattanLength() >= QApplication.startDragDistance():
            self._pressed_at = None
            self.setDown(False)
            self._drag()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
            return
        super().keyPressEvent(event)

    def _drag(self) -> None:
        drag = QDrag(self)
        data = QMimeData()
        data.setData(MIME, QByteArray(self.name.encode()))
        drag.setMimeData(data)
        drag.setPixmap(self.grab())
        drag.setHotSpot(QPoint(self.width() // 2, self.height() // 2))
        drag.exec(Qt.DropAction.CopyAction)

    def _choose(self) -> None:
        self.chosen.emit(self.name)


class Section(QWidget):
    """A title that folds, and the tiles of one section."""

    def __init__(self, name: str, tiles: list[Tile], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.tiles = tiles
        self.title = QToolButton(self)
        self.title.setObjectName(f"palette.section.{name}")
        self.title.setCheckable(True)
        self.title.setChecked(name not in FOLDED)
        self.title.setAutoRaise(True)
        self.title.setProperty("sectionTitle", True)
        self.title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.title.toggled.connect(self._show_tiles)
        self.body = QWidget(self)
        self._grid = QGridLayout(self.body)
        self._grid.setContentsMargins(0, 0, 0, 4)
        self._grid.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.body)
        self._show_tiles(self.title.isChecked())

    def retranslate(self) -> None:
        """Set the title in the language in use."""
        self.title.setText(render(Text(f"section.{self.name.replace(' ', '-')}"), language()))

    def filter(self, wanted: str) -> bool:
        """Show the tiles that ``wanted`` finds; True when there is one."""
        found = [tile for tile in self.tiles if not wanted or wanted in tile.property("words")]
        for tile in self.tiles:
            tile.setVisible(tile in found)
        self._fill(found)
        self.setVisible(bool(found))
        self._show_tiles(bool(wanted) or self.title.isChecked())
        return bool(found)

    def _fill(self, tiles: list[Tile]) -> None:
        """Lay the tiles out in columns; a long name takes two."""
        while self._grid.count():
            self._grid.takeAt(0)
        row = column = 0
        for tile in tiles:
            span = 1 if len(tile.text()) <= 3 else 2
            if column + span > COLUMNS:
                row, column = row + 1, 0
            self._grid.addWidget(tile, row, column, 1, span)
            column += span
        for index in range(COLUMNS):
            self._grid.setColumnStretch(index, 1)

    def _show_tiles(self, on: bool) -> None:
        self.body.setVisible(on)
        self.title.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)


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
        self.tensors = [Tile(TENSOR, "tensor", self), Tile(TENSOR_GRAD, "tensor ∇", self)]
        self.sections = self._make_sections()
        for tile in self._tiles():
            tile.chosen.connect(self._on_chosen)
        self._arrange()
        self.retranslate()

    def sizeHint(self) -> QSize:
        """As wide as the window's sketch has it, at any text size."""
        return QSize(round(176 * self.fontMetrics().height() / 17), 400)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.search.setPlaceholderText(self.tr("Search  /"))
        self.search.setAccessibleName(self.tr("Search operators"))
        self.tensors[0].setToolTip(self.tr("A leaf that does not require grad"))
        self.tensors[1].setToolTip(self.tr("A leaf that requires grad"))
        self.tensors[0].setProperty("words", self.tr("tensor leaf").casefold() + " tensor 张量")
        self.tensors[1].setProperty("words", self.tr("tensor leaf").casefold() + " tensor requires_grad ∇ 张量")
        for section in self.sections:
            section.retranslate()
            for tile in section.tiles:
                _describe(tile, OPS[tile.name])
        self._filter(self.search.text())

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Lay the tiles out when they are first seen."""
        super().showEvent(event)
        self._filter(self.search.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys go from tile to tile."""
        by = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: COLUMNS, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -COLUMNS}
        shown = [tile for tile in self._tiles() if tile.isVisible()]
        focused = self.focusWidget()
        step = by.get(Qt.Key(event.key()))
        if step is None or not isinstance(focused, Tile) or focused not in shown:
            super().keyPressEvent(event)
            return
        shown[min(max(shown.index(focused) + step, 0), len(shown) - 1)].setFocus()

    def _make_sections(self) -> list[Section]:
        names = dict.fromkeys(record.section for record in OPS.values() if not record.hidden)
        made = []
        for name in names:
            records = [record for record in OPS.values() if record.section == name and not record.hidden]
            made.append(Section(name, [Tile(record.name, _face(record), self) for record in records], self))
        return made

    def _arrange(self) -> None:
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(8, 4, 8, 8)
        column.setSpacing(4)
        for tile in self.tensors:
            tile.setProperty("tensor", True)
            policy = tile.sizePolicy()
            policy.setHorizontalPolicy(policy.Policy.Expanding)
            tile.setSizePolicy(policy)
            column.addWidget(tile)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(8, 8, 8, 4)
        top.addWidget(self.search)
        whole.addLayout(top)
        whole.addWidget(area, 1)

    def _tiles(self) -> list[Tile]:
        return [*self.tensors, *(tile for section in self.sections for tile in section.tiles)]

    def _filter(self, text: str) -> None:
        wanted = narrow(text).strip().casefold()
        for tile in self.tensors:
            tile.setVisible(not wanted or wanted in tile.property("words"))
        for section in self.sections:
            section.filter(wanted)

    def _choose_first(self) -> None:
        for tile in self._tiles():
            if tile.isVisible():
                self._on_chosen(tile.name)
                return

    def _on_chosen(self, name: str) -> None:
        if name in (TENSOR, TENSOR_GRAD):
            self.tensor_chosen.emit(name == TENSOR_GRAD)
        else:
            self.operator_chosen.emit(name)


def _face(record: Record) -> str:
    """What a tile says: the symbol where PyTorch has one, else the name."""
    return record.symbol if record.symbol and not record.writes else record.name


def _describe(tile: Tile, record: Record) -> None:
    """Tooltip and search words of an operator's tile."""
    spellings = [text for text in (record.function, record.method and f".{record.method}()", record.symbol) if text]
    tile.setToolTip(f"{render(Text(record.text_key), language())}\n{'   '.join(spellings)}")
    tile.setAccessibleName(record.name)
    section = Text(f"section.{record.section.replace(' ', '-')}")
    sentences = [render(text, code) for code in ("en", "zh_CN") for text in (Text(record.text_key), section)]
    tile.setProperty("words", " ".join([record.name, *spellings, *record.aliases, *sentences]).casefold())
